"""Many episodes: a suite's tasks, repeated, several at a time, continued where an earlier run stopped."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from refute._errors import RefuteError, RunError, RunStopped, UserError
from refute.browser import BrowserHost
from refute.budget import Clock, RealClock, VirtualClock
from refute.goals import Task
from refute.revisions import Deliver, Ending, EpisodeEnded, EpisodeStarted, TriggerMode
from refute.run._casting import MOST_REPEATS, check_names, serves_none, set_stage
from refute.run._episode import Stage, run_episode
from refute.run._folder import claim, finished
from refute.run._job import Job, Progress, RunResult, Show, silent
from refute.run._lease import Lease, leases
from refute.run._pace import HALF, UNPACED, Pace, Rehearsed, Tape, given_positions, next_position
from refute.run._settings import RunRecord, RunSettings, write_run
from refute.suites import Start, Suite
from refute.trace import REHEARSALS, Recorder

FAILED_STARTS = 3
"""After so many episodes in a row that could not even begin, the run stops: something is wrong with the machine."""


async def run_suite(
    suite: Suite,
    settings: RunSettings,
    out: Path,
    *,
    repeats: int = 1,
    workers: int = 1,
    fresh: bool = False,
    stop: asyncio.Event | None = None,
    cache: Path | None = None,
    on_progress: Show = silent,
) -> RunResult:
    """Run every task of `suite` `repeats` times, `workers` episodes at a time, into ``OUT/<run-id>/``.

    Finished episodes of the same run are kept and not run again; unfinished ones, and those that ended in a harness
    error, are run anew. `fresh` deletes the run first. After `stop` is set no episode begins any more. Replies of the
    model are kept in `cache`, and a question that it holds is not asked again; the simulated model needs none.

    Raises `UserError` for an unknown agent or model, for other settings than those the folder was made with, and when
    another process works in it; `SiteError` or `BrowserMissing` when nothing can be started; `RunStopped` when the run
    cannot go on (a full disk, a site or browser that does not start again).
    """
    if repeats > MOST_REPEATS:
        raise UserError(f"a run has {MOST_REPEATS} repeats of a task at most: take another --seed for more")
    await check_names(settings)
    settings = settings.model_copy(update={"library": suite.learned.digest if suite.learned is not None else ""})
    if settings.faults and suite.site is None:
        raise serves_none(suite)
    if settings.deliver is Deliver.DURING and settings.trigger in suite.unusable:
        raise UserError(suite.unusable[settings.trigger])
    jobs = [Job(task=task, repeat=repeat, settings=settings) for repeat in range(repeats) for task in suite.tasks]
    with claim(out, settings, fresh=fresh) as folder:
        todo = [job for job in jobs if not finished(job.place(out), job.task)]
        try:
            ended = await run_jobs(suite, todo, out, workers=workers, stop=stop, cache=cache, on_progress=on_progress)
        except RunStopped as error:
            done = sum(finished(job.place(out), job.task) for job in jobs)
            raise RunStopped(
                f"{error}\n{done} of {len(jobs)} episodes are finished and kept in {folder}. "
                "When the cause is gone, the same command goes on from there."
            ) from error.__cause__
    return RunResult(folder=folder, ended=ended, kept=len(jobs) - len(todo), left=len(todo) - len(ended))


async def run_jobs(
    suite: Suite,
    jobs: Sequence[Job],
    out: Path,
    *,
    workers: int,
    stop: asyncio.Event | None = None,
    cache: Path | None = None,
    on_progress: Show = silent,
) -> tuple[EpisodeEnded, ...]:
    """Run `jobs`, `workers` at a time, each at a place that nobody else uses meanwhile.

    All share one browser. An episode whose browser or site goes down ends as a harness error; what went down is
    started again for the next one. Raises what `run_suite` raises.
    """
    if not jobs:
        return ()
    async with BrowserHost(loopback_only=suite.loopback_only) as host, leases(suite, min(workers, len(jobs))) as held:
        for settings in {job.settings.run_id: job.settings for job in jobs}.values():
            write_run(out / settings.run_id, RunRecord.of(settings, browser=host.version))
        crew = _Crew(
            suite=suite,
            host=host,
            browser=host.version,
            out=out,
            queue=iter(jobs),
            stop=stop,
            cache=cache,
            on_progress=on_progress,
        )
        try:
            async with asyncio.TaskGroup() as group:
                for lease in held:
                    group.create_task(crew.work(lease))
        except BaseExceptionGroup as errors:
            error = on_purpose(errors)
            if error is None:
                raise
            if isinstance(error, UserError):
                raise error from None
            raise RunStopped(_line(error)) from error
    return tuple(crew.ended)


def on_purpose(group: BaseExceptionGroup[BaseException]) -> RefuteError | None:
    """The first of the workers' errors that was raised on purpose; None when all are defects."""
    known = group.subgroup(RefuteError)
    while known is not None:
        first = known.exceptions[0]
        if isinstance(first, RefuteError):
            return first
        known = first
    return None


