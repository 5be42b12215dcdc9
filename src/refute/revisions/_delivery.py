"""Delivery of revisions: modes, strategies, and the events that record them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from refute.trace import Event


class TriggerMode(StrEnum):
    """What decides that a revision is due; a setting of the run (decision 21).

    `STEP` is for a user who says beforehand when to change their mind; the tasks of a suite have milestones.
    """

    MILESTONE = "milestone"
    PREDICATE = "predicate"
    STEP = "step"


class Strategy(StrEnum):
    """How a revision reaches the agent; a setting of the run (decision 23)."""

    APPEND = "append"


class TriggerAsked(Event, kind="trigger_asked"):
    """The trigger looked at an observation for revision `revision` (1…)."""

    revision: int
    fired: bool
    confidence: float = Field(ge=0, le=1)
    evidence: str = ""


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


class Intercepted(Event, kind="intercepted"):
    """The agent's `done` was turned down because revisions and budget remained."""

    message: str
