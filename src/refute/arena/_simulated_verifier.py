"""The simulated verifier and milestone trigger: they see the truth through a noisy channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refute.agents import REPORT, Decision, Diagnosis, Scope, VerifierInput, VerifierOutput
from refute.arena._active import revisions_in
from refute.arena._procedure import Procedure
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_ledger import (
    CONTAMINATED,
    FORGOTTEN,
    IGNORED,
    MISREAD,
    PREMATURE,
    STALE,
    WRONG_BRANCH,
    WRONG_ELEMENT,
    Ledger,
)
from refute.arena._simulated_settings import Noise
from refute.arena._simulated_site import Hands, Truth
from refute.goals import Constraint, Reference, Task
from refute.revisions import TriggerInput, TriggerOutput

SURE_OF_YES, SURE_OF_NO = 0.95, 0.9
"""How sure the trigger is of its answer: more than its errors allow, as readers and models are."""
_PATTERNS = {
    WRONG_ELEMENT: "The last action hit the wrong element",
    WRONG_BRANCH: "The pages that are being explored do not serve this step",
    STALE: "The linked skill builds on something that this site does not have",
    CONTAMINATED: "The plan takes a result that violates what the user asked for",
    FORGOTTEN: "The plan leaves out something that the user asked for",
    IGNORED: "The plan leaves out a change that the user made",
    PREMATURE: "The work is said to be done before it is",
    MISREAD: "The report states a value that no page shows",
}


@dataclass(frozen=True, kw_only=True)
class _Problem:
    scope: Scope
    pattern: str
    severity: float = 0.5


class Verifier:
    """One per episode. Off track = a mistake goes on, or the distance to the goal grew since the step began."""

    def __init__(self, task: Task, hands: Hands, truth: Truth, dice: Dice, ledger: Ledger, noise: Noise) -> None:
        self._task = task
        self._hands = hands
        self._truth = truth
        self._dice = dice
        self._ledger = ledger
        self._noise = noise
        self._began: dict[int, int] = {}
        self._anchor: int | None = None

    def plan_changed(self, active: Sequence[Constraint]) -> None:
        """A plan was made or rewritten: from here on, distances are compared with the one of now."""
        self._began.clear()
        self._anchor = self._truth.distance(active)

    def verify(self, x: VerifierInput, attempt: int) -> VerifierOutput:
        """continue, advance or repair, seen through the noise."""
        active = self._truth.active(revisions_in(self._task, x.instructions))
        state = f"{state_of(x.observation)} {x.proposed and 'action ' + _kind(x.proposed)}"
        step = self._hands.read(x.commitment.subgoal)
        problem = self._problem(x, step, active)
        roll = self._dice.roll("verifier", state, attempt)
        noticed = roll < self._noise.verifier_sensitivity if problem else roll >= self._noise.verifier_specificity
        if noticed:
            return self._objects(x, problem, state, attempt)
        if x.proposed:
            return VerifierOutput(decision=Decision.CONTINUE, reason="The action serves this step.")
        finished = step is not None and self._truth.finished(step)
        odds = self._noise.completion_sensitivity if finished else 1 - self._noise.completion_specificity
        if self._dice.roll("completion", state, attempt) < odds:
            self._anchor = self._truth.distance(active)
            for mistake in self._ledger.active(STALE):
                if mistake.about == x.commitment.subgoal:
                    self._ledger.end(mistake, "recovered")
            return VerifierOutput(decision=Decision.ADVANCE, reason="What the step asks for is done.")
        return VerifierOutput(decision=Decision.CONTINUE, reason="The step is under way and nothing contradicts it.")

    # ---- the truth -----------------------------------------------------------------------------------------------

    def _problem(self, x: VerifierInput, step: Procedure | None, active: Sequence[Constraint]) -> _Problem | None:
        """What is really wrong, or None."""
        for mistake in self._ledger.active(*_PATTERNS):
            if mistake.kind == STALE and mistake.about != x.commitment.subgoal:
                continue
            severity = min(1.0, 0.4 + 0.2 * mistake.age)
            pattern = f"{_PATTERNS[mistake.kind]}: {mistake.detail}."
            return _Problem(scope=Scope(mistake.scope), pattern=pattern, severity=severity)
        distance = self._truth.distance(active)
        began = self._began.setdefault(x.commitment.number, distance if self._anchor is None else self._anchor)
        if distance > began:
            left = self._truth.plan(active, None)[0].sentence()
            return _Problem(scope=Scope.PLANNING, pattern=f"The work moved away from the goal; first of all: {left}")
        report = self._truth.plan(active, None)[-1]
        ends = x.proposed.startswith("done(") and type(step) is not type(report)
        if ends or (step is None and x.commitment.subgoal == REPORT):
            step = report
        if step is None:
            return _Problem(scope=Scope.PLANNING, pattern="The step does not say what is to be done on this site.")
        if x.proposed and self._truth.commits(x.proposed):
            obstacle = self._truth.obstacle(step, active)
            if obstacle:
                return _Problem(scope=Scope.PLANNING, pattern=f"This cannot be undone, and {obstacle}.", severity=0.7)
        return None

    def _objects(self, x: VerifierInput, problem: _Problem | None, state: str, attempt: int) -> VerifierOutput:
        """The diagnosis: the right scope as often as the settings say; a false alarm has any."""
        right = problem.scope if problem else None
        scope = right
        if right is None or self._dice.roll("scope", state, attempt) >= self._noise.scope_accuracy:
            scope = self._dice.pick([s for s in Scope if s is not right], "scope", state, attempt)
        assert scope is not None
        fitting = [f.statement for f in x.commitment.falsifying if f.scope is scope]
        pattern = problem.pattern if problem else "The page does not look as this step would have it."
        diagnosis = Diagnosis(
            scope=scope,
            falsified=self._dice.pick(fitting, "falsifier", state, attempt) if fitting else pattern,
            pattern=pattern,
            severity=problem.severity if problem else 0.4,
        )
        return VerifierOutput(decision=Decision.REPAIR, reason=pattern, diagnosis=diagnosis)

    # ---- milestones ----------------------------------------------------------------------------------------------

    def trigger(self, x: TriggerInput, attempt: int) -> TriggerOutput:
        """Whether the milestone is reached, seen through the noise."""
        state = state_of(x.observation)
        predicate = self._predicate(x)
        if predicate is None:
            return TriggerOutput(reached=False, confidence=SURE_OF_NO, evidence="")
        reached = self._truth.holds(predicate)
        odds = self._noise.trigger_sensitivity if reached else 1 - self._noise.trigger_specificity
        said = self._dice.roll(f"trigger {x.milestone}", state, attempt) < odds
        return TriggerOutput(
            reached=said, confidence=SURE_OF_YES if said else SURE_OF_NO, evidence=x.observation.title if said else ""
        )

    def _predicate(self, x: TriggerInput) -> Reference | None:
        """The truth behind the milestone that is asked about: of several with one text, the first not yet delivered."""
        heard = revisions_in(self._task, x.instructions)
        fitting = [(k, r) for k, r in enumerate(self._task.revisions, start=1) if r.milestone.text == x.milestone]
        waiting = [r for k, r in fitting if k not in heard] or [r for _, r in fitting]
        return waiting[0].milestone.predicate if waiting else None


def _kind(proposed: str) -> str:
    """A proposed action without element numbers, which differ from agent to agent."""
    name, _, target = proposed.partition(" on ")
    return f"{name.partition('(')[0]} {target}"
