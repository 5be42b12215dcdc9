"""Quality against cost: CTS and CCS curves and cost efficiency CE (dynarev §5.3, D)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, inf
from typing import Literal

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._outcomes import Outcome

Cost = Literal["steps", "tokens", "dollars", "seconds"]

STEPS = 100
"""B for steps (decision 18)."""


@dataclass(frozen=True, kw_only=True)
class Curve:
    """A step function of the budget, constant between its jumps and continuous from the right; 0 before the first."""

    costs: tuple[float, ...]
    """Where it jumps, ascending."""
    values: tuple[float, ...]
    """Its value from each jump on, in [0, 1]."""

    def at(self, budget: float) -> float:
        """The value at a budget."""
        place = bisect_right(self.costs, budget)
        return self.values[place - 1] if place else 0.0

    def area(self, budget: float) -> float:
        """The normalised area below it from 0 to `budget` (> 0), exactly: no grid, so no discretisation error."""
        ends = (*self.costs[1:], inf)
        pieces = (
            value * max(0.0, min(end, budget) - cost)
            for cost, end, value in zip(self.costs, ends, self.values, strict=True)
        )
        return fsum(pieces) / budget


def ccs(found: Sequence[Outcome], *, cost: Cost = "steps") -> Curve:
    """CCS(b) = mean_i S_i 1[c_i <= b]: constraint satisfaction bought within a budget (dynarev §5.3)."""
    return _curve(found, cost, lambda o: o.score)


def cts(found: Sequence[Outcome], *, cost: Cost = "steps") -> Curve:
    """CTS(b) = mean_i 1[S_i = 1 and c_i <= b]: whole successes bought within a budget (dynarev §5.3)."""
    return _curve(found, cost, lambda o: float(o.success))


def ce(found: Sequence[Outcome], *, cost: Cost = "steps", budget: float | None = None) -> Estimate:
    """CE = mean_i S_i (1 - min(c_i, B) / B), the normalised area under CCS up to B (dynarev §5.3, D; decision 18).

    `budget` is B (> 0) in the unit of `cost`: 100 for steps; for all others no B is stated anywhere, so a `ValueError`
    asks for it. A run that ends at B earns 0 whatever its quality. In dollars only the episodes whose price is known
    are looked at.
    """
    if budget is None and cost != "steps":
        raise ValueError(f"cost efficiency in {cost} needs a budget: no default is stated anywhere")
    b = STEPS if budget is None else budget
    return estimate((o.task, o.score * (1 - min(spent(o, cost), b) / b)) for o in _known(found, cost))


def spent(outcome: Outcome, cost: Cost) -> float:
    """What an episode cost; in dollars 0 where no price is known."""
    match cost:
        case "steps":
            return outcome.steps
        case "tokens":
            return outcome.tokens
        case "seconds":
            return max(0.0, outcome.seconds)
        case "dollars":
            return outcome.dollars or 0.0


def _known(found: Sequence[Outcome], cost: Cost) -> Sequence[Outcome]:
    return [o for o in found if o.dollars is not None] if cost == "dollars" else found


def _curve(found: Sequence[Outcome], cost: Cost, value: Callable[[Outcome], float]) -> Curve:
    """Each task weighs the same, its repeats share its weight: as in every mean (decision 29)."""
    found = _known(found, cost)
    repeats = Counter(o.task for o in found)
    gains: dict[float, list[float]] = {}
    for o in found:
        gains.setdefault(spent(o, cost), []).append(value(o) / repeats[o.task] / len(repeats))
    costs = sorted(gains)
    so_far: list[float] = []
    values: list[float] = []
    for c in costs:
        so_far.extend(gains[c])
        values.append(fsum(so_far))
    return Curve(costs=tuple(float(c) for c in costs), values=tuple(values))
