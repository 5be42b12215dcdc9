"""The browser: observe a page, act on it, settle. Knows nothing of models or goals.

The nouns load at once. `BrowserHost` and `Session` load Playwright, and so only when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refute.browser._action import (
    Action,
    Back,
    Check,
    Click,
    Done,
    Fill,
    Goto,
    Infeasible,
    Note,
    Press,
    Scroll,
    Select,
    Wait,
)
from refute.browser._find import find_chromium
from refute.browser._grammar import ACTION_HELP, ActionSyntaxError, format_action, parse_action
from refute.browser._observation import (
    Acted,
    Cause,
    Element,
    Observation,
    Observed,
    Outcome,
    PageEvent,
    Tab,
)

if TYPE_CHECKING:
    from refute.browser._host import BrowserHost
    from refute.browser._policy import Allow
    from refute.browser._readiness import browser_readiness
    from refute.browser._session import Session

__all__ = [
    "ACTION_HELP",
    "Acted",
    "Action",
    "ActionSyntaxError",
    "Allow",
    "Back",
    "BrowserHost",
    "Cause",
    "Check",
    "Click",
    "Done",
    "Element",
    "Fill",
    "Goto",
    "Infeasible",
    "Note",
    "Observation",
    "Observed",
    "Outcome",
    "PageEvent",
    "Press",
    "Scroll",
    "Select",
    "Session",
    "Tab",
    "Wait",
    "browser_readiness",
    "find_chromium",
    "format_action",
    "parse_action",
]

_LAZY = {"Allow": "_policy", "BrowserHost": "_host", "Session": "_session", "browser_readiness": "_readiness"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
