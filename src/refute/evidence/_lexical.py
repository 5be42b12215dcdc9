"""The lexical matcher: deterministic rules that may abstain. A routing hint, never a decision (fcpagent B.5)."""

from __future__ import annotations

from dataclasses import replace

from refute.evidence._page import Line, Page, parse_page
from refute.evidence._rules import hints
from refute.evidence._statement import Statement, parse_statement
from refute.evidence._verdict import Label, Verdict

DECISIVE = 0.5
"""A score from here on decides the label; below, the matcher abstains."""
_MOST_LINES = 5
_LONGEST = 1000

UNDECIDED = Verdict(label=Label.UNKNOWN, support=0.0, contradiction=0.0)


def lexical(page_text: str, statement: str, *, complete: bool | None = None) -> Verdict:
    """How far `page_text` supports or contradicts `statement`.

    The text is an accessibility tree or the compact viewport text. `complete` says whether it shows the whole page,
    so that a control which is not in it does not exist; None = yes for a tree from its root, no otherwise. A statement
    that joins several claims is as well supported as its weakest claim, and as contradicted as its worst. Scores are
    heuristic, in [0, 1], and never both above one half; with nothing decisive the label is `UNKNOWN`, and so it is for
    a statement of more than 1,000 characters: that is no single observable fact, and reading it would take long.
    """
    if len(statement) > _LONGEST:
        return UNDECIDED
    page = parse_page(page_text)
    if complete is not None and complete != page.complete:
        page = replace(page, complete=complete)
    claims = parse_statement(statement)
    if not page.lines or not claims:
        return UNDECIDED
    scored = [_claim(claim, page) for claim in claims]
    support = min(verdict[0] for verdict in scored)
    contradiction = max(verdict[1] for verdict in scored)
    lines = dict.fromkeys(line.raw for verdict in scored for line in verdict[2])
    return Verdict(
        label=_label(support, contradiction),
        support=round(support, 4),
        contradiction=round(contradiction, 4),
        lines=tuple(lines)[:_MOST_LINES],
    )


def _claim(claim: Statement, page: Page) -> tuple[float, float, list[Line]]:
    """Support, contradiction and lines for one claim; each score is damped by the other, so that a dispute abstains.

    What excludes something ('a quantity other than 2') can be contradicted, by what it excludes, and is supported only
    by a line that says so itself: pages are full of other numbers and names, of other things.
    """
    doubt_of_support = doubt_of_contradiction = 1.0
    lines: list[Line] = []
    for found in hints(claim, page):
        doubt_of_support *= 1.0 - found.support
        doubt_of_contradiction *= 1.0 - found.contradiction
        lines.extend(found.lines)
    support, contradiction = 1.0 - doubt_of_support, 1.0 - doubt_of_contradiction
    silent = claim.excludes and not any(claim.stands_in(line.said) for line in page.lines)
    return 0.0 if silent else support * (1.0 - contradiction), contradiction * (1.0 - support), lines


def _label(support: float, contradiction: float) -> Label:
    if contradiction >= DECISIVE:
        return Label.CONTRADICTED
    return Label.SUPPORTED if support >= DECISIVE else Label.UNKNOWN
