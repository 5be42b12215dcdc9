"""Rules about the parts of a page: what it is about, its sections, dialogs and tabs."""

from __future__ import annotations

import re

from refute.evidence._page import Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import coverage, stem, words

_ABOUT = re.compile(
    r"^(?:the|this) (?:page|article|post|entry|issue|document|listing) (?:is|tells) about (?P<what>.+?)\W*$"
)
_SECTION = re.compile(
    r"\b(?:has|contains|includes|shows?|there is) (?:an?|the|no) (?:section|heading|part|chapter) "
    r"(?:about|on|for|called|named|titled) (?P<what>.+?)\W*$"
)
_DIALOG = re.compile(r"\b(?:dialog(?:ue)?|pop-?up|overlay|banner|modal)\b")
_UP = re.compile(r"\b(?:open|opened|shown|displayed|visible|covers?|appears?|asks?|there is|blocks?)\b")
_DIALOG_LINE = re.compile(r"^(?:alert)?dialog\b|^\[\d+\] dialog\b")
_TALK = frozenset(
    stem(word)
    for word in ["dialog", "dialogue", "popup", "overlay", "banner", "modal", "open", "cover", "ask", "block", "window"]
)


def about(statement: Statement, page: Page) -> Hint | None:
    """'The article is about sourdough' against title and headings."""
    match = _ABOUT.match(statement.lower)
    wanted = words(match["what"]) if match else frozenset[str]()
    for line in page.titles():
        if wanted and wanted <= line.said_words:
            return hint(holds=not statement.negated, strength=0.7, lines=[line])
    return None


def section(statement: Statement, page: Page) -> Hint | None:
    """'The article has a section about storage': whether a heading says so."""
    match = _SECTION.search(statement.lower)
    wanted = words(match["what"]) if match else frozenset[str]()
    if not wanted:
        return None
    denied = statement.negated
    for line in page.lines:
        if line.kind == "heading" and wanted <= line.said_words:
            return hint(holds=not denied, strength=0.75, lines=[line])
    if any(wanted & line.said_words for line in page.lines if line.kind == "heading"):
        return None
    return hint(holds=denied, strength=0.65 if page.complete else 0.3)


def dialog(statement: Statement, page: Page) -> Hint | None:
    """'A cookie dialog covers the page': a dialog that is open, and speaks of that."""
    if not _DIALOG.search(statement.lower) or not _UP.search(statement.lower):
        return None
    wanted = statement.words - _TALK
    for place, line in enumerate(page.lines):
        if _DIALOG_LINE.match(line.raw):
            inside = frozenset[str]().union(*(other.words for other in _inside(page, place)))
            if coverage(wanted, inside) >= 0.5 or not wanted:
                return hint(holds=not statement.negated, strength=0.7, lines=[line])
    return None


_MOST_LINES = 15


def _inside(page: Page, place: int) -> tuple[Line, ...]:
    """A dialog's line and those after it: its own come first."""
    return page.lines[place : place + _MOST_LINES]


_SHOWN = re.compile(r"\b(?:is|are) (?:now )?(?:displayed|shown|open|opened|active|listed|visible|selected)\b")


def tabs(statement: Statement, page: Page) -> Hint | None:
    """'The closed issues are displayed' against a row of tabs of which another one is selected."""
    if not _SHOWN.search(statement.lower):
        return None
    bars = [(line, c) for line, c in page.controls() if c.role in ("tab", "radio") and c.words]
    chosen = [(x, c) for x, c in bars if c.states & {"selected", "checked", "pressed"}]
    if len(bars) < 2 or len(chosen) != 1:
        return None
    named = [(x, c) for x, c in bars if c.words <= statement.words]
    if len(named) != 1:
        return None
    line, control = named[0]
    return hint(holds=(control is chosen[0][1]) != statement.negated, strength=0.65, lines=[line])


PART_RULES = (about, section, dialog, tabs)
