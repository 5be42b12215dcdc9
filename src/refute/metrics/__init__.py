"""Metrics: pure functions, rows in, numbers with 95 % intervals out. No files, no drawing."""

from refute.metrics._agreement import Confusion, Kappa, kappa
from refute.metrics._behaviour import (
    FAST_TESTER,
    MODULES,
    Checking,
    Planning,
    Strategy,
    checking,
    drift_detection,
    module_seconds,
    planning,
    repair_success,
    repairs_per_task,
    strategies,
    strategy,
)
from refute.metrics._calibration import Agreement, Disagreement, Miss, agreement
from refute.metrics._costs import STEPS, Cost, Curve, ccs, ce, cts, spent
from refute.metrics._endings import Endings, endings
from refute.metrics._estimate import Estimate, estimate, pooled
from refute.metrics._horizon import BUCKETS, bucket_names, by_horizon, horizons
from refute.metrics._judged import responses, score_judged
from refute.metrics._machinery import Deliveries, Detection, deliveries, detections
from refute.metrics._measures import Counts, Measures, count, measure
from refute.metrics._outcomes import Outcome, outcomes
from refute.metrics._paired import Pair, difference, holm, mcnemar, paired
from refute.metrics._positions import Positions, Ranges, positions, ranges
from refute.metrics._published import relative_gain, weighted_mean
from refute.metrics._quality import css, first_failure, mffr, score, score_unforced, share_without_failure, tsr
from refute.metrics._response import Response, satisfaction_by_response, wra
from refute.metrics._static import Delivery, static_dynamic
from refute.metrics._thresholds import THRESHOLDS, reaching

__all__ = [
    "BUCKETS",
    "FAST_TESTER",
    "MODULES",
    "STEPS",
    "THRESHOLDS",
    "Agreement",
    "Checking",
    "Confusion",
    "Cost",
    "Counts",
    "Curve",
    "Deliveries",
    "Delivery",
    "Detection",
    "Disagreement",
    "Endings",
    "Estimate",
    "Kappa",
    "Measures",
    "Miss",
    "Outcome",
    "Pair",
    "Planning",
    "Positions",
    "Ranges",
    "Response",
    "Strategy",
    "agreement",
    "bucket_names",
    "by_horizon",
    "ccs",
    "ce",
    "checking",
    "count",
    "css",
    "cts",
    "deliveries",
    "detections",
    "difference",
    "drift_detection",
    "endings",
    "estimate",
    "first_failure",
    "holm",
    "horizons",
    "kappa",
    "mcnemar",
    "measure",
    "mffr",
    "module_seconds",
    "outcomes",
    "paired",
    "planning",
    "pooled",
    "positions",
    "ranges",
    "reaching",
    "relative_gain",
    "repair_success",
    "repairs_per_task",
    "responses",
    "satisfaction_by_response",
    "score",
    "score_judged",
    "score_unforced",
    "share_without_failure",
    "spent",
    "static_dynamic",
    "strategies",
    "strategy",
    "tsr",
    "weighted_mean",
    "wra",
]
