"""The recorder: appends events to an episode's file, and stores pictures once by content."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from pydantic_core import PydanticSerializationError

from refute._errors import TraceError
from refute.trace._event import Event, well_formed

EVENTS = "events.jsonl"
SHOTS = "shots"
DOWNLOADS = "downloads"
"""Where an episode keeps what its pages let it save."""

E = TypeVar("E", bound=Event)


class Recorder:
    """Writes one episode: ``FOLDER/events.jsonl`` (a line an event) and ``FOLDER/shots/HASH.jpg``; or, as `file`,
    another record in events that lies beside it and has no pictures.

    Every line is handed to the operating system before `record` returns, so a killed process loses nothing that was
    recorded. `step` is set by the episode loop. `listen` is handed each event once it is written: for a live view.
    Raises `TraceError` when the disk does not take a line; lines written before stay, and what was written of that line
    is taken back. A torn last line that is there already is removed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        file: str = EVENTS,
        now: Callable[[], float] = time.time,
        listen: Callable[[Event], None] | None = None,
    ) -> None:
        self.folder = folder
        self._path = folder / file
        self.step = 0
        self._now = now
        self._listen = listen
        self._last = 0.0
        try:
            (folder / SHOTS if file == EVENTS else folder).mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab", buffering=0)
            self._size = _whole_lines(self._path)
            self._take_back()
        except OSError as error:
            raise TraceError(f"cannot write a trace in {folder}: {error.strerror}") from error

    def record(self, event: E) -> E:
        """Stamp `event` with time and step, append it, and return the stamped event. Time never goes back.

        Half a surrogate pair, which no UTF-8 can hold, becomes U+FFFD.
        """
        self._last = max(self._last, self._now())
        stamped = event.model_copy(update={"time": round(self._last, 6), "step": self.step})
        try:
            line = stamped.to_line()
        except PydanticSerializationError:
            stamped = well_formed(stamped)
            line = stamped.to_line()
        self._append(line.encode() + b"\n")
        if self._listen is not None:
            self._listen(stamped)
        return stamped

    def _append(self, line: bytes) -> None:
        try:
            written = self._file.write(line)
        except OSError as error:
            self._take_back()
            raise TraceError(f"cannot append to {self._path}: {error.strerror}; earlier events are kept") from error
        if written != len(line):
            self._take_back()
            raise TraceError(f"disk full while appending to {self._path}; earlier events are kept")
        self._size += written

    def _take_back(self) -> None:
        """Cut off what stands after the last whole line, so that a later line does not grow onto half a one."""
        with contextlib.suppress(OSError):  # a device takes nothing back, and a reader leaves a torn line out anyway
            self._file.truncate(self._size)

    def picture(self, data: bytes, *, suffix: str = "jpg") -> str:
        """Store `data` once under its SHA-256 and return the file name relative to the episode's folder."""
        name = f"{SHOTS}/{hashlib.sha256(data).hexdigest()[:32]}.{suffix}"
        path = self.folder / name
        if not path.exists():
            part = path.with_suffix(".part")
            try:
                part.write_bytes(data)
                part.replace(path)
            except OSError as error:
                part.unlink(missing_ok=True)
                raise TraceError(f"cannot store a picture in {path.parent}: {error.strerror}") from error
        return name

    def close(self) -> None:
        """Flush to the disk and close. Raises `TraceError` when the disk does not keep what it took."""
        if self._file.closed:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise TraceError(f"{self._path} may not be on the disk: {error.strerror}") from error
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _whole_lines(path: Path) -> int:
    """Length of `path` up to and with its last newline, in bytes; a new file has none."""
    return path.read_bytes().rfind(b"\n") + 1 if path.stat().st_size else 0
