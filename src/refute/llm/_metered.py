"""Limits on what is really asked, across many questions."""

from __future__ import annotations

from refute._errors import LimitReached
from refute.budget import Budget, Limits, Spent
from refute.llm._estimate import complete_usage
from refute.llm._model import Backend, Reply, Request


class MeteredBackend:
    """Counts every answered request, and makes none once `limits` are used up (`steps` and `seconds` count nothing).

    Put it behind a `CachedBackend`, so that replies from the cache cost nothing.
    """

    def __init__(self, backend: Backend, limits: Limits) -> None:
        self.name = backend.name
        self.simulated = backend.simulated
        self.mode = backend.mode
        self._backend = backend
        self._budget = Budget(limits, started=0.0)

    @property
    def spent(self) -> Spent:
        """What the answered requests cost together."""
        return self._budget.spent(0.0)

    async def complete(self, request: Request) -> Reply:
        """Ask. Raises `LimitReached` instead of a request that the limits do not allow."""
        limit = self._budget.spent_up(0.0)
        if limit is not None:
            raise LimitReached(limit)
        reply = await self._backend.complete(request)
        usage = complete_usage(reply, request, self.mode)
        self._budget.request(tokens=usage.total_tokens, dollars=reply.dollars)
        return reply

    async def close(self) -> None:
        """Close the backend."""
        await self._backend.close()
