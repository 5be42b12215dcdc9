"""Calls on Chromium that Playwright has no method for."""

from __future__ import annotations

from typing import Any

import playwright.async_api as pw

from refute.browser._deadline import within


async def devtools(page: pw.Page, method: str, *, seconds: float = 10.0, **parameters: object) -> dict[str, Any]:
    """The reply to a command of the DevTools protocol. Raises `BrowserTimeout` and Playwright's errors."""

    async def call() -> dict[str, Any]:
        session: Any = await page.context.new_cdp_session(page)  # its replies are untyped
        try:
            return await session.send(method, parameters)
        finally:
            await session.detach()

    return await within(seconds, call(), what=method)
