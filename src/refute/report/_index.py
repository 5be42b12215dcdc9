"""What the index shows."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from refute.metrics import ccs, cts, detections, measure
from refute.report._chart import curve_paths
from refute.report._compare import differences, run_views
from refute.report._steps import picture_of
from refute.tables import ConstraintRow, EpisodeRow, Tables, TaskKind

BUDGET = 100.0
PAGE = "index.html"


@dataclass(frozen=True, kw_only=True)
class EpisodeLine:
    """One line of the list of episodes."""

    row: EpisodeRow
    run: int
    href: str
    picture: str
    """Address of the last page's picture; empty without one."""
    pips: tuple[tuple[str, str], ...]
    """For each constraint that counts: its class and its title."""

    @property
    def met(self) -> int:
        """Satisfied constraints that count."""
        return sum(tone == "y" for tone, _ in self.pips)

    @property
    def group(self) -> str:
        """For the filter: `met`, `unmet`, or why it is not counted: `error`, `open` or `unjudged`."""
        if self.row.status.error:
            return "error"
        if not self.row.status.counted:
            return "open"
        if not self.row.judged:
            return "unjudged"
        return "met" if self.met == len(self.pips) else "unmet"

    @property
    def share(self) -> float:
        """Satisfied share of the constraints that count, in [0, 1]; -1 for an episode that does not count."""
        return self.met / len(self.pips) if self.group in ("met", "unmet") else -1.0


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


def episode_lines(tables: Tables) -> tuple[EpisodeLine, ...]:
    """All episodes, in the order of the tables."""
    numbers = {run.run: n for n, run in enumerate(tables.runs)}
    pips: defaultdict[Any, list[tuple[str, str]]] = defaultdict(list)
    for row in sorted(tables.constraints, key=lambda c: c.round):
        if row.active:
            pips[row.key].append(pip(row))
    return tuple(
        EpisodeLine(
            row=e,
            run=numbers[e.key.run],
            href=link(tables.out, e.folder / PAGE),
            picture=link(tables.out, e.folder / e.picture) if picture_of(e.picture, e.folder) else "",
            pips=tuple(pips[e.key]),
        )
        for e in tables.episodes
    )


def index_view(tables: Tables, lines: tuple[EpisodeLine, ...]) -> dict[str, Any]:
    """The variables of the index template."""
    runs = run_views(tables)
    counted = tables.only({e.key for e in tables.episodes if e.status.counted})
    curves = [(r.number, r.name, ccs(r.outcomes), cts(r.outcomes)) for r in runs if r.outcomes]
    return {
        "runs": runs,
        "names": [run.name for run in runs],
        "lines": lines,
        "overall": measure(tables),
        "simulated": tables.simulated,
        "kinds": [k for k in TaskKind if any(k in run.kinds for run in runs)],
        "rounds": sorted({k for run in runs for k in run.measures.css}),
        "curves": curve_paths(curves, BUDGET),
        "budget": BUDGET,
        "detections": detections(counted.mistakes),
        "differences": differences(runs),
        "longest": max((r.measures.steps.high or r.measures.steps.value or 0 for r in runs), default=0) or 1,
    }
