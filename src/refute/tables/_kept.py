"""The rows of an episode, kept beside its trace, so that only the first report reads the whole trace.

Reading 10,000 traces takes long, and most of them never change again. What is kept is used only if the trace has the
same length and the same time of change, and the program the same sources; else the trace is read. It may be deleted at
any time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from refute._errors import TraceError
from refute.tables._keys import EpisodeKey
from refute.tables._tables import Tables
from refute.trace import write_whole

KEPT = "tables.json"
"""The file beside the trace."""
_SOURCES = (".py", ".html", ".css", ".js")


@dataclass(frozen=True, kw_only=True)
class Stamp:
    """What the rows of a trace depend on."""

    program: str
    """Hash over the sources of this package."""
    size: int
    """Of the trace, in bytes."""
    changed: int
    """When the trace was last written, in nanoseconds."""


@dataclass(frozen=True, kw_only=True)
class _Kept:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(ser_json_inf_nan="constants")
    """Infinities are kept as what they are: as ``null`` they would be read as something else, or not at all."""
    stamp: Stamp
    rows: Tables


_FORM: TypeAdapter[_Kept] = TypeAdapter(_Kept)


def stamp(trace: Path) -> Stamp | None:
    """The stamp of the file `trace` as it is now; None when it cannot be looked at."""
    try:
        found = trace.stat()
    except OSError:
        return None
    return Stamp(program=program(), size=found.st_size, changed=found.st_mtime_ns)


def kept_rows(folder: Path, key: EpisodeKey, now: Stamp, *, out: Path) -> Tables | None:
    """The rows that were kept in `folder` under the stamp `now`; None when there are none, or none that can be used."""
    try:
        found = _FORM.validate_json((folder / KEPT).read_bytes())
    except (OSError, ValidationError):
        return None
    if found.stamp != now or len(found.rows.episodes) != 1:
        return None
    rows = replace(found.rows, out=out, episodes=(replace(found.rows.episodes[0], folder=folder),))
    return rows if rows.episodes[0].key == key else rows.keyed(key)


def keep_rows(folder: Path, rows: Tables, made_from: Stamp) -> None:
    """Keep `rows`. Where that is not possible, as on a disk that cannot be written, the next report reads the trace.

    Nothing is kept of a trace with unknown events: a program that imports another room may know them.
    """
    if any(episode.unknown for episode in rows.episodes):
        return
    nowhere = Path()  # it may be read from another folder, or on another machine
    episodes: Any = tuple(replace(episode, folder=nowhere) for episode in rows.episodes)
    try:
        text = _FORM.dump_json(_Kept(stamp=made_from, rows=replace(rows, out=nowhere, episodes=episodes))).decode()
        write_whole(folder / KEPT, text, durable=False)
    except (PydanticSerializationError, TraceError):
        return


@cache
def program() -> str:
    """Hash over the sources of this package: any change of it, by a new version or by hand, makes all rows anew, and
    all pages that a report left as they were."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in _SOURCES:
            found.update(f"{path.relative_to(root).as_posix()} ".encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:32]
