"""Files that are whole or absent, whatever happens while they are written."""

from __future__ import annotations

import glob
import os
import time
from contextlib import suppress
from pathlib import Path

from refute._errors import TraceError

LEFT_OVER = 3600.0
"""Seconds after which nobody is writing a part any more."""


def write_whole(path: Path, text: str, *, durable: bool = True) -> None:
    """Write `text` to `path` so that a kill or a full disk leaves the old content or the new one, never a part.

    A file beside it, one for each process that writes, is written, flushed to the disk (unless not `durable`: for what
    can be made again, where a power failure may leave an empty file) and renamed; old ones that a kill left are
    removed. Half a surrogate pair becomes ``?``. Raises `TraceError`; `path` is then as it was.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
        _remove_left_over(path)
    except OSError as error:
        if part.is_file():
            part.unlink()
        raise TraceError(f"cannot write {path}: {error.strerror}; nothing that was there has changed") from error


def _remove_left_over(path: Path) -> None:
    """Remove what writers of `path` that were killed had begun; by age, as one may be at work on another machine."""
    oldest = time.time() - LEFT_OVER
    for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        with suppress(OSError):  # another writer removed it
            if part.stat().st_mtime < oldest:
                part.unlink()
