"""Rule checks that come before any scoring: anomalies that are plain to see (fcpagent B.5)."""

from __future__ import annotations

import re

from refute.agents._history import outcome_text
from refute.agents._impact import changes_page
from refute.agents._proposal import Proposal
from refute.browser import CloseTab, Observation, Outcome

_ERROR_TITLE = re.compile(
    r"^\W*((error|http)\s+)?(40[0134]|410|429|50[0234])\b"
    r"|\b(page not found|not found|access denied|forbidden|internal server error|server error|bad gateway"
    r"|service unavailable|site can.t be reached)\b",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r'textbox "[^"\n]*\bpass(?:word|code|phrase)\b', re.IGNORECASE)
_ENTRANCE = re.compile(r"\W*(?:please )?(?:log|sign)[ -]?(?:in|on)\b", re.IGNORECASE)
"""How the title of a page begins on which one signs in."""
_SIGNS_IN = re.compile(
    r"\b(?:log(?:ged|ging)?|sign(?:ed|ing)?)[ -]?(?:in|on|up)\b|\b(?:passwords?|register|accounts?)\b", re.IGNORECASE
)
"""What somebody says who means to come to a form with a password."""
_LONGEST_ERROR_TITLE = 80
"""A longer title is more likely a page about something than an error page."""


def anomaly(
    taken: Proposal,
    outcome: Outcome,
    observation: Observation,
    *,
    before: Observation | None = None,
    circle: str = "",
) -> str:
    """The rule that fires for the state that an action led to, or an empty text.

    `before` is the page on which it was taken: without it, tabs are not compared. `circle`: what `Loops` says of it.
    """
    if not taken.usable:
        return "the executor gave no usable action"
    if not outcome.ok:
        return f"the action failed: {outcome_text(outcome, expects_change=False)}"
    happened = {event.type for event in observation.events}
    if happened & {"crashed", "hung"}:
        return "the page crashed"
    if observation.failed:
        return f"the server answered with an error page (HTTP {observation.status})"
    if "http_error" in happened or _is_error_page(observation.url, observation.title):
        return "the page is an error page"
    if before is not None and _locked_out(taken, before, observation):
        return "the page asks to sign in, and the action did not mean to lead there"
    tabs = _tab_trouble(taken, before, observation) if before is not None else ""
    if tabs:
        return tabs
    if changes_page(taken.action) and not outcome.changed:
        return "the page looks the same after an action that should change it"
    return circle


def _tab_trouble(taken: Proposal, before: Observation, observation: Observation) -> str:
    """A tab that opened onto an error, or that closed although nobody closed it."""
    known = {tab.number for tab in before.tabs}
    for tab in observation.tabs:
        if tab.number not in known and _is_error_page(tab.url, tab.title):
            return "a tab opened onto an error page"
    front = next((tab.number for tab in before.tabs if tab.active), 0)
    if front and front not in {tab.number for tab in observation.tabs} and not isinstance(taken.action, CloseTab):
        return "the tab closed by itself"
    return ""


def _locked_out(taken: Proposal, before: Observation, observation: Observation) -> bool:
    """A session that has ended: the page is one on which one signs in, and the action did not mean to lead there."""
    there = _is_entrance(observation) and not _is_entrance(before)
    return there and not _SIGNS_IN.search(f"{taken.words} {taken.reasoning}")


def _is_entrance(page: Observation) -> bool:
    return _ENTRANCE.match(page.title) is not None or _PASSWORD.search(page.text) is not None


def _is_error_page(url: str, title: str) -> bool:
    if url.startswith("chrome-error:"):
        return True
    title = title.strip()
    return len(title) <= _LONGEST_ERROR_TITLE and _ERROR_TITLE.search(title) is not None
