"""The hybrid trigger: a cheap score first, and the model only where the milestone is plausible (decision 21d)."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from refute.browser import Observation
from refute.evidence import LEXICAL, TextScorer, word_overlap
from refute.goals import Goal, Milestone
from refute.revisions._delivery import TriggerMode
from refute.revisions._trigger import MilestoneTrigger, TriggerAnswer


class Screen(BaseModel):
    """When `hybrid` asks the model. The default threshold is one word in five: of a milestone's few meaning words, one
    on the page is enough. It errs on the side of asking, since a skipped check can only make a revision late."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scorer: str = Field(default=LEXICAL.name, description="what scores the milestone's text against the page")
    threshold: float = Field(default=0.2, ge=0, le=1, description="plausibility from which on the model is asked")
    patience: int = Field(default=4, ge=0, description="observations in a row that may go unasked")

    def asks(self, plausibility: float, *, unasked: int, last: bool = False) -> bool:
        """Whether the model is asked, after `unasked` observations in a row on which it was not.

        `last`: the agent claims to be done, and whatever is not seen to be reached now is forced (decision 20).
        """
        return last or plausibility >= self.threshold or unasked >= self.patience


async def plausibility(scorer: TextScorer, milestone: Milestone, observation: Observation) -> float:
    """How plausible it is that `milestone` is reached, in [0, 1]: the scorer's support for its text, or the share of
    its words on one line of the page, whichever is more. Milestones are about stages and seldom about a single fact on
    the page, so a scorer alone mostly abstains. Raises `LocalModelError` when the scorer's model cannot be had."""
    (verdict,) = await scorer.score(observation.text, [milestone.text])
    return max(verdict.support, word_overlap(f"{observation.title}\n{observation.text}", milestone.text))


class ScoredTrigger:
    """The milestone trigger with the score beside it: what `hybrid` would have gone by, for a replay of its rule."""

    mode = TriggerMode.MILESTONE

    def __init__(self, model: MilestoneTrigger, *, scorer: TextScorer = LEXICAL) -> None:
        self._model = model
        self._scorer = scorer

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Score, and ask the model. Raises a `ModelError` when it does not answer, and `LocalModelError`."""
        score = await plausibility(self._scorer, milestone, observation)
        return replace(await self._model.ask(milestone, goal, observation), plausibility=score)


class HybridTrigger:
    """Asks the model only where `screen` says so; it fires on the model's word alone. One instance an episode."""

    mode = TriggerMode.HYBRID

    def __init__(self, model: MilestoneTrigger, screen: Screen, *, scorer: TextScorer = LEXICAL) -> None:
        self._model = model
        self._screen = screen
        self._scorer = scorer
        self._milestone: Milestone | None = None
        self._unasked = 0

    async def ask(
        self, milestone: Milestone, goal: Goal, observation: Observation, *, last: bool = False
    ) -> TriggerAnswer:
        """Score, and ask the model if need be. Raises a `ModelError` when it does not answer, and `LocalModelError`."""
        if milestone is not self._milestone:
            self._milestone, self._unasked = milestone, 0
        score = await plausibility(self._scorer, milestone, observation)
        if self._screen.asks(score, unasked=self._unasked, last=last):
            self._unasked = 0
            answer = await self._model.ask(milestone, goal, observation)
        else:
            self._unasked += 1
            answer = TriggerAnswer(fired=False, confidence=0.0, evidence="not asked")
        return replace(answer, plausibility=score, threshold=self._screen.threshold)
