"""Two runs compared on the tasks that both have (decision 29)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from statistics import fmean

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._outcomes import Outcome


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What the second run did on the first one's tasks."""

    tasks: int
    """Tasks that both runs have; all else here is about these."""
    score: Estimate
    """Mean over tasks of the second's score minus the first's, in [-1, 1], with a paired bootstrap."""
    better: int
    """Tasks with a higher score in the second run…"""
    worse: int
    """…and with a lower one."""
    won: int
    """Tasks that the second run satisfies wholly more often than the first…"""
    lost: int
    """…and less often."""
    p: float
    """Exact McNemar test over the tasks won and lost, two-sided; 1.0 when there are none."""


def paired(first: Iterable[Outcome], second: Iterable[Outcome]) -> Pair:
    """Compare by task. Repeats of a task are averaged first; with one repeat, `p` is the textbook's McNemar test."""
    one, two = _by_task(first), _by_task(second)
    common = sorted(one.keys() & two.keys())
    gains = [(task, _score(two[task]) - _score(one[task])) for task in common]
    wins = [_success(two[task]) - _success(one[task]) for task in common]
    won, lost = sum(w > 0 for w in wins), sum(w < 0 for w in wins)
    return Pair(
        tasks=len(common),
        score=estimate(gains),
        better=sum(gain > 0 for _, gain in gains),
        worse=sum(gain < 0 for _, gain in gains),
        won=won,
        lost=lost,
        p=_mcnemar(won, lost),
    )


def _by_task(found: Iterable[Outcome]) -> Mapping[str, list[Outcome]]:
    tasks: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in found:
        tasks[outcome.task].append(outcome)
    return tasks


def _score(repeats: list[Outcome]) -> float:
    return fmean(o.score for o in repeats)


def _success(repeats: list[Outcome]) -> float:
    return fmean(float(o.success) for o in repeats)


def _mcnemar(won: int, lost: int) -> float:
    """Two-sided, exact: chance of a split at least as uneven when each side is as likely."""
    n = won + lost
    tail = sum(comb(n, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / 2**n)
