"""Limits of an episode, and what has been spent against them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """What an episode may spend. `None` = no limit."""

    model_config = ConfigDict(frozen=True)

    steps: int = Field(default=100, ge=1, description="actions (decision 13: 100 on dynamic suites)")
    requests: int | None = Field(default=None, ge=1, description="answered requests to the model")
    tokens: int | None = Field(default=None, ge=1, description="prompt and completion tokens together")
    cost: float | None = Field(default=None, gt=0, description="US dollars")
    seconds: float | None = Field(default=None, gt=0, description="seconds by the episode's clock")


class Spent(BaseModel):
    """What has been spent so far."""

    model_config = ConfigDict(frozen=True)

    steps: int = 0
    requests: int = 0
    tokens: int = 0
    dollars: float | None = Field(default=None, description="US dollars; None when the price of a request is unknown")
    seconds: float = 0.0
    kept_requests: int = Field(default=0, description="those of `requests` that kept replies answered: not billed")
    kept_tokens: int = Field(default=0, description="those of `tokens` that were theirs")
    kept_dollars: float | None = Field(default=0.0, description="that part of `dollars`, by the prices of back then")


class Budget:
    """Limits and their running total; one per episode."""

    def __init__(self, limits: Limits, *, started: float) -> None:
        self.limits = limits
        self._started = started
        self._steps = 0
        self._requests = 0
        self._tokens = 0
        self._dollars: float | None = 0.0
        self._kept_requests = 0
        self._kept_tokens = 0
        self._kept_dollars: float | None = 0.0

    def step(self) -> None:
        """Count one action."""
        self._steps += 1

    def request(self, *, tokens: int, dollars: float | None, kept: bool = False) -> None:
        """Count one request that the model answered. An unknown price makes the whole cost unknown.

        `kept`: a reply from a cache answered. It counts as it did when it was asked, so that limits end an episode
        where they ended it then, and once more apart from the others. (Its seconds pass on the clock.)
        """
        self._requests += 1
        self._tokens += tokens
        self._dollars = _sum(self._dollars, dollars)
        if kept:
            self._kept_requests += 1
            self._kept_tokens += tokens
            self._kept_dollars = _sum(self._kept_dollars, dollars)

    def spent(self, now: float) -> Spent:
        """The running total at the time `now`."""
        return Spent(
            steps=self._steps,
            requests=self._requests,
            tokens=self._tokens,
            dollars=self._dollars,
            seconds=max(0.0, now - self._started),
            kept_requests=self._kept_requests,
            kept_tokens=self._kept_tokens,
            kept_dollars=self._kept_dollars,
        )

    def exhausted(self, now: float) -> str | None:
        """The name of the first limit that is used up (`steps`, or one of `spent_up`), or None."""
        return "steps" if self._steps >= self.limits.steps else self.spent_up(now)

    def spent_up(self, now: float) -> str | None:
        """The name of the first limit that allows no further request, or None.

        `requests`, `tokens`, `cost` or `seconds`. With a limit on cost, an unknown cost is not taken for a small one.
        """
        limits, spent = self.limits, self.spent(now)
        if limits.requests is not None and spent.requests >= limits.requests:
            return "requests"
        if limits.tokens is not None and spent.tokens >= limits.tokens:
            return "tokens"
        if limits.cost is not None and (spent.dollars is None or spent.dollars >= limits.cost):
            return "cost"
        if limits.seconds is not None and spent.seconds >= limits.seconds:
            return "seconds"
        return None


def _sum(before: float | None, more: float | None) -> float | None:
    """The sum; unknown where a part is."""
    return None if before is None or more is None else before + more
