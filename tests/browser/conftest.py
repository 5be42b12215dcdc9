"""Real Chromium, and small pages served over loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from refute.browser import BrowserHost, Session

from .site import Site


@pytest.fixture(scope="session")
def server() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def site(server: Site) -> Site:
    server.clear()
    return server


@pytest.fixture(scope="session")
async def host() -> AsyncIterator[BrowserHost]:
    async with BrowserHost(loopback_only=True) as running:
        yield running


@pytest.fixture
async def session(host: BrowserHost) -> AsyncIterator[Session]:
    async with await host.session() as opened:
        yield opened
