"""A worker's place for episodes: its own while the run lasts, like new before each of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from refute._errors import SiteError
from refute.browser import BrowserHost
from refute.goals import Task
from refute.suites import Place, Start, Suite
from refute.trace import Recorder


class Lease:
    """One place at a time; one that died, or does not answer, is ended and another launched where it was."""

    def __init__(self, suite: Suite, place: Place) -> None:
        self._suite = suite
        self._place: Place | None = place

    @property
    def origin(self) -> str:
        """The place's address; empty where there is none."""
        return self._place.origin if self._place is not None else ""

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """A fresh start of `task`. Raises `SiteError` when neither this place nor another begins, `BrowserError`."""
        if self._place is not None:
            try:
                return await self._place.start(host, task, recorder)
            except SiteError:
                await self.close()
        self._place = await self._suite.launch()
        return await self._place.start(host, task, recorder)

    async def check(self) -> None:
        """Raises `SiteError` when the place is gone."""
        if self._place is not None:
            await self._place.check()

    async def close(self) -> None:
        """End the place; may be called twice."""
        place, self._place = self._place, None
        if place is not None:
            await place.close()


@asynccontextmanager
async def leases(suite: Suite, count: int) -> AsyncGenerator[list[Lease]]:
    """Launch `count` places at once, and end what is left of them on exit. Raises the first error of a launch."""
    launched = await asyncio.gather(*(suite.launch() for _ in range(count)), return_exceptions=True)
    held = [Lease(suite, one) for one in launched if not isinstance(one, BaseException)]
    try:
        for one in launched:
            if isinstance(one, BaseException):
                raise one
        yield held
    finally:
        await asyncio.gather(*(lease.close() for lease in held))
