"""The model as the rest of the system sees it, and what a backend must do."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from refute.llm._role import I, O, Picture, Role
from refute.trace import Event


class OutputMode(StrEnum):
    """How a model is asked for structured output; a setting of the model, not of the role."""

    TOOL = "tool"
    NATIVE = "native"
    PROMPTED = "prompted"
    FENCED = "fenced"


class Usage(BaseModel):
    """Tokens of one or several requests. `estimated` when the provider reported none."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int = Field(default=0, ge=0, description="all of the prompt, cached parts included")
    output_tokens: int = Field(default=0, ge=0, description="all of the reply, reasoning included")
    cached_tokens: int = Field(default=0, ge=0, description="part of input_tokens read from the provider's cache")
    cache_write_tokens: int = Field(default=0, ge=0, description="part of input_tokens written to that cache")
    reasoning_tokens: int = Field(default=0, ge=0, description="part of output_tokens")
    estimated: bool = False

    @property
    def total_tokens(self) -> int:
        """Input and output together, each counted once."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            estimated=self.estimated or other.estimated,
        )


class Request(BaseModel):
    """One request to a backend. `input` is the typed question itself, for backends that do not read prose."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    role: str
    system: str
    user: str
    output_schema: dict[str, Any] = Field(description="JSON schema of the reply")
    input: BaseModel
    pictures: tuple[Picture, ...] = Field(default=(), repr=False, description="shown after the user message")
    attempt: int = Field(default=0, ge=0, description="0 for the first try, then one more for each retry")
    previous_reply: str = Field(default="", description="on a retry: the reply that could not be used")
    problem: str = Field(default="", description="on a retry: what was wrong with it")


class Reply(BaseModel):
    """What a backend returns: text (JSON, or the fenced form) and what it cost."""

    model_config = ConfigDict(frozen=True)

    text: str
    usage: Usage = Usage()
    seconds: float = Field(default=0.0, ge=0, description="latency; virtual for the simulated model")
    dollars: float | None = Field(default=None, ge=0, description="price in US dollars; None where it is unknown")
    prices: str = Field(default="", description="whose price table `dollars` was taken from")
    unusable: str = Field(default="", description="why the text must not be read (cut off, wrong tool); for the model")
    refusal: str = Field(default="", description="why there is no answer: the provider's filter, the model's refusal")
    cached: bool = Field(default=False, description="from a cache or recording: usage and price are those of back then")


class Backend(Protocol):
    """A source of replies: a provider, the simulated model, or a recording."""

    name: str
    simulated: bool
    mode: OutputMode

    async def complete(self, request: Request) -> Reply:
        """Answer. Raises a `ModelError` when no reply can be had."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


class Model(Protocol):
    """Asks a role's question and returns its typed answer."""

    async def call(self, role: Role[I, O], value: I) -> O:
        """Raises `ModelReplyError` after the bounded retries, and other `ModelError`s as they come."""
        ...


class ModelCalled(Event, kind="model_called"):
    """A role was asked: one event for the question, all its retries included."""

    role: str
    model: str
    simulated: bool = False
    attempts: int = Field(default=1, ge=1)
    cached: int = Field(default=0, ge=0, description="attempts answered from a cache: they cost what is told here once")
    usage: Usage = Usage()
    seconds: float = 0.0
    dollars: float | None = Field(default=None, description="US dollars; None when the price of any attempt is unknown")
    prices: str = Field(default="", description="the price table and its version, where a price is known")
    ok: bool = True
    error: str = ""
    reply: str = Field(default="", description="the last reply's text")
