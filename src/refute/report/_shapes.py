"""The shapes of the plan's drawing, in the coordinates of its view box."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Text:
    """A label; `anchor` as in SVG."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    tone: str = ""
    full: str = ""
    step: int | None = None
    """The step that it leads to."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A bar with its label; `title` is shown on hover."""

    x: float
    y: float
    width: float
    tone: str
    title: str
    label: Text | None = None


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A dot or diamond, or (with `to`) a vertical line from `y` to `to`."""

    x: float
    y: float
    tone: str
    title: str
    to: float = 0.0
    diamond: bool = False
    step: int = 0
    """The step that it leads to."""


@dataclass(frozen=True, kw_only=True)
class Timeline:
    """All shapes, in the coordinates of the view box."""

    width: float
    height: float
    left: float
    right: float
    summary: str
    ticks: tuple[Text, ...]
    rules: tuple[float, ...]
    captions: tuple[Text, ...]
    bars: tuple[Bar, ...]
    revisions: tuple[Mark, ...]
    flags: tuple[Text, ...]
    curves: tuple[tuple[str, str], ...]
    """Tone and points of each score's line."""
    dots: tuple[Mark, ...]
    asked: tuple[Mark, ...]
    distance: str
    """SVG path of the oracle's distance; empty where the truth is not known."""
    truth: tuple[Bar, ...]
    """Planted mistakes, faults of the site, and when milestones came true."""
