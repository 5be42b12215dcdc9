"""Equation 6, read a second time from the paper and compared on many scores."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.agents import FcpSettings, Route, Routing
from refute.agents.fcp._routing import Scores, route

GRID = st.integers(0, 100).map(lambda n: n / 100) | st.floats(0, 1)


def equation_6(scores: Scores, confidence: float, *, lean: bool) -> Route:
    """Decision 1's order over the clauses of equation 6, with the figures of fcpagent B.5."""
    plus, minus = max(scores.progress, scores.completion), scores.falsification
    tau_plus = 0.65 + 0.1 * (confidence - 0.5)
    tau_minus = 0.55 + 0.1 * (confidence - 0.5)
    if scores.completion >= tau_plus and scores.completion - minus >= 0.18:
        return Route.COMPLETE
    if minus >= tau_minus and minus - plus >= 0.25:
        return Route.RISK
    if min(abs(scores.completion - tau_plus), abs(minus - tau_minus)) < 0.08:
        return Route.VERIFY
    quiet = max(scores.completion, minus) if lean else max(plus, minus)
    return Route.CONTINUE if quiet < 0.5 else Route.VERIFY


@given(GRID, GRID, GRID, GRID, st.booleans())
def test_routes_are_those_of_equation_6(
    progress: float, completion: float, falsification: float, confidence: float, lean: bool
) -> None:
    scores = Scores(progress, completion, falsification)
    settings = FcpSettings(routing=Routing.LEAN if lean else Routing.PAPER)
    assert route(scores, confidence=confidence, settings=settings).route is equation_6(scores, confidence, lean=lean)


@given(GRID, GRID, GRID)
def test_a_state_with_any_strong_score_never_goes_on_unseen(
    progress: float, completion: float, falsification: float
) -> None:
    chosen = route(Scores(progress, completion, falsification), confidence=0.7, settings=FcpSettings()).route
    if max(progress, completion, falsification) >= 0.5:
        assert chosen is not Route.CONTINUE


def test_less_confidence_asks_sooner() -> None:
    scores = Scores(0.0, 0.62, 0.0)
    settings = FcpSettings(margin=0.0)
    assert route(scores, confidence=0.1, settings=settings).route is Route.COMPLETE
    assert route(scores, confidence=0.9, settings=settings).route is Route.VERIFY
    assert route(Scores(0.0, 0.0, 0.53), confidence=0.1, settings=settings).route is Route.RISK


def test_lean_routing_lets_visible_progress_go_on() -> None:
    scores = Scores(0.9, 0.1, 0.1)
    assert route(scores, confidence=0.7, settings=FcpSettings()).route is Route.VERIFY
    assert route(scores, confidence=0.7, settings=FcpSettings(routing=Routing.LEAN)).route is Route.CONTINUE


@given(GRID, GRID, GRID, GRID)
def test_claims_routing_asks_for_nothing_but_what_clearly_speaks_against_the_step(
    progress: float, completion: float, falsification: float, confidence: float
) -> None:
    scores = Scores(progress, completion, falsification)
    chosen = route(scores, confidence=confidence, settings=FcpSettings(routing=Routing.CLAIMS)).route
    risky = falsification >= 0.55 + 0.1 * (confidence - 0.5) and falsification - max(progress, completion) >= 0.25
    assert chosen is (Route.RISK if risky else Route.CONTINUE)
