"""What all rows of the plan's drawing share: the axis of steps, and bars with their labels."""

from __future__ import annotations

from refute.report._shapes import Bar, Text
from refute.trace import Trace

LEFT, RIGHT = 216.0, 28.0
LETTER = 6.0
"""Mean width of a letter at the drawing's text size; generous, so that a label never runs out of its bar."""
_LABEL = 64 * LETTER
"""Room that a label takes at most; the whole text is in the bar's title and in the plan in words."""


class Lanes:
    """Rows from top to bottom over one axis of steps. `captions` and `rules` (heights of lines) gather on the way."""

    def __init__(self, trace: Trace, steps: int) -> None:
        self.trace, self.steps = trace, steps
        self.width = max(1120.0, LEFT + RIGHT + 9 * steps)
        self.end = self.width - RIGHT
        self.captions: list[Text] = []
        self.rules: list[float] = []

    def x(self, step: int) -> float:
        """Where a step lies."""
        return round(LEFT + (self.end - LEFT) * min(step, self.steps) / self.steps, 1)

    def bar(
        self, start: int, stop: int, y: float, tone: str, note: str, *, alone: bool = True, last: bool = True
    ) -> Bar:
        """A bar with its label inside, else to its right or left where no other bar of the row may be."""
        x, width = self.x(start), max(7.0, self.x(stop) - self.x(start))
        x = min(x, self.end - 7)
        rooms = [(width - 14, x + 8, "start")]
        if last:
            rooms.append((self.end - x - width - 8, x + width + 6, "start"))
        if alone:
            rooms.append((x - LEFT - 8, x - 6, "end"))
        short = clip(note, _LABEL)
        room, at, anchor = next((r for r in rooms if r[0] >= len(short) * LETTER), max(rooms))
        label = Text(x=at, y=y + 13, text=clip(short, room), anchor=anchor, tone=tone) if room > 24 else None
        return Bar(x=x, y=y, width=width, tone=tone, title=f"steps {start} to {stop}: {note}", label=label)


def reach(bar: Bar) -> tuple[float, float]:
    """The stretch that a bar takes with its label."""
    first, last, label = bar.x, bar.x + bar.width, bar.label
    if label is None:
        return first, last
    length = len(label.text) * LETTER
    return (min(first, label.x - length), last) if label.anchor == "end" else (first, max(last, label.x + length))


def clip(text: str, room: float) -> str:
    """As much of a label as there is room for."""
    letters = max(1, int(room / LETTER))
    return text if len(text) <= letters else f"{text[: letters - 1].rstrip()}…"
