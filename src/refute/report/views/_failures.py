"""View ``failures``: failures that recur, with the step at which each begins (dynarev §7.4)."""

from __future__ import annotations

from refute.metrics import Estimate, estimate
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, each_run, facts
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import FailureMode, Tables

SHOWN = 60
"""Episodes listed, at most."""


def failures_view(tables: Tables, options: ViewOptions) -> View:
    """Share of episodes with each failure, and where to look."""
    rows: list[tuple[Cell, ...]] = []
    places: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for name, own in each_run(tables):
        counted = own.only({e.key for e in own.episodes if e.status.counted})
        shares = {mode: _share(counted, mode) for mode in FailureMode}
        if counted.episodes:
            rows.append((name, len(counted.episodes), *shares.values()))
            series.append(Series(name=name, y=tuple(shares.values())))
        for row in counted.failures:
            places.append((name, row.key.task, row.key.repeat, row.step, row.mode.value, row.revision, row.detail))
    sheets = (
        Sheet(
            name="failures",
            title="Episodes with a failure",
            columns=(
                RUN,
                Column(name="n", head="n", form=Form.COUNT),
                *(Column(name=m.name.lower(), head=m.value, form=Form.PERCENT) for m in FailureMode),
            ),
            rows=tuple(rows),
            notes=(
                "Found in the traces without a judge: signs, and no proofs of what an agent meant",
                "Adapted: the plan was rewritten for the revision, or the oracle's distance fell within three actions",
                "Condition: its outcome was there to be seen, and what it asks for is unsatisfied",
            ),
        ),
        Sheet(
            name="places",
            title="Where to look",
            columns=(
                RUN,
                Column(name="task", head="task"),
                Column(name="repeat", head="repeat", form=Form.COUNT),
                Column(name="step", head="step", form=Form.COUNT),
                Column(name="failure", head="failure"),
                Column(name="revision", head="revision", form=Form.COUNT),
                Column(name="detail", head="detail"),
            ),
            rows=tuple(places[:SHOWN]),
            notes=(
                "In the report: RUN/TASK/REPEAT/index.html#step-STEP",
                *([f"The first {SHOWN} of {len(places)}"] if len(places) > SHOWN else []),
            ),
        ),
    )
    figure = Figure(
        name="failures",
        title="Episodes with a failure",
        shape=Shape.ROWS,
        categories=tuple(mode.value for mode in FailureMode),
        series=tuple(series),
    )
    return View(
        name="failures",
        title="Failures that recur",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=(figure,) if series else (),
        missing={"immediate responses as a judge sees them": "they need a judge's word on each delivered revision"},
    )


def _share(tables: Tables, mode: FailureMode) -> Estimate:
    found = {row.key for row in tables.failures if row.mode is mode}
    return estimate((e.key.task, float(e.key in found)) for e in tables.episodes)
