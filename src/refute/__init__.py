"""`refute`: a web agent whose plan steps can be falsified, and a benchmark that revises goals mid-run.

The errors load at once; `run_goal` and its nouns when they are first used, since they bring the browser and the models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refute._errors import (
    BrowserError,
    BrowserGone,
    BrowserMissing,
    BrowserTimeout,
    ContextTooLong,
    LimitReached,
    LocalModelError,
    ModelError,
    ModelRefused,
    ModelReplyError,
    ModelTimeout,
    NavigationError,
    NotRecorded,
    PageCrashed,
    RefuteError,
    RunError,
    RunStopped,
    SiteError,
    TraceError,
    UserError,
)
from refute._version import __version__

if TYPE_CHECKING:
    from refute._goal import Conclusion, GoalResult, PlanStep, run_goal, run_goal_sync


__all__ = [
    "BrowserError",
    "BrowserGone",
    "BrowserMissing",
    "BrowserTimeout",
    "Conclusion",
    "ContextTooLong",
    "GoalResult",
    "LimitReached",
    "LocalModelError",
    "ModelError",
    "ModelRefused",
    "ModelReplyError",
    "ModelTimeout",
    "NavigationError",
    "NotRecorded",
    "PageCrashed",
    "PlanStep",
    "RefuteError",
    "RunError",
    "RunStopped",
    "SiteError",
    "TraceError",
    "UserError",
    "__version__",
    "run_goal",
    "run_goal_sync",
]

_LAZY = ("Conclusion", "GoalResult", "PlanStep", "run_goal", "run_goal_sync")


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from refute import _goal

    return getattr(_goal, name)
