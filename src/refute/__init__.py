"""`refute`: a web agent whose plan steps can be falsified, and a benchmark that revises goals mid-run."""

from refute._errors import (
    BrowserError,
    BrowserGone,
    BrowserMissing,
    BrowserTimeout,
    ContextTooLong,
    LimitReached,
    ModelError,
    ModelRefused,
    ModelReplyError,
    ModelTimeout,
    NavigationError,
    PageCrashed,
    RefuteError,
    RunError,
    RunStopped,
    SiteError,
    TraceError,
    UserError,
)

__version__ = "0.1.0"

__all__ = [
    "BrowserError",
    "BrowserGone",
    "BrowserMissing",
    "BrowserTimeout",
    "ContextTooLong",
    "LimitReached",
    "ModelError",
    "ModelRefused",
    "ModelReplyError",
    "ModelTimeout",
    "NavigationError",
    "PageCrashed",
    "RefuteError",
    "RunError",
    "RunStopped",
    "SiteError",
    "TraceError",
    "UserError",
    "__version__",
]
