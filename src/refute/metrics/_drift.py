"""How well and how early a detector notices drift (fcpagent §7: "how early agents detect recoverable deviations").

A detector *escalates* a state, which asks the model, or lets it go on. Each state is on track or some steps off it.
All intervals are 95 %, by a bootstrap that draws whole drives, since the states of a drive hang together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.metrics._estimate import RESAMPLES, Estimate

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class DriftState:
    """One state of a drive, and what the detector made of it."""

    drive: str
    since: int | None
    """Steps since the drift's onset, 0 on its first state; None on track."""
    escalated: bool
    page: str = ""
    """What the page shows, for a verifier that errs alike on equal pages."""


@dataclass(frozen=True, kw_only=True)
class Quality:
    """A detector's decisions state by state, with on-track and off-track states weighted to one prevalence."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


@dataclass(frozen=True, kw_only=True)
class Verifier:
    """Who looks at an escalated state: P(objects | off track), and P(does not object | on track).

    `persistent`: it errs alike on equal pages, so that looking again helps only once the page has changed. The
    default objects to whatever it is shown: then an escalation by itself counts as noticing.
    """

    sensitivity: float = 1.0
    specificity: float = 0.0
    persistent: bool = False


ESCALATION = Verifier()
"""The fast tester alone: each escalation counts."""


def escalated_on_track(states: Iterable[DriftState]) -> Estimate:
    """Share of on-track states that ask the model."""
    return _mean((s.drive, float(s.escalated)) for s in states if s.since is None)


def escalated_off_track(states: Iterable[DriftState]) -> Estimate:
    """Share of off-track states that ask the model."""
    return _mean((s.drive, float(s.escalated)) for s in states if s.since is not None)


def false_alarms(states: Iterable[DriftState], verifier: Verifier = ESCALATION) -> Estimate:
    """Objections per 100 on-track states."""
    wrong = 100 * (1 - verifier.specificity)
    return _mean((s.drive, wrong * s.escalated) for s in states if s.since is None)


def asked(states: Sequence[DriftState], *, prevalence: float) -> Estimate:
    """Share of states that ask the model where a share `prevalence` of all is off track."""
    return _weighted(states, lambda on, off: prevalence * off + (1 - prevalence) * on)


def quality(states: Sequence[DriftState], *, prevalence: float, verifier: Verifier = ESCALATION) -> Quality:
    """Precision, recall and F1 of "this state is off track", where a share `prevalence` of all states is.

    A measure without a value, such as the precision of a detector that never objects, is None.
    """

    def parts(on: Floats, off: Floats) -> tuple[Floats, Floats, Floats]:
        hits = prevalence * verifier.sensitivity * off
        alarms = (1 - prevalence) * (1 - verifier.specificity) * on
        return hits / (hits + alarms), verifier.sensitivity * off, 2 * hits / (hits + alarms + prevalence)

    return Quality(
        precision=_weighted(states, lambda on, off: parts(on, off)[0]),
        recall=_weighted(states, lambda on, off: parts(on, off)[1]),
        f1=_weighted(states, lambda on, off: parts(on, off)[2]),
    )


def noticed_within(states: Iterable[DriftState], steps: int, verifier: Verifier = ESCALATION) -> Estimate:
    """Probability that a drift is noticed at most `steps` steps after its onset; a mean over drives, computed exactly.

    A drive that ends earlier counts with what it has.
    """
    found = _off_track(states)
    return _mean((drive, _chance(off, steps, verifier)) for drive, off in found.items())


def delays(states: Iterable[DriftState], verifier: Verifier = ESCALATION, *, most: int = 6) -> tuple[float, ...]:
    """P(noticed exactly d steps after the onset) for d = 0 … `most`, a mean over drives; what is missing to 1 was not
    noticed while the drive lasted."""
    found = _off_track(states).values()
    if not found:
        return ()
    within = [sum(_chance(off, d, verifier) for off in found) / len(found) for d in range(most + 1)]
    return tuple(now - before for now, before in zip(within, [0.0, *within], strict=False))


def mean_delay(distribution: Sequence[float]) -> float | None:
    """Steps from onset to notice, of the drifts that were noticed; None when none was."""
    total = sum(distribution)
    return sum(d * p for d, p in enumerate(distribution)) / total if total > 0 else None


def by_coin(share: float, steps: int) -> float:
    """What a coin that escalates this share of states, whatever they show, notices within `steps`: the floor of every
    figure of `noticed_within` at that share."""
    return 1 - (1 - share) ** (steps + 1)


@dataclass(frozen=True, kw_only=True)
class DriftCost:
    """What one state costs (calls, seconds, …) with the fast tester, and with a model that verifies everything."""

    drive: str
    since: int | None
    spent: float
    full: float


def saved(costs: Iterable[DriftCost], *, prevalence: float) -> Estimate:
    """Share of the full cost that is not spent, where a share `prevalence` of all states is off track."""
    rows: defaultdict[str, Floats] = defaultdict(lambda: np.zeros(6))
    for c in costs:
        at = 0 if c.since is None else 3
        rows[c.drive][at : at + 3] += (1, c.spent, c.full)

    def share(sums: Floats) -> Floats:
        spent, full = ((1 - prevalence) * sums[n] / sums[0] + prevalence * sums[n + 3] / sums[3] for n in (1, 2))
        return 1 - spent / full

    return _resampled(rows, share)


# ---- parts --------------------------------------------------------------------------------------------------------


def _off_track(states: Iterable[DriftState]) -> Mapping[str, list[DriftState]]:
    """The off-track states by drive, from the onset on."""
    drives: defaultdict[str, list[DriftState]] = defaultdict(list)
    for state in states:
        if state.since is not None:
            drives[state.drive].append(state)
    return {drive: sorted(off, key=lambda s: s.since or 0) for drive, off in drives.items()}


def _chance(off: Sequence[DriftState], steps: int, verifier: Verifier) -> float:
    """1 - the probability that every look up to then misses."""
    shown = [s.page for s in off if s.escalated and s.since is not None and s.since <= steps]
    looks = len(set(shown)) if verifier.persistent else len(shown)
    return 1 - (1 - verifier.sensitivity) ** looks


def _mean(values: Iterable[tuple[str, float]]) -> Estimate:
    """The mean over all values alike, each named by its drive."""
    rows: defaultdict[str, Floats] = defaultdict(lambda: np.zeros(2))
    for drive, value in values:
        rows[drive] += (value, 1)
    return _resampled(rows, lambda sums: sums[0] / sums[1])


def _weighted(states: Iterable[DriftState], of: Callable[[Floats, Floats], Floats]) -> Estimate:
    """`of` the shares of on-track and off-track states that were escalated."""
    rows: defaultdict[str, Floats] = defaultdict(lambda: np.zeros(4))
    for s in states:
        at = 0 if s.since is None else 2
        rows[s.drive][at : at + 2] += (1, s.escalated)
    return _resampled(rows, lambda sums: of(sums[1] / sums[0], sums[3] / sums[2]))


def _resampled(rows: Mapping[str, Floats], of: Callable[[Floats], Floats]) -> Estimate:
    """`of` the sums of the drives' `rows`, of shape (columns,), with a bootstrap over drives. `of` takes sums of shape
    (columns, resamples); resamples in which it has no value are left out."""
    names = sorted(rows)
    if not names:
        return Estimate(value=None)
    table = np.stack([rows[name] for name in names], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = float(of(table.sum(axis=1, keepdims=True))[0])
        spread = of(table @ _drawn(len(names)))
    spread = spread[np.isfinite(spread)]
    if not np.isfinite(value):
        return Estimate(value=None, tasks=len(names))
    if len(names) < 2 or not spread.size:
        return Estimate(value=value, tasks=len(names))
    low, high = np.percentile(spread, [2.5, 97.5])
    return Estimate(value=value, low=float(low), high=float(high), tasks=len(names))


@lru_cache(maxsize=32)
def _drawn(number: int) -> Floats:
    """How often each of `number` drives is drawn, of shape (drives, resamples); the same for equal numbers."""
    dice = np.random.default_rng(0)
    return dice.multinomial(number, np.full(number, 1 / number), size=RESAMPLES).T.astype(np.float64)
