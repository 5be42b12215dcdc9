"""The simulated interpreter and final checker: what the instructions require, and whether the evidence shows it."""

from __future__ import annotations

from collections.abc import Sequence

from refute.agents import (
    Asked,
    FinalCheckInput,
    FinalCheckOutput,
    Finding,
    InterpreterInput,
    InterpreterOutput,
    Reading,
    Ruling,
    ShownBy,
)
from refute.arena._active import revisions_in
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_settings import Noise
from refute.arena._simulated_site import Truth
from refute.goals import Constraint, Task

_ON_THE_MESSAGE = "message"
"""A constraint that speaks of it is about what the report says."""


class Reader:
    """One per episode. The interpreter knows the task's texts; the checker sees the truth of what it is shown."""

    def __init__(self, task: Task, truth: Truth, dice: Dice, noise: Noise) -> None:
        self._task = task
        self._truth = truth
        self._dice = dice
        self._noise = noise

    def interpret(self, x: InterpreterInput, attempt: int) -> InterpreterOutput:
        """The constraints that these texts leave in force, both branches of a condition; one may be overlooked."""
        heard = revisions_in(self._task, x.instructions)
        gone = {target for k in heard for target in self._task.revisions[k - 1].targets}
        there = [c for c in self._task.constraints if c.bound_to in {0, *heard} and c.id not in gone]
        state, recall = str(sorted(heard)), self._noise.interpreter_recall
        read = [c for c in there if self._dice.roll(f"interpreter {c.id}", state, attempt) < recall]
        return InterpreterOutput(constraints=tuple(self._reading(c, x) for c in read or there))

    def _reading(self, c: Constraint, x: InterpreterInput) -> Reading:
        text = self._task.revisions[c.bound_to - 1].text if c.bound_to else self._task.initial_instruction
        return Reading(
            text=c.text,
            instruction=next((n for n, told in enumerate(x.instructions, start=1) if text in told), 1),
            shown_by=ShownBy.MESSAGE if _ON_THE_MESSAGE in c.text.casefold() else ShownBy.PAGE,
            condition=self._task.conditions[c.branch.condition].text if c.branch else "",
            when=c.branch.when if c.branch else True,
        )

    def check(self, x: FinalCheckInput, attempt: int) -> FinalCheckOutput:
        """A finding for each requirement: the truth through noise, where something is shown that can be quoted."""
        active = self._truth.active(revisions_in(self._task, x.instructions))
        return FinalCheckOutput(findings=tuple(self._finding(asked, x, active, attempt) for asked in x.asked))

    def _finding(self, asked: Asked, x: FinalCheckInput, active: Sequence[Constraint], attempt: int) -> Finding:
        number = asked.requirement.number
        c = next((c for c in self._task.constraints if c.text == asked.requirement.text), None)
        quote = next((line for exhibit in asked.exhibits for line in exhibit.lines), "")
        if asked.requirement.shown_by is ShownBy.MESSAGE:
            quote = x.message
        if c is None or not quote:
            return Finding(number=number, ruling=Ruling.UNKNOWN, why="Nothing that is shown speaks of it.")
        if c not in active:
            return Finding(number=number, ruling=Ruling.DOES_NOT_APPLY, quote=quote, why="Its condition is not met.")
        met = self._truth.satisfied(c, x.message, active)
        odds = 1 - self._noise.checker_specificity if met else self._noise.checker_sensitivity
        state = f"{state_of(x.observation)} {x.message}"
        if self._dice.roll(f"final_checker {c.id}", state, attempt) < odds:
            return Finding(number=number, ruling=Ruling.VIOLATED, quote=quote, why="What is shown speaks against it.")
        return Finding(number=number, ruling=Ruling.MET, quote=quote, why="What is shown bears it out.")
