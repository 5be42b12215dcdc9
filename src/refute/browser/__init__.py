"""The browser: observe a page, act on it, settle. Knows nothing of models or goals.

The nouns load at once. `BrowserHost` and `Session` load Playwright, and so only when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refute.browser._action import (
    Action,
    AnswerDialog,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Done,
    DoubleClick,
    Drag,
    DragAt,
    DragBy,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    Infeasible,
    NewTab,
    Note,
    Press,
    Reload,
    RightClick,
    Scroll,
    Select,
    SendMessage,
    Type,
    Upload,
    Wait,
)
from refute.browser._action_help import ACTION_HELP, action_help
from refute.browser._find import find_chromium
from refute.browser._grammar import ActionSyntaxError, format_action, parse_action
from refute.browser._observation import Box, Element, Extent, Form, Observation, Observed, Tab
from refute.browser._outcome import Acted, Cause, Outcome, PageEvent, SavedFile
from refute.browser._page_text import messages, missing_lines, unnumbered
from refute.browser._policy import Policy
from refute.browser._secrets import PREFIX as SECRET_VARIABLE
from refute.browser._secrets import Secret, Secrets, read_secrets, secret_names

if TYPE_CHECKING:
    from refute.browser._deadline import Deadlines
    from refute.browser._dialogs import DialogPolicy
    from refute.browser._downloads import uploads_by_name
    from refute.browser._host import BrowserHost
    from refute.browser._readiness import browser_readiness
    from refute.browser._session import Session

__all__ = [
    "ACTION_HELP",
    "SECRET_VARIABLE",
    "Acted",
    "Action",
    "ActionSyntaxError",
    "AnswerDialog",
    "Back",
    "Box",
    "BrowserHost",
    "Cause",
    "Check",
    "Click",
    "ClickAt",
    "CloseTab",
    "Deadlines",
    "DialogPolicy",
    "Done",
    "DoubleClick",
    "Drag",
    "DragAt",
    "DragBy",
    "Element",
    "Extent",
    "Fill",
    "FocusTab",
    "Form",
    "Forward",
    "Goto",
    "Hover",
    "HoverAt",
    "Infeasible",
    "NewTab",
    "Note",
    "Observation",
    "Observed",
    "Outcome",
    "PageEvent",
    "Policy",
    "Press",
    "Reload",
    "RightClick",
    "SavedFile",
    "Scroll",
    "Secret",
    "Secrets",
    "Select",
    "SendMessage",
    "Session",
    "Tab",
    "Type",
    "Upload",
    "Wait",
    "action_help",
    "browser_readiness",
    "find_chromium",
    "format_action",
    "messages",
    "missing_lines",
    "parse_action",
    "read_secrets",
    "secret_names",
    "unnumbered",
    "uploads_by_name",
]

_LAZY = {
    "BrowserHost": "_host",
    "Deadlines": "_deadline",
    "DialogPolicy": "_dialogs",
    "Session": "_session",
    "browser_readiness": "_readiness",
    "uploads_by_name": "_downloads",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
