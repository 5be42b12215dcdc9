"""A mean over tasks with its 95 % interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

RESAMPLES = 4000
_BATCH = 500


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
    dice = np.random.default_rng(seed)
    means = np.empty(resamples)
    for start in range(0, resamples, _BATCH):
        size = min(_BATCH, resamples - start)
        # How often each task was drawn: a resample with replacement is a multinomial draw of weights.
        drawn = dice.multinomial(len(names), np.full(len(names), 1 / len(names)), size=size)
        means[start : start + size] = (drawn @ total) / (drawn @ number)
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(value=mean, low=float(low), high=float(high), tasks=len(names))
