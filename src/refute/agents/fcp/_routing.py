"""Equation 6: where the fast tester sends a state (fcpagent B.5, decisions 1 to 4)."""

from __future__ import annotations

from typing import NamedTuple

from refute.agents.fcp._commitment import Route
from refute.agents.fcp._settings import FcpSettings, Routing


class Scores(NamedTuple):
    """Evidence for and against a commitment on one page, each in [0, 1]."""

    progress: float
    completion: float
    falsification: float

    @property
    def confirmation(self) -> float:
        """alpha_plus: the larger of progress and completion (decision 4)."""
        return max(self.progress, self.completion)


class Routed(NamedTuple):
    """A route, and the clause that chose it."""

    route: Route
    reason: str


def route(scores: Scores, *, confidence: float, settings: FcpSettings) -> Routed:
    """Apply the clauses in the order of decision 1: complete, risk, near a threshold, continue, otherwise verify.

    Of these the claims routing keeps risk alone.
    """
    tau_plus, tau_minus = settings.gates(confidence)
    completion, against, confirmation = scores.completion, scores.falsification, scores.confirmation
    claims_only = settings.routing is Routing.CLAIMS
    if not claims_only and completion >= tau_plus and completion - against >= settings.delta_plus:
        return Routed(Route.COMPLETE, "completion is strong and clear of falsification")
    if against >= tau_minus and against - confirmation >= settings.delta_minus:
        return Routed(Route.RISK, "falsification is strong and clear of confirmation")
    if claims_only:
        return Routed(Route.CONTINUE, "nothing speaks clearly against the step (claims routing)")
    if abs(completion - tau_plus) < settings.margin:
        return Routed(Route.VERIFY, "completion is near its threshold")
    if abs(against - tau_minus) < settings.margin:
        return Routed(Route.VERIFY, "falsification is near its threshold")
    if max(confirmation, against) < settings.pi_low:
        return Routed(Route.CONTINUE, "all evidence is weak")
    if settings.routing is Routing.LEAN and max(completion, against) < settings.pi_low:
        return Routed(Route.CONTINUE, "progress alone is visible (lean routing)")
    return Routed(Route.VERIFY, "the evidence is mixed")
