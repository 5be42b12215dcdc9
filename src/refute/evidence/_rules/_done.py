"""Rules about what was done: messages that say so or deny it, and what still waits to be done."""

from __future__ import annotations

import re

from refute.evidence._page import Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._statement import Statement
from refute.evidence._words import GENERIC, coverage, stem


def bears(line: Line, statement: Statement) -> bool:
    """Whether the line has every name of the statement in full: 'Red Mug' is not 'Red Lamp'."""
    return all(name.lower() in line.text.lower() for name in statement.names)


DONE = re.compile(
    r"\b(saved|added|created|placed|submitted|updated|removed|deleted|published|posted|sent|confirmed|applied|changed|"
    r"completed|ordered|received|approved|cancelled|canceled|registered|uploaded|moved|copied|joined|edited|accepted|"
    r"declined|rejected|merged|archived|restored|booked|bought|purchased|closed|reopened|scheduled|blocked|unblocked|"
    r"shared|renamed|assigned|downloaded|subscribed)\b"
)


_ORDERED = re.compile(r"\b(?:order|purchase|booking|reservation)\b.* (?:placed|made|submitted|completed|received)\b")
_THANKS = re.compile(
    r"\bthank you for (?:your |the )?(?:order|purchase|booking|reservation)\b|"
    r"\b(?:order|purchase|booking|reservation) (?:is )?(?:confirmed|complete|received)\b",
    re.IGNORECASE,
)


def ordered(statement: Statement, page: Page) -> Hint | None:
    """'The order has been placed' on a page that thanks for it."""
    if not _ORDERED.search(statement.lower):
        return None
    line = next((x for x in page.lines if x.kind != "control" and len(x.said) < 200 and _THANKS.search(x.said)), None)
    return hint(holds=not statement.negated, strength=0.75, lines=[line]) if line else None


def done(statement: Statement, page: Page) -> Hint | None:
    """'The product was saved' against a message that says so, or one that denies it ('Unsaved changes')."""
    match = DONE.search(statement.lower)
    if match is None or statement.lower[: match.start()].endswith("to be "):
        return None
    undone = re.compile(rf"\bun{match[1]}\b|(?:\b(?:not|never|nothing)|n't)\b[^.]*\b{match[1]}\b", re.IGNORECASE)
    said = re.compile(rf"\b{match[1]}\b", re.IGNORECASE)
    nothing = re.compile(rf"\bnothing\b[^.]*\b{match[1]}\b", re.IGNORECASE)
    what = statement.words - {stem(match[1])} - _MESSAGE_TALK - GENERIC
    best: tuple[float, bool, Line] | None = None
    for line in page.lines:
        if line.kind == "control" or len(line.said) > 300 or not bears(line, statement):
            continue
        denies = undone.search(line.said) is not None
        if not denies and not said.search(line.said):
            continue
        share = coverage(what, line.said_words) if what and not nothing.search(line.said) else 1.0
        if share >= (0.3 if denies else 0.5) and (best is None or share > best[0]):
            best = (share, not denies, line)
    if best is None:
        return None
    share, holds, line = best
    return hint(holds=holds != statement.negated, strength=0.55 + 0.3 * share, lines=[line])


_MESSAGE_TEXT = "never confirmation message success successfully notice confirm appeared"
_MESSAGE_TALK = frozenset(stem(word) for word in _MESSAGE_TEXT.split())


def pending(statement: Statement, page: Page) -> Hint | None:
    """'A discount code has been applied' while its field is empty and its button 'Apply Discount' still waits."""
    match = re.search(r"\b(?:has|have|had|was|were) (?:been )?(\w+ed)\b", statement.lower)
    if match is None or statement.negated:
        return None
    verb = stem(match[1])
    buttons = [(x, c) for x, c in page.controls() if c.role == "button" and verb in c.words]
    for line, button in buttons:
        rest = button.words - {verb}
        if not rest or not rest <= statement.words:
            continue
        for other, field in page.controls():
            if field.value == "" and rest <= field.words and coverage(statement.words - {verb}, field.words) >= 0.5:
                return hint(holds=False, strength=0.65, lines=[other, line])
    return None


DONE_RULES = (ordered, done, pending)
