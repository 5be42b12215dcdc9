"""A view for programs: JSON and CSV, with numbers as they were computed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from refute.metrics import Estimate
from refute.report.views._cells import plain
from refute.report.views._view import Cell, Column, Figure, Sheet, View


def view_json(view: View) -> dict[str, Any]:
    """One object.

    - `view`, `title`; `missing`: what these runs cannot show, and what would
    - `simulated`, `seeds`, `episodes`, `counted`, `tasks`, `errors`, `unfinished`, `unjudged`: what it rests on
    - `tables`: objects with `name`, `title`, `published`, `notes`, `columns` (`name`, `head`, `form`) and `rows`, each
      an object by column. An estimate is an object with `value`, `low`, `high` and `tasks`.
    - `figures`: objects with `name`, `title`, `shape`, `x_label`, `y_label`, `categories` and `series`, each with
      `name`, `x` and `y`
    """
    facts = view.facts
    return {
        "view": view.name,
        "title": view.title,
        "simulated": facts.simulated,
        "seeds": list(facts.seeds),
        "episodes": facts.episodes,
        "counted": facts.counted,
        "tasks": facts.tasks,
        "errors": facts.errors,
        "unfinished": facts.unfinished,
        "unjudged": facts.unjudged,
        "tables": [_sheet(sheet) for sheet in view.sheets],
        "figures": [_figure(figure) for figure in view.figures],
        "missing": dict(view.missing),
    }


def view_csv(view: View) -> str:
    """The tables one after the other, each after a line with ``#``, the table's name and what it rests on.

    A column of estimates has three: the value, ``NAME_low`` and ``NAME_high``; shares are in [0, 1].
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, sheet in enumerate(view.sheets):
        if number:
            text.write("\n")
        kind = "as the authors report" if sheet.published else view.facts.line
        writer.writerow([f"# {view.name}/{plain(sheet.name)}: {plain(sheet.title)} ({kind})"])
        wide = [any(isinstance(row[n], Estimate) for row in sheet.rows) for n in range(len(sheet.columns))]
        writer.writerow([head for c, w in zip(sheet.columns, wide, strict=True) for head in _heads(c, wide=w)])
        for row in sheet.rows:
            writer.writerow([value for cell, w in zip(row, wide, strict=True) for value in _values(cell, wide=w)])
    return text.getvalue()


def _heads(column: Column, *, wide: bool) -> Iterator[str]:
    name = _harmless(column.name)
    yield name
    if wide:
        yield from (f"{name}_low", f"{name}_high")


def _values(cell: Cell, *, wide: bool) -> Iterator[str | int | float | None]:
    if isinstance(cell, Estimate):
        yield from (cell.value, cell.low, cell.high)
        return
    yield _harmless(cell) if isinstance(cell, str) else cell
    if wide:
        yield from (None, None)


def _harmless(text: str) -> str:
    """A spreadsheet takes a text with one of these in front for a formula."""
    clean = plain(text)
    return f"'{clean}" if clean[:1] in ("=", "+", "-", "@") else clean


def _sheet(sheet: Sheet) -> dict[str, Any]:
    names = [column.name for column in sheet.columns]
    return {
        "name": sheet.name,
        "title": sheet.title,
        "published": sheet.published,
        "columns": [{"name": c.name, "head": plain(c.head), "form": c.form.value} for c in sheet.columns],
        "rows": [dict(zip(names, map(_value, row), strict=True)) for row in sheet.rows],
        "notes": list(sheet.notes),
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "title": figure.title,
        "shape": figure.shape.value,
        "x_label": figure.x_label,
        "y_label": figure.y_label,
        "categories": list(figure.categories),
        "series": [{"name": s.name, "x": list(s.x), "y": [_value(y) for y in s.y]} for s in figure.series],
    }


def _value(cell: Cell) -> Any:
    if not isinstance(cell, Estimate):
        return cell
    return {"value": cell.value, "low": cell.low, "high": cell.high, "tasks": cell.tasks}
