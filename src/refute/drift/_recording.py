"""Recording many drives: which ones there are, some at a time, continued where an earlier recording stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Literal

import filelock
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refute._errors import RunError, RunStopped, UserError
from refute.arena import Dice, Instance, Site
from refute.browser import BrowserHost
from refute.drift._drive import Errand, drive
from refute.drift._record import Calm, Drive, Header, Kind, Recording
from refute.goals import Task

STATES = "states.jsonl"
"""The recording, in its folder."""
_TRIES = 5
"""Tasks that are tried for a drive before it is left out."""
_CUSTOMERS_ONLY: frozenset[Kind | Calm] = frozenset(
    {Kind.CONTAMINATED_RESULTS, Kind.OLD_LAYOUT, Kind.OUT_OF_STOCK, Calm.OTHER_ROUTE}
)
"""Kinds that the staff's pages give no occasion for."""
TIMES = ".recorded.jsonl"
"""How the file beside it ends that has a line for each time that somebody recorded: drives and seconds. They are no
part of the recording, which is the same on every machine."""


@dataclass(frozen=True, kw_only=True)
class RecordProgress:
    """How far a recording is, and what happened last."""

    done: int
    """Drives that are there, those of an earlier run among them, or for which there was no occasion…"""
    of: int
    """…of all that are wanted."""
    text: str


class Recorded(BaseModel):
    """One run of a recording."""

    model_config = ConfigDict(frozen=True)

    drives: int = Field(ge=0, description="that it made")
    kept: int = Field(ge=0, description="that were there before")
    workers: int = Field(ge=1)
    seconds: float = Field(ge=0, description="from start to end, by the clock on the wall")


Show = Callable[[RecordProgress], None]


@dataclass(frozen=True, kw_only=True)
class _Slot:
    """A drive that is wanted, and the tasks to look for it in, in order."""

    id: str
    kind: Kind | Calm
    tasks: tuple[Task, ...]


def drift_tasks(site: Site, split: Literal["train", "test"]) -> tuple[Task, ...]:
    """The tasks that drives are made on: every customer's, and of the staff's one a template."""
    tasks = [task for task in site.tasks() if task.split == split]
    first = {task.template: task for task in reversed(tasks)}
    return tuple(task for task in tasks if not _is_staff(task) or first[task.template] is task)


async def record(
    site: Site,
    out: Path,
    *,
    seed: int = 0,
    split: Literal["train", "test"] = "test",
    per_kind: int = 6,
    per_calm: int = 3,
    workers: int = 2,
    show: Show = lambda progress: None,
) -> Path:
    """Record drives into ``OUT/states.jsonl``, `workers` at a time; drives that are there already are kept.

    The same arguments make the same drives, whatever the number of workers. A kind that finds no occasion in a few
    tasks gets fewer drives, and `show` is told. Raises `UserError` when the folder holds a recording with other
    settings or somebody else is at work there, `RunStopped` when site or browser does not come back. How long it took
    is written beside it, for each run that made a drive, also for one that was stopped, but not one that was killed
    (`read_times`).
    """
    header = Header(site=site.name, seed=seed, split=split, per_kind=per_kind, per_calm=per_calm)
    with _held(out):
        recording = Recording.open(out / STATES, header)
        there = {made.id for made in recording.drives}
        slots = [slot for slot in _slots(site, header) if slot.id not in there]
        if slots:
            workers, begun = min(workers, len(slots)), perf_counter()
            try:
                await _record(site, recording, slots, workers=workers, show=show)
            finally:
                made = len(recording.drives) - len(there)
                took = Recorded(drives=made, kept=len(there), workers=workers, seconds=round(perf_counter() - begun, 1))
                _keep_time(recording.path, took)
        return recording.path


def read_times(recording: Path) -> tuple[Recorded, ...]:
    """The runs that made this recording, oldest first; lines that cannot be read are left out."""
    path = _times(recording)
    found: list[Recorded] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        with suppress(ValidationError):
            found.append(Recorded.model_validate_json(line))
    return tuple(found)


