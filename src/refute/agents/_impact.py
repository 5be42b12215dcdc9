"""What an action may do to the world, judged from its kind and from its target's role and name alone."""

from __future__ import annotations

import re

from refute.agents._wording import target_of
from refute.browser import (
    Action,
    Back,
    Check,
    Click,
    Done,
    Fill,
    Goto,
    Infeasible,
    Observation,
    Press,
    Select,
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
_BUTTON_LIKE = frozenset({"button", "menuitem", "clickable", "image", "tab"})
_SEARCH = re.compile(r"search|find|filter|quer", re.IGNORECASE)
_ENTER = re.compile(r"(^|\+)(numpad)?enter$", re.IGNORECASE)


def ends_work(action: Action) -> bool:
    """Whether the action ends the episode: a report that the goal is met, or that it cannot be."""
    return isinstance(action, Done | Infeasible)


def changes_page(action: Action) -> bool:
    """Whether a page that looks the same afterwards is suspicious. Scrolling, waiting and notes are not."""
    return isinstance(action, Click | Fill | Select | Check | Press | Goto | Back)


def high_impact(action: Action, observation: Observation) -> bool:
    """Whether the action is tested before it runs (decision 5).

    These are: submit-like clicks, presses of Enter, navigation away, select, and the reports that end the work.
    """
    match action:
        case Goto() | Back() | Select() | Done() | Infeasible():
            return True
        case Press(key=key):
            return _ENTER.search(key) is not None
        case Click():
            element = target_of(action, observation)
            if element is None:
                return False
            return element.role in _BUTTON_LIKE and _SUBMITS.search(element.name) is not None
        case _:
            return False


def irreversible(action: Action, observation: Observation) -> bool:
    """Whether the action may leave something that going back does not undo: submit, order, delete, send (decision 6).

    Words decide, so this errs: it is a reason for care, never a proof. Enter counts unless it is pressed in something
    that looks like a search field.
    """
    element = target_of(action, observation)
    match action:
        case Press(key=key) if _ENTER.search(key):
            if element is None:
                return True
            return element.role != "searchbox" and not _SEARCH.search(element.name)
        case Click():
            return element is not None and _LASTING.search(element.name) is not None
        case _:
            return False
