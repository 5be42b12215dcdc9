"""What a repair changes in the plan: the smallest part that the repairer named (fcpagent §5.3)."""

from __future__ import annotations

from typing import NamedTuple

from refute.agents.fcp._commitment import Commitment, Diagnosis, Scope
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._roles import RepairerOutput


class Change(NamedTuple):
    """What was done: the scope that took effect, and the pending commitments that were replaced."""

    scope: Scope
    replaced: tuple[Commitment, ...] = ()


def apply_repair(plan: Plan, answer: RepairerOutput) -> Change:
    """Carry out a repair; finished commitments are never touched.

    execution: the plan stays. skill: the active commitment is replaced by one with the same subgoal. planning: it and
    all later ones are replaced. An answer that lacks the commitments its scope needs changes less: a skill is
    unlinked, or the guidance alone counts.
    """
    if answer.scope is Scope.SKILL and not plan.reporting:
        return _switch_skill(plan, answer)
    if answer.scope is Scope.PLANNING and answer.commitments:
        replaced = plan.remaining
        plan.set_open([plan.enter(draft) for draft in answer.commitments])
        return Change(Scope.PLANNING, replaced)
    return Change(Scope.EXECUTION)


def _switch_skill(plan: Plan, answer: RepairerOutput) -> Change:
    old = plan.active
    if answer.commitments:
        draft = answer.commitments[0].model_copy(update={"subgoal": old.subgoal})
        plan.set_open([plan.enter(draft), *plan.remaining])
        return Change(Scope.SKILL)
    if old.skill is None:
        return Change(Scope.EXECUTION)
    plan.set_open([plan.unlinked(old), *plan.remaining])
    return Change(Scope.SKILL)


def complete_diagnosis(diagnosis: Diagnosis | None, *, reason: str, hint: Scope | None) -> Diagnosis:
    """The verifier's diagnosis, or one made from its reason and the fast tester's hint where it gave none."""
    if diagnosis is not None:
        return diagnosis
    return Diagnosis(scope=hint or Scope.EXECUTION, pattern=reason or "the step was rejected without a reason")


class RepairCaps:
    """How many repairs are left (decision 6): per step of the agent, and in the episode."""

    def __init__(self, *, per_step: int, total: int) -> None:
        self._per_step = per_step
        self._left = total
        self._left_in_step = per_step
        self._last_replan = True

    def next_step(self) -> None:
        """A new step begins."""
        self._left_in_step = self._per_step

    def take(self) -> bool:
        """Use one repair; False when none is left."""
        if self._left <= 0 or self._left_in_step <= 0:
            return False
        self._left -= 1
        self._left_in_step -= 1
        return True

    def take_last_replan(self) -> bool:
        """Use the one replan that is granted beyond the caps; False when it is used up."""
        granted, self._last_replan = self._last_replan, False
        return granted
