"""The folder of a run: who works in it, with which settings, and which of its episodes are finished."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import filelock
from pydantic import ValidationError

from refute._errors import TraceError, UserError
from refute.goals import Task
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.run._settings import IDENTITY, RUN_FILE, RunRecord, RunSettings
from refute.suites import is_drawn, with_instruction
from refute.trace import EVENTS, Trace, read_trace

LOCK_FILE = "run.lock"
"""Held by the process that writes below the folder. The operating system lets go of it when the process ends, however
that happens; the file stays and says who held it last."""

NONE = "none"


@contextmanager
def claim(out: Path, settings: RunSettings, *, fresh: bool = False) -> Generator[Path]:
    """Hold ``OUT/<run-id>/`` for this run alone while inside; yields the folder.

    `fresh` empties it first. Raises `UserError` when another process holds it, or when it holds the same run under
    other settings; nothing is changed then.
    """
    folder = out / settings.run_id
    with _held(folder):
        if fresh:
            _empty(folder)
        _compare(folder, out, settings)
        yield folder


@contextmanager
def _held(folder: Path) -> Generator[None]:
    path = folder / LOCK_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(path, on_acquired=_sign, thread_local=False)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise UserError(
            f"another process is at work on this run: {_holder(path)}, in {folder}.\n"
            "Wait until it has ended (it keeps what it finishes, and the same command then goes on), end it, "
            "or choose another --out."
        ) from None
    except OSError as error:
        raise TraceError(f"cannot work in {folder}: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def _sign(descriptor: int) -> None:
    """Say in the lock file who holds it, for the one who finds it locked."""
    os.write(descriptor, json.dumps({"pid": os.getpid(), "host": platform.node()}).encode())


def _holder(path: Path) -> str:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return f"process {int(found['pid'])} on {found['host']}"
    except (OSError, ValueError, TypeError, KeyError):  # it is just about to sign
        return "its process id is not known yet"


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != LOCK_FILE:
            path.unlink()


def _compare(folder: Path, out: Path, settings: RunSettings) -> None:
    """Raise `UserError` with a table when ``run.json`` is there and tells of other settings."""
    path = folder / RUN_FILE
    if not path.exists():
        return
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        there = RunRecord.model_validate(raw)
    except (OSError, ValueError, ValidationError) as error:
        raise UserError(
            f"{path} cannot be read, so nobody knows with which settings that run was made.\n"
            f"Choose another --out, or give --fresh to delete {folder} and start anew."
        ) from error
    changed = _changes(raw, there, settings)
    if changed:
        raise UserError(
            f"{folder} holds this run with other settings, and its episodes would not be comparable:\n\n"
            f"{_table(changed)}\n\nNothing was changed. To go on, choose one:\n"
            "  the old settings again: the run is continued\n"
            f"  --out {out / 'NAME'}: both are kept, and `refute bench report {out}` shows both\n"
            "  --fresh: the old run is deleted"
        )


def _changes(raw: Mapping[str, Any], there: RunRecord, settings: RunSettings) -> list[tuple[str, str, str]]:
    """Name, old and new value of each setting that differs; also of those that only another version knows."""
    compared = (
        set(RunSettings.model_fields) - set(IDENTITY) - {"screenshots"}
    )  # pictures change nothing in what happens
    old, new = (_flat(each.model_dump(mode="json", include=compared)) for each in (there, settings))
    rows = [(name, old.get(name, NONE), new.get(name, NONE)) for name in dict.fromkeys([*old, *new])]
    known = RunRecord.model_fields.keys() | RunRecord.model_computed_fields.keys()
    rows += [(name, str(raw[name]), "unknown to this version of refute") for name in raw if name not in known]
    return [row for row in rows if row[1] != row[2]]


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Settings within settings as ``outer.inner``; values as people write them."""
    flat: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            flat[f"{prefix}{name}"] = NONE if value is None else str(value)
    return flat


def _table(rows: list[tuple[str, str, str]]) -> str:
    lines = [("setting", "there", "now"), *rows]
    first, second = (max(len(line[n]) for line in lines) for n in (0, 1))
    return "\n".join(f"  {a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in lines)


def finished(place: Path, task: Task) -> bool:
    """Whether the episode in `place` is over and counts, so that it stays as it is.

    One without an end, with a torn or damaged trace, or that ended in a harness error, is not. Raises `UserError` when
    running it anew would lose what only a newer refute understands, or when the finished episode was of another `task`
    with the same id.
    """
    if not (place / EVENTS).exists():
        return False
    try:
        trace = read_trace(place)
    except TraceError:
        return False
    newer = [kind for kind in trace.unknown if " v" in kind]
    if newer:
        raise UserError(
            f"{place / EVENTS} was written by a newer refute (it has {', '.join(newer)}). "
            "Continue this run with that version, or choose another --out."
        )
    ends = trace.of(EpisodeEnded)
    if not ends or ends[-1].ending is Ending.HARNESS_ERROR:
        return False
    if not _is_of(trace, task):
        raise UserError(
            f"the task {task.id} has changed since {place} was finished, and the old episode would be counted as one "
            "of the new task. Choose another --out, or give --fresh to delete the old run."
        )
    return True


def _is_of(trace: Trace, task: Task) -> bool:
    """Whether the episode was of `task`; an instruction that was drawn at the start is the episode's own."""
    for started in trace.of(EpisodeStarted)[-1:]:
        now = with_instruction(task, started.task.static_instruction) if is_drawn(task) else task
        if started.task.model_dump_json() != now.model_dump_json():
            return False
    return True
