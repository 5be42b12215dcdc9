"""Success by how long a task is (fcpagent §6.4, figure 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from refute.metrics._outcomes import Outcome

BUCKETS = (5, 10)
"""Last step of each bucket but the open one: 1-5, 6-10, 11 and more (fcpagent figure 3)."""


def horizons(reference: Iterable[Outcome]) -> Mapping[str, float]:
    """Steps that a reference agent takes for each task, its repeats averaged: a stand-in for the task's length."""
    steps: defaultdict[str, list[int]] = defaultdict(list)
    for outcome in reference:
        steps[outcome.task].append(outcome.steps)
    return {task: fmean(found) for task, found in steps.items()}


def bucket_names(ends: Sequence[int] = BUCKETS) -> tuple[str, ...]:
    """``1–5``, ``6–10``, ``≥ 11`` for the ends 5 and 10, which must rise."""
    starts = [1, *(end + 1 for end in ends)]
    return (*(f"{a}–{b}" for a, b in zip(starts, ends, strict=False)), f"≥ {starts[-1]}")


def by_horizon(
    found: Iterable[Outcome], lengths: Mapping[str, float], ends: Sequence[int] = BUCKETS
) -> Mapping[str, tuple[Outcome, ...]]:
    """The outcomes in each bucket, short to long. Tasks whose length nobody knows are in none."""
    names = bucket_names(ends)
    buckets: dict[str, list[Outcome]] = {name: [] for name in names}
    for outcome in found:
        if outcome.task in lengths:
            place = sum(lengths[outcome.task] > end for end in ends)
            buckets[names[place]].append(outcome)
    return {name: tuple(members) for name, members in buckets.items()}
