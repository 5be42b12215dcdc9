"""Imported tasks as a suite: each begins where the original task begins, and is judged by its truth."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from refute._errors import SiteError, UserError
from refute.browser import BrowserHost, Done, Infeasible
from refute.goals import Task
from refute.revisions import TriggerMode
from refute.suites._reward import RewardWorld, is_drawn
from refute.suites._suite import Ground, Look, Place, Start, Suite
from refute.suites.interruptbench._milestones import read_milestones
from refute.suites.interruptbench._reading import read_records
from refute.suites.interruptbench._records import FILES, RowProblem
from refute.suites.interruptbench._tasks import import_records, plain
from refute.suites.interruptbench._webarena import CONFIG, webarena_tasks
from refute.trace import Recorder

KIND = "interruptbench"
DATA = "INTERRUPTBENCH_DATA"
"""The environment variable that stands in for the folder of the data."""
WEBARENA = "browsergym:webarena"

_RECORDS = ("", "raw", "interrupt_config/raw", "Eval/interrupt_config/raw")
_CONFIGS = ("", "config_files/wa", "Eval/config_files/wa", "../../config_files/wa")
"""Where the files may lie below the folder: it is the repository, a part of it, or has them side by side."""

_FIXED = "give --trigger fraction or --trigger action_index --at N"
_NO_PREDICATE = f"imported tasks have no predicates that a site could decide: {_FIXED}, or --milestones FILE"
_NO_MILESTONES = (
    f"the records of InterruptBench say nothing of milestones: {_FIXED}, as the benchmark does; "
    "or --milestones FILE with your own (docs/interruptbench.md)"
)


@dataclass(frozen=True, kw_only=True)
class Import:
    """What to import, and onto what."""

    data: Path | None = None
    """The folder that holds the files; None = the one that the environment variable `DATA` names."""
    milestones: Path | None = None
    on: str = WEBARENA
    """The suite whose tasks the records were made from; their `task_id` names a task of it."""
    strict: bool = False
    """Whether a row that cannot be used is an error."""


def interruptbench_suite(file: str, chosen: Import, *, open_suite: Callable[[str], Suite]) -> Suite:
    """The tasks of one file, such as ``2modification``; rows that make none are told in `Suite.left_out`.

    Raises `UserError` when the data is not there, when no row makes a task, for any such row if strict, and for what
    the suite underneath lacks, such as WebArena's servers.
    """
    folder = _folder(chosen.data)
    reading = read_records(find(folder, f"{file}.json", _RECORDS))
    config = find(folder, CONFIG, _CONFIGS) if chosen.on == WEBARENA else None
    milestones = read_milestones(chosen.milestones) if chosen.milestones is not None else None
    base = open_suite(chosen.on)
    originals = webarena_tasks(config) if config is not None else {task.id: task for task in base.tasks}
    pairs: dict[str, Task] = {}
    tasks: list[Task] = []
    problems: list[RowProblem] = list(reading.problems)
    for made in import_records(reading.records, originals, milestones):
        if isinstance(made, RowProblem):
            problems.append(made)
            continue
        task, original = made
        pairs[task.id] = original
        tasks.append(task)
    if problems and (chosen.strict or not tasks):
        raise UserError("\n".join((f"{len(problems)} row(s) of {file} make no task:", *map(str, problems))))

    async def launch() -> Place:
        return InterruptedPlace(await base.launch(), pairs)

    unusable = {TriggerMode.PREDICATE: _NO_PREDICATE}
    if milestones is None:
        unusable |= dict.fromkeys((TriggerMode.MILESTONE, TriggerMode.HYBRID), _NO_MILESTONES)
    return replace(
        base,
        name=f"{KIND}:{file}",
        tasks=tuple(tasks),
        launch=launch,
        unusable=unusable,
        left_out=tuple(map(str, problems)),
    )


def find(folder: Path, name: str, places: tuple[str, ...]) -> Path:
    """The file `name` in `folder`. Raises `UserError` that says where it comes from."""
    path = _find(folder, name, places)
    if path is not None:
        return path
    raise UserError(
        f"{name} is not in {folder}: give a copy of InterruptBench's repository "
        f"(github.com/HenryPengZou/InterruptBench), or a folder with {', '.join(FILES)} as .json and {CONFIG}"
    )


def record_files(place: Path) -> tuple[tuple[Path, ...], Path | None]:
    """The record files that `place` is or holds, and the original tasks' configuration where it lies with them."""
    if place.is_file():
        folder, files = place.parent, (place,)
    else:
        paths = (_find(place, f"{name}.json", _RECORDS) for name in FILES)
        folder, files = place, tuple(path for path in paths if path is not None)
    return files, _find(folder, CONFIG, _CONFIGS) if files else None


def _find(folder: Path, name: str, places: tuple[str, ...]) -> Path | None:
    paths = (folder / place / name for place in places)
    return next((path.resolve() for path in paths if path.is_file()), None)


def _folder(given: Path | None) -> Path:
    folder = given or (Path(os.environ[DATA]) if os.environ.get(DATA) else None)
    if folder is None:
        raise UserError(
            "the data of InterruptBench does not come with this package: give --data FOLDER, a copy of its repository "
            f"(github.com/HenryPengZou/InterruptBench), or set {DATA}"
        )
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: it should hold the data of InterruptBench")
    return folder


class InterruptedPlace:
    """A place of the suite underneath."""

    def __init__(self, place: Place, originals: Mapping[str, Task]) -> None:
        self._place = place
        self._originals = originals

    @property
    def origin(self) -> str:
        """The address of what runs here."""
        return self._place.origin

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """Begin as the original task begins, with the imported goal.

        Raises `SiteError` when the page draws another goal than the record's.
        """
        original = self._originals[task.id]
        if not is_drawn(original):
            return await self._place.start(host, task, recorder)
        start = await self._place.start(host, original, recorder)
        drawn = start.task.static_instruction
        if plain(drawn) != plain(task.static_instruction):
            await start.session.close()
            raise SiteError(f"the original task's goal is {drawn!r}, and the record's is {task.static_instruction!r}")
        return replace(start, task=task, ground=_to_the_end(start.ground))

    async def check(self) -> None:
        """Raise `SiteError` when what runs here is gone."""
        await self._place.check()

    async def close(self) -> None:
        """End what runs."""
        await self._place.close()


def _to_the_end(ground: Ground) -> Ground:
    """The truth of an episode that its first reward does not end: updates may be still to come, and only what it is at
    the end counts."""
    world = ground.world
    if not isinstance(world, RewardWorld):
        return ground
    look: Look = ground.look

    async def again(ended: Done | Infeasible | None) -> bool:
        before, world.last = world.last, None  # else a first success would be taken for the last word
        await look(ended)
        if world.last is None:  # nothing could be evaluated now
            world.last = before
        return False

    return replace(ground, look=again)
