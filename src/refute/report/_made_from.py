"""What pages are made from, so that those that would be the same again are left as they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from refute.judge import JUDGES
from refute.tables import Stamp, stamp
from refute.trace import EVENTS, episode_folders

DOCTYPE = "<!doctype html>\n"
"""How every page begins."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The files of the episodes below a folder, as they were when they were looked at."""

    traces: Mapping[Path, Stamp | None]
    """By the episode's folder."""
    judged: Mapping[Path, Stamp | None]
    """Every file of a judge."""

    @classmethod
    def of(cls, out: Path) -> Sources:
        """As they are now. To be looked at before rows are read: what is written later is then known to be newer."""
        folders = episode_folders(out)
        judged = (file for folder in folders for file in sorted((folder / JUDGES).glob("*")))
        return cls(
            traces={folder: stamp(folder / EVENTS) for folder in folders},
            judged={file: stamp(file) for file in judged},
        )

    def mark(self, out: Path, *known: object) -> str:
        """The mark of a page that is made from all of them and from what is `known`."""
        files = [
            (path.relative_to(out).as_posix(), found) for path, found in (*self.traces.items(), *self.judged.items())
        ]
        return mark(files, *known)


def mark(*known: object) -> str:
    """How a page begins that is made from just what is `known`: the values behind it, with stamps of files."""
    return f"{DOCTYPE}<!-- {hashlib.sha256(repr(known).encode('utf-8', 'replace')).hexdigest()} -->\n"


def begins_with(path: Path, start: str) -> bool:
    """Whether the file at `path` does."""
    try:
        with path.open("rb") as file:
            return file.read(len(start)) == start.encode()
    except OSError:
        return False
