"""Every error that `refute` raises on purpose.

    RefuteError
    ├── UserError              what was asked cannot work; the message says what to change
    │   └── LocalModelError        a model of this machine (embedder, scorer) is missing, damaged, or of another kind
    ├── LimitReached           an episode has spent what it may; not a failure
    └── RunError               the run failed through no fault of the agent
        ├── BrowserError       the browser, or a page that takes it down
        │   ├── BrowserMissing     no Chromium was found
        │   ├── BrowserTimeout     a call on a page outlived its deadline
        │   ├── NavigationError    an address cannot be reached
        │   ├── PageCrashed        the page's process is gone
        │   └── BrowserGone        the browser's process is gone, and every session in it
        ├── ModelError         the provider or its replies
        │   ├── ModelTimeout       no reply within the deadline
        │   ├── ModelRefused       the provider turned the request down
        │   │   └── ContextTooLong     the prompt is longer than the model's context window
        │   ├── NotRecorded        a recording has no reply to this question
        │   └── ModelReplyError    no usable reply after the bounded retries
        ├── SiteError          a bundled site does not start, answer or reset
        ├── TraceError         a trace cannot be written or read
        └── RunStopped         a run ended early; its cause is `__cause__`, and what was finished is kept

A `LimitReached` becomes the ending ``budget``. A `UserError` ends a command with exit code 2 and one screen of text. A
`RunError` inside an episode becomes that episode's outcome ``harness_error``: it is counted, shown, and never taken for
an agent's failure.
"""

from __future__ import annotations


class RefuteError(Exception):
    """Base of every error raised on purpose; the message is written for the person who reads it."""


class UserError(RefuteError):
    """What was asked cannot work; the message says what to change."""


class LocalModelError(UserError):
    """A model that runs on this machine (embedder, scorer) is missing, damaged, or of another kind than asked for."""


class LimitReached(RefuteError):
    """An episode has spent what it may; `limit` names what is used up (``tokens``, ``cost``…)."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"the episode's limit of {limit} is reached; raise it with --max-{limit}")
        self.limit = limit


class RunError(RefuteError):
    """The run failed, and not because of the agent."""


class BrowserError(RunError):
    """The browser, or a page that takes it down."""


class BrowserMissing(BrowserError, UserError):
    """No Chromium was found; the message lists what was tried and how to install one."""


class BrowserTimeout(BrowserError):
    """A call on a page outlived its deadline."""


class NavigationError(BrowserError):
    """An address cannot be reached."""


class PageCrashed(BrowserError):
    """The page's process is gone."""


class BrowserGone(BrowserError):
    """The whole browser is gone, under every session in it. `BrowserHost.session` starts another one."""


class ModelError(RunError):
    """The provider failed, or its replies are of no use."""


class ModelTimeout(ModelError):
    """No reply came within the deadline."""


class ModelRefused(ModelError):
    """The provider turned the request down (authentication, quota, content, size)."""


class ContextTooLong(ModelRefused):
    """The prompt is longer than the model's context window; the message says what to do about it."""


class NotRecorded(ModelError):
    """A recording that should answer has no reply to this question."""


class ModelReplyError(ModelError):
    """No usable reply after the bounded retries; `raw` holds the last one."""

    def __init__(self, message: str, *, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class SiteError(RunError):
    """A bundled site does not start, answer or reset."""


class TraceError(RunError):
    """A trace cannot be written or read."""


class RunStopped(RunError):
    """A run of many episodes ended early, because of `__cause__`; the message says what is kept and how to go on."""
