"""Two runs compared on the tasks that both have (decision 29)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
        p=mcnemar(won, lost),
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


def mcnemar(won: int, lost: int) -> float:
    """Exact two-sided McNemar test: the chance of a split at least as uneven when each side is as likely.

    `won` and `lost` are the discordant pairs, each >= 0; 1.0 when there are none (McNemar, Psychometrika 12, 1947, in
    the exact form that sums the binomial's tail).
    """
    n = won + lost
    tail = sum(comb(n, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / 2**n)


def difference(pairs: Iterable[tuple[str, float, float]]) -> Estimate:
    """Mean over tasks of the second value minus the first, each pair named by its task (decision 29).

    A pair is one repeat of a task that both sides did under the same dice; a task's pairs are averaged first and drawn
    together.
    """
    return estimate((task, second - first) for task, first, second in pairs)


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down correction of several p-values, each in [0, 1], in their order.

    The k-th smallest of m is multiplied by m - k + 1, never falls below the one before it, and is at most 1 (Holm,
    Scandinavian Journal of Statistics 6, 1979). An adjusted value below 0.05 rejects at that family-wise level.
    """
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda n: values[n])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = highest
    return tuple(adjusted)
