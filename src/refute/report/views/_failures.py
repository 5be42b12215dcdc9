"""View ``failures``: failures that recur, with the step at which each begins (dynarev §7.4)."""

from __future__ import annotations

from collections.abc import Mapping, Set

from refute.goals import RevisionKind
from refute.metrics import Estimate, estimate
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, each_run, facts
from refute.report.views._view import Cell, Column, Figure, Form, Place, Series, Shape, Sheet, View
from refute.tables import EpisodeKey, FailureMode, Tables

SHOWN = 60
"""Failures that people are shown, at most."""


def failures_view(tables: Tables, options: ViewOptions) -> View:
    """Share of episodes with each failure, and where to look."""
    rows: list[tuple[Cell, ...]] = []
    places: list[tuple[Cell, ...]] = []
    where: list[Place] = []
    series: list[Series] = []
    for name, own in each_run(tables):
        counted = own.only({e.key for e in own.episodes if e.status.counted})
        seen = _seen(counted)
        shares = {mode: _share(counted, mode, seen[mode]) for mode in FailureMode}
        if counted.episodes:
            rows += [(name, mode.value, len(seen[mode]), share) for mode, share in shares.items()]
            series.append(Series(name=name, y=tuple(shares.values())))
        for row in counted.failures:
            places.append((name, row.key.task, row.key.repeat, row.step, row.mode.value, row.revision, row.detail))
            where.append(Place(key=row.key, step=row.step))
    sheets = (
        Sheet(
            name="failures",
            title="Episodes with a failure",
            columns=(
                RUN,
                Column(name="failure", head="failure"),
                Column(name="n", head="n", form=Form.COUNT),
                Column(name="share", head="share", form=Form.PERCENT),
            ),
            rows=tuple(rows),
            notes=(
                "Found in the traces without a judge: signs, and no proofs of what an agent meant",
                "n: episodes in which it could be seen: all for a loop; else those whose truth is known and to which "
                "such a revision came",
                "Adapted: the plan was rewritten for the revision, or the oracle's distance fell between the first and "
                "the third action after it",
                "Condition: what its real outcome asks for is unsatisfied; whether the agent saw what decides it is "
                "not told",
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
            rows=tuple(places),
            places=tuple(where),
            notes=("In the report: RUN/TASK/REPEAT/index.html#step-STEP",),
            most=SHOWN,
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


def _seen(tables: Tables) -> Mapping[FailureMode, Set[EpisodeKey]]:
    """The episodes in which each failure could be seen."""
    judged = {e.key for e in tables.episodes if e.judged}
    came = [d for d in tables.deliveries if d.step is not None and d.key in judged]
    told = {d.key for d in came if d.reacted is not None}
    return {
        FailureMode.RESET: {d.key for d in came if "reset" in d.strategy},
        FailureMode.ADAPTED: told,
        FailureMode.OVERHEARD: told,
        FailureMode.CONDITION: {d.key for d in came if d.kind == RevisionKind.CONDITIONAL},
        FailureMode.LOOP: {e.key for e in tables.episodes},
    }


def _share(tables: Tables, mode: FailureMode, seen: Set[EpisodeKey]) -> Estimate:
    found = {row.key for row in tables.failures if row.mode is mode}
    return estimate((key.task, float(key in found)) for key in sorted(seen))
