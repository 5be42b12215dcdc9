"""The revisions of one episode: which are still to come, and what the goal is by now."""

from __future__ import annotations

from refute.browser import Observation
from refute.goals import Goal, Revision, Task
from refute.revisions._delivery import Delivered, Strategy, TriggerAsked
from refute.revisions._episode import GoalSet
from refute.revisions._trigger import Trigger
from refute.trace import Recorder


class Schedule:
    """Owns delivery for one episode, so that no agent can dodge or hurry a revision.

    At most one revision is delivered per observation (decision 19).
    """

    def __init__(self, task: Task, *, trigger: Trigger, strategy: Strategy, recorder: Recorder) -> None:
        self.goal = Goal(instructions=(task.initial_instruction,))
        self.delivered = 0
        self.forced = 0
        self._task = task
        self._trigger = trigger
        self._strategy = strategy
        self._recorder = recorder
        recorder.record(GoalSet(goal=self.goal))

    @property
    def pending(self) -> bool:
        """Whether revisions are still to come."""
        return self.delivered < len(self._task.revisions)

    async def due(self, observation: Observation) -> Revision | None:
        """Ask the trigger about the next revision; deliver it if its milestone is reached on this observation."""
        if not self.pending:
            return None
        milestone = self._task.revisions[self.delivered].milestone
        answer = await self._trigger.ask(milestone, self.goal, observation)
        self._recorder.record(
            TriggerAsked(
                revision=self.delivered + 1,
                fired=answer.fired,
                confidence=answer.confidence,
                evidence=answer.evidence,
            )
        )
        return self._deliver(observation, forced=False) if answer.fired else None

    def force(self, observation: Observation) -> Revision:
        """Deliver the next revision because the agent claimed to be done before its milestone (decision 20)."""
        return self._deliver(observation, forced=True)

    def _deliver(self, observation: Observation, *, forced: bool) -> Revision:
        planned = self._task.revisions[self.delivered]
        revision = Revision(text=planned.text)
        self.delivered += 1
        self.forced += forced
        self.goal = self.goal.append(revision)
        self._recorder.record(
            Delivered(
                revision=self.delivered,
                text=revision.text,
                mode=self._trigger.mode,
                strategy=self._strategy,
                forced=forced,
                digest=observation.digest,
            )
        )
        self._recorder.record(GoalSet(goal=self.goal))
        return revision
