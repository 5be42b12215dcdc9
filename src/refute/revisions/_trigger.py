"""Triggers: what decides that a revision is due. Asked after each observation; never shown the revision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from refute.browser import Observation
from refute.goals import Goal, Milestone, Reference
from refute.llm import Model, Role
from refute.revisions._delivery import TriggerMode
from refute.revisions._roles import TriggerInput, TriggerOutput

CONFIDENCE = 0.8
"""Least confidence at which a model's yes delivers a revision (dynarev J.2.3)."""

STEPS_TAKEN = "steps_taken"
"""Name of the predicate in a milestone that `StepTrigger` reads."""

MILESTONE_TRIGGER = Role(
    name="milestone_trigger",
    input=TriggerInput,
    output=TriggerOutput,
    template="refute.revisions:milestone_trigger.jinja",
)


@dataclass(frozen=True, kw_only=True)
class TriggerAnswer:
    """Whether the milestone is reached, how sure the trigger is (0 to 1), and on what grounds."""

    fired: bool
    confidence: float
    evidence: str = ""
    reached: bool | None = None
    """What a model said; None where none was asked."""
    plausibility: float | None = None
    """How plausible a cheap score finds the milestone here, in [0, 1]; None where none was made."""
    threshold: float | None = None
    """What the score was held against; None where it decided nothing."""


class Trigger(Protocol):
    """Decides from what is seen now. `goal` is the cumulative goal before the revision."""

    mode: TriggerMode

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Whether `milestone` has been reached. `last`: the agent claims to be done; its revision comes now anyway."""
        ...


class MilestoneTrigger:
    """Asks a model (decision 19)."""

    mode = TriggerMode.MILESTONE

    def __init__(self, model: Model, *, confidence: float = CONFIDENCE) -> None:
        self._model = model
        self._confidence = confidence

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """One call of the role `milestone_trigger`. Raises a `ModelError` when the model does not answer."""
        question = TriggerInput(instructions=goal.instructions, milestone=milestone.text, observation=observation)
        answer = await self._model.call(MILESTONE_TRIGGER, question)
        fired = answer.reached and answer.confidence >= self._confidence
        return TriggerAnswer(
            fired=fired, confidence=answer.confidence, evidence=answer.evidence, reached=answer.reached
        )


class PredicateTrigger:
    """Asks the site's truth: deterministic, the same for every agent. A milestone without a predicate never fires."""

    mode = TriggerMode.PREDICATE

    def __init__(self, holds: Callable[[Reference], bool]) -> None:
        self._holds = holds

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Evaluate the milestone's predicate now."""
        fired = milestone.predicate is not None and self._holds(milestone.predicate)
        return TriggerAnswer(fired=fired, confidence=1.0, evidence="predicate" if fired else "")


def steps_taken(count: int) -> Milestone:
    """The milestone that is reached once the agent has returned `count` (>= 0) actions."""
    return Milestone(
        text=f"{count} action{'' if count == 1 else 's'} taken",
        predicate=Reference(name=STEPS_TAKEN, args={"count": count}),
    )


class PositionTrigger:
    """Counts actions: revision k comes once `positions[k - 1]` actions were returned, whatever was achieved by then.

    `taken` tells how many there were so far. A revision without a position never comes by itself.
    """

    def __init__(self, mode: TriggerMode, positions: Sequence[int], taken: Callable[[], int]) -> None:
        self.mode = mode
        self._positions = tuple(positions)
        self._taken = taken

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Compare the position of the revision after `goal` with the actions taken."""
        due = goal.version < len(self._positions) and self._taken() >= self._positions[goal.version]
        return TriggerAnswer(fired=due, confidence=1.0, evidence=f"action {self._taken()}")


class StepTrigger:
    """Counts actions: a revision comes before the action after step N, whatever the page shows.

    `taken` tells how many actions the agent has returned so far. Any milestone but that of `steps_taken` never fires.
    """

    mode = TriggerMode.STEP

    def __init__(self, taken: Callable[[], int]) -> None:
        self._taken = taken

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Compare the count that the milestone names with the actions taken."""
        predicate = milestone.predicate
        count = predicate.args.get("count") if predicate is not None and predicate.name == STEPS_TAKEN else None
        fired = isinstance(count, int) and self._taken() >= count
        return TriggerAnswer(fired=fired, confidence=1.0, evidence=f"step {self._taken()}")
