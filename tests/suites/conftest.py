"""The pages of MiniWoB++ and BrowserGym's environment, made once in the cache and used again."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from refute.browser import BrowserHost
from refute.suites import Suite, open_suite, prepare_suite


@pytest.fixture(scope="session")
async def miniwob() -> Suite:
    await prepare_suite("miniwob")
    return open_suite("miniwob")


@pytest.fixture(scope="session")
async def browsergym() -> Suite:
    await prepare_suite("browsergym:miniwob")
    return open_suite("browsergym:miniwob")


@pytest.fixture(scope="session")
async def host() -> AsyncIterator[BrowserHost]:
    async with BrowserHost(loopback_only=True) as running:
        yield running
