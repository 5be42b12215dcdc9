"""Delivery of revisions: modes, strategies, and the events that record them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from refute.goals import Task
from refute.trace import Event


class TriggerMode(StrEnum):
    """What decides that a revision is due; a setting of the run (decision 21).

    `STEP` is for a user who says beforehand when to change their mind, `LIVE` stands for one who says it while the
    agent runs; the tasks of a suite have milestones. `HYBRID` asks the model only on pages that a cheap score finds
    plausible. `ACTION_INDEX` and `FRACTION` pay no heed to milestones: a revision comes after a number of actions,
    given or measured in a rehearsal, so that both can be compared on the same tasks.
    """

    MILESTONE = "milestone"
    HYBRID = "hybrid"
    PREDICATE = "predicate"
    ACTION_INDEX = "action_index"
    FRACTION = "fraction"
    STEP = "step"
    LIVE = "live"


class Deliver(StrEnum):
    """Whether a task's revisions come while the agent works; a setting of the run (decision 21b).

    `DURING` delivers them. The other two bound what delivery can achieve on the same tasks, and deliver nothing:
    `NEVER` leaves the agent with the initial instruction, `UPFRONT` gives it the final goal as its only instruction
    (the static twin of the task). The truth is that of the final goal in all three.
    """

    DURING = "during"
    NEVER = "never"
    UPFRONT = "upfront"

    def first_instruction(self, task: Task) -> str:
        """What the agent is told at the start of `task`."""
        return task.static_instruction if self is Deliver.UPFRONT else task.initial_instruction


class Strategy(StrEnum):
    """How a revision reaches the agent; a setting of the run (decision 23).

    `APPEND` adds its text to the instructions. `REWRITE` replaces them by one merged instruction. `RESET` appends, and
    starts the browser anew; `RESET_REWRITE` does both. What a site has stored is never undone.
    """

    APPEND = "append"
    REWRITE = "rewrite"
    RESET = "reset"
    RESET_REWRITE = "reset+rewrite"

    @property
    def rewrites(self) -> bool:
        """Whether the instructions are merged into one."""
        return self in (Strategy.REWRITE, Strategy.RESET_REWRITE)

    @property
    def resets(self) -> bool:
        """Whether the browser starts anew at the start page, as it was when the episode began."""
        return self in (Strategy.RESET, Strategy.RESET_REWRITE)


class TriggerAsked(Event, kind="trigger_asked"):
    """The trigger looked at an observation for revision `revision` (1…)."""

    revision: int
    fired: bool
    reached: bool | None = Field(default=None, description="what a model said; null where none was asked")
    confidence: float = Field(ge=0, le=1, description="how sure it was of that answer, yes or no")
    evidence: str = ""
    plausibility: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="of the milestone on this page, by a cheap score; null without one",
    )
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="plausibility from which on `hybrid` asks; null for other triggers"
    )
    last: bool = Field(default=False, description="the agent claimed to be done: the last look before it is forced")


class Delivered(Event, kind="delivered"):
    """Revision `revision` (1…) was delivered before the next action."""

    revision: int
    text: str
    mode: TriggerMode
    strategy: Strategy
    forced: bool = Field(
        default=False, description="delivered because the agent claimed to be done early (decision 20)"
    )
    digest: str = Field(default="", description="of the page at delivery")


class BrowserReset(Event, kind="browser_reset"):
    """The browser was closed and opened anew at the start page because of the revision just delivered (decision 23).

    Cookies, tabs and pages are those of the beginning; what the site has stored stays.
    """


class Intercepted(Event, kind="intercepted"):
    """The agent's `done` was turned down because revisions and budget remained."""

    message: str
