"""How many tasks reach a score (dynarev §6.2, figure 3, table 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._outcomes import Outcome

THRESHOLDS = tuple(n / 10 for n in range(1, 11))
"""0.1, 0.2, … 1.0."""


def reaching(found: Sequence[Outcome], thresholds: Sequence[float] = THRESHOLDS) -> Mapping[float, Estimate]:
    """For each threshold t: mean_i 1[S_i >= t], which falls as t rises and is TSR at 1 (dynarev figure 3).

    A score that misses t by rounding alone (1e-9) reaches it.
    """
    return {t: estimate((o.task, float(o.score >= t - 1e-9)) for o in found) for t in thresholds}
