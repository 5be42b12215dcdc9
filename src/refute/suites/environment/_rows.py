"""What was measured, side by side: times, their medians, and what they were to be."""

from __future__ import annotations

import statistics
from typing import Literal

from pydantic import BaseModel, ConfigDict

Call = Literal["reset", "step", "observation"]


class Unfinished(BaseModel):
    """A call that was under way for so many milliseconds when the pass was stopped, or gave up by itself."""

    model_config = ConfigDict(frozen=True)

    call: Call
    ms: float


class Times(BaseModel):
    """What one side took, in milliseconds, in order; observations only for the row that does not act.

    `unfinished`: None = the pass came to its end, or was stopped between two calls.
    """

    model_config = ConfigDict(frozen=True)

    resets: tuple[float, ...] = ()
    steps: tuple[float, ...] = ()
    observations: tuple[float, ...] = ()
    unfinished: Unfinished | None = None


class Memory(BaseModel):
    """Proportional set size of Chromium's processes, in MB per episode."""

    model_config = ConfigDict(frozen=True)

    one_browser: float
    four_browsers: float

    @property
    def share(self) -> float:
        """What an episode in a shared browser needs of what one with a browser of its own needs."""
        return self.one_browser / self.four_browsers


class Row(BaseModel):
    """One comparison; times are medians in milliseconds, ratios theirs by ours.

    `floor` and `stretch` are the targets for `ratio`, `floor_no_delay` and `stretch_no_delay` for `ratio_no_delay`.
    `timed_out`: BrowserGym did not finish once what it had begun; its time, and the ratio, are the least that it would
    have taken. Without both, it never came to it.
    """

    model_config = ConfigDict(frozen=True)

    what: str
    refute: float
    browsergym: float | None
    browsergym_no_delay: float | None = None
    ratio: float | None
    ratio_no_delay: float | None = None
    floor: float | None = None
    stretch: float | None = None
    floor_no_delay: float | None = None
    stretch_no_delay: float | None = None
    repeats: int
    repeats_browsergym: int
    timed_out: bool = False

    def text(self) -> str:
        """A line of the table in Markdown."""
        least = "≥ " if self.timed_out else ""
        target = f"{self.floor:g}x / {self.stretch:g}x" if self.floor and self.stretch else "-"
        bare = f"{self.browsergym_no_delay:g}" if self.browsergym_no_delay is not None else "-"
        ratio = f"{self.ratio_no_delay:.1f}x" if self.ratio_no_delay is not None else "-"
        default = f"{least}{self.browsergym:g}" if self.browsergym is not None else "-"
        times = f"{least}{self.ratio:.1f}x" if self.ratio is not None else "-"
        theirs = f"{default} | {bare} | {times} | {ratio}"
        return f"| {self.what} | {self.refute:g} | {theirs} | {target} | {self.repeats} / {self.repeats_browsergym} |"


class EnvironmentTable(BaseModel):
    """What `refute bench environment --json` prints; while it is being measured, what there is of it."""

    model_config = ConfigDict(frozen=True)

    machine: str
    load: tuple[float, float]
    """The machine's load (one minute) before and after the run; with others at work, only ratios mean something."""
    python: str
    browser: str
    browsergym: str
    rows: tuple[Row, ...]
    memory: Memory | None = None
    memory_share: float | None = None
    """Memory of an episode in a shared browser by one with its own; the target is at most 0.6."""
    complete: bool = False
    """Whether all that was asked for has been measured."""

    def text(self) -> str:
        """A table in Markdown."""
        lines = [
            "| what | refute, ms | BrowserGym, ms | delay 0, ms | ratio | to delay 0 | floor / stretch | repeats |",
            "|---|---|---|---|---|---|---|---|",
            *(row.text() for row in self.rows),
        ]
        if self.memory is not None and self.memory_share is not None:
            lines.append(
                f"\nMemory an episode, four in one browser: {self.memory.one_browser:g} MB; in four browsers: "
                f"{self.memory.four_browsers:g} MB; share {self.memory_share:.2f} (target 0.6)"
            )
        lines.append(f"{self.machine}; load {self.load[0]:g} to {self.load[1]:g}; {self.browser}; {self.browsergym}")
        return "\n".join(lines)


_Targets = tuple[float | None, float | None, float | None, float | None]
_STEPS: dict[str, _Targets] = {
    "miniwob": (7.0, 10.0, 3.0, 5.0),
    "items": (10.0, 20.0, 3.0, 5.0),
    "text": (10.0, 20.0, 3.0, 5.0),
}
_RESET: _Targets = (4.5, 8.0, None, None)
_LARGE: _Targets = (100.0, 100.0, None, None)
_NONE: _Targets = (None, None, None, None)


def compare(name: str, ours: Times, theirs: Times, bare: Times | None = None) -> list[Row]:
    """The rows that the page `name` gives: a step and, on MiniWoB++, the reset, or an observation of the large page.

    `bare`: theirs without its delay.
    """
    none = Times()
    bare = bare or none
    if name == "large":
        times = ours.observations, theirs.observations, bare.observations
        return [_row("observe 30,000 elements", times, _LARGE, _least(theirs, "observation"))]
    times = ours.steps, theirs.steps, bare.steps
    rows = [_row(f"click, observe, screenshot: {name}", times, _STEPS.get(name, _NONE), _least(theirs, "step"))]
    if name == "miniwob":
        rows.append(_row("reset: miniwob", (ours.resets, theirs.resets, bare.resets), _RESET, _least(theirs, "reset")))
    return rows


def _least(theirs: Times, call: Call) -> float | None:
    """The least that such a call of theirs takes, when none came to its end; None = none was begun."""
    return theirs.unfinished.ms if theirs.unfinished is not None and theirs.unfinished.call == call else None


def _row(
    what: str,
    times: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]],
    targets: _Targets,
    least: float | None,
) -> Row:
    mine, other, plain = (round(statistics.median(values), 1) if values else None for values in times)
    timed_out = other is None and least is not None
    if other is None and least is not None:
        other = round(least, 1)
    if mine is None:
        raise ValueError(f"{what}: nothing was measured")
    return Row(
        what=what,
        refute=mine,
        browsergym=other,
        browsergym_no_delay=plain,
        ratio=round(other / mine, 2) if other is not None else None,
        ratio_no_delay=round(plain / mine, 2) if plain is not None else None,
        floor=targets[0],
        stretch=targets[1],
        floor_no_delay=targets[2],
        stretch_no_delay=targets[3],
        repeats=len(times[0]),
        repeats_browsergym=len(times[1]),
        timed_out=timed_out,
    )
