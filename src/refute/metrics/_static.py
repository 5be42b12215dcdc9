"""The same tasks told at once and told bit by bit (dynarev §7.1, table 5; decision 26)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._outcomes import Outcome


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What dynamic delivery changes, over pairs of an agent and a task that was done both ways."""

    pairs: int
    improved: int
    """Pairs whose score is higher under dynamic delivery…"""
    worse: int
    """…lower…"""
    same: int
    """…and equal."""
    score: Estimate
    """Mean of the dynamic score less the static one, in [-1, 1]."""
    steps: Estimate
    """Mean of the dynamic steps less the static ones."""


def static_dynamic(static: Iterable[Outcome], dynamic: Iterable[Outcome]) -> Delivery:
    """Paired by task; a task's repeats are averaged first. Call it once for each agent."""
    one, two = _by_task(static), _by_task(dynamic)
    common = sorted(one.keys() & two.keys())
    gains = {task: two[task][0] - one[task][0] for task in common}
    return Delivery(
        pairs=len(common),
        improved=sum(gain > 1e-9 for gain in gains.values()),
        worse=sum(gain < -1e-9 for gain in gains.values()),
        same=sum(abs(gain) <= 1e-9 for gain in gains.values()),
        score=estimate(gains.items()),
        steps=estimate((task, two[task][1] - one[task][1]) for task in common),
    )


def _by_task(found: Iterable[Outcome]) -> dict[str, tuple[float, float]]:
    repeats: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in found:
        repeats[outcome.task].append(outcome)
    return {t: (fmean(o.score for o in rows), fmean(o.steps for o in rows)) for t, rows in repeats.items()}
