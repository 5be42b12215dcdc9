"""What a revision of the goal changes in the plan: the falsified part, and nothing else (decision 10)."""

from __future__ import annotations

from typing import NamedTuple

from refute.agents.fcp._commitment import Commitment, Draft
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._roles import Falsified, PlanEntry, ReviserOutput


class Rewritten(NamedTuple):
    """What was done: the commitments that the new goal falsifies, and a note where the answer had to be mended."""

    falsified: tuple[Falsified, ...]
    note: str = ""


def apply_revision(plan: Plan, answer: ReviserOutput, *, revision: str, goal_version: int) -> Rewritten:
    """Rewrite the open part of the plan.

    Finished commitments stay unless the answer names them as falsified. An open one that it neither keeps nor names
    is put back in its old order, so that nothing is lost by omission; an unknown number is ignored. If nothing is
    left, the revision's own text becomes the one commitment.
    """
    was_open = plan.revisable
    known = {c.number for c in was_open} | {f.commitment.number for f in plan.finished}
    falsified = {f.number: f for f in answer.falsified if f.number in known}
    plan.goal_version = goal_version
    plan.finished = [f for f in plan.finished if f.commitment.number not in falsified]
    kept = {c.number: c for c in was_open if c.number not in falsified}
    rest = _entries(plan, answer.plan, dict(kept))
    omitted = [c for c in was_open if c.number in kept and c not in rest]
    for commitment in omitted:
        rest.insert(_place(rest, commitment, was_open), commitment)
    notes = [f"put back, neither kept nor falsified: {c.number}" for c in omitted]
    if not rest:
        rest = [plan.enter(Draft(subgoal=revision))]
        notes.append("the answer left no step: the revision itself is the step")
    plan.set_open(rest)
    return Rewritten(tuple(falsified.values()), "; ".join(notes))


def _entries(plan: Plan, entries: tuple[PlanEntry, ...], kept: dict[int, Commitment]) -> list[Commitment]:
    """The commitments that the entries stand for; one that is kept twice counts once."""
    rest: list[Commitment] = []
    for entry in entries:
        old = kept.pop(entry.keep, None) if entry.keep is not None else None
        if old is not None:
            rest.append(old)
        elif entry.new is not None:
            rest.append(plan.enter(entry.new))
    return rest


def _place(rest: list[Commitment], commitment: Commitment, was_open: tuple[Commitment, ...]) -> int:
    """Where an omitted commitment goes: right after the nearest one that stood before it, else at the front."""
    before = was_open[: was_open.index(commitment)]
    places = [rest.index(c) for c in before if c in rest]
    return max(places) + 1 if places else 0
