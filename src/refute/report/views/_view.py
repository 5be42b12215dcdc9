"""A view: a question about runs, answered by tables and figures that are plain data. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from refute.metrics import Estimate
from refute.tables import EpisodeKey

Cell = str | int | float | Estimate | None
"""None = there is nothing to say, printed as a dash."""


class Form(StrEnum):
    """How the values of a column are written."""

    TEXT = "text"
    COUNT = "count"
    NUMBER = "number"
    PERCENT = "percent"
    """Values are shares in [0, 1], or differences of two in [-1, 1]."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of one kind of values."""

    name: str
    """The key in JSON and CSV."""
    head: str
    """What people read."""
    form: Form = Form.TEXT
    digits: int = 0
    signed: bool = False
    """Whether a plus is written: for differences."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a row can be looked at: an episode, and its step (None = its beginning)."""

    key: EpisodeKey
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table: rows with a cell for each column."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    """What is counted, and how; each a sentence without its full stop."""
    published: bool = False
    """Whether these are figures that a paper's authors report, and none of ours."""
    most: int | None = None
    """So many rows are shown to people; JSON and CSV hold all of them. None = all are shown."""
    places: tuple[Place, ...] = ()
    """For each row, where pages lead to; empty where rows are about no single episode."""

    def __post_init__(self) -> None:
        if self.places and len(self.places) != len(self.rows):
            raise ValueError(f"{self.name}: {len(self.places)} places for {len(self.rows)} rows")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.name}: a row of {len(row)} cells under {len(self.columns)} columns")


@dataclass(frozen=True, kw_only=True)
class Series:
    """One colour of a figure: points or bars, each with an interval where there is one."""

    name: str
    x: tuple[float, ...] = ()
    """Places; bars take the places of their categories and need none."""
    y: tuple[Estimate, ...] = ()
    dashed: bool = False
    tone: int | None = None
    """The number of its colour; None = the next one."""

    def __post_init__(self) -> None:
        if self.x and len(self.x) != len(self.y):
            raise ValueError(f"{self.name}: {len(self.x)} places for {len(self.y)} values")


class Shape(StrEnum):
    """What kind of drawing a figure is."""

    BARS = "bars"
    """Categories from left to right, series beside each other."""
    ROWS = "rows"
    """Categories from top to bottom, with the value written at each bar's end."""
    FOREST = "forest"
    """Categories from top to bottom, series below each other: differences with their intervals, and a line at zero."""
    STEPS = "steps"
    """Step functions, continuous from the right."""
    LINES = "lines"
    POINTS = "points"
    """One point a series, with its name beside it."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A drawing as data."""

    name: str
    title: str
    shape: Shape
    series: tuple[Series, ...]
    categories: tuple[str, ...] = ()
    x_label: str = ""
    y_label: str = ""
    percent: bool = True
    """Whether the values are shares in [0, 1] and drawn in per cent."""
    x_limit: float | None = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the figures of a view rest on: printed with every table and in every figure."""

    simulated: bool
    episodes: int
    counted: int
    tasks: int
    seeds: tuple[int, ...]
    errors: int = 0
    unfinished: int = 0
    unjudged: int = 0

    @property
    def line(self) -> str:
        """One line for captions and figures."""
        seeds = ", ".join(str(s) for s in self.seeds)
        left = {"harness error": self.errors, "unfinished": self.unfinished, "not judged": self.unjudged}
        parts = (
            "simulated model" if self.simulated else "",
            f"seed{'s' if len(self.seeds) > 1 else ''} {seeds}" if seeds else "",
            f"{self.counted} episodes of {self.tasks} tasks",
            *(f"left out: {number} {why}" for why, number in left.items() if number),
            "95 % intervals by bootstrap over tasks",
        )
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class View:
    """Tables and figures that answer one question."""

    name: str
    title: str
    facts: Facts
    sheets: tuple[Sheet, ...]
    figures: tuple[Figure, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    """What these runs cannot show, and what would."""
