"""What experience leaves behind: skills from what worked, failure repairs from what did not (fcpagent B.3, B.4)."""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Origin(_Record):
    """An episode that a record was made from. Records of hand-written libraries have none."""

    site: str = ""
    """Name of the bundled site, or the host."""
    task: str
    template: str = ""
    split: str = "test"
    run: str = ""


class Skill(_Record):
    """A reusable procedure (fcpagent B.3): s = (name, keywords, applicability, steps, success, precautions)."""

    name: str = Field(min_length=1)
    keywords: tuple[str, ...] = ()
    applicability: str = ""
    steps: tuple[str, ...] = ()
    success: str = ""
    precautions: str = ""
    sources: tuple[Origin, ...] = ()
    """The episodes that it was induced from, more than one where near-duplicates were merged."""

    @property
    def brief(self) -> Skill:
        """The skill without its details: what a planner needs to choose it (progressive disclosure)."""
        return self.model_copy(update={"steps": (), "precautions": ""})


class RepairStrategy(StrEnum):
    """The repairs that the agent can carry out, from small to large."""

    LOCAL_REPAIR = "local_repair"
    """Another action or path; the commitment stays."""
    SKILL_SWITCH = "skill_switch"
    """The same subgoal by another skill, or by none."""
    BACKTRACK = "backtrack"
    """Back to a page that was fine, then on."""
    COMMITMENT_REWRITE = "commitment_rewrite"
    """This commitment is written anew."""
    REPLAN = "replan"
    """This commitment and all later ones are written anew."""


_WORDS_OF = (
    (RepairStrategy.SKILL_SWITCH, r"skill"),
    (RepairStrategy.BACKTRACK, r"backtrack|back to|restart|start (over|again)|return to"),
    (RepairStrategy.COMMITMENT_REWRITE, r"rewrit\w* .*(step|commitment|fcu|subgoal)|(step|commitment|fcu) rewrit"),
    (RepairStrategy.REPLAN, r"re-?plan|new plan|rewrit|whole plan"),
    (RepairStrategy.LOCAL_REPAIR, r"local|retry|another (action|element|path)|execution"),
)


def normal_strategy(text: str) -> RepairStrategy:
    """The supported repair that `text` names, in whatever words. Raises `ValueError` when it names none."""
    plain = " ".join(re.split(r"[\s_]+", text.strip().lower()))
    for strategy in RepairStrategy:
        if plain == strategy.value.replace("_", " "):
            return strategy
    for strategy, words in _WORDS_OF:
        if re.search(words, plain):
            return strategy
    raise ValueError(f"{text!r} is no repair that the agent can do; those are {', '.join(RepairStrategy)}")


Strategy = Annotated[
    RepairStrategy, BeforeValidator(lambda value: normal_strategy(value) if isinstance(value, str) else value)
]
"""A `RepairStrategy` that is read from any wording of it."""


class FailureRepair(_Record):
    """What went wrong once and what mends it (fcpagent B.4).

    f = (query, pattern and analysis, strategy and plan, lessons).
    `pattern` is abstract; `analysis` stays with what was observed; `plan` is advice and no recovery action.
    """

    query: str = Field(min_length=1)
    pattern: str = Field(min_length=1)
    analysis: str = ""
    strategy: Strategy
    plan: str = ""
    lessons: str = ""
    sources: tuple[Origin, ...] = ()

    @property
    def id(self) -> str:
        """Eight hex digits that name the record by its content; a case has no name of its own."""
        text = "\x1f".join((self.query, self.pattern, self.analysis, self.strategy, self.plan, self.lessons))
        return hashlib.sha256(text.encode()).hexdigest()[:8]
