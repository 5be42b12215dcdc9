"""Bring the walker into documents before it is needed there.

The first call in a document costs more than all that follow: Playwright's own script and the walker are compiled in its
isolated world. Asked for as soon as a document arrives, most of that happens while the document still waits for its
style sheets and scripts; and in all frames at once instead of one after the other.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import playwright.async_api as pw

from refute._errors import BrowserError
from refute.browser._engine import Canary, Engine, Interrupted

MOST_FRAMES = 8
"""Frames in a page that are not waited for by the one before; what a page full of advertisements holds is not seen."""
PATIENCE = 5.0


class Ahead:
    """Follows the tabs of one session, and calls the walker in each document that arrives."""

    def __init__(self, engine: Engine, context: pw.BrowserContext) -> None:
        self._engine = engine
        self._calls: set[asyncio.Task[None]] = set()
        for page in context.pages:
            self._follow(page)
        context.on("page", self._follow)

    @property
    def pending(self) -> int:
        """Number of documents that the walker is on its way into."""
        return len(self._calls)

    def _follow(self, page: pw.Page) -> None:
        page.on("framenavigated", self._arrived)

    def _arrived(self, frame: pw.Frame) -> None:
        if self._engine.by_attribute:
            return  # answers on that channel must not overlap
        if not frame.url or frame.url.startswith("about:"):
            return  # nothing is waited for in there
        if frame.parent_frame is not None and self.pending >= MOST_FRAMES:
            return
        call = asyncio.get_running_loop().create_task(self._enter(frame))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _enter(self, frame: pw.Frame) -> None:
        with suppress(BrowserError, Interrupted):  # whoever needs the document is told by a call of their own
            await self._engine.ask(frame, Canary, {"do": "canary"}, seconds=PATIENCE)

    async def done(self) -> None:
        """Wait until the walker is in all documents that have arrived, or was given up on."""
        await asyncio.gather(*self._calls)

    async def close(self) -> None:
        """Give up what is under way."""
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
