"""A worker's copy of the site: its own while the run lasts, like new before each episode."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from refute._errors import SiteError
from refute.arena import Instance, Site


class Lease:
    """One instance at a time; one that died, or does not answer, is ended and another launched in its place."""

    def __init__(self, site: Site, instance: Instance) -> None:
        self._site = site
        self._instance: Instance | None = instance

    async def fresh(self) -> Instance:
        """An instance in its seeded state. Raises `SiteError` when neither a reset nor a launch succeeds."""
        if self._instance is not None:
            try:
                await self._instance.reset()
                return self._instance
            except SiteError:
                await self.close()
        self._instance = await self._site.launch()
        return self._instance

    async def close(self) -> None:
        """End the instance; may be called twice."""
        instance, self._instance = self._instance, None
        if instance is not None:
            await instance.close()


@asynccontextmanager
async def leases(site: Site, count: int) -> AsyncGenerator[list[Lease]]:
    """Launch `count` instances at once, and end what is left of them on exit. Raises the first error of a launch."""
    launched = await asyncio.gather(*(site.launch() for _ in range(count)), return_exceptions=True)
    held = [Lease(site, one) for one in launched if not isinstance(one, BaseException)]
    try:
        for one in launched:
            if isinstance(one, BaseException):
                raise one
        yield held
    finally:
        await asyncio.gather(*(lease.close() for lease in held))
