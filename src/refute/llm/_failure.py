"""Why a request brought no reply, and how that is told to a person: typed, with what to do, and without a key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from refute._errors import ContextTooLong, ModelError, ModelRefused
from refute.llm._provider import Provider, origin

_KEY_LIKE = re.compile(r"\b(?:(?:sk|pk|key)[-_][A-Za-z0-9*._-]{6,}|Bearer [^\s,;]{6,}|AIza[A-Za-z0-9*._-]{6,})")
_LONGEST = 300
"""Characters of a provider's own words that are shown."""


class Cause(Enum):
    """What kind of failure it was."""

    UNREACHABLE = auto()
    """No connection, or one that broke."""
    BUSY = auto()
    """A rate limit or an overload."""
    BROKEN = auto()
    """The server failed."""
    KEY = auto()
    QUOTA = auto()
    NOT_FOUND = auto()
    CONTEXT = auto()
    """The prompt is longer than the model's context window."""
    REJECTED = auto()
    """The request itself was turned down."""
    UNSUPPORTED = auto()
    """The client library knows that the model cannot do this."""
    GIBBERISH = auto()
    """A reply, but not one of the provider's protocol."""


AGAIN = frozenset({Cause.UNREACHABLE, Cause.BUSY, Cause.BROKEN})
"""Failures that another try may cure."""
_REFUSED = frozenset({Cause.BUSY, Cause.KEY, Cause.QUOTA, Cause.NOT_FOUND, Cause.REJECTED, Cause.UNSUPPORTED})


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a request brought no reply; `retry_after` in seconds, if the server said."""

    cause: Cause
    message: str
    status: int = 0
    retry_after: float | None = None

    @property
    def again(self) -> bool:
        """Whether another try may help."""
        return self.cause in AGAIN


def worded(failure: Failure, provider: Provider, *, name: str, address: str, key: str, attempts: int) -> ModelError:
    """The error to raise for `failure` after `attempts` tries. Holds no key, and no chained error that could."""
    tried = f" after {attempts} attempts" if attempts > 1 else ""
    text = f"{name} at {origin(address)}: {_happened(failure)}{tried}: {redacted(failure.message, key)}."
    advice = _advice(failure.cause, provider)
    text = f"{text} {advice}" if advice else text
    if failure.cause is Cause.CONTEXT:
        return ContextTooLong(text)
    return ModelRefused(text) if failure.cause in _REFUSED else ModelError(text)


def redacted(text: str, key: str) -> str:
    """`text` on one line, short, and without the key or anything that looks like one."""
    if key:
        text = text.replace(key, "[key]")
    text = _KEY_LIKE.sub("[key]", " ".join(text.split())).rstrip(".")
    return text[: _LONGEST - 1] + "…" if len(text) > _LONGEST else text


def _happened(failure: Failure) -> str:
    if failure.cause is Cause.UNREACHABLE:
        return "no connection"
    if failure.cause is Cause.GIBBERISH:
        return "the reply is none of this protocol"
    if failure.cause is Cause.UNSUPPORTED:
        return "not possible with this model"
    return f"HTTP {failure.status}" if failure.status else "error"


def _advice(cause: Cause, provider: Provider) -> str:
    match cause:
        case Cause.UNREACHABLE:
            return "Is the server running, and --base-url right?"
        case Cause.BUSY:
            return "Wait, raise the quota, or run fewer workers."
        case Cause.KEY:
            return f"Check {' or '.join(provider.keys)} and that it may use this model."
        case Cause.QUOTA:
            return "Top up the account or raise its limit; waiting does not help."
        case Cause.NOT_FOUND:
            return f"Check the model's name and --base-url (it usually ends {provider.address_ends})."
        case Cause.CONTEXT:
            return (
                "The prompt is longer than the model's context window. Use a model with a larger one, or give the "
                "server more: vLLM --max-model-len, llama.cpp -c, Ollama num_ctx."
            )
        case Cause.UNSUPPORTED:
            return "Try another --output-mode."
        case Cause.GIBBERISH:
            return f"Check --base-url (it usually ends {provider.address_ends})."
        case _:
            return ""
