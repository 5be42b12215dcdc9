"""Deadlines for calls on the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from refute._errors import BrowserTimeout

T = TypeVar("T")


async def within(seconds: float, call: Awaitable[T], *, what: str) -> T:
    """The result of `call`. Raises `BrowserTimeout` when there is none after `seconds`; `what` names the call."""
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError:
        raise BrowserTimeout(f"{what} did not answer within {seconds:g} s") from None
