"""`arena check`: proves the tasks of a suite.

Each episode is an ordinary one through the ordinary loop, with revisions delivered by predicate; only the agent knows
the truth. A task is sound when

- an oracle satisfies every constraint that counts, with no forced delivery and no damage: on two routes in the state of
  the task's seed, and once in another state for each condition that comes out the other way there;
- doing nothing satisfies no constraint that needs action;
- whoever ignores revision k fails exactly what k introduced or changed and what still counts: proven without a browser
  where the site can reach that end so, else by an oracle;
- every mutant is caught;
- each milestone comes true once and stays true, at the same stage on both routes.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from refute._errors import UserError
from refute.arena import OracleAgent, Site
from refute.goals import Task
from refute.revisions import TriggerMode
from refute.run._casting import Cast, Casting, NoModel
from refute.run._experiment import on_purpose, run_jobs
from refute.run._job import Job, Progress
from refute.run._settings import RunSettings
from refute.run.check._branches import check_branches, other_editions
from refute.run.check._direct import Direct
from refute.run.check._judge import judge_episode, outcomes_of
from refute.run.check._milestones import check_milestones
from refute.run.check._result import CheckResult, Mutants, Proof, TaskCheck
from refute.suites import Ground, Suite
from refute.trace import Recorder, Trace, read_trace

ORACLE, OTHER_WAY = "oracle", "other-way"


@dataclass(frozen=True, kw_only=True)
class CheckProgress:
    """How far the proofs are, for a screen."""

    done: int
    of: int
    text: str
    """What is at work, or what was just proven."""


Show = Callable[[CheckProgress], None]


@dataclass(frozen=True, kw_only=True)
class _Direct:
    """What was proven of a task without a browser."""

    editions: tuple[int, ...]
    noop: Proof
    mutants: Mutants
    ignored: tuple[Proof, ...] = ()
    """Of the revisions that the site can ignore without a browser."""
    seconds: float = 0.0
    """Of the mutants."""


async def check_suite(suite: Suite, *, workers: int = 2, on_progress: Show = lambda progress: None) -> CheckResult:
    """Run every proof, `workers` at a time.

    Raises `UserError` for a suite without an oracle, `SiteError` or `BrowserMissing` when nothing can be started.
    """
    began = perf_counter()
    site = suite.known()
    count = _Count(of=len(suite.tasks), show=on_progress)
    direct = await _check_directly(site, suite.tasks, workers=workers, count=count)
    episodes = [e for task in suite.tasks for e in _episodes(task, direct[task.id])]
    jobs = [episode.job(suite) for episode in episodes]
    count.of += len(jobs)

    def show(progress: Progress) -> None:
        if progress.ended is not None:
            count.step(f"{progress.task} [{progress.agent}] {progress.ended.ending}, {progress.step} steps")

    with tempfile.TemporaryDirectory(prefix="refute-check-") as out:
        await run_jobs(suite, jobs, Path(out), workers=workers, on_progress=show)
        traces = {(e.task.id, e.name): read_trace(job.place(Path(out))) for e, job in zip(episodes, jobs, strict=True)}
        checks = tuple(_gather(task, direct[task.id], episodes, traces, site) for task in suite.tasks)
    seconds = _seconds(checks, direct) | {"clock": round(perf_counter() - began, 1)}
    return CheckResult(suite=suite.name, tasks=checks, seconds=seconds)


@dataclass(kw_only=True)
class _Count:
    of: int
    show: Show
    done: int = 0

    def step(self, text: str) -> None:
        self.done += 1
        self.show(CheckProgress(done=self.done, of=self.of, text=text))


# ---- without a browser -------------------------------------------------------------------------------------------


async def _check_directly(site: Site, tasks: Sequence[Task], *, workers: int, count: _Count) -> dict[str, _Direct]:
    queue, found = iter(tasks), dict[str, _Direct]()

    async def work(direct: Direct, queue: Iterator[Task]) -> None:
        for task in queue:
            began = perf_counter()
            found[task.id] = one = await _check_one(direct, task)
            seconds = perf_counter() - began
            count.step(f"{task.id} [mutants] {one.mutants.caught} of {one.mutants.made} caught, {seconds:.0f} s")

    async with _instances(site, min(workers, len(tasks))) as held:
        try:
            async with asyncio.TaskGroup() as group:
                for direct in held:
                    group.create_task(work(direct, queue))
        except BaseExceptionGroup as errors:
            error = on_purpose(errors)
            if error is None:
                raise
            raise error from None
    return found


async def _check_one(direct: Direct, task: Task) -> _Direct:
    """A task that the site cannot read proves nothing; what is wrong with it stands in place of its first proof."""
    try:
        editions = other_editions(task, await direct.branches(task)) if task.conditions else ()
        noop = await direct.noop(task)
    except UserError as error:
        noop = Proof(name="noop", seed=task.seed, problem=str(error))
        return _Direct(editions=(), noop=noop, mutants=Mutants(problem="the task cannot be read"))
    began = perf_counter()
    mutants, ignored = await direct.mutants(task)
    seconds = perf_counter() - began - sum(proof.seconds for proof in ignored)
    return _Direct(editions=editions, noop=noop, mutants=mutants, ignored=ignored, seconds=seconds)


@asynccontextmanager
async def _instances(site: Site, number: int) -> AsyncGenerator[list[Direct]]:
    async with AsyncExitStack() as stack:

        async def launch() -> Direct:
            instance = await site.launch()
            stack.push_async_callback(instance.close)
            return Direct(site, instance)

        async with asyncio.TaskGroup() as group:
            launching = [group.create_task(launch()) for _ in range(number)]
        yield [task.result() for task in launching]


# ---- with a browser ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Episode:
    """An oracle's episode."""

    name: str
    task: Task
    """In the state that it is played in."""
    route: int = 0
    ignored: int = 0
    """The revision that is ignored (1…); 0 = none."""

    def job(self, suite: Suite) -> Job:
        settings = RunSettings(
            suite=suite.name, agent=self.name, model="none", trigger=TriggerMode.PREDICATE, screenshots=False
        )
        return Job(task=self.task, repeat=0, settings=settings, casting=_oracle(self.route, self.ignored))


