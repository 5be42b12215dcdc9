"""What a repair changes in the plan: the smallest part that the repairer named (fcpagent §5.3)."""

from __future__ import annotations

from typing import NamedTuple

from refute.agents.fcp._commitment import Commitment, Diagnosis, Scope
from refute.agents.fcp._plan import Plan
from refute.agents.fcp._roles import RepairerOutput
from refute.agents.fcp._settings import FcpSettings


class Change(NamedTuple):
    """What was done: the scope that took effect, what the executor is told, and what was replaced."""

    scope: Scope
    guidance: str
    replaced: tuple[Commitment, ...] = ()
    """Pending commitments that are no longer in the plan."""


def apply_repair(plan: Plan, answer: RepairerOutput, settings: FcpSettings) -> Change:
    """Carry out a repair, at the scope that the settings leave it; finished commitments are never touched.

    execution: the plan stays. skill: the active commitment is replaced by one with the same subgoal. planning: it and
    all later ones are replaced. An answer that lacks the commitments its scope needs changes less: a skill is
    unlinked, or the guidance alone counts. Without local repair it changes more: the open commitments start again.
    """
    if answer.scope is Scope.SKILL and not plan.reporting:
        switched = _switch_skill(plan, answer)
        if switched is not None:
            return switched
        answer = answer.model_copy(update={"scope": Scope.EXECUTION})
    if settings.carried_out(answer.scope) is Scope.PLANNING:
        drafts, again = answer.commitments, () if settings.local_repair else plan.revisable
        if drafts or again:
            replaced = plan.remaining
            plan.set_open([plan.enter(draft) for draft in drafts] or [plan.again(old) for old in again])
            return Change(Scope.PLANNING, answer.guidance, replaced)
    return Change(Scope.EXECUTION, _as_advice(answer))


def _as_advice(answer: RepairerOutput) -> str:
    """What to tell the executor. A new plan that is not carried out as one is told as advice."""
    if answer.scope is not Scope.PLANNING:
        return answer.guidance
    steps = "; then: ".join(draft.subgoal for draft in answer.commitments)
    return " ".join(part for part in (answer.guidance, steps) if part)


def _switch_skill(plan: Plan, answer: RepairerOutput) -> Change | None:
    """Replace the skill, or None when there is none to replace and no other is named."""
    old = plan.active
    if answer.commitments:
        draft = answer.commitments[0].model_copy(update={"subgoal": old.subgoal})
        plan.set_open([plan.enter(draft), *plan.remaining])
        return Change(Scope.SKILL, answer.guidance)
    if old.skill is None:
        return None
    plan.set_open([plan.unlinked(old), *plan.remaining])
    return Change(Scope.SKILL, answer.guidance)


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

    @property
    def left(self) -> bool:
        """Whether a repair is left."""
        return self._left > 0 and self._left_in_step > 0

    def take(self) -> bool:
        """Use one repair; False when none is left."""
        if not self.left:
            return False
        self._left -= 1
        self._left_in_step -= 1
        return True

    def take_last_replan(self) -> bool:
        """Use the one replan that is granted beyond the caps; False when it is used up."""
        granted, self._last_replan = self._last_replan, False
        return granted
