"""Many episodes judged: what is left out, what is kept, and what happens when something breaks."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from refute._errors import LimitReached, RunError, RunStopped, TraceError, UserError
from refute._version import __version__
from refute.budget import Budget, Clock, Limits, RealClock, VirtualClock
from refute.judge._claims import STATES
from refute.judge._events import JudgeEnded, JudgeStarted
from refute.judge._files import JUDGES, alone_with, judge_file, last_start, read_judgement, trace_digest
from refute.judge._judge import Spending, judge_episode
from refute.judge._record import EpisodeRecord, ended
from refute.llm import Backend, RoleModel
from refute.revisions import Ending, EpisodeStarted
from refute.trace import EVENTS, Recorder, Trace, episode_folders, read_trace

FAILED = 3
"""After so many episodes in a row that could not be judged, the judging stops: something is wrong with the model."""

BackendFor = Callable[[Trace], Backend | None]
"""The model that judges an episode; None = this model can say nothing about it."""


@dataclass(frozen=True, kw_only=True)
class JudgeIdentity:
    """Who judges. Two judges with different names stand side by side; a name belongs to one model and one seed."""

    name: str
    model: str
    address: str = ""
    mode: str = ""
    """How the model is asked for structure."""
    simulated: bool = False
    seed: int = 0
    states: int = STATES
    """Most pages that are looked at for a claim."""
    settings: Mapping[str, float] = field(default_factory=dict[str, float])
    """Of the simulated judge."""

    def started(self, trace: str) -> JudgeStarted:
        """The event that says so."""
        return JudgeStarted(
            judge=self.name,
            model=self.model,
            address=self.address,
            mode=self.mode,
            simulated=self.simulated,
            seed=self.seed,
            trace=trace,
            refute=__version__,
            settings={"states": self.states, **self.settings},
        )


@dataclass(frozen=True, kw_only=True)
class JudgeProgress:
    """An episode that has just been judged, or could not be (`problem`)."""

    folder: Path
    done: int
    of: int
    ended: JudgeEnded | None = None
    problem: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgeResult:
    """What a judging left behind."""

    judged: tuple[JudgeEnded, ...]
    kept: int
    """Episodes that this judge had finished before, left as they are."""
    left_out: Mapping[str, int]
    """By reason: ``harness_error``, ``unfinished``, ``unreadable``, ``unknown_truth``, ``at_work`` (another process
    judges it under this name right now)."""
    failed: Mapping[Path, str]
    """Episodes that the model could not be asked about to the end, and why."""
    limit: str = ""
    """The limit that stopped it, if one did."""
    left: int = 0
    """Episodes that were not begun, or not finished, because of that limit."""


Show = Callable[[JudgeProgress], None]


def _silent(progress: JudgeProgress) -> None:
    """Show nothing."""


async def judge_runs(
    runs: Path,
    identity: JudgeIdentity,
    backend_for: BackendFor,
    *,
    again: bool = False,
    tasks: str | None = None,
    workers: int = 1,
    on_progress: Show = _silent,
) -> JudgeResult:
    """Judge every finished episode below `runs`, `workers` at a time, each into ``EPISODE/judges/NAME.jsonl``.

    Episodes that ended in a harness error are not judged (decision 28b). What this judge has finished is left alone,
    unless `again`; `tasks` is a glob over task ids. Raises `UserError` when there is nothing to judge, or when the name
    belongs to another judge anywhere below `runs`; `RunStopped` after several failures in a row. Whatever stops it,
    finished episodes are kept, and the same call goes on. Several processes may work under one name: each episode is
    judged by one of them.
    """
    judge_file(identity.name)
    found = _episodes(runs)
    for folder in found:
        _must_be_ours(folder, identity)
    crew = _Crew(identity=identity, backend_for=backend_for, on_progress=on_progress, again=again)
    crew.choose(_matching(found, runs, tasks))
    queue = iter(crew.todo)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, len(crew.todo))):
                group.create_task(crew.work(queue))
    except BaseExceptionGroup as errors:
        told = errors.subgroup((RunStopped, UserError))
        if told is None:
            raise
        error = told.exceptions[0]
        raise error from error.__cause__
    return JudgeResult(
        judged=tuple(crew.judged),
        kept=crew.kept,
        left_out=dict(crew.left_out),
        failed=crew.failed,
        limit=crew.limit,
        left=len(crew.todo) - crew.done,
    )


def _episodes(runs: Path) -> list[Path]:
    if not runs.is_dir():
        raise UserError(f"no folder {runs}; `refute bench run … --out {runs}` makes one")
    found = episode_folders(runs)
    if not found:
        raise UserError(f"no episodes in {runs}: there is no {EVENTS} below it")
    return found


def _matching(folders: list[Path], runs: Path, tasks: str | None) -> list[Path]:
    chosen = [folder for folder in folders if tasks is None or fnmatchcase(folder.parent.name, tasks)]
    if not chosen:
        raise UserError(f"no task in {runs} matches {tasks!r}")
    return chosen


def _must_be_ours(folder: Path, identity: JudgeIdentity) -> None:
    """Raise `UserError` where the name belongs to another judge."""
    before = last_start(folder, identity.name)
    if before is None:
        return
    now = identity.started(before.trace)
    differing = [
        f"{field}: {getattr(before, field)} there, {getattr(now, field)} now"
        for field in ("model", "address", "mode", "seed", "settings")
        if getattr(before, field) != getattr(now, field)
    ]
    if differing:
        raise UserError(
            f"{folder / JUDGES} already holds verdicts of another judge under the name {identity.name} "
            f"({'; '.join(differing)}). Choose another --name, and both are kept."
        )


@dataclass(kw_only=True)
class _Crew:
    """The workers of one judging, and what they share."""

    identity: JudgeIdentity
    backend_for: BackendFor
    on_progress: Show
    again: bool
    todo: list[Path] = field(default_factory=list[Path])
    judged: list[JudgeEnded] = field(default_factory=list[JudgeEnded])
    failed: dict[Path, str] = field(default_factory=dict[Path, str])
    left_out: Counter[str] = field(default_factory=Counter[str])
    kept: int = 0
    limit: str = ""
    in_a_row: int = 0
    done: int = 0
    """Episodes of `todo` that need no more."""

    def choose(self, folders: list[Path]) -> None:
        """Sort the episodes into what is to be judged and what is not."""
        for folder in folders:
            try:
                trace = read_trace(folder)
            except TraceError:
                trace = None
            if trace is None or not trace.of(EpisodeStarted):
                self.left_out["unreadable"] += 1
                continue
            end = ended(trace)
            if end is None or end.ending is Ending.HARNESS_ERROR:
                self.left_out["unfinished" if end is None else Ending.HARNESS_ERROR.value] += 1
                continue
            if self._is_finished(folder):
                self.kept += 1
            else:
                self.todo.append(folder)

    def _is_finished(self, folder: Path) -> bool:
        return not self.again and read_judgement(folder, self.identity.name) is not None

    async def work(self, queue: Iterator[Path]) -> None:
        """Take one episode after the other until none is left, or a limit is reached."""
        for folder in queue:
            if self.limit:
                return
            try:
                with alone_with(folder, self.identity.name) as alone:
                    await self._take(folder, alone=alone)
            except LimitReached as reached:
                self.limit = reached.limit
                return
            except RunError as error:
                self._could_not(folder, error)

    async def _take(self, folder: Path, *, alone: bool) -> None:
        """Judge one episode, unless another process is at it or has just finished it."""
        if not alone:
            self._leave_out("at_work")
            return
        _must_be_ours(folder, self.identity)
        if self._is_finished(folder):
            self.kept += 1
            self.done += 1
            return
        end = await self._judge(folder)
        if end is None:
            self._leave_out("unknown_truth")
            return
        self.in_a_row = 0
        self.done += 1
        self.judged.append(end)
        self._show(folder, ended=end)

    def _leave_out(self, why: str) -> None:
        self.left_out[why] += 1
        self.done += 1

    def _could_not(self, folder: Path, error: RunError) -> None:
        self.in_a_row += 1
        self.done += 1
        self.failed[folder] = f"{type(error).__name__}: {error}"
        self._show(folder, problem=self.failed[folder])
        if self.in_a_row >= FAILED:
            raise RunStopped(
                f"{self.failed[folder]}\n{FAILED} episodes in a row could not be judged; what was judged before is "
                "kept. When the cause is gone, the same command goes on from there."
            ) from error

    async def _judge(self, folder: Path) -> JudgeEnded | None:
        """Judge one episode; None if the model can say nothing about it."""
        trace = read_trace(folder)
        backend = self.backend_for(trace)
        if backend is None:
            return None
        clock: Clock = VirtualClock() if backend.simulated else RealClock()
        spending = Spending()
        file = judge_file(self.identity.name)
        record = EpisodeRecord.of(trace)
        with Recorder(folder / JUDGES, file=file, now=clock.now, listen=spending.take) as recorder:
            recorder.record(self.identity.started(trace_digest(folder)))
            budget = Budget(Limits(), started=clock.now())  # what is really asked is limited behind the cache
            model = RoleModel(backend, recorder=recorder, budget=budget, clock=clock)
            return await judge_episode(record, model, recorder, spending, states=self.identity.states)

    def _show(self, folder: Path, *, ended: JudgeEnded | None = None, problem: str = "") -> None:
        self.on_progress(JudgeProgress(folder=folder, done=self.done, of=len(self.todo), ended=ended, problem=problem))