def _times(recording: Path) -> Path:
    """``states.recorded.jsonl`` for ``states.jsonl`` and ``states.jsonl.xz``."""
    return recording.with_name(recording.name.removesuffix(".xz").removesuffix(".jsonl") + TIMES)


def _keep_time(recording: Path, took: Recorded) -> None:
    if not took.drives:
        return
    path = _times(recording)
    with suppress(OSError):  # a full disk has been told of before
        torn = path.is_file() and not path.read_bytes().endswith(b"\n")
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" * torn + f"{took.model_dump_json()}\n")


@contextmanager
def _held(out: Path) -> Generator[None]:
    """Hold the folder for this process alone."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(out / "drift.lock", timeout=0):
            yield
    except filelock.Timeout:
        raise UserError(f"another process records into {out}; wait for it, or choose another --out") from None


async def _record(site: Site, recording: Recording, slots: Sequence[_Slot], *, workers: int, show: Show) -> None:
    async with BrowserHost(loopback_only=True) as host:
        crew = _Crew(site, host, recording, slots, show)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(crew.work())
        except* RunError as errors:
            cause = errors.exceptions[0]
            raise RunStopped(
                f"recording stopped: {cause}\n{len(recording.drives)} drives are kept in {recording.path}; "
                "the same command goes on from there."
            ) from cause


class _Crew:
    """The workers of one recording, each with an instance of its own."""

    def __init__(self, site: Site, host: BrowserHost, recording: Recording, slots: Sequence[_Slot], show: Show) -> None:
        self._site = site
        self._host = host
        self._recording = recording
        self._slots = iter(slots)
        self._of = len(recording.drives) + len(slots)
        self._done = len(recording.drives)
        self._show = show

    async def work(self) -> None:
        """Take one slot after the other. A site or browser that goes down is started again once for a slot."""
        instance = await self._site.launch()
        try:
            for slot in self._slots:
                try:
                    made = await self._fill(slot, instance)
                except RunError as error:
                    self._tell(f"{slot.id}: {error}; once more")
                    await instance.close()
                    instance = await self._site.launch()
                    made = await self._fill(slot, instance)
                self._done += 1
                if made is None:
                    self._tell(f"{slot.id}: no occasion in {len(slot.tasks)} tasks")
                    continue
                self._recording.add(made)
                self._tell(f"{made.id}: {made.task}, {len(made.states)} states, {made.detail or made.kind}")
        finally:
            await instance.close()

    def _tell(self, text: str) -> None:
        self._show(RecordProgress(done=self._done, of=self._of, text=text))

    async def _fill(self, slot: _Slot, instance: Instance) -> Drive | None:
        for task in slot.tasks:
            errand = Errand(id=slot.id, kind=slot.kind, task=task, seed=self._recording.header.seed)
            made = await drive(errand, self._site, instance, self._host)
            if made is not None:
                return made
        return None


def _slots(site: Site, header: Header) -> Iterator[_Slot]:
    """Every drive that a recording wants; kinds take turns, so that a part of a recording is balanced, too."""
    tasks = drift_tasks(site, header.split)
    for n in range(max(header.per_kind, header.per_calm)):
        for kind in (*Kind, *Calm):
            if n >= (header.per_kind if isinstance(kind, Kind) else header.per_calm):
                continue
            fitting = [task for task in tasks if kind not in _CUSTOMERS_ONLY or not _is_staff(task)]
            dice = Dice(seed=header.seed, task=kind)
            drawn = sorted(fitting, key=lambda task, dice=dice: dice.roll("order", task.id))
            turned = [drawn[(n + i) % len(drawn)] for i in range(len(drawn))]
            yield _Slot(id=f"{kind}-{n}", kind=kind, tasks=tuple(turned[:_TRIES]))


def _is_staff(task: Task) -> bool:
    return any("/dashboard" in url for url in task.start_urls)
