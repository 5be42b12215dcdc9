"""The trigger in the view ``calibration``: what it said of milestones against whether they held (decision 28)."""

from __future__ import annotations

from refute.metrics import Estimate, deliverance, reliability
from refute.report.views._tables import RUN, each_run
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet
from refute.tables import Tables

_PERFECT = Series(name="perfect", x=(0.0, 100.0), y=(Estimate(value=0.0), Estimate(value=1.0)), dashed=True)


def trigger_part(tables: Tables) -> tuple[tuple[Sheet, ...], tuple[Figure, ...]]:
    """The tables and the figure of the model that says when milestones are reached; nothing where none was asked."""
    triggers: list[tuple[Cell, ...]] = []
    bins: list[tuple[Cell, ...]] = []
    series: list[Series] = []
    for run, own in each_run(tables):
        rows = own.only({episode.key for episode in own.episodes if episode.status.counted}).triggers
        found, came = reliability(rows), deliverance(rows)
        if not found.asked:
            continue
        late = came.both + came.before_only
        timing = (came.neither, came.now_only, late, came.now_only, came.both, came.before_only, came.neither)
        triggers.append((run, found.asked, found.brier, found.error, *timing))
        bins += [(run, f"{each.low:.1f}–{each.low + 0.1:.1f}", each.asked, each.said, each.held) for each in found.bins]
        points = tuple(100 * each.said for each in found.bins)
        series.append(Series(name=run, x=points, y=tuple(each.held for each in found.bins)))
    if not triggers:
        return (), ()
    trigger = Sheet(
        name="trigger",
        title="The trigger against the milestones' truth",
        columns=(
            RUN,
            Column(name="asked", head="asked", form=Form.COUNT),
            Column(name="brier", head="Brier", form=Form.NUMBER, digits=3),
            Column(name="calibration_error", head="calibration error", form=Form.NUMBER, digits=3),
            *(Column(name=name, head=name, form=Form.COUNT) for name in ("early", "aligned", "late")),
            Column(name="now_only", head="holds now, not before", form=Form.COUNT),
            Column(name="both", head="now and before", form=Form.COUNT),
            Column(name="before_only", head="before, not now", form=Form.COUNT),
            Column(name="neither", head="neither", form=Form.COUNT),
        ),
        rows=tuple(triggers),
        notes=(
            "Looks at which a model was asked and the milestone's truth is known",
            "Early, aligned, late: deliveries by the milestone's truth at their state (now) and at the one before",
        ),
    )
    table = Sheet(
        name="reliability",
        title="What the trigger said, and what held",
        columns=(
            RUN,
            Column(name="probability", head="P(reached)"),
            Column(name="asked", head="asked", form=Form.COUNT),
            Column(name="said", head="said", form=Form.PERCENT, digits=1),
            Column(name="held", head="held", form=Form.PERCENT, digits=1),
        ),
        rows=tuple(bins),
        notes=("P(reached): the model's confidence in a yes, one less that in a no",),
    )
    figure = Figure(
        name="calibration",
        title="Reliability of the trigger",
        shape=Shape.LINES,
        series=(*series, _PERFECT),
        x_label="probability that the trigger gave (%)",
        y_label="milestone held (%)",
        x_limit=100,
    )
    return (trigger, table), (figure,)
