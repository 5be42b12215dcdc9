"""The falsifiable commitment (fcpagent §4, definition 1): a plan step that says what would prove it wrong.

The docstrings of what a model replies with reach it through the schema: they are worded for it, and name their
sources in comments. Prompts call a commitment a step.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.trace import Event


# fcpagent §4.
class Scope(StrEnum):
    """What a contradiction puts in question, from small to large."""

    EXECUTION = "execution"
    SKILL = "skill"
    PLANNING = "planning"


# fcpagent §4.
class Stage(StrEnum):
    """When a confirming statement should be true: before the step, on the way, once it is complete."""

    PRECONDITION = "precondition"
    PROGRESS = "progress"
    COMPLETION = "completion"


class Confirmation(BaseModel):
    """A statement that is true of the page if the step goes well."""

    model_config = ConfigDict(frozen=True)

    stage: Stage
    statement: str = Field(min_length=1, description="one observable fact, in one sentence")


class Falsifier(BaseModel):
    """A statement that, if true, proves the step wrong."""

    model_config = ConfigDict(frozen=True)

    scope: Scope
    statement: str = Field(min_length=1, description="one observable fact, in one sentence")
    before_action: bool = Field(
        default=False,
        description="true if a proposed action alone shows it, before it runs; false for a fact of the page",
    )


class Draft(BaseModel):
    """A step of the plan."""

    model_config = ConfigDict(frozen=True)

    subgoal: str = Field(min_length=1, description="what this step is to achieve, complete enough to act on alone")
    skill: str | None = Field(default=None, description="name of one given skill to follow, or null")
    confirming: tuple[Confirmation, ...] = Field(default=(), description="what should be seen if the step is right")
    falsifying: tuple[Falsifier, ...] = Field(default=(), description="what would show that the step went wrong")
    confidence: float = Field(default=0.7, ge=0, le=1)


class Status(StrEnum):
    """Where a commitment stands."""

    PENDING = "pending"
    ACTIVE = "active"
    CONFIRMED = "confirmed"
    FALSIFIED = "falsified"
    REVISED = "revised"
    ABANDONED = "abandoned"


class Commitment(BaseModel):
    """A commitment in a plan. `number` is unique in the episode; a rewritten commitment gets a new one."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1)
    subgoal: str
    skill: str | None = None
    confirming: tuple[Confirmation, ...] = ()
    falsifying: tuple[Falsifier, ...] = ()
    confidence: float = Field(default=0.7, ge=0, le=1)
    goal_version: int = 0

    @classmethod
    def of(cls, draft: Draft, *, number: int, goal_version: int) -> Commitment:
        """The commitment that a draft becomes when it enters the plan."""
        return cls(number=number, goal_version=goal_version, **draft.model_dump())


class Planned(Event, kind="planned"):
    """The plan was made or rewritten. `commitments` is the whole plan as it stands now."""

    reason: str = Field(description="start, repair, revision, or report (only the report to the user is left)")
    goal_version: int
    commitments: tuple[Commitment, ...]
    active: int | None = Field(default=None, description="number of the active commitment")
    falsified: tuple[int, ...] = Field(default=(), description="numbers that this rewrite took out as falsified")
    note: str = ""


class CommitmentStatus(Event, kind="commitment_status"):
    """A commitment became active, was confirmed, falsified, revised or abandoned."""

    number: int
    status: Status
    summary: str = Field(default="", description="for a confirmed one: the stage summary; else why")


class Route(StrEnum):
    """Where the fast tester sends a state or action (fcpagent equation 6)."""

    CONTINUE = "continue"
    COMPLETE = "complete"
    RISK = "risk"
    VERIFY = "verify"


class Terms(BaseModel):
    """One term of equation 5, each part the best of its statements, in [0, 1]."""

    model_config = ConfigDict(frozen=True)

    progress: float = 0.0
    completion: float = 0.0
    falsification: float = 0.0


class Tested(Event, kind="tested"):
    """The fast tester looked at a proposed action or a returned state."""

    phase: str = Field(description="action, state, or precondition (when a commitment becomes active)")
    number: int = Field(description="the commitment")
    route: Route
    reason: str = Field(description="rule that fired, or the clause of equation 6")
    progress: float = 0.0
    completion: float = 0.0
    falsification: float = 0.0
    group: Scope | None = Field(default=None, description="falsifier group with the highest score")
    tau_plus: float = 0.0
    tau_minus: float = 0.0
    risk: float | None = Field(default=None, description="for an action: its risk score")
    action: str = ""
    lines: tuple[str, ...] = ()
    scorer: str = Field(default="", description="what scored the text; empty = nothing was scored")
    image_scorer: str = Field(default="", description="what scored the picture; empty = the text term stands alone")
    text: Terms | None = Field(default=None, description="text term of equation 5, where a picture was scored too")
    image: Terms | None = Field(default=None, description="image term of equation 5, where a picture was scored")
    milliseconds: float = Field(default=0.0, ge=0, description="what scoring took, by the wall clock")


# fcpagent §5.2.
class Decision(StrEnum):
    """What is to happen now."""

    CONTINUE = "continue"
    ADVANCE = "advance"
    REPAIR = "repair"


class Diagnosis(BaseModel):
    """What contradicts the step, and how deep it goes."""

    model_config = ConfigDict(frozen=True)

    scope: Scope
    falsified: str = Field(default="", description="the falsifier that came true, or what contradicts the step")
    pattern: str = Field(default="", description="what went wrong, in one or two sentences")
    severity: float = Field(default=0.5, ge=0, le=1, description="1 = the current state is unsafe to go on from")
    lines: tuple[str, ...] = Field(default=(), description="lines of the page that show it, word for word")


class Verified(Event, kind="verified"):
    """The slow tester (a model) decided on a proposed action or a returned state."""

    phase: str
    number: int
    route: Route
    decision: Decision
    diagnosis: Diagnosis | None = None
    reason: str = ""
    action: str = ""
    picture: str = Field(default="", description="the picture that was shown, by its file; empty: none was")


# Decision 9.
class Recovery(StrEnum):
    """How far to go back before going on."""

    NONE = "none"
    LAST_CONFIRMED = "last_confirmed"
    RESTART = "restart"


class Repaired(Event, kind="repaired"):
    """A falsified commitment was repaired."""

    number: int = Field(description="the commitment that was falsified")
    scope: Scope
    recovery: Recovery = Recovery.NONE
    guidance: str = ""
    diagnosis: Diagnosis
    rejected_action: str = ""


class RepairCapped(Event, kind="repair_capped"):
    """A repair was due, but the caps were used up (decision 6)."""

    phase: str = Field(description="as in `Tested`")
    number: int = Field(description="the commitment")
    consequence: str = Field(description="goes_on, runs_unverified, replanned, infeasible")
    action: str = ""
