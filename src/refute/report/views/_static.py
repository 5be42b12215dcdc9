"""View ``static-dynamic``: the same tasks told at once and bit by bit (dynarev tables 5, 7 and 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute.metrics import Outcome, outcomes, score, static_dynamic, tsr
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import facts
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.revisions import Deliver
from refute.tables import Tables

_Who = tuple[str, str]
"""Agent and model."""


def static_view(tables: Tables, options: ViewOptions) -> View:
    """For each agent and model that did tasks with revisions and the same tasks without: what dynamic delivery changes.

    A static episode is one of a run that gives the final goal upfront (``--deliver upfront``), or of a task without
    revisions that another run has with revisions, under the same id.
    """
    pairs = _pairs(tables)
    rows: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for (agent, model), (static, dynamic) in pairs.items():
        d = static_dynamic(static, dynamic)
        shares = (d.improved / d.pairs, d.worse / d.pairs, d.same / d.pairs)
        both = {o.task for o in static} & {o.task for o in dynamic}
        one, two = ([o for o in found if o.task in both] for found in (static, dynamic))
        name = f"{agent} · {model}"
        rows.append((name, d.pairs, score(one), score(two), d.score, tsr(one), tsr(two), d.steps, *shares))
        series.append(Series(name=name, y=(score(one), score(two))))
    sheets = [
        Sheet(
            name="static-dynamic",
            title="Static and dynamic delivery, paired by task",
            columns=(
                Column(name="agent", head="agent · model"),
                Column(name="pairs", head="pairs", form=Form.COUNT),
                Column(name="static", head="Score static", form=Form.NUMBER, digits=3),
                Column(name="dynamic", head="Score dynamic", form=Form.NUMBER, digits=3),
                Column(name="difference", head="Δ\u00a0Score", form=Form.NUMBER, digits=3, signed=True),
                Column(name="tsr_static", head="TSR static", form=Form.PERCENT, digits=1),
                Column(name="tsr_dynamic", head="TSR dynamic", form=Form.PERCENT, digits=1),
                Column(name="steps", head="Δ\u00a0steps", form=Form.NUMBER, digits=1, signed=True),
                *(Column(name=n, head=n, form=Form.PERCENT, digits=1) for n in ("improved", "worse", "same")),
            ),
            rows=tuple(rows),
            notes=("Differences: dynamic less static; a task's repeats are averaged first",),
        )
    ]
    if options.published:
        sheets.append(reported("dynarev", "table5"))
    figure = Figure(
        name="static-dynamic",
        title="Score under static and dynamic delivery",
        shape=Shape.BARS,
        categories=("static", "dynamic"),
        series=tuple(series),
        y_label="Score (%)",
    )
    why = "no agent has a run of these tasks with --deliver upfront beside one with revisions"
    return View(
        name="static-dynamic",
        title="What dynamic delivery changes",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=(figure,) if series else (),
        missing={} if rows else {"static against dynamic": why},
    )


def _pairs(tables: Tables) -> Mapping[_Who, tuple[Sequence[Outcome], Sequence[Outcome]]]:
    found: dict[_Who, tuple[list[Outcome], list[Outcome]]] = {}
    for run in tables.runs:
        static, dynamic = found.setdefault((run.agent, run.model), ([], []))
        for outcome in outcomes(tables.run(run.run)):
            if outcome.deliver is not Deliver.NEVER:  # that one never hears of half of the goal: it is neither
                (dynamic if outcome.revisions else static).append(outcome)
    return {who: (s, d) for who, (s, d) in found.items() if {o.task for o in s} & {o.task for o in d}}
