"""The demo's folder, written once, and one Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import which

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from .stories import write_demo


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tests only read it, or copy it."""
    return write_demo(tmp_path_factory.mktemp("out"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    path = which("chromium") or which("google-chrome")  # Without one, Playwright's own.
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()
