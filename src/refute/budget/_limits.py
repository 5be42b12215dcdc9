"""Limits of an episode, and what has been spent against them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """What an episode may spend. `None` = no limit."""

    model_config = ConfigDict(frozen=True)

    steps: int = Field(default=100, ge=1, description="actions (decision 13: 100 on dynamic suites)")
    tokens: int | None = Field(default=None, ge=1, description="prompt and completion tokens together")
    seconds: float | None = Field(default=None, gt=0, description="seconds by the episode's clock")


class Spent(BaseModel):
    """What has been spent so far."""

    model_config = ConfigDict(frozen=True)

    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0


class Budget:
    """Limits and their running total; one per episode."""

    def __init__(self, limits: Limits, *, started: float) -> None:
        self.limits = limits
        self._started = started
        self._steps = 0
        self._tokens = 0

    def step(self) -> None:
        """Count one action."""
        self._steps += 1

    def tokens(self, count: int) -> None:
        """Count `count` (>= 0) tokens."""
        self._tokens += count

    def spent(self, now: float) -> Spent:
        """The running total at the time `now`."""
        return Spent(steps=self._steps, tokens=self._tokens, seconds=max(0.0, now - self._started))

    def exhausted(self, now: float) -> str | None:
        """The name of the first limit that is used up (`steps`, `tokens`, `seconds`), or None."""
        spent = self.spent(now)
        if spent.steps >= self.limits.steps:
            return "steps"
        if self.limits.tokens is not None and spent.tokens >= self.limits.tokens:
            return "tokens"
        if self.limits.seconds is not None and spent.seconds >= self.limits.seconds:
            return "seconds"
        return None
