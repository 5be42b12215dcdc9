"""Where a module's tests work: a shop of their own, and a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator

from refute.arena.shop import Shop, ShopInstance
from refute.browser import BrowserHost


async def own_shop() -> AsyncIterator[ShopInstance]:
    """A shop that runs until the module's tests are done."""
    site = Shop()
    await site.setup()
    instance = await site.launch()
    yield instance
    await instance.close()


async def own_host() -> AsyncIterator[BrowserHost]:
    """A browser that runs as long."""
    async with BrowserHost(loopback_only=True) as host:
        yield host
