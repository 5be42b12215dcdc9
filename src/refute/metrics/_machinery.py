"""Whether the machinery works: when revisions came, and whether planted mistakes were noticed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from refute.tables import DeliveryRow, MistakeRow, Timing


@dataclass(frozen=True, kw_only=True)
class Deliveries:
    """When revisions came (decisions 20 and 28); where in an episode, `positions` tells."""

    revisions: int
    delivered: int
    forced: int
    early: int
    aligned: int
    late: int
    untimed: int
    """Came by a trigger, but the truth was not recorded at that state and the one before."""


@dataclass(frozen=True, kw_only=True)
class Detection:
    """What became of the planted mistakes of one kind."""

    planted: int
    noticed: int
    """A repair came while the mistake lasted."""
    attributed: int
    """…and its diagnosis named the mistake's own scope."""
    delay: float | None
    """Mean steps from onset to that repair; None when none was noticed."""


def deliveries(rows: Iterable[DeliveryRow]) -> Deliveries:
    """Counts over revisions. Forced deliveries are no decision of the trigger and have no timing."""
    every = tuple(rows)
    came = [d for d in every if d.step is not None]
    timed = [d for d in came if not d.forced]
    return Deliveries(
        revisions=len(every),
        delivered=len(came),
        forced=len(came) - len(timed),
        early=sum(d.timing is Timing.EARLY for d in timed),
        aligned=sum(d.timing is Timing.ALIGNED for d in timed),
        late=sum(d.timing is Timing.LATE for d in timed),
        untimed=sum(d.timing is None for d in timed),
    )


def detections(rows: Iterable[MistakeRow]) -> Mapping[str, Detection]:
    """By kind of mistake, in alphabetical order. Left out: replies of no use, which a retry answers and no repair."""
    kinds: defaultdict[str, list[MistakeRow]] = defaultdict(list)
    for row in rows:
        if row.how != "retried":
            kinds[row.mistake].append(row)
    return {kind: _detection(kinds[kind]) for kind in sorted(kinds)}


def _detection(rows: list[MistakeRow]) -> Detection:
    delays = [m.noticed - m.started for m in rows if m.noticed is not None]
    return Detection(
        planted=len(rows),
        noticed=len(delays),
        attributed=sum(m.noticed is not None and m.attributed == m.scope for m in rows),
        delay=fmean(delays) if delays else None,
    )
