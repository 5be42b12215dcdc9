"""View ``timing``: when revisions arrive (dynarev figure 6, §7.3; decisions 20, 27 and 28)."""

from __future__ import annotations

from collections.abc import Sequence

from refute.metrics import Estimate, deliveries, positions, ranges
from refute.report.views._alike import way_in_words
from refute.report.views._hybrid import hybrid_sheets
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import RUN, each_run, facts
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables

BINS = 10


def timing_view(tables: Tables, options: ViewOptions) -> View:
    """Positions by run, their ranges across agents, and the trigger against the truth."""
    rows: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for name, own in each_run(tables):
        counted = own.only({e.key for e in own.episodes if e.status.counted})
        d, p = deliveries(counted.deliveries), positions(counted.deliveries)
        if d.revisions:
            counts = (d.revisions, d.delivered, d.forced, d.early, d.aligned, d.late, d.untimed)
            rows.append((name, *counts, p.mean, p.spread))
        if p.values:
            series.append(Series(name=name, y=tuple(Estimate(value=share) for share in _histogram(p.values))))
    sheets = [
        Sheet(
            name="timing",
            title="When revisions came",
            columns=(
                RUN,
                *(
                    Column(name=n, head=n, form=Form.COUNT)
                    for n in ("revisions", "delivered", "forced", "early", "aligned", "late", "untimed")
                ),
                Column(name="position", head="mean position", form=Form.PERCENT, digits=1),
                Column(name="spread", head="SD (points)", form=Form.PERCENT, digits=1),
            ),
            rows=tuple(rows),
            notes=(
                "Position: delivery step as a share of all steps, forced deliveries left out",
                "Early, aligned, late: by the milestone's truth at the delivery's state and at the one before",
            ),
        ),
        *_across(tables),
        *hybrid_sheets(tables, each_run(tables)),
    ]
    if options.published:
        sheets += [reported("dynarev", "figure6"), reported("dynarev", "appendix_i")]
    figure = Figure(
        name="timing",
        title="Where in an episode revisions came",
        shape=Shape.BARS,
        categories=tuple(f"{10 * n}–" for n in range(BINS)),
        series=tuple(series),
        x_label="delivery step as a share of all steps (%)",
        y_label="deliveries (%)",
    )
    agents = {run.agent for run in tables.runs}
    return View(
        name="timing",
        title="When revisions arrive",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=(figure,) if series else (),
        missing={} if len(agents) > 1 else {"ranges across agents": "all runs are of one agent"},
    )


def _histogram(values: Sequence[float]) -> list[float]:
    places = [min(BINS - 1, int(value * BINS)) for value in values]
    return [places.count(n) / len(values) for n in range(BINS)]


def _across(tables: Tables) -> list[Sheet]:
    """Agents under one way of delivery; a milestone and a share of the actions are other places by definition."""
    counted = tables.only({e.key for e in tables.episodes if e.status.counted})
    ways: dict[str, dict[str, str]] = {}
    for run in tables.runs:
        way = way_in_words(run)
        ways.setdefault(way, {})[run.run] = f"{run.agent} · {run.model}"
    found = [(way, len(set(agents.values())), ranges(counted.deliveries, agents)) for way, agents in ways.items()]
    return [
        Sheet(
            name="ranges",
            title="How far apart agents are",
            columns=(
                Column(name="delivery", head="delivery"),
                Column(name="agents", head="agents", form=Form.COUNT),
                Column(name="revisions", head="revisions", form=Form.COUNT),
                Column(name="range", head="mean range", form=Form.PERCENT, digits=1),
                Column(name="wide", head="tasks above 20 points", form=Form.PERCENT, digits=1),
            ),
            rows=tuple((way, n, len(each.ranges), each.mean, each.wide) for way, n, each in found if each.ranges),
            notes=("Range: largest less smallest position of the same revision among the agents that it reached",),
        )
    ]
