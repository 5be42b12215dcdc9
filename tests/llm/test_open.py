"""Opening a model by name: what is needed, what is refused, and what it costs."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings

from refute import UserError
from refute.llm import PROVIDERS, OutputMode, Usage, address_from_environment, open_backend, price_table
from refute.llm._prices import dollars, price_known

from .dialects import DIALECTS, Dialect
from .server import ModelServer
from .setup import COLOR, Bench, opened, request, sky

GOOD = '{"color": "blue"}'
OPENAI = "https://api.openai.com/v1"


def test_a_model_is_opened_by_provider_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = open_backend("openai-chat:org/tiny:free", base_url="http://127.0.0.1:1/v1", mode=OutputMode.FENCED)
    assert (backend.name, backend.simulated, backend.mode) == ("openai-chat:org/tiny:free", False, OutputMode.FENCED)
    monkeypatch.setenv("GEMINI_API_KEY", "k")
    assert open_backend("google:gemini-3.8-flash").address == "https://generativelanguage.googleapis.com"


@pytest.mark.parametrize(
    ("model", "base_url", "told"),
    [
        ("gpt-5", None, r"Known: simulated .*openai:NAME, anthropic:NAME, google:NAME, openai-chat:NAME"),
        ("openai-chat:", None, "name is missing"),
        ("simulated", None, "refute bench run"),
        ("openai-chat:tiny", "localhost:8000", "http"),
        ("openai-chat:tiny", "http://x:99999/v1", "http"),
        ("openai-chat:tiny", "http://user:word@127.0.0.1/v1", "no user name, password or query"),
        ("google:tiny", "http://127.0.0.1/?key=word", "no user name, password or query"),
    ],
)
def test_what_cannot_be_opened(model: str, base_url: str | None, told: str) -> None:
    with pytest.raises(UserError, match=told) as caught:
        open_backend(model, base_url=base_url)
    assert "word@" not in str(caught.value)
    assert "=word" not in str(caught.value)


@pytest.mark.parametrize("name", PROVIDERS)
def test_without_a_key_one_error_lists_the_ways_to_give_one(name: str) -> None:
    with pytest.raises(UserError) as caught:
        open_backend(f"{name}:tiny")
    text = str(caught.value)
    for way in (*PROVIDERS[name].keys, "--base-url", "vllm serve", "ollama pull", "llama-server", "refute demo"):
        assert way in text
    assert len(text.splitlines()) < 12


@pytest.mark.parametrize("name", ["anthropic", "google"])
def test_a_missing_client_library_is_named_with_its_pip_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PROVIDERS[name].library, None)
    with pytest.raises(UserError, match=rf'pip install "refute\[{name}\]"'):
        open_backend(f"{name}:tiny", base_url="http://127.0.0.1:1")


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_environment_may_give_the_address(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert address_from_environment(f"{name}:tiny") is None
    monkeypatch.setenv(PROVIDERS[name].address_variable, "http://127.0.0.1:9")
    assert open_backend(f"{name}:tiny").address == "http://127.0.0.1:9"
    assert address_from_environment(f"{name}:tiny") == "http://127.0.0.1:9"
    assert address_from_environment("simulated") is None


def test_a_price_is_that_of_the_address_and_never_a_guess() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=1000, cached_tokens=0)
    price = dollars("gpt-4o-mini", OPENAI, usage)
    assert price is not None
    assert price > 0
    cached = dollars("gpt-4o-mini", OPENAI, usage.model_copy(update={"cached_tokens": 900_000}))
    assert cached is not None
    assert cached < price, "what comes from the cache is cheaper, and counted once"
    assert dollars("gpt-4o-mini", "http://127.0.0.1:8000/v1", usage) is None, "a server of one's own is not OpenAI"
    assert dollars("no-such-model", OPENAI, usage) is None
    assert not price_known("no-such-model", OPENAI)
    assert price_table().startswith("genai-prices ")


def test_a_limit_on_cost_needs_a_price() -> None:
    with pytest.raises(
        UserError, match=r"--max-cost needs a price, and genai-prices .* knows none for openai-chat:tiny"
    ):
        open_backend("openai-chat:tiny", base_url="http://127.0.0.1:8000/v1", must_be_priced=True)


def test_a_backend_belongs_to_one_event_loop(server: ModelServer, dialect: Dialect) -> None:
    server.answer(dialect.calls(GOOD))
    backend = opened(dialect, server.origin)
    with asyncio.Runner() as first:
        first.run(backend.complete(request()))
        with asyncio.Runner() as second, pytest.raises(UserError, match="belongs to another event loop"):
            second.run(backend.complete(request()))
        first.run(backend.close())


class Spans(trace.NoOpTracerProvider):
    """Counts what would be sent to an observability service."""

    def __init__(self) -> None:
        self.asked = 0

    def get_tracer(self, *arguments: object, **options: object) -> trace.Tracer:
        owner = self

        class Tracer(trace.NoOpTracer):
            def start_span(self, *arguments: object, **options: object) -> trace.Span:
                owner.asked += 1
                return trace.INVALID_SPAN

        return Tracer()


@pytest.fixture
def spans() -> Iterator[Spans]:
    """A program around `refute` that has switched pydantic-ai's telemetry on for all agents."""
    provider = Spans()
    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    yield provider
    Agent.instrument_all(False)


async def test_nothing_reaches_telemetry_that_is_switched_on_around_it(
    spans: Spans, server: ModelServer, bench: Bench
) -> None:
    server.answer(DIALECTS["openai-chat"].calls(GOOD))
    backend = opened(DIALECTS["openai-chat"], server.origin, mode=OutputMode.TOOL)
    await bench.model(backend).call(COLOR, sky())
    await backend.close()
    assert spans.asked == 0
