"""What the index shows."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from refute.metrics import (
    Deliveries,
    Measures,
    ccs,
    cts,
    deliveries,
    detections,
    measure,
    outcomes,
)
from refute.report._chart import Path as Curve
from refute.report._chart import curve_paths
from refute.tables import ConstraintRow, EpisodeRow, RunRow, Tables, TaskKind

BUDGET = 100.0
PAGE = "index.html"


@dataclass(frozen=True, kw_only=True)
class RunView:
    """One run with its figures, and again by revision type."""

    number: int
    row: RunRow
    measures: Measures
    kinds: Mapping[TaskKind, Measures]
    deliveries: Deliveries

    @property
    def name(self) -> str:
        """What a person calls it."""
        return " · ".join(p for p in (self.row.agent, self.row.model) if p) or self.row.run


@dataclass(frozen=True, kw_only=True)
class EpisodeLine:
    """One line of the list of episodes."""

    row: EpisodeRow
    run: int
    href: str
    pips: tuple[tuple[str, str], ...]
    """For each constraint that counts: its class and its title."""

    @property
    def met(self) -> int:
        """Satisfied constraints that count."""
        return sum(tone == "y" for tone, _ in self.pips)

    @property
    def group(self) -> str:
        """For the filter: `met`, `unmet` or `out` (not counted)."""
        if not (self.row.status.counted and self.row.judged):
            return "out"
        return "met" if self.met == len(self.pips) else "unmet"


def link(start: Path, target: Path) -> str:
    """A relative address from the folder `start` to `target`, safe in an attribute."""
    return quote(Path(os.path.relpath(target, start)).as_posix())


def pip(row: ConstraintRow) -> tuple[str, str]:
    """A constraint as a small square."""
    if row.satisfied is None:
        return "m", f"{row.text}: not known"
    if row.satisfied:
        return "y", f"{row.text}: satisfied"
    return (
        ("u", f"{row.text}: its revision was never delivered")
        if not row.delivered
        else ("n", f"{row.text}: not satisfied")
    )


def index_view(tables: Tables) -> dict[str, Any]:
    """The variables of the index template."""
    runs = tuple(_run_view(number, run, tables) for number, run in enumerate(tables.runs))
    numbers = {view.row.run: view.number for view in runs}
    pips: defaultdict[Any, list[tuple[str, str]]] = defaultdict(list)
    for row in sorted(tables.constraints, key=lambda c: c.round):
        if row.active:
            pips[row.key].append(pip(row))
    lines = [
        EpisodeLine(row=e, run=numbers[e.key.run], href=link(tables.out, e.folder / PAGE), pips=tuple(pips[e.key]))
        for e in tables.episodes
    ]
    counted = tables.only({e.key for e in tables.episodes if e.status.counted})
    return {
        "runs": runs,
        "lines": lines,
        "overall": measure(tables),
        "simulated": tables.simulated,
        "kinds": [k for k in TaskKind if any(k in view.kinds for view in runs)],
        "rounds": sorted({k for view in runs for k in view.measures.css}),
        "curves": _curves(tables, runs),
        "budget": BUDGET,
        "detections": detections(counted.mistakes),
    }


def _run_view(number: int, run: RunRow, tables: Tables) -> RunView:
    own = tables.run(run.run)
    kinds: dict[TaskKind, Measures] = {}
    for kind in TaskKind:
        keys = {e.key for e in own.episodes if e.kind is kind}
        if keys:
            kinds[kind] = measure(own.only(keys))
    counted = own.only({e.key for e in own.episodes if e.status.counted})
    came = deliveries(counted.deliveries)
    return RunView(number=number, row=run, measures=measure(own), kinds=kinds, deliveries=came)


def _curves(tables: Tables, runs: tuple[RunView, ...]) -> tuple[Curve, ...]:
    found = {view.row.run: outcomes(tables.run(view.row.run)) for view in runs}
    return curve_paths([(v.name, ccs(found[v.row.run]), cts(found[v.row.run])) for v in runs], BUDGET)
