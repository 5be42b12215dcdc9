"""Deadlines for calls on the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from refute._errors import BrowserTimeout

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Deadlines:
    """How long a session waits for what, in seconds. All of it is bounded: no page can hold up an episode for ever."""

    element: float = 3.0
    """For an element to become ready to be acted on."""
    covered: float = 1.0
    """The same for one that something lies over: an animation may be about to end, nothing more."""
    navigation: float = 15.0
    """For the document of another address."""
    action: float = 30.0
    """For a whole action, before the page settles."""
    look: float = 15.0
    """For an observation; a page that does not answer by then counts as hung."""
    rest: float = 1.5
    """For one document to come to rest after an action."""
    rest_in_all: float = 15.0
    """For the same, the navigations in between included."""
    download: float = 60.0
    """For a whole download, which goes on while the agent does."""


async def within(seconds: float, call: Awaitable[T], *, what: str) -> T:
    """The result of `call`. Raises `BrowserTimeout` when there is none after `seconds`; `what` names the call."""
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TimeoutError:
        raise BrowserTimeout(f"{what} did not answer within {seconds:g} s") from None
