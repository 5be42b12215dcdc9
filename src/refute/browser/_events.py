"""What happens in a session unasked, collected for the next observation."""

from __future__ import annotations

from collections.abc import Callable

from refute.browser._outcome import PageEvent, SavedFile

MOST = 20
LONGEST = 300


class Events:
    """What happened since the last observation; repetitions and floods are cut."""

    def __init__(self) -> None:
        self._events: list[PageEvent] = []
        self.shown: Callable[[str], str] = str
        """Takes out of a page's text what must not be shown."""

    def note(self, kind: str, text: str = "", *, file: SavedFile | None = None) -> None:
        """Report something to the next observation."""
        event = PageEvent(type=kind, text=self.shown(text)[:LONGEST], file=file)
        if len(self._events) < MOST and event not in self._events:
            self._events.append(event)

    def take(self) -> tuple[PageEvent, ...]:
        """What happened since the last time."""
        events, self._events = tuple(self._events), []
        return events
