"""The truth beside an episode: asked of the site after each step and at the end, recorded, never shown to an agent."""

from __future__ import annotations

from refute.arena import EndState, Seen
from refute.browser import Done, Infeasible, Observation
from refute.goals import FaultEnded, FaultStarted, Reference, Task, TruthStep, TruthVerdict
from refute.suites import Ground
from refute.trace import Recorder


class Witness:
    """Keeps what has been seen, and records what is true."""

    def __init__(self, task: Task, ground: Ground, recorder: Recorder) -> None:
        self._task = task
        self._ground = ground
        self._recorder = recorder
        self._visited: list[str] = []
        self._seen: Seen | None = None
        self._told = 0

    async def look(self, ended: Done | Infeasible | None = None) -> bool:
        """Bring the truth up to date, where it lies in the page; True when the suite has ended the episode.

        Faults that the site has begun or ended to serve are recorded. Raises `SiteError` when it cannot serve them.
        """
        self._faults()
        return await self._ground.look(ended)

    def _faults(self) -> None:
        log = self._ground.faulty.fault_log() if self._ground.faulty is not None else ()
        for note in log[self._told :]:
            if note.what == "ended":
                self._recorder.record(FaultEnded(id=note.id, path=note.path))
                continue
            self._recorder.record(
                FaultStarted(
                    id=note.id,
                    fault=note.kind,
                    scope=note.kind.scope,
                    path=note.path,
                    detail=note.detail,
                    lasts=note.lasts,
                )
            )
        self._told = len(log)

    def see(self, observation: Observation, *, delivered: int) -> None:
        """Take in a new observation and record the truth after it."""
        if not observation.failed and self._visited[-1:] != [observation.url]:
            self._visited.append(observation.url)
        self._seen = Seen(observation=observation, visited=tuple(self._visited))
        world, task = self._ground.world, self._task
        branches = world.branches(task, self._seen)
        milestones = {
            k: world.holds(revision.milestone.predicate, self._seen)
            for k, revision in enumerate(task.revisions, start=1)
            if revision.milestone.predicate is not None
        }
        distance = None
        if self._ground.oracle is not None:
            self._ground.oracle.see(observation)
            distance = self._ground.oracle.distance(task.active(delivered, branches))
        self._recorder.record(TruthStep(milestones=milestones, conditions=branches, distance=distance))

    def holds(self, predicate: Reference) -> bool:
        """Whether a predicate is true of what has been seen so far."""
        return self._seen is not None and self._ground.world.holds(predicate, self._seen)

    def verdict(self, message: str) -> None:
        """Record every validator's verdict, before the site is reset."""
        if self._seen is None:
            return
        world, task = self._ground.world, self._task
        branches = world.branches(task, self._seen)
        end = EndState(seen=self._seen, message=message, active=task.judged(branches))
        findings = {c.id: world.validate(c, end) for c in task.constraints if c.validator is not None}
        self._recorder.record(TruthVerdict(findings=findings, branches=branches, damage=tuple(world.damage(task, end))))
