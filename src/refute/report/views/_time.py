"""Success against what a task costs in time (fcpagent figure 9)."""

from __future__ import annotations

from collections.abc import Sequence

from refute.metrics import Estimate, Outcome, estimate, outcomes, tsr
from refute.report.views._tables import RUN, N, Runs
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet
from refute.tables import Tables


def time_sheet(runs: Runs) -> Sheet:
    """Success, model time, clock time, browser time and calls of each run."""
    return Sheet(
        name="time",
        title="Success and time",
        columns=(
            RUN,
            N,
            Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
            Column(name="model_seconds", head="model s", form=Form.NUMBER, digits=1),
            Column(name="seconds", head="clock s", form=Form.NUMBER, digits=1),
            Column(name="browser_seconds", head="browser s", form=Form.NUMBER, digits=1),
            Column(name="calls", head="model calls", form=Form.NUMBER, digits=1),
            Column(name="tokens", head="tokens", form=Form.COUNT),
        ),
        rows=tuple(_row(name, own, found) for name, own in runs if (found := outcomes(own))),
        notes=("Per task; clock time includes the model's, which is virtual where the model is simulated",),
    )


def _row(name: str, own: Tables, found: Sequence[Outcome]) -> tuple[Cell, ...]:
    keys = {o.key for o in found}
    return (
        name,
        len(found),
        tsr(found),
        estimate((o.task, o.model_seconds) for o in found),
        estimate((o.task, o.seconds) for o in found),
        estimate((e.key.task, e.browser_seconds) for e in own.episodes if e.key in keys),
        estimate((o.task, o.calls) for o in found),
        estimate((o.task, o.tokens) for o in found),
    )


def time_figures(runs: Runs) -> tuple[Figure, ...]:
    """Success against model time, and against clock time."""
    found = [(name, outcomes(own)) for name, own in runs]
    found = [(name, rows) for name, rows in found if rows]
    if not found:
        return ()
    model = [(name, estimate((o.task, o.model_seconds) for o in rows), tsr(rows)) for name, rows in found]
    clock = [(name, estimate((o.task, o.seconds) for o in rows), tsr(rows)) for name, rows in found]
    return (
        _points("model-time", "Success against model time", "model time per task (s)", model),
        _points("clock-time", "Success against clock time", "clock time per task (s)", clock),
    )


def _points(name: str, title: str, x_label: str, points: list[tuple[str, Estimate, Estimate]]) -> Figure:
    return Figure(
        name=name,
        title=title,
        shape=Shape.POINTS,
        series=tuple(Series(name=run, x=(x.value or 0.0,), y=(y,)) for run, x, y in points),
        x_label=x_label,
        y_label="TSR (%)",
    )
