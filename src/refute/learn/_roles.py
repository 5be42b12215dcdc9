"""The two questions that learning puts to a model. Docstrings and descriptions of outputs reach it by their schemas."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from refute.agents.memory import Strategy
from refute.learn._trajectory import Trajectory
from refute.llm import Role

MOST = 5
"""Skills, or cases, from one episode (fcpagent B.3)."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class SkillInducerInput(_Frozen):
    """What of this success could be used again?"""

    trajectory: Trajectory
    most: int = MOST


class SkillDraft(_Frozen):
    """A procedure that other tasks can use."""

    name: str = Field(min_length=1, description="what it does, as lower_case_words")
    keywords: tuple[str, ...] = Field(default=(), description="words of a task that needs it")
    applicability: str = Field(min_length=1, description="when to use it")
    steps: tuple[str, ...] = Field(min_length=1, description="in order, with controls by role and visible name")
    success: str = Field(default="", description="what the page shows when it has worked")
    precautions: str = Field(default="", description="what to take care of, or empty")


class SkillInducerOutput(_Frozen):
    """The skills; none if nothing is worth keeping."""

    skills: tuple[SkillDraft, ...] = Field(default=(), max_length=MOST)


class FailureInducerInput(_Frozen):
    """What went wrong here, and what mends it?"""

    trajectory: Trajectory
    failed: bool = Field(description="False: it went wrong on the way, but ended well")
    most: int = MOST


class FailureDraft(_Frozen):
    """One way to go wrong."""

    pattern: str = Field(min_length=1, description="the kind of failure, without names of this task")
    analysis: str = Field(default="", description="what was seen that shows it, concretely")
    strategy: Strategy = Field(description="the repair that mends it")
    plan: str = Field(default="", description="what to do when it happens again")
    lessons: str = Field(default="", description="how a plan can guard against it")


class FailureInducerOutput(_Frozen):
    """One case for each distinct way to go wrong; none if nothing tells why."""

    cases: tuple[FailureDraft, ...] = Field(default=(), max_length=MOST)


SKILL_INDUCER = Role(
    name="skill_inducer",
    input=SkillInducerInput,
    output=SkillInducerOutput,
    template="refute.learn:skill_inducer.jinja",
)
FAILURE_INDUCER = Role(
    name="failure_inducer",
    input=FailureInducerInput,
    output=FailureInducerOutput,
    template="refute.learn:failure_inducer.jinja",
)
