"""What came of the agent's own plan, read from a trace: the word of its tests, and not of its report."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents.fcp._commitment import Commitment, CommitmentStatus, Decision, Planned, Status, Verified
from refute.agents.fcp._plan import REPORT
from refute.agents.fcp._requirement import FinalChecked, Result
from refute.trace import Trace


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A commitment of the last plan, and how far it came."""

    commitment: Commitment
    status: Status
    """Confirmed only if a verifier said so of a page."""
    evidence: str


def last_plan(trace: Trace) -> tuple[Tried, ...]:
    """The last plan of an episode, without its report."""
    plans = trace.of(Planned)
    if not plans:
        return ()
    statuses = {event.number: event for event in trace.of(CommitmentStatus)}
    verified = {
        event.number: event for event in trace.of(Verified) if event.decision is Decision.ADVANCE and not event.action
    }
    tried: list[Tried] = []
    for commitment in plans[-1].commitments:
        if commitment.subgoal == REPORT:
            continue
        last = statuses.get(commitment.number)
        status = last.status if last is not None else Status.PENDING
        evidence = last.summary if last is not None else ""
        if status is Status.CONFIRMED and commitment.number in verified:
            evidence = verified[commitment.number].reason or evidence
        elif status is Status.CONFIRMED:
            status, evidence = Status.ACTIVE, "the agent went on without a test"
        tried.append(Tried(commitment=commitment, status=status, evidence=evidence))
    return tuple(tried)


def last_check(trace: Trace) -> FinalChecked | None:
    """The last time that a `done` was held against the requirements."""
    return next(iter(reversed(trace.of(FinalChecked))), None)


def shown_by_tests(trace: Trace) -> bool:
    """Whether the agent's tests confirmed every commitment of its last plan, and no final check says otherwise."""
    plan, check = last_plan(trace), last_check(trace)
    all_confirmed = bool(plan) and all(one.status is Status.CONFIRMED for one in plan)
    return all_confirmed and (check is None or check.result is Result.VERIFIED)
