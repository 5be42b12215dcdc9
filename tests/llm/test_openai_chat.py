"""A real client against a real server on loopback: what arrives, what is counted, and what is said when it fails."""

from __future__ import annotations

import socket

import pytest

from refute import ModelError, ModelRefused, ModelReplyError, ModelTimeout, UserError
from refute.llm import OpenAIChat, OutputMode, open_backend

from .server import Answer, ChatServer, calls, fails, says
from .setup import COLOR, FENCED_COLOR, Bench, request, sky

GOOD = '{"color": "blue", "shades": [1, 2]}'


class Naps:
    """Stands in for sleeping and remembers how long it was asked for."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def chat(server: ChatServer, mode: OutputMode, *, naps: Naps | None = None, deadline: float = 30.0) -> OpenAIChat:
    return OpenAIChat("tiny", base_url=server.url, mode=mode, sleep=naps or Naps(), deadline=deadline)


async def test_a_tool_call_becomes_the_typed_answer_and_its_usage_is_counted(server: ChatServer, bench: Bench) -> None:
    server.answer(calls(GOOD))
    backend = chat(server, OutputMode.TOOL)

    answer = await bench.model(backend).call(COLOR, sky())
    await backend.close()

    assert (answer.color, answer.shades) == ("blue", (1, 2))
    sent = server.requests[0]
    assert sent["model"] == "tiny"
    assert sent["tools"][0]["function"]["name"] == "color"
    assert "color" in sent["tools"][0]["function"]["parameters"]["properties"]
    assert list(server.told()) == ["You name colors.", "What color is the sky?"]
    event = bench.called()
    assert (event.role, event.model, event.attempts, event.ok) == ("color", "openai-chat:tiny", 1, True)
    assert (event.usage.input_tokens, event.usage.output_tokens) == (120, 30)
    assert (event.usage.cached_tokens, event.usage.reasoning_tokens) == (100, 10)
    assert not event.usage.estimated
    assert event.dollars is None  # a server of one's own has no price list
    assert bench.budget.spent(bench.clock.now()).tokens == 150


async def test_native_output_sends_the_schema(server: ChatServer, bench: Bench) -> None:
    server.answer(says(GOOD))
    backend = chat(server, OutputMode.NATIVE)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()

    form = server.requests[0]["response_format"]
    assert form["type"] == "json_schema"
    assert "shades" in form["json_schema"]["schema"]["properties"]
    assert "tools" not in server.requests[0]


@pytest.mark.parametrize(
    "text",
    [
        f"Sure! Looking at {{the sky}}, I would say:\n{GOOD}\nHope that helps {{:",
        f"Here you are:\n```json\n{GOOD}\n```\nAnything else?",
        '```\n{"color": "blue", "shades": [1, 2,],}\n```',
        '{"color": "blue", "shades": [1, 2,],}',
    ],
    ids=["prose", "fence", "fence with trailing commas", "trailing commas"],
)
async def test_json_in_prose_or_a_fence_is_found(server: ChatServer, bench: Bench, text: str) -> None:
    server.answer(says(text))
    backend = chat(server, OutputMode.PROMPTED)

    answer = await bench.model(backend).call(COLOR, sky())
    await backend.close()

    assert (answer.color, answer.shades) == ("blue", (1, 2))
    assert bench.called().attempts == 1
    assert '"color"' in server.told()[0], "the model is shown the schema"


async def test_the_fenced_form_of_a_role_is_asked_for_and_read(server: ChatServer, bench: Bench) -> None:
    server.answer(says("The sky, then.\nCOLOR: blue\n"))
    backend = chat(server, OutputMode.FENCED)

    assert (await bench.model(backend).call(FENCED_COLOR, sky())).color == "blue"
    await backend.close()

    assert "Answer with a line COLOR: name" in server.told()[0]


async def test_a_role_without_a_fenced_form_is_asked_for_fenced_json(server: ChatServer, bench: Bench) -> None:
    server.answer(says(f"```json\n{GOOD}\n```"))
    backend = chat(server, OutputMode.FENCED)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()

    assert "```json" in server.told()[0]


async def test_an_unreadable_reply_is_asked_for_again_with_the_problem(server: ChatServer, bench: Bench) -> None:
    server.answer(says('{"color": ""}'), says(GOOD))
    backend = chat(server, OutputMode.PROMPTED)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()

    assert len(server.requests) == 2
    assert server.told()[2] == '{"color": ""}'
    assert "color: String should have at least 1 character" in server.told()[3]
    event = bench.called()
    assert (event.attempts, event.usage.input_tokens, event.usage.output_tokens) == (2, 240, 60)


async def test_replies_that_stay_unreadable_end_in_an_error_that_keeps_the_last(
    server: ChatServer, bench: Bench
) -> None:
    server.answer(says("I'd rather not."))
    backend = chat(server, OutputMode.TOOL)

    with pytest.raises(ModelReplyError, match="no usable reply for the role 'color' in 3 attempts") as caught:
        await bench.model(backend).call(COLOR, sky())
    await backend.close()

    assert caught.value.raw == "I'd rather not."
    event = bench.called()
    assert (event.ok, event.attempts, event.reply) == (False, 3, "I'd rather not.")
    assert "no complete JSON object" in event.error
    assert bench.budget.spent(bench.clock.now()).tokens == 450


async def test_an_empty_reply_is_asked_for_again(server: ChatServer, bench: Bench) -> None:
    server.answer(says(""), calls(GOOD))
    backend = chat(server, OutputMode.TOOL)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()


async def test_a_busy_server_is_asked_again_when_it_says(server: ChatServer, bench: Bench) -> None:
    server.answer(fails(429, "slow down", headers={"Retry-After": "7"}), calls(GOOD))
    naps = Naps()
    backend = chat(server, OutputMode.TOOL, naps=naps)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()

    assert naps.taken == [7.0]
    assert bench.called().attempts == 1, "the question was put once; the transport tried twice"


async def test_a_server_error_is_tried_again_with_growing_pauses(server: ChatServer, bench: Bench) -> None:
    server.answer(fails(500, "oops"), fails(503, "oops"), calls(GOOD))
    naps = Naps()
    backend = chat(server, OutputMode.TOOL, naps=naps)

    assert (await bench.model(backend).call(COLOR, sky())).color == "blue"
    await backend.close()

    assert naps.taken == [1.0, 2.0]


@pytest.mark.parametrize(("status", "kind"), [(500, ModelError), (429, ModelRefused)])
async def test_retries_are_bounded(server: ChatServer, bench: Bench, status: int, kind: type[ModelError]) -> None:
    server.answer(fails(status, "still busy"))
    backend = chat(server, OutputMode.TOOL)

    with pytest.raises(kind, match=f"HTTP {status} after 4 attempts: still busy"):
        await bench.model(backend).call(COLOR, sky())
    await backend.close()

    assert len(server.requests) == 4


async def test_a_server_that_asks_for_an_hour_or_is_out_of_credit_is_not_waited_for(server: ChatServer) -> None:
    for refusal in (
        fails(429, "daily limit", headers={"Retry-After": "3600"}),
        fails(429, "no credit", code="insufficient_quota"),
    ):
        server.requests.clear()
        server.answer(refusal)
        naps = Naps()
        backend = chat(server, OutputMode.TOOL, naps=naps)
        with pytest.raises(ModelRefused):
            await backend.complete(request())
        await backend.close()
        assert (len(server.requests), naps.taken) == (1, [])


async def test_a_refused_key_is_named_by_its_variable_and_never_shown(
    server: ChatServer, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-of-mine-4711")
    server.answer(fails(401, "Incorrect API key a-secret-of-mine-4711 or sk-abcdefgh12345678 or Bearer abcdef123456"))
    backend = chat(server, OutputMode.TOOL)

    with pytest.raises(ModelRefused) as caught:
        await bench.model(backend).call(COLOR, sky())
    await backend.close()

    assert server.keys == ["Bearer a-secret-of-mine-4711"], "sent once, not retried"
    shown = str(caught.value) + bench.called().model_dump_json()
    assert "OPENAI_API_KEY" in shown
    for secret in ("a-secret-of-mine", "abcdefgh", "abcdef123456"):
        assert secret not in shown
    assert caught.value.__cause__ is None, "no chained error whose text could hold the key"


@pytest.mark.parametrize(("status", "hint"), [(400, "context too long"), (404, "--base-url")])
async def test_other_refusals_say_what_to_change(server: ChatServer, status: int, hint: str) -> None:
    server.answer(fails(status, "context too long"))
    backend = chat(server, OutputMode.TOOL)
    with pytest.raises(ModelRefused, match=hint):
        await backend.complete(request())
    await backend.close()
    assert len(server.requests) == 1


async def test_a_server_that_is_not_there(bench: Bench) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody else gets the port, and connecting is refused
        port = taken.getsockname()[1]
        naps = Naps()
        backend = OpenAIChat("tiny", base_url=f"http://user:word@127.0.0.1:{port}/v1", sleep=naps)
        with pytest.raises(ModelError, match="no connection after 4 attempts") as caught:
            await bench.model(backend).call(COLOR, sky())
        await backend.close()
    assert f"http://127.0.0.1:{port}:" in str(caught.value)
    assert "word" not in str(caught.value)
    assert naps.taken == [1.0, 2.0, 4.0]
    assert not bench.called().ok


async def test_a_server_that_keeps_silent(server: ChatServer, bench: Bench) -> None:
    server.answer(Answer(body={}, hold=True))
    backend = chat(server, OutputMode.TOOL, deadline=0.3)

    with pytest.raises(ModelTimeout, match=r"no reply within 0\.3 s"):
        await bench.model(backend).call(COLOR, sky())
    await backend.close()

    event = bench.called()
    assert not event.ok
    assert event.seconds > 0, "time that was lost waiting is on the record"


async def test_missing_usage_is_estimated_and_marked(server: ChatServer, bench: Bench) -> None:
    server.answer(says(GOOD, usage=None))
    backend = chat(server, OutputMode.PROMPTED)

    await bench.model(backend).call(COLOR, sky())
    await backend.close()

    usage = bench.called().usage
    assert usage.estimated
    assert usage.output_tokens == 9  # 35 characters
    assert usage.input_tokens == -(-sum(len(text) for text in server.told()) // 4)


@pytest.mark.parametrize("body", ["<html>It works!</html>", {"object": "list", "data": []}])
async def test_a_server_that_speaks_something_else(server: ChatServer, body: str | dict[str, object]) -> None:
    server.answer(Answer(body=body))
    backend = chat(server, OutputMode.TOOL)
    with pytest.raises(ModelError, match="not a chat completion"):
        await backend.complete(request())
    await backend.close()


def test_opening_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    backend = open_backend("openai-chat:org/tiny:free", base_url="http://127.0.0.1:1/v1", mode=OutputMode.FENCED)
    assert (backend.name, backend.simulated, backend.mode) == ("openai-chat:org/tiny:free", False, OutputMode.FENCED)
    assert open_backend("openai-chat:tiny").mode is OutputMode.TOOL


@pytest.mark.parametrize(
    ("model", "base_url", "says_"),
    [
        ("gpt-5", None, "Known: simulated"),
        ("openai-chat:", None, "name is missing"),
        ("simulated", None, "refute bench run"),
        ("openai-chat:tiny", None, "set OPENAI_API_KEY"),
        ("openai-chat:tiny", "localhost:8000", "http"),
        ("openai-chat:tiny", "http://x:99999/v1", "http"),
    ],
)
def test_what_cannot_be_opened(model: str, base_url: str | None, says_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UserError, match=says_):
        open_backend(model, base_url=base_url)
