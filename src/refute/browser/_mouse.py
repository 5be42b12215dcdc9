"""Actions of the mouse that need places: dragging, and points of the window for pages without elements."""

from __future__ import annotations

from collections.abc import Sequence

import playwright.async_api as pw

from refute.browser._action import ClickAt, Drag, DragAt, DragBy, HoverAt
from refute.browser._outcome import Cause
from refute.browser._refused import Refused
from refute.browser._tabs import Tabs
from refute.browser._target import Target, Targets

STEPS = 8
"""Moves per stretch of a drag: widgets and native drag and drop want to see several."""
Point = tuple[float, float]


class Mouse:
    """The mouse of one session's active tab."""

    def __init__(self, tabs: Tabs, targets: Targets) -> None:
        self._tabs = tabs
        self._targets = targets
        self._held: pw.Page | None = None
        """The tab whose button is down: a drag was given up between pressing it and letting go."""

    async def release(self) -> None:
        """Let go of what a drag that was given up still holds."""
        page, self._held = self._held, None
        if page is not None and page is self._tabs.active:
            await self._targets.carry_out(page.mouse.up(), "letting go of the mouse")

    async def drag(self, action: Drag) -> str:
        """Drag an element and drop it on another."""
        source = await self._targets.find(action.target)
        goal = await self._targets.find(action.to)
        await goal.locator.scroll_into_view_if_needed(timeout=goal.patience)
        start = await self._hold(source)
        end = await _middle(goal)
        if not self._in_window(end):
            hint = "Scroll so that both are in view, or drag by pixels."
            raise Refused(Cause.HIDDEN, f"{goal} is not in view together with {source}", hint)
        await self._targets.carry_out(self._along([start, end]), f"dragging {source}")
        return ""

    async def drag_by(self, action: DragBy) -> str:
        """Drag an element by some pixels."""
        source = await self._targets.find(action.target)
        x, y = await self._hold(source)
        end = (x + action.right, y + action.down)
        await self._targets.carry_out(self._along([(x, y), end]), f"dragging {source}")
        return "" if self._in_window(end) else "that led out of the window"

    async def click_at(self, action: ClickAt) -> str:
        """Click a point."""
        self._refuse_outside([(action.x, action.y)])
        await self._targets.carry_out(self._tabs.active.mouse.click(action.x, action.y), "clicking a point")
        return ""

    async def hover_at(self, action: HoverAt) -> str:
        """Move the mouse to a point."""
        self._refuse_outside([(action.x, action.y)])
        await self._targets.carry_out(self._tabs.active.mouse.move(action.x, action.y), "moving to a point")
        return ""

    async def drag_at(self, action: DragAt) -> str:
        """Drag from the first point over the others to the last."""
        self._refuse_outside(action.points)
        await self._targets.carry_out(self._along(action.points), "dragging over points")
        return ""

    async def _hold(self, source: Target) -> Point:
        """Where to take hold of an element, once it is in view, at rest and not covered."""
        source.refuse_disabled()
        await source.locator.hover(timeout=source.patience, **await source.grip())
        return await _middle(source)

    async def _along(self, points: Sequence[Point]) -> None:
        page = self._tabs.active
        mouse = page.mouse
        await mouse.move(*points[0])
        self._held = page
        await mouse.down()
        for point in points[1:]:
            await mouse.move(*point, steps=STEPS)
        await mouse.up()
        self._held = None

    def _window(self) -> tuple[int, int]:
        size = self._tabs.active.viewport_size
        return (size["width"], size["height"]) if size is not None else (0, 0)

    def _in_window(self, point: Point) -> bool:
        width, height = self._window()
        return 0 <= point[0] < width and 0 <= point[1] < height

    def _refuse_outside(self, points: Sequence[Point]) -> None:
        outside = [point for point in points if not self._in_window(point)]
        if outside:
            x, y = outside[0]
            width, height = self._window()
            raise Refused(Cause.INVALID, f"({x}, {y}) is outside of the window, which is {width} x {height} pixels")


async def _middle(target: Target) -> Point:
    box: pw.FloatRect | None = await target.locator.bounding_box(timeout=target.patience)
    if box is None:
        raise Refused(Cause.HIDDEN, f"{target} has no place on the page")
    right, down = target.facts.grip or (0.0, 0.0)
    return box["x"] + box["width"] / 2 + right, box["y"] + box["height"] / 2 + down
