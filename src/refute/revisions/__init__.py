"""Goal revisions while an agent runs: when they are due, how they are delivered, and the episode that frames them."""

from refute.revisions._delivery import Delivered, Intercepted, Strategy, TriggerAsked, TriggerMode
from refute.revisions._episode import Ending, EpisodeEnded, EpisodeStarted, GoalSet
from refute.revisions._roles import TriggerInput, TriggerOutput
from refute.revisions._schedule import Schedule
from refute.revisions._trigger import (
    CONFIDENCE,
    MILESTONE_TRIGGER,
    MilestoneTrigger,
    PredicateTrigger,
    StepTrigger,
    Trigger,
    TriggerAnswer,
    steps_taken,
)

__all__ = [
    "CONFIDENCE",
    "MILESTONE_TRIGGER",
    "Delivered",
    "Ending",
    "EpisodeEnded",
    "EpisodeStarted",
    "GoalSet",
    "Intercepted",
    "MilestoneTrigger",
    "PredicateTrigger",
    "Schedule",
    "StepTrigger",
    "Strategy",
    "Trigger",
    "TriggerAnswer",
    "TriggerAsked",
    "TriggerInput",
    "TriggerMode",
    "TriggerOutput",
    "steps_taken",
]
