"""View ``cost``: what quality costs (dynarev figure 4): CCS and CTS over a budget, and CE."""

from __future__ import annotations

from collections.abc import Sequence

from refute.metrics import STEPS, Cost, Curve, Estimate, Outcome, ccs, ce, cts, estimate, spent
from refute.report.views._options import ViewOptions
from refute.report.views._reported import reported
from refute.report.views._tables import RUN, N, each_run, facts, judged_runs
from refute.report.views._view import Cell, Column, Figure, Form, Series, Shape, Sheet, View
from refute.tables import Tables

_UNITS: dict[Cost, str] = {"steps": "steps", "tokens": "tokens", "seconds": "clock time (s)", "dollars": "dollars"}
_DIGITS: dict[Cost, int] = {"steps": 1, "tokens": 0, "seconds": 1, "dollars": 4}


def cost_view(tables: Tables, options: ViewOptions) -> View:
    """CE on steps (B = 100) and on every cost that a budget is given for; curves over all of them."""
    found = judged_runs(tables)
    budgets: dict[Cost, float] = {"steps": STEPS, **options.budgets}
    costs: list[Cost] = [c for c in _UNITS if c != "dollars" or any(o.dollars for _, own in found for o in own)]
    columns = [RUN, N]
    for cost in costs:
        columns.append(Column(name=cost, head=_UNITS[cost], form=Form.NUMBER, digits=_DIGITS[cost]))
        if cost in budgets:
            columns.append(Column(name=f"ce_{cost}", head=f"CE {cost}", form=Form.NUMBER, digits=3))
    rows: list[tuple[Cell, ...]] = []
    for name, own in found:
        cells: list[Cell] = [name, len(own)]
        for cost in costs:
            cells.append(estimate((o.task, spent(o, cost)) for o in own if cost != "dollars" or o.dollars is not None))
            if cost in budgets:
                cells.append(ce(own, cost=cost, budget=budgets[cost]))
        rows.append(tuple(cells))
    stated = ", ".join(f"{budgets[c]:,g} {c}" for c in costs if c in budgets)
    without = [c for c in costs if c not in budgets]
    sheets = [
        Sheet(
            name="cost",
            title="What an episode costs, and cost efficiency (CE)",
            columns=tuple(columns),
            rows=tuple(rows),
            notes=(
                f"CE = mean S (1 − min(c, B)/B) with B = {stated}: the area under CCS",
                "Tokens are the agent's; clock time includes the model's, which is virtual where it is simulated",
            ),
        ),
        _kept(tables),
    ]
    if options.published:
        sheets.append(reported("dynarev", "figure4"))
    return View(
        name="cost",
        title="Quality and cost",
        facts=facts(tables),
        sheets=tuple(s for s in sheets if s.rows),
        figures=tuple(_figure(cost, found, budgets.get(cost)) for cost in costs) if found else (),
        missing={f"CE on {c}": f"no paper states a B for {c}: give --budget {c}=B" for c in without},
    )


def _kept(tables: Tables) -> Sheet:
    """What kept replies answered, for the runs that had some."""
    rows: list[tuple[Cell, ...]] = []
    for name, own in each_run(tables):
        episodes = [e for e in own.episodes if e.status.counted]
        if not any(e.kept_calls for e in episodes):
            continue
        billed = [e.dollars - e.kept_dollars for e in episodes if e.dollars is not None and e.kept_dollars is not None]
        calls, kept = sum(e.calls for e in episodes), sum(e.kept_calls for e in episodes)
        tokens, kept_tokens = sum(e.tokens for e in episodes), sum(e.kept_tokens for e in episodes)
        rows.append((name, calls, kept, tokens, kept_tokens, sum(billed) if len(billed) == len(episodes) else None))
    return Sheet(
        name="kept",
        title="Calls that kept replies answered",
        columns=(
            RUN,
            Column(name="calls", head="calls", form=Form.COUNT),
            Column(name="kept_calls", head="kept", form=Form.COUNT),
            Column(name="tokens", head="tokens", form=Form.COUNT),
            Column(name="kept_tokens", head="kept tokens", form=Form.COUNT),
            Column(name="billed", head="new dollars", form=Form.NUMBER, digits=4),
        ),
        rows=tuple(rows),
        notes=("All other figures count a kept reply as when it was asked; here is what was asked anew, and billed",),
    )


def _figure(cost: Cost, found: Sequence[tuple[str, Sequence[Outcome]]], budget: float | None) -> Figure:
    limit = budget or max((spent(o, cost) for _, rows in found for o in rows), default=0.0) or 1.0
    series: list[Series] = []
    for number, (name, rows) in enumerate(found):
        series.append(_series(name, ccs(rows, cost=cost), number, dashed=False))
        series.append(_series(f"{name}, whole tasks", cts(rows, cost=cost), number, dashed=True))
    return Figure(
        name=cost,
        title=f"What a budget of {'time' if cost == 'seconds' else cost} buys",
        shape=Shape.STEPS,
        series=tuple(series),
        x_label=_UNITS[cost],
        y_label="satisfied (%)",
        x_limit=limit,
        note="Solid: satisfied constraints (CCS); dashed: wholly satisfied tasks (CTS)",
    )


def _series(name: str, curve: Curve, tone: int, *, dashed: bool) -> Series:
    return Series(
        name=name, x=curve.costs, y=tuple(Estimate(value=value) for value in curve.values), tone=tone, dashed=dashed
    )
