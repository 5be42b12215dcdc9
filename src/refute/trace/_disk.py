"""Files that are whole or absent, whatever happens while they are written."""

from __future__ import annotations

import os
from pathlib import Path

from refute._errors import TraceError


def write_whole(path: Path, text: str, *, durable: bool = True) -> None:
    """Write `text` to `path` so that a kill or a full disk leaves the old content or the new one, never a part.

    A file beside it, one for each process that writes, is written, flushed to the disk (unless not `durable`: for what
    can be made again, where a power failure may leave an empty file) and renamed. Half a surrogate pair becomes ``?``.
    Raises `TraceError`; `path` is then as it was.
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
    except OSError as error:
        if part.is_file():
            part.unlink()
        raise TraceError(f"cannot write {path}: {error.strerror}; nothing that was there has changed") from error
