"""Clocks: what time an episode thinks it is."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    async def wait(self, seconds: float) -> None:
        """Let `seconds` (>= 0) go by."""
        ...

    def skip(self, seconds: float) -> None:
        """Move on by `seconds` (>= 0) that need no waiting, such as those that a kept reply took back then."""
        ...


class RealClock:
    """The wall clock as it stood when the episode began, moved on by a clock that nobody sets.

    So a machine whose time is corrected in between has no negative durations, and no budget that is suddenly used up.
    Seconds that are skipped put it ahead of the wall.
    """

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def now(self) -> float:
        """Seconds since the epoch; never goes back."""
        return time.monotonic() + self._ahead

    async def wait(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)

    def skip(self, seconds: float) -> None:
        """Count `seconds` without sleeping."""
        self._ahead += seconds


class VirtualClock(RealClock):
    """The real clock plus waits that were only counted: a simulated model's latency costs no real time."""

    async def wait(self, seconds: float) -> None:
        """Count `seconds` without sleeping."""
        self.skip(seconds)
