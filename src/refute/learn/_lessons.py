"""Which episodes teach something: whether they went well, and whether anything went wrong on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import urlsplit

from refute._errors import UserError
from refute.agents import shown_by_tests
from refute.agents.memory import Origin
from refute.goals import Task
from refute.learn._trajectory import Trajectory, read_trajectory
from refute.metrics import outcomes
from refute.revisions import EpisodeStarted
from refute.tables import EpisodeKey, EpisodeRow, last_attempt, read_tables
from refute.tables import Status as Ended
from refute.trace import read_trace


class Split(StrEnum):
    """Whose tasks are admitted. What is learned from test tasks must not be tested on them."""

    TRAIN = "train"
    ALL = "all"


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """An episode that something can be learned from."""

    origin: Origin
    trajectory: Trajectory
    success: bool

    @property
    def trouble(self) -> bool:
        """Whether it failed, or was repaired on the way: then there is a failure to learn from."""
        return not self.success or bool(self.trajectory.repairs)


@dataclass(frozen=True, kw_only=True)
class Lessons:
    """All lessons below some folders, and why other episodes are none."""

    lessons: tuple[Lesson, ...]
    skipped: Mapping[str, int]
    """How many episodes were left out, by reason."""
    simulated: int
    """How many of the lessons come from a simulated model."""

    @property
    def all_simulated(self) -> bool:
        """Whether no real model took part."""
        return self.simulated == len(self.lessons)


def read_lessons(runs: Sequence[Path], *, split: Split = Split.TRAIN, tasks: Collection[str] | None = None) -> Lessons:
    """Read the episodes of all runs below `runs`, in the order of task, run and repeat; with `tasks`, only those of
    tasks whose id matches one of these globs.

    An episode went well if every constraint that counts is satisfied by truth; where no truth is known, if it is done,
    the agent's own tests confirmed every commitment of its last plan, and its final check, if any, verified that.
    Raises `UserError` where there are no runs.
    """
    found: list[tuple[tuple[str, str, int], Lesson, bool]] = []
    skipped: Counter[str] = Counter()
    for folder in runs:
        tables = read_tables(folder)
        won = {o.key: o.success for o in outcomes(tables)}
        for row in tables.episodes:
            if tasks is not None and not any(fnmatchcase(row.task, glob) for glob in tasks):
                continue
            reason = _unfit(row, split)
            lesson = None if reason else _lesson(row, won)
            if lesson is None:
                skipped[reason or "done, but neither truth nor the agent's tests say how well"] += 1
            else:
                found.append(((row.task, lesson.origin.run, row.key.repeat), lesson, row.simulated))
    found.sort(key=lambda item: item[0])
    return Lessons(
        lessons=tuple(lesson for _, lesson, _ in found),
        skipped=dict(sorted(skipped.items())),
        simulated=sum(simulated for _, _, simulated in found),
    )


def _unfit(row: EpisodeRow, split: Split) -> str:
    """Why an episode cannot teach anything; empty when it can."""
    if row.status is Ended.UNFINISHED:
        return "unfinished"
    if not row.status.counted:
        return "a harness error, or unreadable"
    if split is Split.TRAIN and row.split != "train":
        return "not of the training split"
    return ""


def _lesson(row: EpisodeRow, won: Mapping[EpisodeKey, bool]) -> Lesson | None:
    trace = last_attempt(read_trace(row.folder))
    success = won.get(row.key)
    if success is None and row.status is Ended.DONE:
        success = shown_by_tests(trace) or None
    elif success is None:
        success = False
    started = trace.of(EpisodeStarted)
    if success is None or not started:
        return None
    return Lesson(
        origin=_origin(started[0].task, run=row.folder.parent.parent.name),
        trajectory=read_trajectory(trace),
        success=success,
    )


def _origin(task: Task, *, run: str) -> Origin:
    site = task.sites[0] if task.sites else urlsplit(task.start_urls[0]).hostname or ""
    return Origin(site=site, task=task.id, template=task.template, split=task.split, run=run)


def nothing_to_learn(lessons: Lessons) -> UserError:
    """What to say where no episode teaches anything."""
    why = "; ".join(f"{number} {reason}" for reason, number in lessons.skipped.items()) or "there are no episodes"
    hint = ". --split all admits every task; do not test on those" if "training" in why else ""
    return UserError(f"there is nothing to learn from: {why}{hint}")
