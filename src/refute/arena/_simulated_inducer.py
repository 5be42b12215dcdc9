"""The simulated inducers: they condense the sentences of a trajectory into skills and cases, and know nothing else.

No truth is needed for this, so that one backend serves every site. What is learned under simulation shows that the
machinery of learning works, and nothing about how well a language model learns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from refute._errors import ModelError
from refute.agents import Recovery, Scope, Skill
from refute.agents.memory import RepairStrategy
from refute.arena._simulated_settings import SECONDS, usage_of
from refute.learn import (
    FailureDraft,
    FailureInducerInput,
    FailureInducerOutput,
    Mended,
    Part,
    SkillDraft,
    SkillInducerInput,
    SkillInducerOutput,
    Trajectory,
)
from refute.llm import OutputMode, Reply, Request

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_TYPED = re.compile(r"'[^']*'")
_NUMBER = re.compile(r"#?\$?\d[\d.,]*\d|#?\$?\d")
_IDLE = ("scroll", "wait", "note", "done", "back", "forward", "reload", "infeasible")
_COUNTER = re.compile(r"^Repair \d+: ")
_NUMBERED = re.compile(r"_\d+$")
_LAST = 3
_WORDS = 16
_STRATEGIES = {
    Scope.EXECUTION: RepairStrategy.LOCAL_REPAIR,
    Scope.SKILL: RepairStrategy.SKILL_SWITCH,
    Scope.PLANNING: RepairStrategy.REPLAN,
}


class SimulatedInducer:
    """Answers the roles of learning from the text that they are given."""

    name = "simulated"
    simulated = True
    mode = OutputMode.PROMPTED

    async def complete(self, request: Request) -> Reply:
        """The reply of a role. Raises `ModelError` for a role that it does not know."""
        text = self._answer(request).model_dump_json()
        return Reply(text=text, usage=usage_of(request, text), seconds=SECONDS[request.role])

    async def close(self) -> None:
        """Nothing to release."""

    def _answer(self, request: Request) -> BaseModel:
        match request.input:
            case SkillInducerInput() as x:
                asked = " ".join(x.trajectory.instructions)
                drafts = [_skill(part, asked) for part in x.trajectory.parts if part.confirmed and _steps(part)]
                return SkillInducerOutput(skills=tuple({draft.name: draft for draft in drafts}.values())[: x.most])
            case FailureInducerInput() as x:
                cases = [_case(mended) for mended in x.trajectory.repairs] or _untold(x.trajectory)
                distinct = {(case.strategy, case.pattern): case for case in cases}
                return FailureInducerOutput(cases=tuple(distinct.values())[: x.most])
            case _:
                raise ModelError(f"the simulated inducer does not know the role {request.role!r}")


def learned_skill(sentence: str, offered: Sequence[Skill]) -> str | None:
    """Name of the offered skill that was induced from steps like `sentence`, whatever their values, or None."""
    name = _name(sentence)
    return next((skill.name for skill in offered if _NUMBERED.sub("", skill.name) == name), None)


def _general(text: str) -> str:
    """`text` with placeholders for quoted texts and numbers."""
    return _NUMBER.sub("<number>", _QUOTED.sub("<text>", text))


def _name(sentence: str) -> str:
    return re.sub(r"[^a-z]+", "_", _general(sentence).lower()).strip("_")[:60].strip("_")


def _skill(part: Part, asked: str) -> SkillDraft:
    """The skill of one step, with words of the step and of the task that needed it; names of things are left out."""
    form = _general(part.subgoal)
    words = re.findall(r"\b[a-z]{4,}\b", f"{re.sub(r'<[a-z]+>', '', form).lower()} {asked}")
    return SkillDraft(
        name=_name(part.subgoal),
        keywords=tuple(dict.fromkeys(words))[:_WORDS],
        applicability=f"A step like this has to be done: {form}",
        steps=_steps(part),
        success=_general(part.expected[0]) if part.expected else "",
    )


def _steps(part: Part) -> tuple[str, ...]:
    """What was done and worked, each step once, with placeholders for the values of this task."""
    values = [match[1] for match in _QUOTED.finditer(part.subgoal)]
    steps: dict[str, None] = {}
    for act in part.acts:
        if act.outcome or act.text.startswith(_IDLE):
            continue
        text = _TYPED.sub("<text>", act.text)
        for value in values:
            text = text.replace(f'"{value}"', "<text>")
        steps[text] = None
    return tuple(steps)


def _case(mended: Mended) -> FailureDraft:
    seen = mended.falsified or mended.pattern
    back = mended.recovery is not Recovery.NONE and mended.scope is Scope.EXECUTION
    return FailureDraft(
        pattern=_general(mended.pattern or mended.falsified)
        or f"A step went wrong at the level of {mended.scope.value}",
        analysis=f"In the step: {mended.subgoal} Seen: {seen}",
        strategy=RepairStrategy.BACKTRACK if back else _STRATEGIES[mended.scope],
        plan=_general(_COUNTER.sub("", mended.guidance)),
        lessons=f"Watch for this in steps like: {_general(mended.subgoal)}",
    )


def _untold(trajectory: Trajectory) -> list[FailureDraft]:
    """A failure without a repair: only one that gave up or ran out of steps shows what went wrong."""
    if trajectory.ending not in ("budget", "infeasible"):
        return []
    acts = [act.text for part in trajectory.parts for act in part.acts]
    return [
        FailureDraft(
            pattern="The work went on without getting nearer to the goal, and nothing was repaired.",
            analysis=f"The last actions were: {'; '.join(acts[-_LAST:])}.",
            strategy=RepairStrategy.REPLAN,
            plan="Plan anew from the page in front once several actions have brought nothing.",
            lessons="Give each step a falsifier that notices standing still.",
        )
    ]
