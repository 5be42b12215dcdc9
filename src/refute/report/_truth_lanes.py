"""The rows of the plan's drawing that tell the truth, which no agent saw: what was left, mistakes, faults."""

from __future__ import annotations

from collections.abc import Sequence

from refute.goals import TruthStep
from refute.report._lanes import LEFT, Lanes, reach
from refute.report._shapes import Bar, Text
from refute.tables import FaultRow, MistakeRow

LEFTOVER = 34.0


def distance_path(lanes: Lanes, y: float) -> tuple[str, float]:
    """A falling line: how many of the oracle's procedures were really left, as an SVG path."""
    known = [(t.step, t.distance) for t in lanes.trace.of(TruthStep) if t.distance is not None]
    most = max((distance for _, distance in known), default=0)
    if not most:
        return "", y
    lanes.captions += [
        Text(x=0, y=y + 20, text="truth: still to do", tone="q"),
        Text(x=LEFT - 6, y=y + 12, text=str(most), anchor="end", tone="q"),
        Text(x=LEFT - 6, y=y + LEFTOVER, text="0", anchor="end", tone="q"),
    ]
    parts: list[str] = []
    for step, distance in known:
        at = round(y + 8 + (LEFTOVER - 10) * (1 - distance / most), 1)
        parts.append(f"H{lanes.x(step)}V{at}" if parts else f"M{lanes.x(step)} {at}")
    return "".join(parts), y + LEFTOVER + 8


def mistake_bars(lanes: Lanes, rows: Sequence[MistakeRow], y: float) -> tuple[tuple[Bar, ...], float]:
    """Hatched bars of what the simulated model did wrong."""
    spans = [
        (
            m.started,
            m.ended,
            m.mistake.replace("_", " ") + (f", noticed at {m.noticed}" if m.noticed is not None else ", unnoticed"),
        )
        for m in rows
        if m.how != "retried"  # Over before any page changed: nothing to see on a time line.
    ]
    return _spans(lanes, spans, y, "mistake", "truth: planted mistakes")


def fault_bars(lanes: Lanes, rows: Sequence[FaultRow], y: float) -> tuple[tuple[Bar, ...], float]:
    """Hatched bars of what the site served on purpose."""
    spans = [(f.started, f.ended, f.fault.replace("_", " ")) for f in rows]
    return _spans(lanes, spans, y, "fault", "truth: faults of the site")


def _spans(
    lanes: Lanes, spans: Sequence[tuple[int, int | None, str]], y: float, tone: str, caption: str
) -> tuple[tuple[Bar, ...], float]:
    """Bars from a step to another (or the end), with a note each, on as many rows as they need."""
    bars: list[Bar] = []
    rows: list[float] = []
    for started, ended, note in spans:
        stop = ended if ended is not None else lanes.steps
        first, last = reach(lanes.bar(started, stop, 0, tone, note))
        row = next((n for n, used in enumerate(rows) if used < first), len(rows))
        rows[row : row + 1] = [last + 8]
        bars.append(lanes.bar(started, stop, y + 4 + row * 22, tone, note))
    if bars:
        lanes.captions.append(Text(x=0, y=y + 17, text=caption, tone="q"))
        y += 22 * len(rows) + 6
    return tuple(bars), y


def _reached(lanes: Lanes) -> dict[int, int]:
    first: dict[int, int] = {}
    for event in lanes.trace.of(TruthStep):
        for number, holds in event.milestones.items():
            if holds:
                first.setdefault(number, event.step)
    return first


def milestones(lanes: Lanes, y: float) -> tuple[tuple[Bar, ...], float]:
    """When the milestones really came true."""
    reached = _reached(lanes)
    if reached:
        lanes.captions.append(Text(x=0, y=y + 15, text="truth: milestone reached", tone="q"))
    bars = tuple(
        Bar(
            x=min(lanes.x(step) - 3, lanes.end - 6),
            y=y + 6,
            width=6,
            tone="milestone",
            title=f"milestone {number} really holds from step {step} on",
            label=Text(x=lanes.x(step) + 7, y=y + 15, text=str(number), tone="q"),
        )
        for number, step in reached.items()
    )
    return bars, y + (20 if reached else 0)
