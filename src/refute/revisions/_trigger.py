"""Triggers: what decides that a revision is due. Asked after each observation; never shown the revision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from refute.browser import Observation
from refute.goals import Goal, Milestone, Reference
from refute.llm import Model, Role
from refute.revisions._delivery import TriggerMode
from refute.revisions._roles import TriggerInput, TriggerOutput

CONFIDENCE = 0.8
"""Least confidence at which a model's yes delivers a revision (dynarev J.2.3)."""

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


class Trigger(Protocol):
    """Decides from what is seen now. `goal` is the cumulative goal before the revision."""

    mode: TriggerMode

    async def ask(self, milestone: Milestone, goal: Goal, observation: Observation) -> TriggerAnswer:
        """Whether `milestone` has been reached."""
        ...


class MilestoneTrigger:
    """Asks a model (decision 19)."""

    mode = TriggerMode.MILESTONE

    def __init__(self, model: Model, *, confidence: float = CONFIDENCE) -> None:
        self._model = model
        self._confidence = confidence

    async def ask(self, milestone: Milestone, goal: Goal, observation: Observation) -> TriggerAnswer:
        """One call of the role `milestone_trigger`. Raises a `ModelError` when the model does not answer."""
        question = TriggerInput(instructions=goal.instructions, milestone=milestone.text, observation=observation)
        answer = await self._model.call(MILESTONE_TRIGGER, question)
        fired = answer.reached and answer.confidence >= self._confidence
        return TriggerAnswer(fired=fired, confidence=answer.confidence, evidence=answer.evidence)


class PredicateTrigger:
    """Asks the site's truth: deterministic, the same for every agent. A milestone without a predicate never fires."""

    mode = TriggerMode.PREDICATE

    def __init__(self, holds: Callable[[Reference], bool]) -> None:
        self._holds = holds

    async def ask(self, milestone: Milestone, goal: Goal, observation: Observation) -> TriggerAnswer:
        """Evaluate the milestone's predicate now."""
        fired = milestone.predicate is not None and self._holds(milestone.predicate)
        return TriggerAnswer(fired=fired, confidence=1.0, evidence="predicate" if fired else "")
