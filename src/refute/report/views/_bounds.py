"""View ``bounds``: what delivery earns, between never hearing of a revision and having the final goal at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from refute.metrics import Outcome, difference, estimate, score, tsr
from refute.report.views._alike import WAY, apart, in_words, settings_but, way_in_words
from refute.report.views._options import ViewOptions
from refute.report.views._places import Place, by_place
from refute.report.views._tables import N, facts, ordered, percent_column
from refute.report.views._view import Cell, Column, Form, Sheet, View
from refute.revisions import Deliver
from refute.tables import RunRow, Tables

_FREE = ("deliver", *WAY, "seed")
"""What runs that are compared may differ in; pairs are made within a seed."""
_BOUNDS = {Deliver.NEVER.value: "never told (lower)", Deliver.UPFRONT.value: "told at once (upper)"}
_LOWER, _UPPER = _BOUNDS.values()
_WHO = Column(name="who", head="who")
_DELIVERY = Column(name="delivery", head="delivery")

Sides = Mapping[str, Mapping[Place, Outcome]]
"""The episodes of one agent under each way of delivery, and under the bounds."""


def bounds_view(tables: Tables, options: ViewOptions) -> View:
    """Levels under each way of delivery and under the bounds, and how much of what lies between them is earned."""
    groups = [(who, by_place(tables, runs, _side)) for who, runs in _groups(tables)]
    between = _between(groups)
    sheets = (_levels(groups), between)
    why = "no agent has runs of these tasks with --deliver never, with --deliver upfront, and with revisions delivered"
    return View(
        name="bounds",
        title="Delivery between its bounds",
        facts=facts(tables),
        sheets=tuple(sheet for sheet in sheets if sheet.rows),
        missing={} if between.rows else {"what delivery earns": why},
    )


def _side(run: RunRow) -> str:
    if run.deliver in _BOUNDS:
        return _BOUNDS[run.deliver]
    return way_in_words(run)


def _groups(tables: Tables) -> list[tuple[str, list[RunRow]]]:
    """Runs that differ in nothing but delivery and seed, where at least one of them is a bound."""
    groups: dict[str, list[RunRow]] = {}
    for run in tables.runs:
        groups.setdefault(settings_but(run, _FREE), []).append(run)
    bounded = [runs for runs in groups.values() if any(run.deliver in _BOUNDS for run in runs)]
    first = [runs[0] for runs in bounded]
    names = apart(first, (*_FREE, "agent", "model"))
    whos = [", ".join(part for part in (f"{run.agent} · {run.model}", in_words(run, names)) if part) for run in first]
    return list(zip(whos, bounded, strict=True))


def _ways(sides: Sides) -> tuple[str, ...]:
    """The lower bound first and the upper one last."""
    return (*(way for way in ordered(sides, (_LOWER,)) if way != _UPPER), *(way for way in (_UPPER,) if way in sides))


def _levels(groups: Sequence[tuple[str, Sides]]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for who, sides in groups:
        for way in _ways(sides):
            own = tuple(sides[way].values())
            if own:
                steps, tokens = estimate((o.task, o.steps) for o in own), estimate((o.task, o.tokens) for o in own)
                rows.append((who, way, len(own), score(own), tsr(own), steps, tokens))
    return Sheet(
        name="levels",
        title="Bounds and ways of delivery",
        columns=(
            _WHO,
            _DELIVERY,
            N,
            Column(name="score", head="Score", form=Form.NUMBER, digits=3),
            Column(name="tsr", head="TSR", form=Form.PERCENT, digits=1),
            Column(name="steps", head="steps", form=Form.NUMBER, digits=1),
            Column(name="tokens", head="tokens", form=Form.COUNT),
        ),
        rows=tuple(rows),
        notes=("By the truth of the final goal, in every row; a bound is a run, too, and has its own errors",),
    )


def _between(groups: Sequence[tuple[str, Sides]]) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for who, sides in groups:
        if _LOWER not in sides or _UPPER not in sides:
            continue
        low, high = sides[_LOWER], sides[_UPPER]
        for way in _ways(sides):
            own = sides[way]
            common = sorted(low.keys() & own.keys() & high.keys(), key=str)
            if way not in (_LOWER, _UPPER) and common:
                rows.append((who, way, *_earned([(low[p], own[p], high[p]) for p in common])))
    return Sheet(
        name="between",
        title="What delivery earns between the bounds",
        columns=(
            _WHO,
            _DELIVERY,
            Column(name="tasks", head="tasks", form=Form.COUNT),
            Column(name="above_lower", head="Δ\u00a0Score to lower", form=Form.NUMBER, digits=3, signed=True),
            Column(name="below_upper", head="Δ\u00a0Score to upper", form=Form.NUMBER, digits=3, signed=True),
            Column(name="gap", head="upper less lower", form=Form.NUMBER, digits=3, signed=True),
            percent_column("earned", "earned"),
            Column(name="tsr_above_lower", head="Δ\u00a0TSR to lower", form=Form.PERCENT, digits=1, signed=True),
            Column(name="tsr_below_upper", head="Δ\u00a0TSR to upper", form=Form.PERCENT, digits=1, signed=True),
        ),
        rows=tuple(rows),
        notes=(
            "Paired by task, seed and repeat over the episodes that all three have",
            "Earned: distance to the lower bound as a share of the gap; none where there is no gap",
        ),
    )


def _earned(triples: Sequence[tuple[Outcome, Outcome, Outcome]]) -> tuple[Cell, ...]:
    def less(value: Callable[[Outcome], float], first: int, second: int) -> Cell:
        return difference((t[0].task, value(t[first]), value(t[second])) for t in triples)

    def points(o: Outcome) -> float:
        return o.score

    def solved(o: Outcome) -> float:
        return float(o.success)

    gained = difference((low.task, low.score, own.score) for low, own, _ in triples).value or 0.0
    gap = difference((low.task, low.score, high.score) for low, _, high in triples).value or 0.0
    return (
        len({low.task for low, _, _ in triples}),
        less(points, 0, 1),
        less(points, 2, 1),
        less(points, 0, 2),
        gained / gap if gap > 0 else None,
        less(solved, 0, 1),
        less(solved, 2, 1),
    )
