"""What can be set about the agent, and the named variants that ablations compare."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Disclosure(StrEnum):
    """How much of a skill those see who only choose it: planner, repairer and reviser (fcpagent B.3)."""

    FULL = "full"
    PROGRESSIVE = "progressive"
    """Name, applicability and success; the executor sees the whole of its one skill."""


class Routing(StrEnum):
    """When visible progress alone asks the model (decision 4)."""

    PAPER = "paper"
    LEAN = "lean"


@dataclass(frozen=True, kw_only=True)
class FcpSettings:
    """Thresholds, caps and switches. Scores and thresholds are in [0, 1].

    The defaults of equation 6 are the paper's (fcpagent B.5, decisions 1 to 4); caps are decision 6.
    """

    routing: Routing = Routing.PAPER
    tau_plus: float = 0.65
    tau_minus: float = 0.55
    eta: float = 0.1
    delta_plus: float = 0.18
    delta_minus: float = 0.25
    pi_low: float = 0.5
    text_weight: float = 0.8
    """lambda of equation 5; without a picture, or without an image scorer, the text term stands alone (decision 3)."""
    scorer: str = "lexical"
    """What scores text: a name that `refute.evidence.open_scorer` takes."""
    image_scorer: str = ""
    """What scores pictures: a name that `refute.evidence.open_image_scorer` takes; empty = nothing does."""
    margin: float = 0.08
    max_consecutive_continue: int = 4
    """States in a row that may go on without a slow check."""

    risk: float = 0.5
    """Risk from which a proposed action is verified (decision 5)."""
    overlap_weight: float = 0.7
    alignment_weight: float = 0.3

    max_repairs_per_step: int = 2
    max_repairs: int = 8
    """Repairs in an episode."""

    disclosure: Disclosure = Disclosure.FULL
    failure_memory: bool = True
    """Whether planner and repairer are shown failures of similar tasks."""

    state_test: bool = True
    action_test: bool = True
    repair: bool = True
    slow_only: bool = False
    """The model verifies every returned state and every high-impact action; no fast test."""

    def gates(self, confidence: float) -> tuple[float, float]:
        """tau_plus and tau_minus for a commitment of this confidence (decision 2)."""
        shift = self.eta * (confidence - 0.5)
        return self.tau_plus + shift, self.tau_minus + shift


VARIANTS: dict[str, FcpSettings] = {
    "": FcpSettings(),
    "lean": FcpSettings(routing=Routing.LEAN),
    "no-repair": FcpSettings(repair=False),
    "no-testing": FcpSettings(state_test=False, action_test=False),
    "no-state-test": FcpSettings(state_test=False),
    "no-action-test": FcpSettings(action_test=False),
    "slow-only": FcpSettings(slow_only=True),
    "no-failure-library": FcpSettings(failure_memory=False),
}
"""The settings behind ``fcp:NAME``; the empty name is plain ``fcp``."""
