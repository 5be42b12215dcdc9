"""The revisions of one episode: which are still to come, and what the goal is by now."""

from __future__ import annotations

from refute.browser import Observation
from refute.goals import Goal, Revision, Task
from refute.revisions._delivery import Deliver, Delivered, Strategy, TriggerAsked, TriggerMode
from refute.revisions._episode import GoalSet
from refute.revisions._inbox import Inbox
from refute.revisions._rewriter import Rewriter
from refute.revisions._trigger import Trigger
from refute.trace import Recorder


class Schedule:
    """Owns delivery for one episode, so that no agent can dodge or hurry a revision.

    At most one revision is delivered per observation (decision 19). `rewriter` is needed by strategies that rewrite;
    a `ModelError` of it is raised from `due` and `force`, before anything counts as delivered. What waits in `inbox`
    comes first, without a milestone; such revisions are numbered on after those of the task. With `at_most` the task
    ends after so many revisions, as in a rehearsal. Unless `deliver` is `DURING`, the task's revisions never come.
    """

    def __init__(
        self,
        task: Task,
        *,
        trigger: Trigger,
        strategy: Strategy,
        recorder: Recorder,
        rewriter: Rewriter | None = None,
        inbox: Inbox | None = None,
        at_most: int | None = None,
        deliver: Deliver = Deliver.DURING,
    ) -> None:
        if strategy.rewrites and rewriter is None:
            raise ValueError(f"the strategy {strategy.value} needs a rewriter")
        self.goal = Goal(instructions=(deliver.first_instruction(task),))
        self.planned = 0
        """Revisions of the task that were delivered."""
        self.forced = 0
        """How many of these without their milestone."""
        self.live = 0
        """Revisions delivered because the user said them while the agent ran."""
        self._revisions = task.revisions[:at_most] if deliver is Deliver.DURING else ()
        self._upfront = len(task.revisions) if deliver is Deliver.UPFRONT else 0
        self._trigger = trigger
        self._strategy = strategy
        self._rewriter = rewriter
        self._inbox = inbox if inbox is not None else Inbox()
        self._recorder = recorder
        recorder.record(GoalSet(goal=self.goal))

    @property
    def delivered(self) -> int:
        """All revisions delivered so far."""
        return self.planned + self.live

    @property
    def told(self) -> int:
        """How many of the task's revisions the agent knows of, delivered or as part of the first instruction."""
        return self.planned + self._upfront

    @property
    def pending(self) -> bool:
        """Whether revisions are still to come."""
        return bool(self._inbox) or self.planned < len(self._revisions)

    async def due(self, observation: Observation, *, last: bool = False) -> Revision | None:
        """Deliver what the user says now, else the next revision if its milestone is reached on this observation.

        `last`: the agent claims to be done, so that the revision will be forced if it is not due (decision 20).
        """
        text = self._inbox.first
        if text is not None:
            return await self._deliver_live(text, observation)
        if not self.pending:
            return None
        milestone = self._revisions[self.planned].milestone
        answer = await self._trigger.ask(milestone, self.goal, observation, last=last)
        self._recorder.record(
            TriggerAsked(
                revision=self.planned + 1,
                fired=answer.fired,
                reached=answer.reached,
                confidence=answer.confidence,
                evidence=answer.evidence,
                plausibility=answer.plausibility,
                threshold=answer.threshold,
                last=last,
            )
        )
        return await self._deliver_planned(observation, forced=False) if answer.fired else None

    async def force(self, observation: Observation) -> Revision:
        """Deliver the next revision because the agent claimed to be done before its milestone (decision 20)."""
        return await self._deliver_planned(observation, forced=True)

    async def _deliver_planned(self, observation: Observation, *, forced: bool) -> Revision:
        revision = Revision(text=self._revisions[self.planned].text)
        self.goal = await self._revised(revision)
        self.planned += 1
        self.forced += forced
        self._record(revision, self.planned, self._trigger.mode, observation, forced=forced)
        return revision

    async def _deliver_live(self, text: str, observation: Observation) -> Revision:
        revision = Revision(text=text)
        self.goal = await self._revised(revision)
        self._inbox.take()
        self.live += 1
        self._record(revision, len(self._revisions) + self.live, TriggerMode.LIVE, observation)
        return revision

    def _record(
        self, revision: Revision, number: int, mode: TriggerMode, observation: Observation, *, forced: bool = False
    ) -> None:
        self._recorder.record(
            Delivered(
                revision=number,
                text=revision.text,
                mode=mode,
                strategy=self._strategy,
                forced=forced,
                digest=observation.digest,
            )
        )
        self._recorder.record(GoalSet(goal=self.goal))

    async def _revised(self, revision: Revision) -> Goal:
        """The goal that holds from `revision` on, by the strategy."""
        if self._rewriter is not None and self._strategy.rewrites:
            return self.goal.rewrite(await self._rewriter.rewrite(self.goal, revision))
        return self.goal.append(revision)
