"""The typed questions that the agent puts to a model. Wording lies in ``refute/agents/templates``.

The docstrings and descriptions of outputs reach the model through their schemas, and are worded for it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from refute.agents._history import RejectedAction, Step
from refute.agents.fcp._commitment import Commitment, Decision, Diagnosis, Draft, Recovery, Route, Scope
from refute.agents.fcp._fence import ACTION_FENCE_HELP, PIVOTAL_FENCE_HELP, read_action_fence
from refute.agents.memory import FailureRepair, RecalledFailure, Skill
from refute.browser import Observation, action_help
from refute.llm import Picture, Role


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


Observed = Annotated[
    tuple[str, ...],
    Field(max_length=6, description="facts from pages that steps which stay, or the report, need; each with its value"),
]
"""Facts that become notes of the agent: a step that is kept as it is has no other place for them."""


class Completed(_Frozen):
    """A commitment that was confirmed, with the summary of its stage."""

    number: int
    subgoal: str
    summary: str


class PlannerInput(_Frozen):
    """Make a plan for these instructions from this page on."""

    instructions: tuple[str, ...]
    observation: Observation
    skills: tuple[Skill, ...] = ()
    came_along: tuple[str, ...] = Field(default=(), description="skills that only share a task with a found one")
    failures: tuple[FailureRepair, ...] = Field(default=(), description="of similar tasks: what to guard against")
    confirming: bool = Field(default=True, description="whether the steps are to hold confirming evidence")
    falsifying: bool = Field(default=True, description="whether the steps are to hold falsifying evidence")


class PlannerOutput(_Frozen):
    """The plan."""

    commitments: tuple[Draft, ...] = Field(min_length=1, max_length=12, description="the steps, in order")


class ExecutorInput(_Frozen):
    """Choose the next action. `commitment` is None for an agent without a plan.

    With a plan, `skill` is the one that the commitment links; without one, `skills` are all that were retrieved.
    """

    instructions: tuple[str, ...]
    observation: Observation
    commitment: Commitment | None = None
    following: int | None = Field(
        default=None, ge=0, description="steps of the plan after this one; None without a plan"
    )
    later: tuple[str, ...] = Field(default=(), description="subgoals of these following steps")
    skill: Skill | None = None
    skills: tuple[Skill, ...] = ()
    came_along: tuple[str, ...] = Field(default=(), description="skills that only share a task with a found one")
    summaries: tuple[str, ...] = Field(default=(), description="of the finished stages")
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    rejected: tuple[RejectedAction, ...] = ()
    guidance: str = Field(default="", description="from the last repair: what to do differently")
    last_error: str = ""
    shaped: str | None = Field(default=None, description="the page's text as it is shown instead of its own")
    offered: tuple[str, ...] = Field(default=(), description="the actions to choose from; empty: all")

    @property
    def action_help(self) -> str:
        """The forms of the actions that are offered."""
        return action_help(self.offered or None)

    @property
    def seen(self) -> Observation:
        """The page as the prompt shows it."""
        return self.observation if self.shaped is None else self.observation.model_copy(update={"text": self.shaped})

    @property
    def offered_skills(self) -> tuple[Skill, ...]:
        """The skills that the prompt shows."""
        return (self.skill,) if self.skill else self.skills


class ExecutorOutput(_Frozen):
    """One action in its textual form, and why."""

    reasoning: str = Field(default="", description="two sentences at most")
    action: str = Field(min_length=1, description="one action in its textual form, such as click('12')")
    subgoal_done: bool = Field(
        default=False,
        description="true if the page now shows the step complete, or this action itself completes it; else false",
    )


class PivotalOutput(ExecutorOutput):
    """One action in its textual form, why, and what of the page to remember."""

    pivotal: tuple[int, ...] = Field(default=(), description="numbers of elements that matter for later actions")


class VerifierInput(_Frozen):
    """Does the commitment still hold? `proposed` is set when an action is tested before it runs."""

    instructions: tuple[str, ...]
    commitment: Commitment
    observation: Observation
    summaries: tuple[str, ...] = Field(default=(), description="of the finished stages")
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="what the agent wrote down so far")
    proposed: str = Field(default="", description="the action, with its target's role and name")
    reasoning: str = ""
    remaining: tuple[str, ...] = Field(
        default=(), description="for an action that ends the work: subgoals of the open steps after the current one"
    )
    later: tuple[str, ...] = Field(default=(), description="subgoals of the open steps after the current one")
    route: Route = Route.VERIFY
    cue: str = Field(default="", description="why the fast tester asks: a cue, not a verdict")
    last_error: str = ""
    picture: Picture | None = Field(default=None, repr=False, description="the page in front")
    marked: bool = Field(default=False, description="whether the picture shows the elements' numbers")


class VerifierOutput(_Frozen):
    """The verdict."""

    decision: Decision
    reason: str = Field(default="", description="one or two sentences")
    diagnosis: Diagnosis | None = Field(default=None, description="needed for repair, otherwise null")


class RepairerInput(_Frozen):
    """The commitment is falsified: what is the smallest adequate change?"""

    instructions: tuple[str, ...]
    observation: Observation
    commitment: Commitment
    remaining: tuple[Commitment, ...] = Field(default=(), description="pending commitments after this one")
    completed: tuple[Completed, ...] = ()
    diagnosis: Diagnosis
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    came_along: tuple[str, ...] = Field(default=(), description="skills that only share a task with a found one")
    failures: tuple[RecalledFailure, ...] = Field(default=(), description="like this one, with their similarity")
    rejected: tuple[RejectedAction, ...] = ()
    irreversible: tuple[str, ...] = Field(
        default=(), description="actions since the last confirmed state that may not be undone by going back"
    )
    scopes: tuple[Scope, ...] = Field(default=tuple(Scope), description="what the repair may be")
    confirming: bool = True
    falsifying: bool = True


class RepairerOutput(_Frozen):
    """The smallest change that is enough."""

    observed: Observed = ()
    scope: Scope
    recovery: Recovery = Recovery.NONE
    guidance: str = Field(default="", description="what to do differently now")
    commitments: tuple[Draft, ...] = Field(
        default=(),
        max_length=12,
        description="execution: empty; skill: this step with another skill or none; planning: this and all later steps",
    )


class ReviserInput(_Frozen):
    """The user changed the goal. Which commitments does the change falsify?"""

    instructions: tuple[str, ...] = Field(description="before the revision")
    revision: str
    observation: Observation
    completed: tuple[Completed, ...] = ()
    open: tuple[Commitment, ...] = Field(default=(), description="the active commitment and the pending ones")
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    came_along: tuple[str, ...] = Field(default=(), description="skills that only share a task with a found one")
    confirming: bool = True
    falsifying: bool = True


class Falsified(_Frozen):
    """A step that the change contradicts."""

    number: int = Field(description="of the step")
    why: str


class PlanEntry(_Frozen):
    """One step of the rest of the plan: `keep` or `new`, never both."""

    keep: int | None = Field(default=None, description="number of an open step that stays as it is")
    new: Draft | None = Field(default=None, description="a new step")


# Decision 10.
class ReviserOutput(_Frozen):
    """The rest of the plan under the new goal."""

    falsified: tuple[Falsified, ...] = Field(default=(), description="finished and open steps that no longer hold")
    observed: Observed = ()
    plan: tuple[PlanEntry, ...] = Field(min_length=1, max_length=12, description="what is left to do, in order")


class SummaryInput(_Frozen):
    """A stage is finished: what does a later step need to know of it?"""

    instructions: tuple[str, ...] = ()
    commitment: Commitment
    observation: Observation
    summaries: tuple[str, ...] = Field(default=(), description="of the stages that were finished earlier")
    steps: tuple[Step, ...] = ()


class SummaryOutput(_Frozen):
    """What the finished step leaves for later."""

    summary: str = Field(min_length=1, max_length=1200, description="two sentences at most")


def _read_executor(text: str) -> ExecutorOutput:
    read = read_action_fence(text)
    return ExecutorOutput(reasoning=read.reasoning, action=read.action, subgoal_done=read.subgoal_done)


def _read_pivotal(text: str) -> PivotalOutput:
    return PivotalOutput(**read_action_fence(text)._asdict())


_TEMPLATES = "refute.agents"

PLANNER = Role(name="planner", input=PlannerInput, output=PlannerOutput, template=f"{_TEMPLATES}:planner.jinja")
EXECUTOR = Role(
    name="executor",
    input=ExecutorInput,
    output=ExecutorOutput,
    template=f"{_TEMPLATES}:executor.jinja",
    fenced=_read_executor,
    fence_help=ACTION_FENCE_HELP,
)
PIVOTAL_EXECUTOR = Role(
    name="executor",
    input=ExecutorInput,
    output=PivotalOutput,
    template=f"{_TEMPLATES}:executor.jinja",
    fenced=_read_pivotal,
    fence_help=PIVOTAL_FENCE_HELP,
)
"""The executor's question where pages are shaped: past pages are remembered by what it calls pivotal."""
VERIFIER = Role(
    name="verifier",
    input=VerifierInput,
    output=VerifierOutput,
    template=f"{_TEMPLATES}:verifier.jinja",
    pictures=lambda x: (x.picture,) if x.picture else (),
)
REPAIRER = Role(name="repairer", input=RepairerInput, output=RepairerOutput, template=f"{_TEMPLATES}:repairer.jinja")
REVISER = Role(name="reviser", input=ReviserInput, output=ReviserOutput, template=f"{_TEMPLATES}:reviser.jinja")
SUMMARISER = Role(
    name="summariser", input=SummaryInput, output=SummaryOutput, template=f"{_TEMPLATES}:summariser.jinja"
)
