"""How far a trigger's word can be trusted: what it said of milestones against whether they held (decision 28)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from refute.metrics._estimate import Estimate, pooled
from refute.tables import TriggerRow

BINS = 10


@dataclass(frozen=True, kw_only=True)
class Bin:
    """The looks at which the trigger took the milestone for reached with a probability in [low, low + 1/10)."""

    low: float
    asked: int
    said: float
    """Mean probability that it gave."""
    held: Estimate
    """Share of them at which the milestone held."""


@dataclass(frozen=True, kw_only=True)
class Reliability:
    """A trigger's probabilities against the truth, over the looks at which a model was asked and the truth is known."""

    bins: tuple[Bin, ...]
    """Those that are not empty, in order."""
    brier: Estimate
    """Mean (P - held)^2, in [0, 1]; 0 is perfect, 0.25 is what P = 1/2 earns."""
    error: float | None
    """Expected calibration error: mean over the looks of |said - held| of their bin."""

    @property
    def asked(self) -> int:
        """All looks."""
        return sum(each.asked for each in self.bins)


@dataclass(frozen=True, kw_only=True)
class Deliverance:
    """The looks that delivered a revision, by whether its milestone held there, and at the state before."""

    now_only: int
    """Aligned."""
    both: int
    """Late."""
    before_only: int
    """Late, and no longer true."""
    neither: int
    """Early."""


def probability(row: TriggerRow) -> float:
    """How probable the model took the milestone to be reached: its confidence is in its answer, yes or no."""
    return row.confidence if row.reached else 1 - row.confidence


def reliability(rows: Iterable[TriggerRow]) -> Reliability:
    """Bins of equal width, the Brier score and the calibration error. Looks without a model or a truth are left out."""
    bins: dict[int, list[tuple[str, float, float]]] = {}
    for row in rows:
        if row.reached is None or row.holds is None:
            continue
        said = probability(row)
        place = min(BINS - 1, int(round(said * BINS, 9)))  # 1 - 0.9 is a little less than 0.1
        bins.setdefault(place, []).append((row.key.task, said, float(row.holds)))
    found = tuple(
        Bin(
            low=place / BINS,
            asked=len(looks),
            said=fmean(said for _, said, _ in looks),
            held=pooled((task, held) for task, _, held in looks),
        )
        for place, looks in sorted(bins.items())
    )
    every = [look for looks in bins.values() for look in looks]
    off = [each.asked * abs(each.said - each.held.value) for each in found if each.held.value is not None]
    return Reliability(
        bins=found,
        brier=pooled((task, (said - held) ** 2) for task, said, held in every),
        error=sum(off) / len(every) if every else None,
    )


def deliverance(rows: Iterable[TriggerRow]) -> Deliverance:
    """What held where a model's yes delivered a revision; looks without a truth are left out."""
    fired = [(row.holds, row.held_before) for row in rows if row.fired and row.reached is not None]
    return Deliverance(
        now_only=fired.count((True, False)),
        both=fired.count((True, True)),
        before_only=fired.count((False, True)),
        neither=fired.count((False, False)),
    )
