"""Success by how long tasks are (fcpagent figure 3)."""

from __future__ import annotations

from refute.metrics import bucket_names, by_horizon, horizons, outcomes, tsr
from refute.report.views._options import ViewOptions
from refute.report.views._tables import RUN, Runs, percent_column, reference_run
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet
from refute.tables import Tables


def by_length(
    tables: Tables, runs: Runs, options: ViewOptions
) -> tuple[tuple[Sheet, ...], tuple[Figure, ...], dict[str, str]]:
    """Sheet, figure, and what is missing. A task's length is the steps that the reference run took for it."""
    reference = reference_run(tables, runs, options.reference)
    if reference is None:
        return (), (), {"success by task length": "there is no run"}
    lengths = horizons(outcomes(reference[1]))
    if not lengths:
        return (), (), {"success by task length": f"{reference[0]} has no episode whose truth is known"}
    base = by_horizon(outcomes(reference[1]), lengths, options.buckets)
    names = bucket_names(options.buckets)
    rows: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for name, own in runs:
        buckets = by_horizon(outcomes(own), lengths, options.buckets)
        rates = {bucket: tsr(buckets[bucket]) for bucket in names}
        for bucket in names:
            gain = _gain(rates[bucket].value, tsr(base[bucket]).value) if name != reference[0] else None
            if rates[bucket].tasks:
                rows.append((name, bucket, rates[bucket].tasks, rates[bucket], gain))
        series.append(Series(name=name, y=tuple(rates[bucket] for bucket in names)))
    sheet = Sheet(
        name="horizon",
        title="Success by task length",
        columns=(
            RUN,
            Column(name="steps", head="steps"),
            Column(name="tasks", head="tasks", form=Form.COUNT),
            percent_column("tsr", "TSR", digits=1),
            Column(name="gain", head="rel. gain", form=Form.PERCENT, signed=True),
        ),
        rows=tuple(rows),
        notes=(f"Length: the steps that {reference[0]} took for the task; gains are relative to that run",),
    )
    figure = Figure(
        name="horizon",
        title="Tasks wholly satisfied, by length",
        shape=Shape.BARS,
        categories=names,
        series=tuple(series),
        x_label=f"steps that {reference[0]} took",
        y_label="TSR (%)",
    )
    return (sheet,), (figure,), {}


def _gain(value: float | None, base: float | None) -> float | None:
    return None if value is None or not base else (value - base) / base
