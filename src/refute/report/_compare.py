"""The runs beside each other: figures, endings, deliveries, and differences on the tasks that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refute.metrics import (
    Deliveries,
    Endings,
    Measures,
    Outcome,
    Pair,
    Positions,
    deliveries,
    endings,
    measure,
    outcomes,
    paired,
    positions,
)
from refute.revisions import Deliver
from refute.tables import RunRow, Tables, TaskKind

_ENDINGS = (
    ("y", "satisfied", "wholly satisfied"),
    ("n", "unsatisfied", "done, not wholly satisfied"),
    ("b", "budget", "budget used up"),
    ("g", "infeasible", "gave up"),
    ("m", "unjudged", "not judged"),
)


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A part of a stacked bar: its class, its words, how many, and the share of the whole bar in [0, 1]."""

    tone: str
    name: str
    count: int
    share: float


@dataclass(frozen=True, kw_only=True)
class RunView:
    """One run with its figures, and again by revision type."""

    number: int
    name: str
    """What a person calls it; no two runs of a report share one."""
    row: RunRow
    measures: Measures
    kinds: Mapping[TaskKind, Measures]
    deliveries: Deliveries
    positions: Positions
    endings: Endings
    outcomes: tuple[Outcome, ...]

    @property
    def ended(self) -> tuple[Segment, ...]:
        """The endings of the agent's episodes. What the harness lost is no part of this bar: see `Endings.errors`."""
        return _bar([(tone, name, getattr(self.endings, field)) for tone, field, name in _ENDINGS])

    @property
    def came(self) -> tuple[Segment, ...]:
        """The revisions of the counted episodes."""
        d = self.deliveries
        return _bar(
            [
                ("r", "delivered when their time had come", d.delivered - d.forced),
                ("f", "forced by an early done", d.forced),
                ("u", "never delivered", d.revisions - d.delivered),
            ]
        )


def run_views(tables: Tables) -> tuple[RunView, ...]:
    """All runs, in the order of the tables."""
    names = run_names(tables.runs)
    return tuple(_run_view(n, names[n], run, tables.run(run.run)) for n, run in enumerate(tables.runs))


def differences(runs: Sequence[RunView]) -> tuple[tuple[RunView, Pair], ...]:
    """Each later run against the first, where they have a task in common."""
    pairs = [(run, paired(runs[0].outcomes, run.outcomes)) for run in runs[1:]]
    return tuple((run, pair) for run, pair in pairs if pair.tasks)


def _run_view(number: int, name: str, run: RunRow, own: Tables) -> RunView:
    kinds: dict[TaskKind, Measures] = {}
    for kind in TaskKind:
        keys = {e.key for e in own.episodes if e.kind is kind}
        if keys:
            kinds[kind] = measure(own.only(keys))
    counted = own.only({e.key for e in own.episodes if e.status.counted})
    return RunView(
        number=number,
        name=name,
        row=run,
        measures=measure(own),
        kinds=kinds,
        deliveries=deliveries(counted.deliveries),
        positions=positions(counted.deliveries),
        endings=endings(own),
        outcomes=outcomes(own),
    )


def run_names(runs: Sequence[RunRow]) -> tuple[str, ...]:
    """Agent, model (which is left out where all share it), the site's faults and which bound it is; where that is not
    enough, the folder that the run lies in, then what else tells runs apart; at the end the folder's own name."""
    shared = len(runs) > 1 and len({r.model for r in runs}) == 1
    plain = [_joined(r.agent, "" if shared else r.model, _faults(r), _bound(r)) or r.run for r in runs]
    placed = [_joined(name, r.run.rpartition("/")[0]) for name, r in zip(plain, runs, strict=True)]
    full = [
        _joined(name, r.trigger, r.strategy, "" if r.seed is None else f"seed {r.seed}")
        for name, r in zip(placed, runs, strict=True)
    ]
    choices = [(names, Counter(names)) for names in (plain, placed, full)]
    return tuple(
        next((names[n] for names, times in choices if times[names[n]] == 1), _joined(full[n], run.run))
        for n, run in enumerate(runs)
    )


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _faults(run: RunRow) -> str:
    """Under which faults of the site a run was made."""
    names = [name.replace("_", " ") for name in run.faults]
    return f"under faults: {', '.join(names)}" if names else ""


def _bound(run: RunRow) -> str:
    """Which bound of delivery a run is, if it is one."""
    words: dict[str, str] = {Deliver.NEVER: "never told", Deliver.UPFRONT: "told at once"}
    return words.get(run.deliver, "")


def _bar(parts: Sequence[tuple[str, str, int]]) -> tuple[Segment, ...]:
    total = sum(count for _, _, count in parts)
    return tuple(Segment(tone=t, name=name, count=n, share=n / total) for t, name, n in parts if n)
