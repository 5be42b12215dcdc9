"""A model at a provider: bounded retries, deadlines and typed errors around one `Wire`. The same for every provider."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from refute._errors import ModelTimeout, UserError
from refute.llm._estimate import complete_usage
from refute.llm._failure import Failure, redacted, worded
from refute.llm._model import OutputMode, Reply, Request
from refute.llm._prices import dollars, price_known, price_table
from refute.llm._provider import Provider, checked_address, missing_library, no_key, origin

if TYPE_CHECKING:
    from refute.llm._wire import Wire

DEADLINE = 300.0
"""Seconds for one request; a large prompt takes a small machine some minutes."""
LONGEST_WAIT = 60.0
"""Seconds; a provider that asks to wait longer before the next try has turned the request down."""


class ProviderModel:
    """A model at a provider, through pydantic-ai.

    The key comes from the provider's environment variable; a server at an address of one's own gets a placeholder when
    there is none. `deadline` is in seconds and holds for one request. Up to `retries` more requests are made after 408,
    409, 429, 5xx and connection errors, each after the time that the server asks for (seconds or an HTTP date), else
    after `backoff` seconds doubled each time. A timeout is not tried again.

    Belongs to the event loop of its first request, since its connections do: one backend per worker. Raises
    `UserError` for a missing key, a missing client library or a broken address.
    """

    simulated = False

    def __init__(
        self,
        provider: Provider,
        model: str,
        *,
        base_url: str | None = None,
        mode: OutputMode | None = None,
        deadline: float = DEADLINE,
        retries: int = 3,
        backoff: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        given = base_url or os.environ.get(provider.address_variable, "").strip() or None
        self.address = checked_address(given) if given else provider.address
        self.name = f"{provider.name}:{model}"
        self.mode = mode or (provider.elsewhere if given else provider.mode)
        self._key = provider.key() or ""
        if not self._key and given is None:
            raise no_key(provider, model)
        if not provider.installed():
            raise missing_library(provider)
        self._provider = provider
        self._model = model
        self._deadline = deadline
        self._retries = retries
        self._backoff = backoff
        self._sleep = sleep
        self._wire: Wire | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def priced(self) -> bool:
        """Whether the price table knows what this model costs at this address."""
        return price_known(self._model, self.address)

    async def complete(self, request: Request) -> Reply:
        """One reply. `Reply.seconds` holds the retries and waits too.

        Raises `ModelTimeout` past the deadline, `ContextTooLong` when the prompt does not fit, `ModelRefused` when the
        provider turns the request down for good, `ModelError` when it cannot be reached or keeps failing, and
        `UserError` when asked on another event loop than before.
        """
        wire = self._opened()
        started = time.monotonic()
        for attempt in range(self._retries + 1):
            answer = await self._try(wire, request)
            if isinstance(answer, Reply):
                return self._counted(answer, request, time.monotonic() - started)
            pause = answer.retry_after if answer.retry_after is not None else self._backoff * 2**attempt
            if not answer.again or attempt == self._retries or pause > LONGEST_WAIT:
                raise worded(
                    answer,
                    self._provider,
                    name=self.name,
                    address=self.address,
                    key=self._key,
                    attempts=attempt + 1,
                )
            await self._sleep(pause)
        raise AssertionError("the loop ends by return or raise")

    async def close(self) -> None:
        """Close the connections."""
        if self._wire is not None:
            await self._wire.close()
            self._wire = self._loop = None

    async def _try(self, wire: Wire, request: Request) -> Reply | Failure:
        try:
            async with asyncio.timeout(self._deadline):
                return await wire.send(request, self.mode)
        except TimeoutError:
            raise ModelTimeout(
                f"{self.name} at {origin(self.address)} sent no reply within {self._deadline:g} s; the trace up to "
                "here is kept. Use a faster model or server."
            ) from None

    def _opened(self) -> Wire:
        loop = asyncio.get_running_loop()
        if self._wire is None:
            from refute.llm._wire import Wire  # loads pydantic-ai, which takes seconds: only those who ask pay

            self._wire = Wire(self._provider.name, self._model, address=self.address, key=self._key or "none-needed")
            self._loop = loop
        if loop is not self._loop:
            raise UserError(f"{self.name} belongs to another event loop: open one backend per loop, and close it there")
        return self._wire

    def _counted(self, reply: Reply, request: Request, seconds: float) -> Reply:
        """The reply with its usage completed and priced."""
        usage = complete_usage(reply, request, self.mode)
        price = dollars(self._model, self.address, usage)
        return reply.model_copy(
            update={
                "usage": usage,
                "seconds": seconds,
                "dollars": price,
                "prices": price_table() if price is not None else "",
                "refusal": redacted(reply.refusal, self._key),
            }
        )
