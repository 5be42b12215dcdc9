"""What an action may do to the world, judged from its kind and from its target's role and name alone."""

from __future__ import annotations

import re
from enum import Enum, auto

from refute.agents._wording import target_of
from refute.browser import (
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
    DragBy,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Infeasible,
    NewTab,
    Observation,
    Press,
    Reload,
    RightClick,
    Select,
    SendMessage,
    Type,
    Upload,
)

_SUBMITS = re.compile(
    r"\b(submit|send|save|post|publish|create|add|apply|update|delete|remove|order|buy|pay|purchase|place|confirm"
    r"|checkout|check out|proceed|continue|next|sign|log|register|subscribe|invite|search|ok|yes|accept|agree)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(submit|send|post|publish|delete|remove|destroy|order|buy|pay|purchase|confirm|register|subscribe|invite"
    r"|cancel|transfer|refund|approve|merge|close account)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"^(search|find|filter|sort|show|see|view|look|browse|go|open|next|previous|more|read|check availability)\b",
    re.IGNORECASE,
)
"""First words of what only asks for another page, whatever comes after them."""
_THING = re.compile(
    r"\b(history|status|details?|summary|list|overview|tracking|number|info|information)\b", re.IGNORECASE
)
"""Names that tell of something to look at: *Order history* orders nothing."""
_BUTTON_LIKE = frozenset({"button", "menuitem", "clickable", "image", "tab"})
_SEARCH = re.compile(r"search|find|filter|quer", re.IGNORECASE)
_ENTER = re.compile(r"(^|\+)((numpad)?enter|return)$", re.IGNORECASE)


class Impact(Enum):
    """What an action may leave behind."""

    READS = auto()
    """It asks for another page and leaves nothing: a search, a filter, the next page."""
    ACTS = auto()
    LASTS = auto()
    """Going back does not undo it, as far as words tell."""


def impact(action: Action, observation: Observation) -> Impact:
    """What kind of action it is, for the risk of carrying it out."""
    if irreversible(action, observation):
        return Impact.LASTS
    return Impact.READS if _only_reads(action, observation) else Impact.ACTS


def ends_work(action: Action) -> bool:
    """Whether the action ends the episode: a report that the goal is met, or that it cannot be."""
    return isinstance(action, Done | Infeasible)


_CHANGES = (
    Click
    | DoubleClick
    | RightClick
    | Fill
    | Type
    | Press
    | Select
    | Check
    | Upload
    | Drag
    | DragBy
    | Goto
    | Back
    | Forward
    | NewTab
    | FocusTab
    | CloseTab
    | AnswerDialog
)


def changes_page(action: Action) -> bool:
    """Whether a page that looks the same afterwards is suspicious.

    Scrolling, hovering, reloading, waiting and notes are not, nor what is done to points of a canvas: text shows none.
    """
    return isinstance(action, _CHANGES)


def high_impact(action: Action, observation: Observation) -> bool:
    """Whether the action is tested before it runs (decision 5).

    These are: submit-like clicks, presses of Enter, navigation away, select, upload, accepting a dialog, messages
    to the user, the reports that end the work, and whatever looks as if it could not be undone.
    """
    if irreversible(action, observation):
        return True
    match action:
        case Goto() | Back() | Forward() | Reload() | NewTab() | CloseTab():
            return True
        case Select() | Upload() | SendMessage() | Done() | Infeasible():
            return True
        case AnswerDialog(accept=accept):
            return accept
        case Click() | DoubleClick() | ClickAt():
            element = target_of(action, observation)
            if element is None:
                return False
            return element.role in _BUTTON_LIKE and _SUBMITS.search(element.name) is not None
        case _:
            return _enters(action)


def irreversible(action: Action, observation: Observation) -> bool:
    """Whether the action may leave something that going back does not undo: submit, order, delete, send (decision 6).

    Words decide, so this errs: it is a reason for care, never a proof. Enter counts unless it is pressed in something
    that looks like a search field. An accepted dialog counts, since pages ask before what cannot be undone. A name
    does not count that begins with a word for looking (*Find an order*) or names a thing to look at (*Order history*).
    """
    match action:
        case SendMessage():
            return True
        case AnswerDialog(accept=accept):
            return accept
        case Press() | Type() if _enters(action):
            element = target_of(action, observation)
            if element is None:
                return True
            return element.role != "searchbox" and not _SEARCH.search(element.name)
        case Click() | DoubleClick() | ClickAt():
            element = target_of(action, observation)
            if element is None or _READS.search(element.name) or _THING.search(element.name):
                return False
            return _LASTING.search(element.name) is not None
        case _:
            return False


def _only_reads(action: Action, observation: Observation) -> bool:
    """Whether a submit only asks for another page; navigation by address and history does, too."""
    match action:
        case Goto() | Back() | Forward() | Reload() | NewTab() | FocusTab():
            return True
        case Click() | DoubleClick() | ClickAt():
            element = target_of(action, observation)
            return element is not None and _READS.search(element.name) is not None
        case _:
            return _enters(action)


def _enters(action: Action) -> bool:
    """Whether the Enter key goes down: by name, or as a line break in what is typed."""
    match action:
        case Press(key=key):
            return _ENTER.search(key.strip()) is not None
        case Type(text=text):
            return "\n" in text or "\r" in text
        case _:
            return False
