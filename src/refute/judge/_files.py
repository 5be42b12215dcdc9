"""Where a judge's record lies: ``EPISODE/judges/NAME.jsonl``, beside the trace, one file for each judge."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock

from refute._errors import TraceError, UserError
from refute.judge._events import JudgeEnded, JudgeStarted
from refute.trace import EVENTS, Event, Trace, read_trace

JUDGES = "judges"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_ENDING = ".jsonl"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What one judge found about one episode: a finished judging, from its first event to its last."""

    folder: Path
    """The episode's folder."""
    started: JudgeStarted
    events: tuple[Event, ...]
    ended: JudgeEnded


def judge_file(name: str) -> str:
    """The file's name. Raises `UserError` for a name that can be no file on some systems."""
    if not _is_name(name):
        raise UserError(f"{name!r} can be no judge's name: letters, digits, '.', '_' and '-', at most 80 of them")
    return f"{name}{_ENDING}"


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not name.endswith(".")


def judges_of(folder: Path) -> tuple[str, ...]:
    """The names of the judges that have a file for the episode in `folder`, sorted; other files are no judge's."""
    names = (path.name.removesuffix(_ENDING) for path in (folder / JUDGES).glob(f"*{_ENDING}"))
    return tuple(sorted(name for name in names if _is_name(name)))


def trace_digest(folder: Path) -> str:
    """SHA-256 of the episode's trace: a verdict on another one is worth nothing. Raises `TraceError`."""
    try:
        return hashlib.sha256((folder / EVENTS).read_bytes()).hexdigest()
    except OSError as error:
        raise TraceError(f"cannot read {folder / EVENTS}: {error.strerror}") from error


def read_judgement(folder: Path, name: str) -> Judgement | None:
    """The last judging that `name` finished of the trace that lies in `folder` now, or None.

    One that a kill cut off takes nothing away from an earlier one. Raises `TraceError` for a broken file.
    """
    attempts = [attempt for attempt in _attempts(folder, name) if isinstance(attempt[-1], JudgeEnded)]
    if not attempts:
        return None
    events = attempts[-1]
    started, ended = events[0], events[-1]
    assert isinstance(started, JudgeStarted)
    assert isinstance(ended, JudgeEnded)
    if started.trace != trace_digest(folder):
        return None
    return Judgement(folder=folder, started=started, events=events, ended=ended)


def last_start(folder: Path, name: str) -> JudgeStarted | None:
    """Who worked under this name on the episode last, finished or not."""
    attempts = _attempts(folder, name)
    return attempts[-1][0] if attempts and isinstance(attempts[-1][0], JudgeStarted) else None


@contextmanager
def alone_with(folder: Path, name: str) -> Generator[bool]:
    """Hold the judge's file of one episode for this process; False where another one does."""
    path = folder / JUDGES / f"{name}.lock"
    try:
        path.parent.mkdir(exist_ok=True)
        lock = filelock.FileLock(path, thread_local=False)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        yield False
        return
    except OSError as error:
        raise TraceError(f"cannot work in {path.parent}: {error.strerror}") from error
    try:
        yield True
    finally:
        lock.release()


def _attempts(folder: Path, name: str) -> list[tuple[Event, ...]]:
    file = judge_file(name)
    if not (folder / JUDGES / file).exists():
        return []
    trace: Trace = read_trace(folder / JUDGES, file=file)
    starts = [n for n, event in enumerate(trace.events) if isinstance(event, JudgeStarted)]
    ends = [*starts[1:], len(trace.events)]
    return [trace.events[start:end] for start, end in zip(starts, ends, strict=True)]
