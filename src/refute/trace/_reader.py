"""The reader: the events of one episode, in the order in which they happened."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

from refute._errors import TraceError
from refute.trace._event import Event, UnknownEvent, parse_line
from refute.trace._recorder import EVENTS

E = TypeVar("E", bound=Event)


@dataclass(frozen=True)
class Trace:
    """What an episode's folder holds."""

    folder: Path
    events: tuple[Event, ...]
    torn: bool
    """Whether the last line was cut off, as when a process was killed in the middle of a write."""

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """The events of one class and of those made from it, in order."""
        classes = [each for each in self._by_class if issubclass(each, kind)]
        if len(classes) == 1:
            return cast(tuple[E, ...], self._by_class[classes[0]])
        return tuple(event for event in self.events if isinstance(event, kind)) if classes else ()

    @property
    def unknown(self) -> Mapping[str, int]:
        """How many events there are of each kind (``kind``, or ``kind v2`` for a newer version) that is unknown here.

        They are kept in `events` as `UnknownEvent`; a newer build, or the room that declares them, reads them.
        """
        return Counter(event.label for event in self.of(UnknownEvent))

    @cached_property
    def _by_class(self) -> Mapping[type[Event], tuple[Event, ...]]:
        """Tables ask for two dozen classes: looking through all events for each would be most of their time."""
        found: defaultdict[type[Event], list[Event]] = defaultdict(list)
        for event in self.events:
            found[type(event)].append(event)
        return {kind: tuple(events) for kind, events in found.items()}


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
            events.append(parse_line(line))
        except (ValueError, RecursionError, TraceError) as error:
            raise TraceError(f"{path}, line {number}: {error}") from error
    return Trace(folder, tuple(events), torn)
