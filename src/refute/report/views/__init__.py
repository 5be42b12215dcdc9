"""Views: questions about runs, answered by tables and figures that are plain data made from traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refute._errors import UserError
from refute.report.views._ablation import ablation_view
from refute.report.views._behaviour import behaviour_view
from refute.report.views._bounds import bounds_view
from refute.report.views._cost import cost_view
from refute.report.views._data import view_csv, view_json
from refute.report.views._draw import FORMS, drawings, write_figures
from refute.report.views._failures import failures_view
from refute.report.views._judges import calibration_view, response_view
from refute.report.views._latex import latex
from refute.report.views._main import main_view
from refute.report.views._markdown import markdown
from refute.report.views._options import ViewOptions
from refute.report.views._rounds import rounds_view
from refute.report.views._scaling import scaling_view
from refute.report.views._static import static_view
from refute.report.views._stats import stats_view
from refute.report.views._strategies import strategies_view
from refute.report.views._terminal import terminal
from refute.report.views._thresholds import thresholds_view
from refute.report.views._timing import timing_view
from refute.report.views._types import types_view
from refute.report.views._view import Cell, Column, Facts, Figure, Form, Place, Series, Shape, Sheet, View
from refute.tables import Tables

VIEWS: Mapping[str, Callable[[Tables, ViewOptions], View]] = {
    "main": main_view,
    "types": types_view,
    "thresholds": thresholds_view,
    "rounds": rounds_view,
    "cost": cost_view,
    "static-dynamic": static_view,
    "strategies": strategies_view,
    "bounds": bounds_view,
    "timing": timing_view,
    "response": response_view,
    "calibration": calibration_view,
    "failures": failures_view,
    "behaviour": behaviour_view,
    "ablation": ablation_view,
    "stats": stats_view,
}
"""Every view by name."""


def make_view(name: str, tables: Tables, options: ViewOptions | None = None) -> View:
    """The view `name` of these runs. Raises `UserError` for an unknown name, or options that do not fit the runs."""
    if name not in VIEWS:
        raise UserError(f"unknown view {name!r}; known views: {', '.join(VIEWS)}")
    return VIEWS[name](tables, options or ViewOptions())


__all__ = [
    "FORMS",
    "VIEWS",
    "Cell",
    "Column",
    "Facts",
    "Figure",
    "Form",
    "Place",
    "Series",
    "Shape",
    "Sheet",
    "View",
    "ViewOptions",
    "drawings",
    "latex",
    "make_view",
    "markdown",
    "scaling_view",
    "terminal",
    "view_csv",
    "view_json",
    "write_figures",
]
