"""View ``types``: results by revision type, source and category (dynarev table 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from refute.metrics import Outcome, score, tsr
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import RUN, facts, judged_runs, ordered
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables, TaskKind

_KINDS = ("static", "additive", "unconditional", "conditional", "retraction")


def types_view(tables: Tables, options: ViewOptions) -> View:
    """Score and TSR by type, by source where tasks name theirs, and by category (else template)."""
    found = judged_runs(tables)
    sheets = [
        _sheet("type", "revision type", found, lambda o: o.kind.value, _KINDS),
        _sheet("source", "source", found, lambda o: o.source or "not named"),
        _sheet("category", "category", found, lambda o: o.category or o.template or "not named"),
    ]
    missing = {}
    if not any(o.source for _, rows in found for o in rows):
        missing = {"results by source": "no task's record names the benchmark that it comes from"}
        del sheets[1]
    if options.published:
        sheets.append(reported("dynarev", "table3"))
    return View(
        name="types",
        title="Results by kind of task",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=_figures(found),
        missing=missing,
    )


def _sheet(
    name: str,
    title: str,
    found: Sequence[tuple[str, Sequence[Outcome]]],
    of: Callable[[Outcome], str],
    order: Sequence[str] = (),
) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for run, everything in found:
        for group in ordered((of(o) for o in everything), order):
            own = [o for o in everything if of(o) == group]
            rows.append((run, group, len(own), score(own), tsr(own)))
    return Sheet(
        name=name,
        title=f"By {title}",
        columns=(
            RUN,
            Column(name=name, head=title),
            Column(name="n", head="n", form=Form.COUNT),
            Column(name="score", head="Score", form=Form.NUMBER, digits=3),
            Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
        ),
        rows=tuple(rows),
    )


def _figures(found: Sequence[tuple[str, Sequence[Outcome]]]) -> tuple[Figure, ...]:
    kinds = [TaskKind(k) for k in ordered((o.kind.value for _, rows in found for o in rows), _KINDS)]
    figure = Figure(
        name="types",
        title="Score by revision type",
        shape=Shape.BARS,
        categories=tuple(kind.value for kind in kinds),
        series=tuple(
            Series(name=name, y=tuple(score([o for o in rows if o.kind is kind]) for kind in kinds))
            for name, rows in found
        ),
        y_label="Score (%)",
    )
    return (figure,) if kinds else ()
