"""The detector: the agent's own fast tester, replayed over recorded states as the agent would call it.

Every state is weighed once; how it is routed under other thresholds or another routing follows from the scores alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from refute.agents import (
    FastTester,
    FcpSettings,
    Loops,
    Proposal,
    Route,
    Scores,
    Turn,
    anomaly,
    describe,
    high_impact,
    impact,
    in_words,
    normal_form,
    route,
)
from refute.drift._plans import Active, Plan
from refute.drift._record import Drive, Page, State
from refute.evidence import open_scorer
from refute.metrics import DriftState


class Why(StrEnum):
    """What made the fast tester escalate a state."""

    RULE = "rule"
    EVIDENCE = "evidence"
    CLAIM = "claim"
    """The executor said that the commitment is achieved."""
    PERIODIC = "periodic"


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """One state with what the fast tester found on it."""

    drive: Drive
    state: State
    confidence: float
    anomaly: bool
    scores: Scores
    claimed: bool
    completes: bool
    """Whether the commitment is complete here, so that somebody has to confirm it."""
    high_impact: bool
    """Whether the action that led here was tested before it ran (decision 5)…"""
    action_asked: bool
    """…and asked the model."""
    start_asked: bool
    """Whether the commitment started on the page before, and a precondition that is contradicted there asked the
    model."""


def open_tester(settings: FcpSettings) -> FastTester:
    """The tester as the agent makes it, without pictures."""
    return FastTester(open_scorer(settings.scorer), settings)


async def weigh(drive: Drive, plan: Plan, settings: FcpSettings | None = None) -> list[Weighed]:
    """Test a drive's states in order, each against the commitment that is active there.

    Left out: states at which every commitment of `plan` is confirmed, where an agent has only its report left. Raises
    `UserError` for an unknown scorer, `LocalModelError` for a model that cannot be had.
    """
    tester, loops, found = open_tester(settings or FcpSettings()), Loops(), list[Weighed]()
    finished, before, number = 0, drive.start, 0
    for state in drive.states:
        active = plan.active(state, finished=finished)
        if active is not None:
            starts = active.commitment.number != number
            if starts:
                loops.clear()
                number = active.commitment.number
            asked = starts and await _start_asked(tester, active, before)
            found.append(await _weigh(tester, loops, drive, state, before, active, start_asked=asked))
        finished, before = state.finished, state.page
    return found


async def _start_asked(tester: FastTester, active: Active, before: Page) -> bool:
    """Test the preconditions of a commitment that starts on this page, as the agent does; whether they ask the model.
    That is a slow check, from which quiet states are counted anew."""
    weighed = await tester.preconditions(active.commitment, before.observation())
    if weighed is None or weighed.tested.route is Route.CONTINUE:
        return False
    tester.reset()
    return True


async def _weigh(
    tester: FastTester,
    loops: Loops,
    drive: Drive,
    state: State,
    before: Page,
    active: Active,
    *,
    start_asked: bool,
) -> Weighed:
    """One state, and the action that led to it, as the agent hands them to its tester."""
    there = before.observation(*((state.target,) if state.target else ()))
    taken = Proposal(
        action=state.action,
        text=describe(state.action, there),
        words=in_words(state.action, there),
        reasoning=state.reasoning,
        subgoal_done=active.claimed,
    )
    commitment, lasting, asked = active.commitment, high_impact(state.action, there), False
    if lasting:
        kind = impact(state.action, there)
        action = (await tester.action(commitment, taken, premature=False, impact=kind)).tested
        asked = action.route is not Route.CONTINUE
    page = state.page.observation()
    circle = loops.take(Turn(normal_form(state.action, there), there.digest))
    fired = anomaly(taken, state.outcome, page, before=there, circle=circle)
    tested = (await tester.state(commitment, page, anomaly=fired, claimed=active.claimed)).tested
    if tested.route is not Route.CONTINUE:
        tester.reset()
    return Weighed(
        drive=drive,
        state=state,
        confidence=commitment.confidence,
        anomaly=bool(fired),
        scores=Scores(tested.progress, tested.completion, tested.falsification),
        claimed=active.claimed,
        completes=state.finished >= active.end,
        high_impact=lasting,
        action_asked=asked,
        start_asked=start_asked,
    )


def reasons(weighed: Sequence[Weighed], settings: FcpSettings) -> list[Why | None]:
    """Why each state of a drive is escalated under `settings`; None = it may go on. In the agent's order: rules,
    evidence, the executor's claim, and the periodic check, whose count starts anew with each escalation, and where a
    commitment started with a precondition that asked."""
    found, quiet = list[Why | None](), 0
    for one in weighed:
        why = _why(one, settings)
        so_far = 0 if one.start_asked else quiet
        quiet = so_far + 1 if why is None else 0
        if quiet > settings.max_consecutive_continue:
            why, quiet = Why.PERIODIC, 0
        found.append(why)
    return found


def _why(one: Weighed, settings: FcpSettings) -> Why | None:
    if one.anomaly:
        return Why.RULE
    if route(one.scores, confidence=one.confidence, settings=settings).route is not Route.CONTINUE:
        return Why.EVIDENCE
    return Why.CLAIM if one.claimed else None


def falsified(weighed: Sequence[Weighed], settings: FcpSettings) -> list[DriftState]:
    """The states that count and that no rule caught; escalated = a falsifier reaches `tau_minus` there."""
    left = [w for w in weighed if not w.anomaly]
    reached = [Why.EVIDENCE if w.scores.falsification >= settings.tau_minus else None for w in left]
    return states(left, reached)


def shifted(settings: FcpSettings, by: float) -> FcpSettings:
    """All thresholds of equation 6 moved by `by`: above 0 less is escalated."""
    return replace(
        settings,
        tau_plus=settings.tau_plus + by,
        tau_minus=settings.tau_minus + by,
        pi_low=settings.pi_low + by,
    )


def states(weighed: Sequence[Weighed], why: Sequence[Why | None], *, under_way: bool = False) -> list[DriftState]:
    """The states that count, for `refute.metrics`: those with a label; `under_way`: only where nothing is complete."""
    return [
        DriftState(drive=w.drive.id, since=w.state.since, escalated=y is not None, page=w.state.page.digest)
        for w, y in zip(weighed, why, strict=True)
        if w.state.label != "passing" and not (under_way and w.completes)
    ]
