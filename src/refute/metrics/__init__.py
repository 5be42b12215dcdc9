"""Metrics: pure functions, rows in, numbers with 95 % intervals out. No files, no drawing."""

from refute.metrics._calibration import Agreement, Disagreement, Miss, agreement
from refute.metrics._costs import Curve, ccs, ce, cts
from refute.metrics._endings import Endings, endings
from refute.metrics._estimate import Estimate, estimate
from refute.metrics._judged import score_judged, wra
from refute.metrics._machinery import Deliveries, Detection, deliveries, detections
from refute.metrics._measures import Counts, Measures, count, measure
from refute.metrics._outcomes import Outcome, outcomes
from refute.metrics._paired import Pair, paired
from refute.metrics._quality import css, first_failure, mffr, score, score_unforced, share_without_failure, tsr

__all__ = [
    "Agreement",
    "Counts",
    "Curve",
    "Deliveries",
    "Detection",
    "Disagreement",
    "Endings",
    "Estimate",
    "Measures",
    "Miss",
    "Outcome",
    "Pair",
    "agreement",
    "ccs",
    "ce",
    "count",
    "css",
    "cts",
    "deliveries",
    "detections",
    "endings",
    "estimate",
    "first_failure",
    "measure",
    "mffr",
    "outcomes",
    "paired",
    "score",
    "score_judged",
    "score_unforced",
    "share_without_failure",
    "tsr",
    "wra",
]
