"""Goal revisions while an agent runs: when they are due, how they are delivered, and the episode that frames them."""

from refute.revisions._delivery import (
    BrowserReset,
    Deliver,
    Delivered,
    Intercepted,
    Strategy,
    TriggerAsked,
    TriggerMode,
)
from refute.revisions._episode import Ending, EpisodeEnded, EpisodeStarted, GoalSet, last_attempt
from refute.revisions._hybrid import HybridTrigger, ScoredTrigger, Screen, plausibility
from refute.revisions._inbox import Inbox
from refute.revisions._rewriter import INSTRUCTION_REWRITER, ModelRewriter, Rewriter
from refute.revisions._roles import RewriterInput, RewriterOutput, TriggerInput, TriggerOutput
from refute.revisions._schedule import Schedule
from refute.revisions._trigger import (
    CONFIDENCE,
    MILESTONE_TRIGGER,
    MilestoneTrigger,
    PositionTrigger,
    PredicateTrigger,
    StepTrigger,
    Trigger,
    TriggerAnswer,
    steps_taken,
)

__all__ = [
    "CONFIDENCE",
    "INSTRUCTION_REWRITER",
    "MILESTONE_TRIGGER",
    "BrowserReset",
    "Deliver",
    "Delivered",
    "Ending",
    "EpisodeEnded",
    "EpisodeStarted",
    "GoalSet",
    "HybridTrigger",
    "Inbox",
    "Intercepted",
    "MilestoneTrigger",
    "ModelRewriter",
    "PositionTrigger",
    "PredicateTrigger",
    "Rewriter",
    "RewriterInput",
    "RewriterOutput",
    "Schedule",
    "ScoredTrigger",
    "Screen",
    "StepTrigger",
    "Strategy",
    "Trigger",
    "TriggerAnswer",
    "TriggerAsked",
    "TriggerInput",
    "TriggerMode",
    "TriggerOutput",
    "last_attempt",
    "plausibility",
    "steps_taken",
]
