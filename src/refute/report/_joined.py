"""What the page of all views shows: each view that has something to show, with its tables, figures and ways to look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from refute._errors import UserError
from refute.report._index import PAGE, EpisodeLine
from refute.report.views import VIEWS, Column, Facts, Figure, Form, Place, Sheet, View, drawings, make_view
from refute.report.views._cells import Written, for_people, write_cell
from refute.report.views._tables import facts
from refute.tables import EpisodeKey, Tables

JOINED = "views.html"
"""The page, beside the index."""
FORMULAS: Mapping[str, str] = {
    "main": "The main figures",
    "types": "The main figures",
    "thresholds": "The main figures",
    "rounds": "The main figures",
    "cost": "The main figures",
    "static-dynamic": "Intervals and tests",
    "strategies": "Intervals and tests",
    "timing": "When revisions come, and what goes wrong",
    "response": "By a judge",
    "calibration": "By a judge",
    "failures": "When revisions come, and what goes wrong",
    "behaviour": "What the agent did on the way",
    "ablation": "Intervals and tests",
    "bounds": "Intervals and tests",
    "stats": "Intervals and tests",
}
"""For each view the section of the page “What is measured” that has its formulas."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A row of a table: each cell as it is written, and the address of what it is about (empty = none)."""

    cells: tuple[Written, ...]
    href: str = ""


@dataclass(frozen=True, kw_only=True)
class Page:
    """A table as a page shows it."""

    sheet: Sheet
    lines: tuple[Line, ...]
    linked: int
    """The column that leads to what a row is about."""

    def numeric(self, column: Column) -> bool:
        """Whether a column's cells stand at its right."""
        return column.form is not Form.TEXT


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A figure and its SVG."""

    figure: Figure
    svg: Markup


@dataclass(frozen=True, kw_only=True)
class Section:
    """A view on the page."""

    view: View
    formulas: str
    pages: tuple[Page, ...]
    drawings: tuple[Drawing, ...]

    @property
    def facts(self) -> Facts:
        """What its figures rest on."""
        return self.view.facts


def joined(tables: Tables, lines: Sequence[EpisodeLine]) -> dict[str, Any]:
    """The variables of the template of all views. Without matplotlib there are tables only, and `undrawn` says why."""
    places = {line.row.key: line.href for line in lines}
    views = [_view(name, tables) for name in VIEWS]
    undrawn = ""
    sections: list[Section] = []
    for view in views:
        if not view.sheets:
            continue
        drawn: tuple[Drawing, ...] = ()
        try:
            drawn = _drawings(view) if not undrawn else ()
        except UserError as error:
            undrawn = str(error)
        pages = tuple(_page(for_people(sheet), places) for sheet in view.sheets)
        sections.append(Section(view=view, formulas=FORMULAS[view.name], pages=pages, drawings=drawn))
    return {
        "sections": sections,
        "empty": [view for view in views if not view.sheets],
        "undrawn": undrawn,
        "facts": views[0].facts,
        "simulated": any(view.facts.simulated for view in views),
        "home": PAGE,
    }


def _view(name: str, tables: Tables) -> View:
    """The view; where these runs cannot be compared so, an empty one that says why: the other views still show."""
    try:
        return make_view(name, tables)
    except UserError as error:
        return View(name=name, title=name, facts=facts(tables), sheets=(), missing={"this view": str(error)})


def _drawings(view: View) -> tuple[Drawing, ...]:
    drawn = drawings(view)
    # Made by matplotlib from our own data; every text in it is escaped.
    return tuple(Drawing(figure=f, svg=Markup(drawn[f.name])) for f in view.figures)  # noqa: S704


def _page(sheet: Sheet, pages: Mapping[EpisodeKey, str]) -> Page:
    names = [column.name for column in sheet.columns]
    hrefs = [_href(place, pages) for place in sheet.places] or [""] * len(sheet.rows)
    lines = (
        Line(cells=tuple(write_cell(cell, c) for cell, c in zip(row, sheet.columns, strict=True)), href=href)
        for row, href in zip(sheet.rows, hrefs, strict=True)
    )
    return Page(sheet=sheet, lines=tuple(lines), linked=names.index("task") if "task" in names else 0)


def _href(place: Place, pages: Mapping[EpisodeKey, str]) -> str:
    """The page of an episode at a step; empty where the report has none."""
    page = pages.get(place.key, "")
    return page if place.step is None or not page else f"{page}#step-{place.step}"
