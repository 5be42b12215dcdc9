"""A view as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from refute.report.views._cells import for_people, plain, write_cell
from refute.report.views._view import Facts, Form, Sheet, View


def markdown(view: View) -> str:
    """Headings and tables; whatever came from a file stands as plain text."""
    parts = [f"## {_text(view.title)}", *(_sheet(for_people(sheet), view.facts) for sheet in view.sheets)]
    parts += _list(f"Not here: {_text(what)} ({_text(why)})." for what, why in view.missing.items())
    return "\n\n".join(parts) + "\n"


def _sheet(sheet: Sheet, facts: Facts) -> str:
    rule = ["---" if column.form is Form.TEXT else "---:" for column in sheet.columns]
    lines = [[_text(column.head) for column in sheet.columns], rule]
    for row in sheet.rows:
        lines.append([_text(write_cell(cell, c).whole) for cell, c in zip(row, sheet.columns, strict=True)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if sheet.published:
        notes = ["**As the authors report, not measured here.**"]
    else:
        line = f"{_text(facts.line)}."
        notes = [f"**Simulated.** {line}" if facts.simulated else line[:1].upper() + line[1:]]
    notes += [f"{_text(note)}." for note in sheet.notes]
    return f"### {_text(sheet.title)}\n\n{table}\n\n{' '.join(notes)}"


def _list(lines: Iterable[str]) -> list[str]:
    found = [f"- {line}" for line in lines]
    return ["\n".join(found)] if found else []


def _text(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#!|~&])", r"\\\1", plain(text))
