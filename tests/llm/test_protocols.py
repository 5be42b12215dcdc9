"""Each provider in its own protocol, over real HTTP: what is sent, what is read, and what is counted."""

from __future__ import annotations

import base64
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from refute import ContextTooLong, ModelError, ModelRefused, ModelTimeout
from refute.agents import VERIFIER, Commitment, Decision, VerifierInput
from refute.browser import Observation
from refute.llm import PROVIDERS, OutputMode, Picture, ProviderModel, Role

from .dialects import DIALECTS, Dialect, Messages, Tokens
from .server import Answer, ModelServer
from .setup import COLOR, FENCED_COLOR, Bench, Color, Naps, Thing, opened, request, sky

GOOD = '{"color": "blue", "shades": [1, 2]}'
BLUE = Color(color="blue", shades=(1, 2))


async def test_a_tool_call_becomes_the_typed_answer_and_its_usage_is_counted_once(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.calls(GOOD))
    backend = opened(dialect, server.origin, mode=OutputMode.TOOL)

    assert await bench.model(backend).call(COLOR, sky()) == BLUE
    await backend.close()

    (received,) = server.received
    name, schema = dialect.tool(received)
    assert name == "color"
    assert set(schema["properties"]) == {"color", "shades"}
    assert dialect.told(received) == ["You name colors.", "What color is the sky?"]
    assert dialect.key(received) == "none-needed"
    event = bench.called()
    assert (event.role, event.model, event.attempts, event.ok) == (
        "color",
        f"{dialect.provider}:{dialect.model}",
        1,
        True,
    )
    assert (event.usage.input_tokens, event.usage.output_tokens, event.usage.cached_tokens) == (120, 30, 100)
    assert event.usage.reasoning_tokens == (0 if dialect.provider == "anthropic" else 10), "as far as it is reported"
    assert not event.usage.estimated
    assert (event.dollars, event.prices) == (None, ""), "a server of one's own has no price list"
    assert bench.budget.spent(bench.clock.now()).tokens == 150


async def test_what_anthropic_reads_from_and_writes_to_its_cache_is_part_of_the_input_and_counted_once(
    server: ModelServer, bench: Bench
) -> None:
    dialect = Messages()
    server.answer(dialect.calls(GOOD, tokens=Tokens(input=1000, cached=600, written=300, output=20)))
    backend = opened(dialect, server.origin)
    await bench.model(backend).call(COLOR, sky())
    await backend.close()
    usage = bench.called().usage
    assert (usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens) == (1000, 600, 300)
    assert bench.budget.spent(0).tokens == 1020


async def test_native_output_sends_the_schema_and_no_tool(dialect: Dialect, server: ModelServer, bench: Bench) -> None:
    server.answer(dialect.says(GOOD))
    backend = opened(dialect, server.origin, mode=OutputMode.NATIVE)
    assert await bench.model(backend).call(COLOR, sky()) == BLUE
    await backend.close()
    assert "shades" in dialect.native_schema(server.received[0])["properties"]
    assert not server.received[0].body.get("tools")


async def test_prompted_output_shows_the_schema_to_the_model(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.says(GOOD))
    backend = opened(dialect, server.origin, mode=OutputMode.PROMPTED)
    assert await bench.model(backend).call(COLOR, sky()) == BLUE
    await backend.close()
    assert '"shades"' in dialect.told(server.received[0])[0]
    assert not server.received[0].body.get("tools")


async def test_the_fenced_form_of_a_role_is_asked_for_and_read(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.says("The sky, then.\nCOLOR: blue\n"))
    backend = opened(dialect, server.origin, mode=OutputMode.FENCED)
    assert await bench.model(backend).call(FENCED_COLOR, sky()) == Color(color="blue")
    await backend.close()
    assert "Answer with a line COLOR: name" in dialect.told(server.received[0])[0]


async def test_a_role_without_a_fenced_form_is_asked_for_fenced_json(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.says(f"```json\n{GOOD}\n```"))
    backend = opened(dialect, server.origin, mode=OutputMode.FENCED)
    assert await bench.model(backend).call(COLOR, sky()) == BLUE
    await backend.close()
    assert "```json" in dialect.told(server.received[0])[0]


async def test_an_unusable_reply_goes_back_with_its_problem(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.says('{"color": ""}'), dialect.says(GOOD))
    backend = opened(dialect, server.origin, mode=OutputMode.PROMPTED)
    assert await bench.model(backend).call(COLOR, sky()) == BLUE
    await backend.close()
    assert dialect.told(server.received[1])[2] == '{"color": ""}'
    assert "color: String should have at least 1 character" in dialect.told(server.received[1])[3]
    event = bench.called()
    assert (event.attempts, event.usage.input_tokens, event.usage.output_tokens) == (2, 240, 60)
    assert bench.budget.spent(0).requests == 2


