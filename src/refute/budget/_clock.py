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


class RealClock:
    """The wall clock."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    async def wait(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)


class VirtualClock:
    """The wall clock plus waits that were only counted: a simulated model's latency costs no real time."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds since the epoch, counted waits included."""
        return time.time() + self._ahead

    async def wait(self, seconds: float) -> None:
        """Count `seconds` without sleeping."""
        self._ahead += seconds
