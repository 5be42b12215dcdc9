"""What can be set about the agent, and the named variants that ablations compare."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from refute.agents._shaping import Shaping
from refute.agents.fcp._commitment import Scope


class Disclosure(StrEnum):
    """How much of a skill those see who only choose it: planner, repairer and reviser (fcpagent B.3)."""

    FULL = "full"
    PROGRESSIVE = "progressive"
    """Name, applicability and success; the executor sees the whole of its one skill."""


class Routing(StrEnum):
    """When visible progress alone asks the model (decision 4)."""

    PAPER = "paper"
    LEAN = "lean"
    CLAIMS = "claims"
    """Evidence asks only where it speaks against the step; that it is achieved is the executor's to claim."""


class VerifierPicture(StrEnum):
    """What the verifier sees beside the page's text; not every model can look at pictures."""

    NONE = "none"
    PLAIN = "plain"
    MARKS = "marks"
    """With the numbers of the elements on it (set of marks)."""


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
    lasting_risk: float = 0.5
    """Where the risk of what cannot be undone starts, as far as words tell; by default it is always verified."""

    max_repairs_per_step: int = 2
    max_repairs: int = 8
    """Repairs in an episode."""

    disclosure: Disclosure = Disclosure.FULL

    state_test: bool = True
    action_test: bool = True
    repair: bool = True
    slow_only: bool = False
    """The model verifies every returned state and every high-impact action; no fast test."""

    confirming: bool = True
    falsifying: bool = True
    """Without one of these kinds of evidence, it is neither asked of the planner, nor scored, nor shown."""
    local_repair: bool = True
    """Without it, what would be repaired at execution scope is planned anew."""
    replan: bool = True
    """Without it, what would be planned anew is repaired as advice to the executor."""
    failure_library: bool = True
    """Whether planner and repairer are shown failures of similar tasks."""
    final_check: bool = True
    """Whether `done` is held against the agent's own reading of the instructions (decision 11)."""
    verifier_picture: VerifierPicture = VerifierPicture.NONE
    shaping: Shaping = Shaping.PLAIN
    """How the executor is shown a page."""

    def gates(self, confidence: float) -> tuple[float, float]:
        """tau_plus and tau_minus for a commitment of this confidence (decision 2)."""
        shift = self.eta * (confidence - 0.5)
        return self.tau_plus + shift, self.tau_minus + shift

    def carried_out(self, scope: Scope) -> Scope:
        """The scope at which a repair diagnosed at `scope` takes place (fcpagent C.2).

        A switch of skill always stays one: C.2 takes away local repair and replanning, and C.6 counts switches of
        skill apart from both.
        """
        if scope is Scope.EXECUTION and not self.local_repair:
            return Scope.PLANNING
        if scope is Scope.PLANNING and not self.replan:
            return Scope.EXECUTION
        return scope


VARIANTS: dict[str, FcpSettings] = {
    "": FcpSettings(),
    "lean": FcpSettings(routing=Routing.LEAN),
    "lean-2": FcpSettings(routing=Routing.LEAN, max_consecutive_continue=2),
    "claims-2": FcpSettings(routing=Routing.CLAIMS, max_consecutive_continue=2),
    "no-repair": FcpSettings(repair=False),
    "no-testing": FcpSettings(state_test=False, action_test=False, final_check=False),
    "no-state-test": FcpSettings(state_test=False),
    "no-action-test": FcpSettings(action_test=False),
    "slow-only": FcpSettings(slow_only=True),
    "no-confirming": FcpSettings(confirming=False),
    "no-falsifying": FcpSettings(falsifying=False),
    "no-local-repair": FcpSettings(local_repair=False),
    "no-replan": FcpSettings(replan=False),
    "no-failure-library": FcpSettings(failure_library=False),
    "no-final-check": FcpSettings(final_check=False),
    "occam": FcpSettings(shaping=Shaping.OCCAM),
    "progressive": FcpSettings(disclosure=Disclosure.PROGRESSIVE),
    "picture": FcpSettings(verifier_picture=VerifierPicture.MARKS),
}
"""The settings behind ``fcp:NAME``; the empty name is plain ``fcp``."""