async def test_missing_usage_is_estimated_and_marked(dialect: Dialect, server: ModelServer, bench: Bench) -> None:
    server.answer(dialect.says(GOOD, tokens=None))
    backend = opened(dialect, server.origin, mode=OutputMode.PROMPTED)
    await bench.model(backend).call(COLOR, sky())
    await backend.close()
    usage = bench.called().usage
    assert usage.estimated
    assert usage.output_tokens == -(-len(GOOD) // 4)
    assert usage.input_tokens == -(-sum(len(text) for text in dialect.told(server.received[0])) // 4)


async def test_a_refusal_is_paid_for_like_an_answer(dialect: Dialect, server: ModelServer, bench: Bench) -> None:
    server.answer(dialect.refuses("Not that."))
    backend = opened(dialect, server.origin)
    with pytest.raises(ModelRefused):
        await bench.model(backend).call(COLOR, sky())
    await backend.close()
    assert bench.budget.spent(0).tokens == 150
    assert bench.called().usage.input_tokens == 120


async def test_pictures_are_sent_after_the_words_and_written_nowhere(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    picture = Picture(data=b"\xff\xd8\xff" + b"picture-of-the-sky" * 20)
    role = Role(name="color", input=Thing, output=Color, template=COLOR.template, pictures=lambda thing: [picture])
    server.answer(dialect.says(GOOD, tokens=None))
    backend = opened(dialect, server.origin, mode=OutputMode.PROMPTED)
    assert await bench.model(backend).call(role, sky()) == BLUE
    await backend.close()
    sent = base64.b64encode(picture.data).decode()
    assert dialect.pictures(server.received[0]) == [sent]
    assert bench.called().usage.input_tokens > 1200, "a picture counts in the estimate"
    written = "".join(path.read_text() for path in bench.folder.rglob("*.jsonl"))
    assert sent[:40] not in written
    assert "picture-of-the-sky" not in written + repr(picture) + repr(
        request().model_copy(update={"pictures": (picture,)})
    )


async def test_the_verifiers_picture_arrives_at_every_provider(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    picture = Picture(data=b"\xff\xd8\xffa page with kettles")
    question = VerifierInput(
        instructions=("Buy a mug.",),
        commitment=Commitment(number=1, subgoal="Find a mug"),
        observation=Observation(url="http://shop/", text="kettles"),
        picture=picture,
    )
    server.answer(dialect.says('{"decision": "continue"}'))
    backend = opened(dialect, server.origin, mode=OutputMode.PROMPTED)
    answer = await bench.model(backend).call(VERIFIER, question)
    await backend.close()
    assert answer.decision is Decision.CONTINUE
    assert dialect.pictures(server.received[0]) == [base64.b64encode(picture.data).decode()]


async def test_openai_is_told_to_keep_no_copy(server: ModelServer) -> None:
    server.answer(DIALECTS["openai"].calls(GOOD))
    backend = opened(DIALECTS["openai"], server.origin)
    await backend.complete(request())
    await backend.close()
    assert server.received[0].path == "/v1/responses"
    assert server.received[0].body["store"] is False


async def test_a_date_in_retry_after_is_waited_for(dialect: Dialect, server: ModelServer) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=40), usegmt=True)
    server.answer(dialect.fails(429, "slow down", headers={"Retry-After": date}), dialect.calls(GOOD))
    naps = Naps()
    backend = opened(dialect, server.origin, naps=naps)
    assert (await backend.complete(request())).text
    await backend.close()
    (nap,) = naps.taken
    assert 0 < nap <= 40


async def test_a_silent_server_is_waited_for_until_the_deadline_and_not_asked_again(
    dialect: Dialect, server: ModelServer, bench: Bench
) -> None:
    server.answer(dialect.says(GOOD))
    backend = opened(dialect, server.origin, deadline=30.0)
    await backend.complete(request())  # the first request also loads the client library
    await backend.close()
    server.answer(Answer(body={}, hold=True))
    backend = opened(dialect, server.origin, deadline=0.3)
    with pytest.raises(ModelTimeout, match=r"no reply within 0\.3 s"):
        await bench.model(backend).call(COLOR, sky())
    await backend.close()
    assert len(server.received) <= 1
    event = bench.called()
    assert not event.ok
    assert event.seconds > 0, "time that was lost waiting is on the record"


async def test_a_refused_connection_is_tried_a_few_times(dialect: Dialect, bench: Bench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody else gets the port, and connecting is refused
        naps = Naps()
        backend = opened(dialect, f"http://127.0.0.1:{taken.getsockname()[1]}", naps=naps)
        with pytest.raises(ModelError, match=r"no connection after 4 attempts.*Is the server running") as caught:
            await bench.model(backend).call(COLOR, sky())
        await backend.close()
    assert caught.type is ModelError
    assert naps.taken == [1.0, 2.0, 4.0]
    assert not bench.called().ok


@pytest.mark.parametrize("message", [
    "This model's maximum context length is 4096 tokens. Please reduce the length of the messages.",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
])  # fmt: skip
async def test_how_local_servers_say_that_a_prompt_is_too_long(server: ModelServer, message: str) -> None:
    server.answer(DIALECTS["openai-chat"].fails(400, message))
    backend = opened(DIALECTS["openai-chat"], server.origin)
    with pytest.raises(ContextTooLong, match=r"vLLM --max-model-len, llama\.cpp -c, Ollama num_ctx"):
        await backend.complete(request())
    await backend.close()


async def test_the_default_output_mode_follows_the_provider_and_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    chat = PROVIDERS["openai-chat"]
    assert ProviderModel(chat, "tiny").mode is OutputMode.TOOL
    assert ProviderModel(chat, "tiny", base_url="http://127.0.0.1:1/v1").mode is OutputMode.PROMPTED
    assert (
        ProviderModel(chat, "tiny", base_url="http://127.0.0.1:1/v1", mode=OutputMode.NATIVE).mode is OutputMode.NATIVE
    )
