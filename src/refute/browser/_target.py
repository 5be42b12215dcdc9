"""Find the element that an action names, and what has to be known of it before it is touched."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

import playwright.async_api as pw

from refute.browser._deadline import Deadlines, within
from refute.browser._engine import Engine, Facts, Probed
from refute.browser._observe import Observer
from refute.browser._outcome import Cause
from refute.browser._refused import LOOK_AGAIN, Refused
from refute.browser._tabs import Tabs

PROBE = 5.0
"""Seconds for a look at one element."""


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

    async def find(self, number: int) -> Target:
        """The element, after a look at whether it is still there (waiting for a missing one costs all the patience).

        Raises `Refused` with `missing` or `stale`: another element is never taken in its place.
        """
        frame = self._observer.frame_of(number)
        if frame is None and not self._observer.knows(number):
            raise Refused(Cause.MISSING, f"there is no element [{number}]", LOOK_AGAIN)
        if frame is None or frame.page is not self._tabs.active:
            raise Refused(Cause.STALE, f"element [{number}] is not on the page in front", LOOK_AGAIN)
        facts = await self._probe(frame, number)
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

    async def _probe(self, frame: pw.Frame, number: int) -> Facts | None:
        return (await self._engine.ask(frame, Probed, {"do": "probe", "id": number}, seconds=PROBE)).facts

    async def carry_out(self, call: Awaitable[object], what: str) -> None:
        """Wait for a call on an element; what it leads to may take longer than the element had to become ready."""
        try:
            await within(self._deadlines.navigation, call, what=what)
        except pw.TimeoutError as error:
            if "waiting for scheduled navigations" not in error.message:
                raise  # otherwise it is done, and the page is on its way elsewhere: settling waits for that
