"""View ``strategies``: ways to tell an agent of a revision, on the same tasks and dice (dynarev table 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from refute.metrics import Estimate, Outcome, ce, difference, estimate, holm, paired, score, tsr
from refute.report.views._alike import apart, in_words, settings_but
from refute.report.views._options import ViewOptions
from refute.report.views._places import Place, by_place
from refute.report.views._reported import reported
from refute.report.views._tables import N, facts, ordered
from refute.report.views._view import Cell, Column, Form, Sheet, View
from refute.revisions import Strategy
from refute.tables import RunRow, Tables

_FREE = ("strategy", "seed")
"""What runs that are compared may differ in; pairs are made within a seed."""
_WHO = Column(name="who", head="who")
_STRATEGY = Column(name="strategy", head="strategy")

Sides = Mapping[str, Mapping[Place, Outcome]]
"""The episodes of one agent under each strategy."""


def strategies_view(tables: Tables, options: ViewOptions) -> View:
    """Levels of each strategy, and paired differences to ``append``."""
    groups = [(who, by_place(tables, runs, lambda run: run.strategy)) for who, runs in _groups(tables)]
    differences = _differences(groups)
    sheets = [_levels(groups), differences]
    if options.published:
        sheets.append(reported("dynarev", "table6"))
    why = f"no run with another strategy stands beside one with {Strategy.APPEND.value}, all else being the same"
    return View(
        name="strategies",
        title="Strategies against each other",
        facts=facts(tables),
        sheets=tuple(sheet for sheet in sheets if sheet.rows),
        missing={} if differences.rows else {"differences": why},
    )


def _groups(tables: Tables) -> list[tuple[str, list[RunRow]]]:
    groups: dict[str, list[RunRow]] = {}
    for run in tables.runs:
        groups.setdefault(settings_but(run, _FREE), []).append(run)
    first = [runs[0] for runs in groups.values()]
    names = apart(first, (*_FREE, "agent", "model"))
    whos = [", ".join(part for part in (f"{run.agent} · {run.model}", in_words(run, names)) if part) for run in first]
    return list(zip(whos, groups.values(), strict=True))


def _levels(groups: Sequence[tuple[str, Sides]]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for who, sides in groups:
        for strategy in ordered(sides, Strategy):
            own = tuple(sides[strategy].values())
            if own:
                steps, tokens = estimate((o.task, o.steps) for o in own), estimate((o.task, o.tokens) for o in own)
                rows.append((who, strategy, len(own), score(own), tsr(own), steps, tokens, ce(own)))
    return Sheet(
        name="levels",
        title="All strategies",
        columns=(
            _WHO,
            _STRATEGY,
            N,
            Column(name="score", head="Score", form=Form.NUMBER, digits=3),
            Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
            Column(name="steps", head="steps", form=Form.NUMBER, digits=1),
            Column(name="tokens", head="tokens", form=Form.COUNT),
            Column(name="ce_steps", head="CE", form=Form.NUMBER, digits=3),
        ),
        rows=tuple(rows),
        notes=("By the truth of the site; CE on steps",),
    )


def _differences(groups: Sequence[tuple[str, Sides]]) -> Sheet:
    found: list[tuple[tuple[Cell, ...], float]] = []
    for who, sides in groups:
        base = sides.get(Strategy.APPEND.value, dict[Place, Outcome]())
        for strategy in ordered(sides, Strategy):
            own = sides[strategy]
            both = [(base[place], own[place]) for place in sorted(base.keys() & own.keys(), key=str)]
            if strategy != Strategy.APPEND and both:
                found.append(_difference(who, strategy, both))
    adjusted = holm([p for _, p in found])
    return Sheet(
        name="differences",
        title=f"Strategy less {Strategy.APPEND.value}",
        columns=(
            _WHO,
            _STRATEGY,
            Column(name="tasks", head="tasks", form=Form.COUNT),
            Column(name="score", head="Δ\u00a0Score", form=Form.NUMBER, digits=3, signed=True),
            Column(name="tsr", head="Δ\u00a0TSR", form=Form.PERCENT, digits=1, signed=True),
            Column(name="steps", head="Δ\u00a0steps", form=Form.NUMBER, digits=1, signed=True),
            Column(name="tokens", head="Δ\u00a0tokens", form=Form.COUNT, signed=True),
            *(Column(name=n, head=n, form=Form.COUNT) for n in ("won", "lost")),
            Column(name="p", head="p\u00a0(Holm)", form=Form.NUMBER, digits=3),
        ),
        rows=tuple((*cells, p) for (cells, _), p in zip(found, adjusted, strict=True)),
        notes=(
            "Paired by task, seed and repeat; all other settings are the same",
            "Won, lost: tasks wholly satisfied more, less often; p: exact McNemar test, Holm-corrected over all rows",
        ),
    )


def _difference(who: str, strategy: str, both: Sequence[tuple[Outcome, Outcome]]) -> tuple[tuple[Cell, ...], float]:
    pair = paired((a for a, _ in both), (b for _, b in both))

    def less(value: Callable[[Outcome], float]) -> Estimate:
        return difference((a.task, value(a), value(b)) for a, b in both)

    cells = (
        who,
        strategy,
        pair.tasks,
        less(lambda o: o.score),
        less(lambda o: float(o.success)),
        less(lambda o: o.steps),
        less(lambda o: o.tokens),
        pair.won,
        pair.lost,
    )
    return cells, pair.p
