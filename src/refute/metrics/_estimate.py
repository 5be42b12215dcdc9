"""A mean over tasks with its 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 4000
_BATCH = 500
FEW = 1000
"""Up to so many tasks, draws are small enough (8 MB) for many of them to be kept."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean and its 95 % interval, in the unit of its values."""

    value: float | None
    """None when there is nothing to average."""
    low: float | None = None
    high: float | None = None
    """Both None with fewer than two tasks: nothing can be said about other tasks then."""
    tasks: int = 0


def estimate(values: Iterable[tuple[str, float]], *, seed: int = 0, resamples: int = RESAMPLES) -> Estimate:
    """Mean over tasks of `values`, each named by its task, with a percentile bootstrap over tasks (decision 29).

    Repeats of a task are averaged first, so that a task with more surviving repeats weighs no more; tasks are drawn
    with replacement, and a task's repeats stay together. The same values and seed give the same interval.
    """
    repeats: defaultdict[str, list[float]] = defaultdict(list)
    for task, value in values:
        repeats[task].append(value)
    return pooled(((task, sum(found) / len(found)) for task, found in repeats.items()), seed=seed, resamples=resamples)


def pooled(values: Iterable[tuple[str, float]], *, seed: int = 0, resamples: int = RESAMPLES) -> Estimate:
    """Mean over all `values` alike, with a bootstrap that draws whole tasks: for several values of a task that are
    not repeats of each other, such as its late rounds."""
    sums: defaultdict[str, float] = defaultdict(float)
    counts: defaultdict[str, int] = defaultdict(int)
    for task, value in values:
        sums[task] += value
        counts[task] += 1
    if not counts:
        return Estimate(value=None)
    names = sorted(counts)
    total = np.array([sums[n] for n in names])
    number = np.array([counts[n] for n in names], dtype=float)
    mean = float(total.sum() / number.sum())
    if len(names) < 2:
        return Estimate(value=mean, tasks=len(names))
    values_and_weights = np.stack([total, number], axis=1)
    drawn = (_few if len(names) <= FEW else _many)(len(names), seed, resamples)
    sums_and_weights = np.concatenate([part.astype(float) @ values_and_weights for part in drawn])
    means = sums_and_weights[:, 0] / sums_and_weights[:, 1]
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(value=mean, low=float(low), high=float(high), tasks=len(names))


def _draw(tasks: int, seed: int, resamples: int) -> tuple[NDArray[np.uint16], ...]:
    """How often each task was drawn in each resample, in batches: with replacement, so a multinomial draw of weights.

    It depends on the number of tasks alone, so that all figures of a report about as many tasks share one.
    """
    dice = np.random.default_rng(seed)
    even = np.full(tasks, 1 / tasks)
    sizes = (min(_BATCH, resamples - start) for start in range(0, resamples, _BATCH))
    return tuple(dice.multinomial(tasks, even, size=size).astype(np.uint16) for size in sizes)


_few = lru_cache(maxsize=32)(_draw)
_many = lru_cache(maxsize=2)(_draw)
