"""Proofs of tasks: an oracle does them, on two routes and under every branch; whatever is wrong is noticed."""

from refute.run.check._result import PROOFS, CheckResult, Milestones, Mutants, Outcomes, Proof, TaskCheck
from refute.run.check._suite import CheckProgress, check_suite

__all__ = [
    "PROOFS",
    "CheckProgress",
    "CheckResult",
    "Milestones",
    "Mutants",
    "Outcomes",
    "Proof",
    "TaskCheck",
    "check_suite",
]
