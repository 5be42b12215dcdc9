"""A cell as text: the value and its interval."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from refute.metrics import Estimate
from refute.report.views._view import Cell, Column, Form, Sheet

NOTHING = "–"
LONGEST = 160
"""Characters of a text that people are shown; JSON and CSV hold all of them."""


class Written(NamedTuple):
    """A value as people read it, and its interval (empty where there is none)."""

    value: str
    interval: str = ""

    @property
    def whole(self) -> str:
        """Both on one line."""
        return f"{self.value} [{self.interval}]" if self.interval else self.value


def for_people(sheet: Sheet) -> Sheet:
    """The sheet with no more rows than people are to be shown, and a note about the others."""
    if sheet.most is None or len(sheet.rows) <= sheet.most:
        return sheet
    note = f"The first {sheet.most} of {len(sheet.rows)}; as JSON or CSV all of them"
    return replace(sheet, rows=sheet.rows[: sheet.most], places=sheet.places[: sheet.most], notes=(*sheet.notes, note))


def write_cell(cell: Cell, column: Column) -> Written:
    """A cell in its column's form; text without control characters, and cut where it is long."""
    if cell is None:
        return Written(NOTHING)
    if isinstance(cell, str):
        text = plain(cell)
        return Written(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
    if not isinstance(cell, Estimate):
        return Written(_number(cell, column))
    if cell.value is None:
        return Written(NOTHING)
    value = _number(cell.value, column)
    if cell.low is None or cell.high is None:
        return Written(value)
    low, high = (_number(bound, column, bare=True) for bound in (cell.low, cell.high))
    between = ", " if column.signed or low.startswith("−") else "–"
    return Written(value, f"{low}{between}{high}")


def plain(text: str) -> str:
    """A text from a file on one line, without control characters."""
    return "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))


def _number(value: float, column: Column, *, bare: bool = False) -> str:
    if column.form is Form.COUNT:
        text = f"{value:,.0f}"
    elif column.form is Form.PERCENT:
        text = f"{100 * value:.{column.digits}f}" + ("" if bare else "%")
    else:
        text = f"{value:,.{column.digits}f}"
    if text.strip("-0.%") == "":  # no minus before nothing
        text = text.removeprefix("-")
    elif column.signed and value > 0:
        text = f"+{text}"
    return text.replace("-", "−")
