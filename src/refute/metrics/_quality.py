"""How good the end is: Score, TSR, CSS by round, MFFR (dynarev §5.3, H)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from refute.metrics._estimate import Estimate, estimate, pooled
from refute.metrics._outcomes import Outcome

LAST_ROUND = 4
"""Rounds from here on are pooled (dynarev H)."""

NoFailure = Literal["K+1", "K", "exclude"]


def score(found: Sequence[Outcome]) -> Estimate:
    """Score = mean_i S_i: satisfied share of the constraints that count, by truth (dynarev §5.3; decision 14)."""
    return estimate((o.task, o.score) for o in found)


def score_unforced(found: Sequence[Outcome]) -> Estimate:
    """Score with every forced delivery counted as none: what it introduced is unsatisfied (decision 20)."""
    return estimate((o.task, o.score_unforced) for o in found)


def tsr(found: Sequence[Outcome]) -> Estimate:
    """Task success rate = mean_i 1[S_i = 1] (dynarev §5.3)."""
    return estimate((o.task, float(o.success)) for o in found)


def css(found: Sequence[Outcome]) -> Mapping[str, Estimate]:
    """CSS_k = mean satisfied share of round k over the tasks that have it (dynarev H; decision 15).

    Keys ``"0"`` (initial instruction), ``"1"``, ``"2"``, ``"3"`` and ``"4+"``, which pools all later rounds, each
    (task, round) alike. A round without constraints that count is skipped.
    """
    repeats: defaultdict[tuple[int, str], list[float]] = defaultdict(list)
    for outcome in found:
        for k, share in outcome.rounds.items():
            repeats[k, outcome.task].append(share)
    rounds: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
    for (k, task), shares in sorted(repeats.items()):
        rounds[min(k, LAST_ROUND)].append((task, sum(shares) / len(shares)))
    return {round_name(k): pooled(rounds[k]) for k in sorted(rounds)}


def round_name(k: int) -> str:
    """The key of round `k`, where all from `LAST_ROUND` on are one."""
    return f"{k}+" if k == LAST_ROUND else str(k)


def first_failure(outcome: Outcome, *, start: int = 1) -> int | None:
    """The first round k >= `start` that is not fully satisfied or whose revision was not delivered; None = none."""
    for k in range(start, outcome.revisions + 1):
        if k in outcome.undelivered or outcome.rounds.get(k, 1.0) < 1.0:
            return k
    return None


def mffr(found: Sequence[Outcome], *, start: int = 1, no_failure: NoFailure = "K+1") -> Estimate:
    """Mean first failure round = mean_i min{k >= start : round k fails} (dynarev §5.3; decision 16).

    A task without a failure counts as K_i + 1 (`no_failure`: or as K_i, or not at all). Tasks without a round from
    `start` on are left out: nothing could fail. In rounds; compare only with equal settings.
    """
    return estimate((o.task, k) for o in found if (k := _failure_round(o, start, no_failure)) is not None)


def _failure_round(outcome: Outcome, start: int, no_failure: NoFailure) -> float | None:
    if outcome.revisions < start:
        return None
    failed = first_failure(outcome, start=start)
    if failed is not None:
        return failed
    if no_failure == "exclude":
        return None
    return outcome.revisions + (1 if no_failure == "K+1" else 0)


def share_without_failure(found: Sequence[Outcome], *, start: int = 1) -> Estimate:
    """Share of the tasks that enter `mffr` in which no round from `start` on fails: printed beside it (decision 16)."""
    able = (o for o in found if o.revisions >= start)
    return estimate((o.task, float(first_failure(o, start=start) is None)) for o in able)
