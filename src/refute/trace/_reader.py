"""The reader: the events of one episode, in the order in which they happened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from refute._errors import TraceError
from refute.trace._event import Event, UnknownEvent, parse_event
from refute.trace._recorder import EVENTS

E = TypeVar("E", bound=Event)


class Trace(NamedTuple):
    """What an episode's folder holds."""

    folder: Path
    events: tuple[Event, ...]
    torn: bool
    """Whether the last line was cut off, as when a process was killed in the middle of a write."""

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """The events of one class, in order."""
        return tuple(event for event in self.events if isinstance(event, kind))

    @property
    def unknown(self) -> Mapping[str, int]:
        """How many events there are of each kind (``kind``, or ``kind v2`` for a newer version) that is unknown here.

        They are kept in `events` as `UnknownEvent`; a newer build, or the room that declares them, reads them.
        """
        return Counter(event.label for event in self.of(UnknownEvent))


def read_trace(folder: Path, *, file: str = EVENTS) -> Trace:
    """Read ``FOLDER/events.jsonl``, or `file` beside it.

    A torn last line is left out and reported in `Trace.torn`; a broken line anywhere else raises `TraceError` with its
    number, since it means that the file was edited or the disk is failing.
    """
    path = folder / file
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TraceError(f"cannot read {path}: {error.strerror}") from error
    lines = raw.split(b"\n")
    torn = lines[-1] != b""
    events: list[Event] = []
    for number, line in enumerate(lines[:-1], start=1):
        if not line:
            continue
        try:
            data: Any = json.loads(line)
            events.append(parse_event(data))
        except (ValueError, RecursionError, TraceError) as error:
            raise TraceError(f"{path}, line {number}: {error}") from error
    return Trace(folder, tuple(events), torn)