@dataclass(kw_only=True)
class _Crew:
    """The workers of one run, and what they share."""

    suite: Suite
    host: BrowserHost
    browser: str
    """Name and version."""
    out: Path
    queue: Iterator[Job]
    stop: asyncio.Event | None
    cache: Path | None
    """Where the model's replies are kept."""
    on_progress: Show
    ended: list[EpisodeEnded] = field(default_factory=list[EpisodeEnded])
    failed_starts: int = 0

    async def work(self, lease: Lease) -> None:
        """Take one job after the other until none is left or the run is asked to stop."""
        while self.stop is None or not self.stop.is_set():
            job = next(self.queue, None)
            if job is None:
                return
            self.ended.append(await self._run(job, lease))

    async def _run(self, job: Job, lease: Lease) -> EpisodeEnded:
        folder = job.place(self.out)
        if folder.exists():  # not finished: no figure can use it, and a reader that met both would count two
            shutil.rmtree(folder)
        settings, tape = job.settings, Tape()
        rehearsed: tuple[Rehearsed, ...] = ()
        if settings.trigger is TriggerMode.ACTION_INDEX:
            pace = Pace(positions=given_positions(settings.at, len(job.task.revisions)))
        elif settings.trigger is TriggerMode.FRACTION:
            rehearsed = await self._rehearse(job, lease, folder, tape)
            pace = Pace(positions=tuple(event.position for event in rehearsed), tape=tape)
        else:
            pace = UNPACED
        ended = await self._episode(job, lease, folder, pace, rehearsed)
        self._show(job, ended.spent.steps, ended=ended)
        return ended

    async def _rehearse(self, job: Job, lease: Lease, folder: Path, tape: Tape) -> tuple[Rehearsed, ...]:
        """Play the task without its k-th revision and what follows, for each k: that tells where revision k comes.

        After a harness error there is no more to learn: the play itself will meet the same trouble and say so, or else
        deliver what has no position when the agent is done.
        """
        share = job.settings.at[0] if job.settings.at else HALF
        found: list[Rehearsed] = []
        for number in range(len(job.task.revisions)):
            pace = Pace(positions=tuple(event.position for event in found), at_most=number, tape=tape)
            ended = await self._episode(job, lease, folder / REHEARSALS / str(number), pace)
            if ended.ending is Ending.HARNESS_ERROR:
                break
            actions, before = ended.spent.steps, found[-1].position if found else 0
            found.append(
                Rehearsed(revision=number + 1, actions=actions, position=next_position(before, actions, share))
            )
        return tuple(found)

    async def _episode(
        self, job: Job, lease: Lease, folder: Path, pace: Pace, rehearsed: Sequence[Rehearsed] = ()
    ) -> EpisodeEnded:
        """One play of the task, with a trace of its own in `folder`."""
        clock: Clock = VirtualClock() if job.settings.simulated else RealClock()
        with Recorder(folder, now=clock.now) as recorder:
            try:
                start = await lease.start(self.host, job.task, recorder)
            except RunError as error:
                return self._not_begun(job, recorder, error)
            return await self._play(job, lease, start, recorder, clock, pace, rehearsed)

    def _not_begun(self, job: Job, recorder: Recorder, error: RunError) -> EpisodeEnded:
        recorder.record(self._started(job, job.task, origin=""))
        ended = recorder.record(EpisodeEnded(ending=Ending.HARNESS_ERROR, message=_line(error)))
        self.failed_starts += 1
        if self.failed_starts >= FAILED_STARTS:
            raise error
        return ended

    async def _play(
        self,
        job: Job,
        lease: Lease,
        start: Start,
        recorder: Recorder,
        clock: Clock,
        pace: Pace,
        rehearsed: Sequence[Rehearsed],
    ) -> EpisodeEnded:
        self.failed_starts = 0
        stage: Stage | None = None

        async def check() -> None:
            await (stage or start).session.check()
            await lease.check()

        try:
            recorder.record(self._started(job, start.task, origin=lease.origin))
            for event in rehearsed:
                recorder.record(event)
            stage = set_stage(
                job.casting,
                self.suite,
                start,
                job.settings,
                job.repeat,
                recorder,
                clock,
                origin=lease.origin,
                pace=pace,
                cache=self.cache,
            )
            stage.on_step = lambda step, text: self._show(job, step, text)
            stage.check = check
            return await run_episode(stage)
        finally:
            await (stage or start).session.close()

    def _started(self, job: Job, task: Task, *, origin: str) -> EpisodeStarted:
        settings = job.settings
        return EpisodeStarted(
            run_id=settings.run_id,
            task=task,
            repeat=job.repeat,
            agent=settings.agent,
            model=settings.model,
            simulated=settings.simulated,
            seed=settings.seed,
            origin=origin,
            browser=self.browser,
            deliver=settings.deliver,
        )

    def _show(self, job: Job, step: int, text: str = "", *, ended: EpisodeEnded | None = None) -> None:
        self.on_progress(
            Progress(task=job.task.id, repeat=job.repeat, agent=job.settings.agent, step=step, text=text, ended=ended)
        )


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
