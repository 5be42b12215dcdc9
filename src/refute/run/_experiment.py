"""Many episodes: a suite's tasks, repeated, several at a time, continued where an earlier run stopped."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from refute._errors import RunError, TraceError
from refute.arena import Instance
from refute.browser import BrowserHost
from refute.budget import Clock, RealClock, VirtualClock
from refute.goals import Task
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.run._casting import Casting, cast_by_settings, check_names, set_stage
from refute.run._episode import run_episode
from refute.run._settings import RunRecord, RunSettings, write_run
from refute.run._suite import Suite
from refute.trace import Recorder, read_trace


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What one running or finished episode is at, for a screen."""

    task: str
    repeat: int
    agent: str
    step: int = 0
    text: str = ""
    ended: EpisodeEnded | None = None


@dataclass(frozen=True, kw_only=True)
class Job:
    """One episode to be run: lies in ``OUT/<run-id>/<task>/<repeat>/``."""

    task: Task
    repeat: int
    settings: RunSettings
    casting: Casting = cast_by_settings

    def place(self, out: Path) -> Path:
        """The episode's folder."""
        return out / self.settings.run_id / self.task.id / str(self.repeat)


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a run left behind."""

    folder: Path
    ended: tuple[EpisodeEnded, ...]
    kept: int
    """Episodes that an earlier run had finished already."""


Show = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Show nothing."""


async def run_suite(
    suite: Suite, settings: RunSettings, out: Path, *, repeats: int = 1, workers: int = 1, on_progress: Show = silent
) -> RunResult:
    """Run every task of `suite` `repeats` times, `workers` episodes at a time, into ``OUT/<run-id>/``.

    Finished episodes of the same run are kept and not run again; unfinished ones, and those that ended in a harness
    error, are run anew. Raises `UserError` for an unknown agent or model, `SiteError` or `BrowserMissing` when nothing
    can be started.
    """
    await check_names(settings)
    jobs = [Job(task=task, repeat=repeat, settings=settings) for repeat in range(repeats) for task in suite.tasks]
    todo = [job for job in jobs if not _finished(job.place(out))]
    ended = await run_jobs(suite, todo, out, workers=workers, on_progress=on_progress)
    return RunResult(folder=out / settings.run_id, ended=ended, kept=len(jobs) - len(todo))


async def run_jobs(
    suite: Suite, jobs: Sequence[Job], out: Path, *, workers: int, on_progress: Show = silent
) -> tuple[EpisodeEnded, ...]:
    """Run `jobs`, `workers` at a time, each on an instance of the site that nobody else uses meanwhile."""
    workers = min(workers, len(jobs))
    ended: list[EpisodeEnded] = []
    async with BrowserHost(loopback_only=True) as host, _instances(suite, workers) as free:
        for settings in {job.settings.run_id: job.settings for job in jobs}.values():
            write_run(out / settings.run_id, RunRecord.of(settings, browser=host.version))
        queue = iter(jobs)

        async def work() -> None:
            instance = await free.get()
            for job in queue:
                ended.append(await _run(job, host, instance, suite, out, on_progress))

        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(work())
    return tuple(ended)


def _finished(place: Path) -> bool:
    try:
        ends = read_trace(place).of(EpisodeEnded)
    except TraceError:
        return False
    return bool(ends) and ends[-1].ending is not Ending.HARNESS_ERROR


@asynccontextmanager
async def _instances(suite: Suite, count: int) -> AsyncGenerator[asyncio.Queue[Instance]]:
    free: asyncio.Queue[Instance] = asyncio.Queue()
    launched = await asyncio.gather(*(suite.site.launch() for _ in range(count)), return_exceptions=True)
    instances = [one for one in launched if not isinstance(one, BaseException)]
    try:
        for one in launched:
            if isinstance(one, BaseException):
                raise one
        for instance in instances:
            free.put_nowait(instance)
        yield free
    finally:
        await asyncio.gather(*(instance.close() for instance in instances))


async def _run(
    job: Job, host: BrowserHost, instance: Instance, suite: Suite, out: Path, on_progress: Show
) -> EpisodeEnded:
    place, task, settings = job.place(out), job.task, job.settings
    if place.exists():
        shutil.rmtree(place)
    clock: Clock = VirtualClock() if settings.simulated else RealClock()

    def show(step: int, text: str) -> None:
        on_progress(Progress(task=task.id, repeat=job.repeat, agent=settings.agent, step=step, text=text))

    with Recorder(place, now=clock.now) as recorder:
        recorder.record(
            EpisodeStarted(
                run_id=settings.run_id,
                task=task,
                repeat=job.repeat,
                agent=settings.agent,
                model=settings.model,
                simulated=settings.simulated,
                seed=settings.seed,
                origin=instance.origin,
                browser=host.version,
            )
        )
        try:
            await instance.reset()
            state = instance.storage_state(task.account)
            viewport = (task.viewport.width, task.viewport.height)
            session = await host.session(storage_state=state, viewport=viewport)
        except RunError as error:
            message = f"{type(error).__name__}: {error}"
            ended = recorder.record(EpisodeEnded(ending=Ending.HARNESS_ERROR, message=message))
        else:
            try:
                stage = set_stage(job.casting, suite, instance, task, settings, job.repeat, session, recorder, clock)
                stage.on_step = show
                ended = await run_episode(stage)
            finally:
                await session.close()
    on_progress(Progress(task=task.id, repeat=job.repeat, agent=settings.agent, step=ended.spent.steps, ended=ended))
    return ended
