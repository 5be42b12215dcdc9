"""Metrics: pure functions, rows in, numbers with 95 % intervals out. No files, no drawing."""

from refute.metrics._costs import Curve, ccs, ce, cts
from refute.metrics._estimate import Estimate, estimate
from refute.metrics._machinery import Deliveries, Detection, deliveries, detections
from refute.metrics._measures import Counts, Measures, count, measure
from refute.metrics._outcomes import Outcome, outcomes
from refute.metrics._quality import css, first_failure, mffr, score, score_unforced, share_without_failure, tsr

__all__ = [
    "Counts",
    "Curve",
    "Deliveries",
    "Detection",
    "Estimate",
    "Measures",
    "Outcome",
    "ccs",
    "ce",
    "count",
    "css",
    "cts",
    "deliveries",
    "detections",
    "estimate",
    "first_failure",
    "measure",
    "mffr",
    "outcomes",
    "score",
    "score_unforced",
    "share_without_failure",
    "tsr",
]
