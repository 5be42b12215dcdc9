"""The simulated planner, reviser and repairer: plans from the truth, with the mistakes that plans are made with."""

from __future__ import annotations

from collections.abc import Sequence

from refute._errors import UserError
from refute.agents import (
    Commitment,
    Draft,
    ExecutorInput,
    Falsified,
    PlanEntry,
    PlannerInput,
    PlannerOutput,
    Recovery,
    RepairerInput,
    RepairerOutput,
    ReviserInput,
    ReviserOutput,
    Scope,
    Skill,
)
from refute.arena._active import revisions_in, told_at_once
from refute.arena._procedure import Procedure
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_falsifiers import flawed
from refute.arena._simulated_inducer import learned_skill
from refute.arena._simulated_ledger import CONTAMINATED, FORGOTTEN, IGNORED, STALE, Ledger
from refute.arena._simulated_settings import MistakeRates
from refute.arena._simulated_site import Delusion, Hands, Truth
from refute.goals import Constraint, Task

MOST_STEPS = 12
"""A plan's length, by its schema."""
_UNSAFE = 0.8
"""Severity from which a repair goes back to the last confirmed page."""


class Planner:
    """One per episode: it remembers which revisions it heard of, and what it believes wrongly."""

    def __init__(self, task: Task, hands: Hands, truth: Truth, dice: Dice, ledger: Ledger, rates: MistakeRates) -> None:
        self._task = task
        self._hands = hands
        self._truth = truth
        self._dice = dice
        self._ledger = ledger
        self._rates = rates
        self._heard: set[int] | None = None
        self._delusion: Delusion | None = None
        self._forgotten: Constraint | None = None
        self._repairs = 0

    # ---- roles ---------------------------------------------------------------------------------------------------

    def plan(self, x: PlannerInput) -> PlannerOutput:
        """The first plan."""
        state = state_of(x.observation)
        self._listen(x.instructions, state)
        steps = self._believed_steps(x.instructions)
        return PlannerOutput(commitments=tuple(self._draft(p, x.skills, state) for p in steps))

    def silent(self, x: ExecutorInput) -> str:
        """The step that an agent without a plan is on: the first that remains, by what the model believes."""
        self._listen(x.instructions, state_of(x.observation))
        return self._believed_steps(x.instructions)[0].sentence()

    def revise(self, x: ReviserInput) -> ReviserOutput:
        """Keep what still holds, name what the revision falsifies, draft the rest."""
        state = state_of(x.observation)
        texts = (*x.instructions, x.revision)
        self._listen(texts, state)
        steps = self._believed_steps(texts)
        kept = {c.number: c for c in x.open}
        entries: list[PlanEntry] = []
        for step in steps:
            same = next((c for c in kept.values() if c.subgoal == step.sentence()), None)
            if same is not None:
                entries.append(PlanEntry(keep=kept.pop(same.number).number))
            else:
                entries.append(PlanEntry(new=self._draft(step, x.skills, state)))
        why = f"The goal changed: {x.revision}"
        gone = [Falsified(number=number, why=why) for number in kept]
        self._forget_stale(tuple(kept.values()))
        undone = [
            Falsified(number=c.number, why=why)
            for c in x.completed
            if (earlier := self._hands.read(c.subgoal)) and any(self._truth.undoes(step, earlier) for step in steps)
        ]
        return ReviserOutput(falsified=(*undone, *gone), plan=tuple(entries))

    def repair(self, x: RepairerInput) -> RepairerOutput:
        """The smallest adequate change for the scope that the diagnosis names: right as far as the diagnosis is."""
        self._repairs += 1
        match x.diagnosis.scope:
            case Scope.EXECUTION:
                recovery = Recovery.LAST_CONFIRMED if x.diagnosis.severity >= _UNSAFE else Recovery.NONE
                return RepairerOutput(scope=Scope.EXECUTION, recovery=recovery, guidance=self._advice(x))
            case Scope.SKILL:
                return self._switch_skill(x)
            case Scope.PLANNING:
                return self._replan(x)

    # ---- beliefs -------------------------------------------------------------------------------------------------

    def _listen(self, texts: Sequence[str], state: str) -> None:
        """Take in instructions. New ones give two occasions for a mistake: overhearing them, and a wrong result.

        Only what is delivered can be overheard, not a part of the first instruction.
        """
        present = revisions_in(self._task, texts)
        if self._heard is None:
            self._heard = set(present) if told_at_once(self._task, texts) else set()
        elif present <= self._heard:
            return
        for k in sorted(present - self._heard):
            self._heard.add(k)
            if self._dice.roll(f"{IGNORED} {k}", state) < self._rates.ignored_revision:
                self._ledger.start(IGNORED, f"revision {k}: {self._task.revisions[k - 1].text}", about=str(k))
        active = self._truth.active(self._taken(texts))
        self._drop_outdated(active)
        if self._delusion is None and self._dice.roll(CONTAMINATED, state) < self._rates.contaminated_results:
            self._delusion = self._truth.near_miss(active, lambda names: self._dice.pick(names, CONTAMINATED, state))
            if self._delusion is not None:
                d = self._delusion
                self._ledger.start(CONTAMINATED, f"{d.wrong} passes for {d.right}: {d.violates}", about=d.wrong)
        self._maybe_forget(active, state)

    def _maybe_forget(self, active: Sequence[Constraint], state: str) -> None:
        """Leave a constraint out of the plan: one without which the plan would be another."""
        if self._forgotten is not None or self._delusion is not None:
            return
        if self._dice.roll(FORGOTTEN, state) >= self._rates.forgotten_constraint:
            return
        missed = [c for c in active if self._matters(c, active)]
        if missed:
            self._forgotten = self._dice.pick(missed, FORGOTTEN, state)
            self._ledger.start(FORGOTTEN, self._forgotten.text, about=self._forgotten.id)

    def _matters(self, constraint: Constraint, active: Sequence[Constraint]) -> bool:
        """Whether the plan differs without `constraint`, and can still be made."""
        try:
            without = self._truth.plan(_without(active, constraint), None)
        except UserError:  # what is left describes nothing that the site has
            return False
        return [p.sentence() for p in without] != [p.sentence() for p in self._truth.plan(active, None)]

    def _drop_outdated(self, active: Sequence[Constraint]) -> None:
        """A wrong result is out of the plan once the right one is no longer wanted either; so is what was forgotten."""
        if self._forgotten is not None and not (self._forgotten in active and self._matters(self._forgotten, active)):
            self._forgotten = None
            self._ledger.end_all("superseded", FORGOTTEN)
        if self._delusion is None:
            return
        wanted = " ".join(p.sentence() for p in self._truth.plan(active, self._delusion))
        if self._delusion.wrong not in wanted:
            self._delusion = None
            self._ledger.end_all("superseded", CONTAMINATED)

    def _taken(self, texts: Sequence[str]) -> frozenset[int]:
        """The revisions in `texts` that were not overheard."""
        ignored = {int(m.about) for m in self._ledger.active(IGNORED)}
        return revisions_in(self._task, texts) - ignored

    def _believed_steps(self, texts: Sequence[str]) -> Sequence[Procedure]:
        """What remains, by what the model believes; the report last, and at most as many steps as a plan can have."""
        active = self._truth.active(self._taken(texts))
        steps = self._truth.plan(_without(active, self._forgotten), self._delusion)
        return steps if len(steps) <= MOST_STEPS else (*steps[: MOST_STEPS - 1], steps[-1])

    # ---- drafting ------------------------------------------------------------------------------------------------

    def _skills(self, step: Procedure, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        """The offered skill that fits, hand-written or learned; and one that would fit but is stale."""
        fitting, stale = self._truth.skills(step, offered)
        return fitting or learned_skill(step.sentence(), offered), stale

    def _draft(self, step: Procedure, skills: Sequence[Skill], state: str) -> Draft:
        """A commitment for `step`, linked to a fitting skill if there is one."""
        sentence = step.sentence()
        fitting, stale = self._skills(step, skills)
        tempting = stale is not None and not self._ledger.active(STALE)
        if tempting and self._dice.roll(f"{STALE} {stale}", state) < self._rates.stale_procedure:
            self._ledger.start(STALE, f"links {stale!r} to: {sentence}", about=sentence, key=stale or "")
            fitting = stale
        return self._drafted(step, fitting)

    def _drafted(self, step: Procedure, skill: str | None) -> Draft:
        return Draft(
            subgoal=step.sentence(),
            skill=skill,
            confirming=step.confirming(),
            falsifying=flawed(step, self._dice, self._rates),
            confidence=0.8,
        )

    def _advice(self, x: RepairerInput) -> str:
        wrong = x.diagnosis.pattern or x.diagnosis.falsified
        advice = f"leave that path, do not repeat it, and carry on with this step: {x.commitment.subgoal}"
        return f"Repair {self._repairs}: {wrong} So {advice}"

    def _switch_skill(self, x: RepairerInput) -> RepairerOutput:
        """The same subgoal with another skill, or with none."""
        step = self._hands.read(x.commitment.subgoal)
        fitting = self._skills(step, x.skills)[0] if step else None
        skill = fitting if fitting != x.commitment.skill else None
        old = x.commitment
        draft = Draft(
            subgoal=old.subgoal,
            skill=skill,
            confirming=old.confirming,
            falsifying=old.falsifying,
            confidence=old.confidence,
        )
        guidance = f"Repair {self._repairs}: do not follow {old.skill or 'the old procedure'}."
        return RepairerOutput(scope=Scope.SKILL, guidance=guidance, commitments=(draft,))

    def _replan(self, x: RepairerInput) -> RepairerOutput:
        """A new plan that takes in every instruction: mistakes of the old plan end here."""
        self._delusion = self._forgotten = None
        self._ledger.end_all("input_changed", IGNORED, CONTAMINATED, FORGOTTEN)
        steps = self._believed_steps(x.instructions)
        self._ledger.end_all("superseded", STALE)
        drafts = tuple(self._drafted(step, self._skills(step, x.skills)[0]) for step in steps)
        guidance = f"Repair {self._repairs}: the plan was made anew. {x.diagnosis.pattern}"
        return RepairerOutput(scope=Scope.PLANNING, guidance=guidance, commitments=drafts)

    def _forget_stale(self, dropped: Sequence[Commitment]) -> None:
        """A stale skill leaves with the step that linked it."""
        gone = {c.subgoal for c in dropped}
        for mistake in self._ledger.active(STALE):
            if mistake.about in gone:
                self._ledger.end(mistake, "superseded")


def _without(active: Sequence[Constraint], constraint: Constraint | None) -> Sequence[Constraint]:
    return tuple(c for c in active if c != constraint)