def _episodes(task: Task, direct: _Direct) -> list[_Episode]:
    ignored = {proof.name for proof in direct.ignored}
    ignoring = [_Episode(name=f"ignore-{k}", task=task, ignored=k) for k in range(1, len(task.revisions) + 1)]
    return [
        _Episode(name=ORACLE, task=task),
        _Episode(name=OTHER_WAY, task=task, route=1),
        *(_Episode(name=f"edition-{seed}", task=task.model_copy(update={"seed": seed})) for seed in direct.editions),
        *(episode for episode in ignoring if episode.name not in ignored),
    ]


def _oracle(route: int, ignored: int) -> Casting:
    def cast(suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int) -> Cast:
        oracle = suite.known().oracle(task, ground.world, route)
        return Cast(agent=OracleAgent(task, oracle, ignore=frozenset({ignored} - {0})), backend=NoModel())

    return cast


# ---- together ----------------------------------------------------------------------------------------------------


def _gather(
    task: Task, direct: _Direct, episodes: Sequence[_Episode], traces: Mapping[tuple[str, str], Trace], site: Site
) -> TaskCheck:
    mine = [e for e in episodes if e.task.id == task.id]
    trace = {e.name: traces[task.id, e.name] for e in mine}
    proof = {e.name: judge_episode(e.name, e.task, e.ignored, trace[e.name]) for e in mine}
    whole = [e.name for e in mine if not e.ignored]
    came = [(proof[name], outcomes_of(trace[name])) for name in whole]
    return TaskCheck(
        task=task.id,
        oracle=tuple(proof[name] for name in (ORACLE, OTHER_WAY)),
        editions=tuple(proof[name] for name in whole if name not in (ORACLE, OTHER_WAY)),
        branches=check_branches(task, came, editions=site.editions),
        noop=direct.noop,
        ignored=(*direct.ignored, *(proof[e.name] for e in mine if e.ignored)),
        mutants=direct.mutants,
        milestones=check_milestones(task, {name: trace[name] for name in whole}),
    )


def _seconds(checks: Sequence[TaskCheck], direct: Mapping[str, _Direct]) -> dict[str, float]:
    return {
        "oracle": round(sum(p.seconds for c in checks for p in c.oracle), 1),
        "editions": round(sum(p.seconds for c in checks for p in c.editions), 1),
        "ignored": round(sum(p.seconds for c in checks for p in c.ignored), 1),
        "noop": round(sum(c.noop.seconds for c in checks), 1),
        "mutants": round(sum(one.seconds for one in direct.values()), 1),
    }
