"""Find the element that an action names, and what has to be known of it before it is touched."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypedDict

import playwright.async_api as pw

from refute._errors import BrowserError
from refute.browser._deadline import Deadlines, within
from refute.browser._engine import Clicked, Engine, Facts, Interrupted, Probed
from refute.browser._observe import Observer
from refute.browser._outcome import Cause
from refute.browser._refused import LOOK_AGAIN, Refused
from refute.browser._tabs import Tabs

PROBE = 5.0
"""Seconds for a look at one element."""
AFTER_CLICK = 1.0
"""Seconds for a page to say whether a click arrived."""
CLICK_AGAIN = "Look at the current page and click it there, unless the page already did what you wanted."
_LOST = {
    "moved": "moved away as the mouse went down on it",
    "replaced": "was replaced by one like it as the mouse went down on it",
}
_PRESSED = {
    "heard": "answers to the mouse going down; a click did not follow",
    "vanished": "left the page as the mouse went down on it; a click did not follow",
    "overlaid": "was overlaid as the mouse went down on it; a click did not follow",
}
"""What `Clicked.fate` means: without a click nothing happened, or the press may have been enough."""


class Grip(TypedDict, total=False):
    """A point of an element, from the corner of its box, that is known to be its own."""

    position: pw.Position
    force: bool


@dataclass(frozen=True, kw_only=True)
class Target:
    """An element that is on the page now."""

    frame: pw.Frame
    locator: pw.Locator
    facts: Facts
    number: int
    patience: float
    """Milliseconds for it to become ready."""

    def __str__(self) -> str:
        what = self.facts.role or self.facts.tag
        return f"[{self.number}] {what}" + (f' "{self.facts.name}"' if self.facts.name else "")

    async def grip(self) -> Grip:
        """Where to take hold of it, for Playwright's calls; empty = in the middle, once it is ready."""
        if self.facts.grip is None:
            return {}
        # Playwright's box of a shape is larger on all sides, by its stroke, than the one that the page's scripts see
        box = await self.locator.bounding_box(timeout=self.patience)
        if box is None:
            return {}
        right, down = self.facts.grip
        # that the pointer reaches it there was tried; a line, whose box is flat, would count as hidden
        return {"position": {"x": box["width"] / 2 + right, "y": box["height"] / 2 + down}, "force": True}

    def refuse_disabled(self) -> None:
        """Raises `Refused` when it is disabled."""
        if self.facts.disabled:
            hint = "Something else may have to be filled in or chosen first."
            raise Refused(Cause.DISABLED, f"{self} is disabled", hint)


class Targets:
    """The elements of one session's pages, by the numbers that its observer gave out."""

    def __init__(self, engine: Engine, tabs: Tabs, observer: Observer, deadlines: Deadlines) -> None:
        self._engine = engine
        self._tabs = tabs
        self._observer = observer
        self._deadlines = deadlines
        self.last: Target | None = None
        """What the action under way works on; whoever begins an action clears it."""

    async def find(self, number: int, *, to_click: bool = False) -> Target:
        """The element, after a look at whether it is still there (waiting for a missing one costs all the patience).

        `to_click`: it is watched whether the next click reaches it (see `after_click`). Raises `Refused` with `missing`
        or `stale`: another element is never taken in its place.
        """
        frame = self._observer.frame_of(number)
        if frame is None and not self._observer.knows(number):
            raise Refused(Cause.MISSING, f"there is no element [{number}]", LOOK_AGAIN)
        if frame is None or frame.page is not self._tabs.active:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page in front", LOOK_AGAIN)
        facts = await self._probe(frame, number, watch=to_click)
        if facts is None:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page any more", LOOK_AGAIN)
        patience = self._deadlines.covered if facts.covered else self._deadlines.element
        locator = self._engine.locate(frame, number)
        self.last = Target(frame=frame, locator=locator, facts=facts, number=number, patience=1000 * patience)
        return self.last

    async def look_again(self, target: Target) -> Facts | None:
        """What is known of `target` now; None when it is gone."""
        return await self._probe(target.frame, target.number)

    def label_of(self, target: Target) -> pw.Locator:
        """The visible label of a control that is styled away."""
        return self._engine.locate(target.frame, target.number, "label")

    async def after_click(self, target: Target) -> str:
        """What to say of a click on `target` that did not go as usual; empty when it did, or when nobody knows.

        The page may have changed between the press and the release. A second click could do things twice, so there is
        none. Raises `Refused` when nothing was clicked.
        """
        try:
            clicked = await self._engine.ask(target.frame, Clicked, {"do": "clicked"}, seconds=AFTER_CLICK)
        except (Interrupted, BrowserError):
            return ""  # the page went elsewhere, or is busy with what the click began
        if clicked.fate == "elsewhere" and target.facts.grip is not None:  # Playwright looks where other clicks land
            raise Refused(
                Cause.LOST, f"something else lay over {target} as the mouse went down, and got it", LOOK_AGAIN
            )
        if clicked.fate in _LOST:
            raise Refused(Cause.LOST, f"{target} {_LOST[clicked.fate]}, and was not clicked", CLICK_AGAIN)
        return f"{target} {_PRESSED[clicked.fate]}" if clicked.fate in _PRESSED else ""

    async def _probe(self, frame: pw.Frame, number: int, *, watch: bool = False) -> Facts | None:
        command = {"do": "probe", "id": number, "watch": watch}
        return (await self._engine.ask(frame, Probed, command, seconds=PROBE)).facts

    async def carry_out(self, call: Awaitable[object], what: str) -> None:
        """Wait for a call on an element; what it leads to may take longer than the element had to become ready."""
        try:
            await within(self._deadlines.navigation, call, what=what)
        except pw.TimeoutError as error:
            if "waiting for scheduled navigations" not in error.message:
                raise  # otherwise it is done, and the page is on its way elsewhere: settling waits for that
