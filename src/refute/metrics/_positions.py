"""Where in an episode revisions arrive, and how far agents differ in it (dynarev §7.3, figure 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev

from refute.metrics._estimate import Estimate, estimate, pooled
from refute.tables import DeliveryRow

RANGE = 0.2
"""The range across agents that the paper asks about: 20 percentage points."""


@dataclass(frozen=True, kw_only=True)
class Positions:
    """Relative positions of deliveries, each in [0, 1]."""

    values: tuple[float, ...]
    mean: Estimate
    spread: float | None
    """Standard deviation (of the population)."""


@dataclass(frozen=True, kw_only=True)
class Ranges:
    """How far apart agents are when the same revision reaches them."""

    ranges: Mapping[tuple[str, int], float]
    """By task and revision that two agents or more got: the largest less the smallest mean position."""
    mean: Estimate
    wide: Estimate
    """Share of tasks in which some revision's range is above 20 points."""


def positions(rows: Iterable[DeliveryRow]) -> Positions:
    """Position = delivery step / total steps (decision 27). Forced deliveries have none: nothing but the agent's own
    claim to be done put them there."""
    timed = [(d.key.task, d.position) for d in rows if d.position is not None and not d.forced]
    values = tuple(position for _, position in timed)
    return Positions(values=values, mean=pooled(timed), spread=pstdev(values) if values else None)


def ranges(rows: Iterable[DeliveryRow], agents: Mapping[str, str]) -> Ranges:
    """Cross-agent ranges; `agents` names the agent of each run. An agent's repeats are averaged first."""
    found: defaultdict[tuple[str, int], defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.position is not None and not row.forced and row.key.run in agents:
            found[row.key.task, row.revision][agents[row.key.run]].append(row.position)
    spans = {
        place: max(means) - min(means)
        for place, by_agent in sorted(found.items())
        if len(means := [fmean(values) for values in by_agent.values()]) > 1
    }
    widest: dict[str, float] = {}
    for (task, _), span in spans.items():
        widest[task] = max(span, widest.get(task, 0.0))
    return Ranges(
        ranges=spans,
        mean=pooled((task, span) for (task, _), span in spans.items()),
        wide=estimate((task, float(span > RANGE)) for task, span in widest.items()),
    )
