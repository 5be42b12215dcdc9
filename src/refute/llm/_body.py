"""Looks at the body of a 200 before the client library does, which may take anything for an empty reply."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

import httpx2

from refute.llm._failure import Cause, Failure

_MARKS = {
    "openai-chat": ("choices",),
    "openai": ("output",),
    "anthropic": ("content",),
    "google": ("candidates", "promptFeedback"),
}
"""By provider: one of these keys stands in every reply."""
_SHOWN = 120
"""Characters of an unknown body that are shown."""


class NoReply(Exception):
    """A 200 that holds no reply; carries why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__("no reply of the protocol")  # libraries log what they catch: no words of the server here
        self.failure = failure


def body_check(provider: str) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A hook for an HTTP client that raises `NoReply` for bodies that are none of the provider's protocol."""

    async def check(response: httpx2.Response) -> None:
        streamed = response.headers.get("content-type", "").startswith("text/event-stream")
        if response.status_code != HTTPStatus.OK or streamed:
            return
        await response.aread()
        try:
            body: object = json.loads(response.content)
        except ValueError:
            body = None
        fields = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
        if fields.get("error") or not any(mark in fields for mark in _MARKS[provider]):
            raise NoReply(_failure(fields.get("error"), response.text))

    return check


def raised_no_reply(error: BaseException) -> Failure | None:
    """What `body_check` found, if it is behind `error`: client libraries wrap what their HTTP client raises."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, NoReply):
            return seen.failure
        seen = seen.__cause__ or seen.__context__
    return None


def said(body: object) -> str:
    """The message in a provider's error body; the usual shapes only."""
    if isinstance(body, dict):
        fields = cast("dict[str, Any]", body)
        return said(fields.get("message") or fields.get("error") or fields.get("detail") or "")
    return str(body or "")


def _failure(inside: object, text: str) -> Failure:
    """An error inside a 200 counts as what its code says; anything else is none of the protocol."""
    message = said(inside) or f"it begins {text[:_SHOWN]!r}"
    fields = cast("dict[str, Any]", inside) if isinstance(inside, dict) else {}
    code: object = fields.get("code")
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        return Failure(cause=Cause.BUSY, message=message, status=HTTPStatus.TOO_MANY_REQUESTS)
    if isinstance(code, int) and code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Failure(cause=Cause.BROKEN, message=message, status=code)
    return Failure(cause=Cause.GIBBERISH, message=message, status=HTTPStatus.OK)
