"""Cost curves of the index: what is satisfied within a budget of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refute.metrics import Curve

WIDTH, HEIGHT = 560.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 12.0, 30.0


@dataclass(frozen=True, kw_only=True)
class Path:
    """One curve: an SVG path, and the number of its run, which picks the colour."""

    run: int
    d: str
    dashed: bool
    title: str


def x_of(cost: float, budget: float) -> float:
    """Where a cost lies, in the view box."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * min(cost, budget) / budget, 1)


def y_of(value: float) -> float:
    """Where a share in [0, 1] lies, in the view box."""
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value), 1)


def step_path(curve: Curve, budget: float) -> str:
    """The step function from 0 to `budget`, drawn with its jumps."""
    parts = [f"M{x_of(0, budget)} {y_of(0)}"]
    for cost, value in zip(curve.costs, curve.values, strict=True):
        if cost > budget:
            break
        parts.append(f"H{x_of(cost, budget)}V{y_of(value)}")
    parts.append(f"H{x_of(budget, budget)}")
    return "".join(parts)


def curve_paths(curves: Sequence[tuple[int, str, Curve, Curve]], budget: float) -> tuple[Path, ...]:
    """For each run its number, its name, CCS and CTS: two paths, the second dashed."""
    return tuple(
        Path(run=number, d=step_path(curve, budget), dashed=dashed, title=f"{name}: {what}")
        for number, name, ccs, cts in curves
        for curve, dashed, what in ((ccs, False, "constraints satisfied (CCS)"), (cts, True, "whole tasks (CTS)"))
    )
