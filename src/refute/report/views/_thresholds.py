"""View ``thresholds``: how many tasks reach a score (dynarev figure 3, table 8)."""

from __future__ import annotations

from refute.metrics import THRESHOLDS, reaching
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, N, facts, judged_runs
from refute.report.views._view import Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables


def thresholds_view(tables: Tables, options: ViewOptions) -> View:
    """Share of tasks with S_i at or above each threshold, by run."""
    curves = [(name, len(found), reaching(found)) for name, found in judged_runs(tables)]
    sheet = Sheet(
        name="thresholds",
        title="Tasks that reach a score",
        columns=(RUN, N, *(Column(name=f"t{t:g}", head=f"≥\u00a0{t:g}", form=Form.PERCENT) for t in THRESHOLDS)),
        rows=tuple((name, n, *(curve[t] for t in THRESHOLDS)) for name, n, curve in curves),
        notes=("The last column is the TSR",),
    )
    figure = Figure(
        name="thresholds",
        title="Tasks that reach a score",
        shape=Shape.LINES,
        series=tuple(
            Series(name=name, x=THRESHOLDS, y=tuple(curve[t] for t in THRESHOLDS)) for name, _, curve in curves
        ),
        x_label="satisfied share of a task's constraints, at least",
        y_label="tasks (%)",
    )
    return View(
        name="thresholds",
        title="How many tasks reach a score",
        facts=facts(tables),
        sheets=(sheet,),
        figures=(figure,) if curves else (),
    )
