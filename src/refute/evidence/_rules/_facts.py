"""Rules about facts that a page states as pairs: 'Amount | £250.00', 'Order number: 17', a table's rows and columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from refute.evidence._page import Line, Page
from refute.evidence._rules._hint import Hint, hint
from refute.evidence._rules._numbers import number_test
from refute.evidence._statement import Statement
from refute.evidence._words import GENERIC, Number, numbers, words

_PAIR = re.compile(r"^(?P<label>[^\W\d][\w /'’-]{1,40}):\s+(?P<value>\S.{0,120})$")
_CELL = re.compile(r"^\| |(?:^| )\|(?: |$)")
_LONGEST_LABEL = 4
_NOTHING = re.compile(r"^(?:free|none|nothing|no|nil|-|–|—)$", re.IGNORECASE)


class Fact(NamedTuple):
    """What the page states: `label` is `value`, for `subject` if it is a table's cell. Sets are stems."""

    subject: frozenset[str]
    label: frozenset[str]
    value: str
    line: Line

    def number(self) -> Number | None:
        """The value as the one number that it is; 'Free' and 'None' are 0."""
        found = numbers(self.value)
        if not found and _NOTHING.match(self.value.strip()):
            return Number(0.0)
        return found[0] if len(found) == 1 else None


@lru_cache(maxsize=64)
def facts(page: Page) -> tuple[Fact, ...]:
    """Pairs of label and value, in page order: rows of two cells, 'label: value', and cells under a table's header."""
    return tuple(_facts(page))


def _facts(page: Page) -> Iterator[Fact]:
    header: list[str] = []
    for line in page.lines:
        if line.kind != "row":
            header = []
            if line.kind == "text" and (match := _PAIR.match(line.said.strip())):
                yield Fact(frozenset(), words(match["label"]), match["value"], line)
            continue
        cells = _cells(line, page)
        if not header and len(cells) > 2 and not any(numbers(cell) for cell in cells):
            header = cells
        elif header and len(cells) == len(header):
            subject = words(cells[0])
            yield from (
                Fact(subject, words(label), cell, line) for label, cell in zip(header[1:], cells[1:], strict=True)
            )
        elif len(cells) == 2:
            yield Fact(frozenset(), words(cells[0]), cells[1], line)


def _cells(line: Line, page: Page) -> list[str]:
    """A row's cells: between bars in the compact form, lines of their own in a tree."""
    if line.raw.startswith("|"):
        return [cell for part in _CELL.split(line.text) if (cell := part.strip())]
    return [cell.text for cell in page.block(line).lines if re.match(r"(?:grid)?cell|(?:row|column)header", cell.raw)]


def stated(statement: Statement, page: Page) -> Hint | None:
    """'The fee is £2.50', 'Omar has placed no orders' against the pair whose label, and subject, the statement names;
    'Petra is active' where her row says 'Blocked', and 'Active' is what another row says."""
    known = [fact for fact in facts(page) if fact.subject <= statement.words]
    test = _test(statement)
    for fact in known:
        label = fact.label - GENERIC or fact.label
        if label and len(fact.label) <= _LONGEST_LABEL and label <= statement.words:
            found = _of_value(statement, fact, test)
            if found is not None:
                return found
    return _another_row(statement, page, [fact for fact in known if fact.subject])


def _of_value(statement: Statement, fact: Fact, test: Callable[[float], bool] | None) -> Hint | None:
    """The statement against the value of the pair that it names."""
    number = fact.number()
    if test is not None and number is not None:
        if statement.numbers and statement.numbers[0].money and not number.money and number.value:
            return None
        denies = statement.negated and bool(statement.numbers)  # 'no orders' is a number, and no denial
        return hint(holds=test(number.value) != denies, strength=0.8, lines=[fact.line])
    value = words(fact.value)
    if value and not statement.numbers and value <= statement.words - fact.subject - fact.label:
        return hint(holds=not statement.negated, strength=0.75, lines=[fact.line])
    return None


_NO_OF = re.compile(r"\b(?:no|not any|never any|without any)\b")


def _test(statement: Statement) -> Callable[[float], bool] | None:
    """What is asked of a number: by the statement's own number, or that it is 0 ('no orders')."""
    if statement.numbers:
        return number_test(statement)
    return (lambda have: have == 0) if _NO_OF.search(statement.lower) else None


def _another_row(statement: Statement, page: Page, cells: list[Fact]) -> Hint | None:
    """The statement says of a row what only other rows say in that column."""
    if statement.numbers or not cells:
        return None
    table = [fact for fact in facts(page) if fact.subject]
    for fact in cells:
        rest = statement.words - fact.subject - fact.label
        others = {words(other.value) for other in table if other.label == fact.label} - {words(fact.value)}
        if any(other and other <= rest for other in others):
            return hint(holds=statement.negated, strength=0.7, lines=[fact.line])
    return None


FACT_RULES = (stated,)
