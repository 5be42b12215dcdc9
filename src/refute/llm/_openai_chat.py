"""Any server that speaks OpenAI's chat protocol: bounded retries, deadlines and typed errors around `_wire`."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from refute._errors import ModelError, ModelRefused, ModelTimeout, UserError
from refute.llm._model import OutputMode, Reply, Request

if TYPE_CHECKING:
    from refute.llm._wire import Failure, Wire

KEY = "OPENAI_API_KEY"
ADDRESS = "OPENAI_BASE_URL"
LONGEST_WAIT = 60.0
"""Seconds; a provider that asks to wait longer before the next try has turned the request down."""

_KEY_LIKE = re.compile(r"\b(sk|pk|key|Bearer)[-_ ][A-Za-z0-9*._-]{6,}")


class OpenAIChat:
    """A model behind an OpenAI-compatible server, through pydantic-ai.

    The key comes from ``$OPENAI_API_KEY``; a server with an address of its own gets a placeholder when there is none.
    `deadline` is in seconds and holds for one request. Up to `retries` more requests are made after 408, 409, 429, 5xx
    and connection errors, each after the time that the server asks for, else after `backoff` seconds doubled each time.
    A timeout is not tried again.
    """

    simulated = False

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        mode: OutputMode = OutputMode.TOOL,
        deadline: float = 120.0,
        retries: int = 3,
        backoff: float = 1.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = f"openai-chat:{model}"
        self.mode = mode
        self._model = model
        self._base_url = _checked(base_url or os.environ.get(ADDRESS) or None)
        self._key = os.environ.get(KEY, "").strip()
        if not self._key and self._base_url is None:
            raise UserError(f"no key: set {KEY}, or give --base-url for a server that needs none")
        self._deadline = deadline
        self._retries = retries
        self._backoff = backoff
        self._sleep = sleep
        self._wire: Wire | None = None

    async def complete(self, request: Request) -> Reply:
        """One reply. `Reply.seconds` holds the retries and waits too.

        Raises `ModelTimeout` past the deadline, `ModelRefused` when the provider turns the request down for good, and
        `ModelError` when it cannot be reached or keeps failing.
        """
        wire = self._opened()
        started = time.monotonic()
        for attempt in range(self._retries + 1):
            failure = await self._try(wire, request)
            if isinstance(failure, Reply):
                return failure.model_copy(update={"seconds": time.monotonic() - started})
            pause = failure.retry_after if failure.retry_after is not None else self._backoff * 2**attempt
            if not failure.again or attempt == self._retries or pause > LONGEST_WAIT:
                raise self._error(failure, attempts=attempt + 1)
            await self._sleep(pause)
        raise AssertionError("the loop ends by return or raise")

    async def close(self) -> None:
        """Close the connections."""
        if self._wire is not None:
            await self._wire.close()
            self._wire = None

    async def _try(self, wire: Wire, request: Request) -> Reply | Failure:
        try:
            async with asyncio.timeout(self._deadline):
                return await wire.send(request, self.mode)
        except TimeoutError:
            raise ModelTimeout(
                f"{self.name} at {self._where()} sent no reply within {self._deadline:g} s; the trace up to here is "
                "kept. Use a faster model or server."
            ) from None

    def _opened(self) -> Wire:
        if self._wire is None:
            from refute.llm._wire import Wire  # loads pydantic-ai, which takes seconds: only those who ask pay

            self._wire = Wire(self._model, base_url=self._base_url, key=self._key or "none-needed")
        return self._wire

    def _error(self, failure: Failure, *, attempts: int) -> ModelError:
        said = self._redacted(failure.message)
        status = f"HTTP {failure.status}" if failure.status else "no connection"
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        text = f"{self.name} at {self._where()}: {status}{tried}: {said}."
        if failure.status in (401, 403):
            return ModelRefused(f"{text} Check {KEY} and that it may use this model.")
        if failure.status == 404:
            return ModelRefused(f"{text} Check the model's name and --base-url (it usually ends in /v1).")
        if failure.status == 429:
            return ModelRefused(f"{text} Wait, raise the quota, or run fewer workers.")
        if failure.refused:
            return ModelRefused(text)
        if not failure.status and failure.again:
            return ModelError(f"{text} Is the server running, and --base-url right?")
        return ModelError(text)

    def _redacted(self, text: str) -> str:
        """`text` on one line, short, and without anything that looks like a key."""
        if self._key:
            text = text.replace(self._key, "[key]")
        text = _KEY_LIKE.sub("[key]", " ".join(text.split())).rstrip(".")
        return text[:297] + "…" if len(text) > 298 else text

    def _where(self) -> str:
        """The server's address without user name, password, path or query."""
        parts = urlsplit(self._base_url or "https://api.openai.com")
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}"


def _checked(base_url: str | None) -> str | None:
    if base_url is None:
        return None
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not usable:
        raise UserError("--base-url must be an http(s) address, such as http://127.0.0.1:8000/v1")
    return base_url
