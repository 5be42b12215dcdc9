"""Everything that servers and models get wrong, in every provider's own protocol, over real HTTP.

One row a case. Each ends in the right value, in a bounded number of further requests, or in a typed error; and no row
leaves the key in an error, a log or the trace.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from refute import ContextTooLong, ModelError, ModelRefused, ModelReplyError
from refute.llm import OutputMode, ProviderModel

from .conftest import KEY
from .dialects import DIALECTS, Dialect
from .server import Answer, ModelServer
from .setup import COLOR, Bench, Color, Naps, opened, sky

GOOD = '{"color": "blue", "shades": [1, 2]}'
OTHER = '{"color": "green", "shades": []}'
BLUE = Color(color="blue", shades=(1, 2))
SECRETIVE = f"bad key {KEY}, sk-abcdefgh12345678, Bearer abcdef123456, AIzaabcdef123456"


@dataclass(frozen=True, kw_only=True)
class Case:
    """What the server plays, and what must come of it."""

    name: str
    plays: Callable[[Dialect], Sequence[Answer]]
    mode: OutputMode = OutputMode.PROMPTED
    requests: int = 1
    error: type[ModelError] | None = None
    """None: the answer is `BLUE`."""
    told: str = ""
    """What the error says, or what the model is told when it is asked again."""
    naps: tuple[float, ...] = ()


def text(name: str, reply: str, *, told: str = "") -> Case:
    """A reply in text that is read at once, or, if the model is `told` something, after it is asked again."""
    if not told:
        return Case(name=name, plays=lambda d: [d.says(reply)])
    return Case(name=name, plays=lambda d: [d.says(reply), d.says(GOOD)], requests=2, told=told)


REPLIES = [
    text("prose around JSON", f"Sure! For {{the sky}} I would say:\n{GOOD}\nHope that helps {{:"),
    text("a fence", f"Here you are:\n```json\n{GOOD}\n```\nAnything else?"),
    text("two fences that agree", f"```json\n{GOOD}\n```\nAgain:\n```json\n{GOOD}\n```"),
    text("two fences that differ", f"```json\n{OTHER}\n```\nor\n```json\n{GOOD}\n```", told="2 different answers"),
    text("trailing commas", '{"color": "blue", "shades": [1, 2,],}'),
    text("strings for numbers", '{"color": "blue", "shades": ["1", "2"]}'),
    text("words for numbers", '{"color": "blue", "shades": ["one"]}', told="shades.0: Input should be a valid integer"),
    text("thinking in the text", f"<think>Maybe {OTHER}?</think>\n{GOOD}"),
    text("thinking that never began", f"Maybe {OTHER}? No.</think>\n{GOOD}"),
    text("an empty reply", "", told="empty"),
    text("truncated and not said so", '{"color": "blue", "more": {"color": "green"}, "shades": [1', told="no complete"),
    text("a wrong field", '{"colour": "blue"}', told="color: Field required"),
    text("JSON of another shape", '["blue"]', told="no complete JSON object"),
    Case(name="a thinking block", plays=lambda d: [d.says(GOOD, thought=f"Maybe {OTHER}?")]),
    Case(
        name="truncated",
        plays=lambda d: [d.says(GOOD[:20], cut_off=True), d.says(GOOD)],
        requests=2,
        told="cut off",
    ),
    Case(
        name="truncated each time",
        plays=lambda d: [d.says(GOOD[:20], cut_off=True)],
        requests=3,
        error=ModelReplyError,
        told="cut off",
    ),
    Case(name="empty each time", plays=lambda d: [d.says("")], requests=3, error=ModelReplyError, told="empty"),
    Case(
        name="a refusal in words",
        plays=lambda d: [d.says("I'd rather not.")],
        requests=3,
        error=ModelReplyError,
        told="no complete JSON object",
    ),
    Case(name="a refusal", plays=lambda d: [d.refuses("Not that.")], error=ModelRefused, told="would not answer"),
    Case(name="a content filter", plays=lambda d: [d.filtered()], error=ModelRefused, told="would not answer"),
    Case(name="a tool call", plays=lambda d: [d.calls(GOOD)], mode=OutputMode.TOOL),
    Case(name="text instead of a tool call", plays=lambda d: [d.says(GOOD)], mode=OutputMode.TOOL),
    Case(name="the same call twice", plays=lambda d: [d.calls(GOOD, GOOD)], mode=OutputMode.TOOL),
    Case(
        name="several actions at once",
        plays=lambda d: [d.calls(OTHER, GOOD), d.calls(GOOD)],
        mode=OutputMode.TOOL,
        requests=2,
        told="2 different answers",
    ),
    Case(
        name="a wrong tool name",
        plays=lambda d: [d.calls(OTHER, name="paint"), d.calls(GOOD)],
        mode=OutputMode.TOOL,
        requests=2,
        told="there is no tool paint; call color",
    ),
    Case(
        name="a tool where none was offered",
        plays=lambda d: [d.calls(OTHER, name="paint"), d.says(GOOD)],
        requests=2,
        told="there is no tool paint",
    ),
    Case(
        name="wrong arguments",
        plays=lambda d: [d.calls('{"color": ""}'), d.calls(GOOD)],
        mode=OutputMode.TOOL,
        requests=2,
        told="color: String should have at least 1 character",
    ),
]


def later(seconds: int) -> str:
    """An HTTP date."""
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


TRANSPORT = [
    Case(
        name="429 with retry-after in seconds",
        plays=lambda d: [d.fails(429, "slow down", headers={"Retry-After": "7"}), d.says(GOOD)],
        requests=2,
        naps=(7.0,),
    ),
    Case(
        name="429 with retry-after as a date that is past",
        plays=lambda d: [d.fails(429, "slow down", headers={"Retry-After": later(-60)}), d.says(GOOD)],
        requests=2,
        naps=(0.0,),
    ),
    Case(
        name="429 without retry-after",
        plays=lambda d: [d.fails(429, "slow down"), d.fails(429, "slow down"), d.says(GOOD)],
        requests=3,
        naps=(1.0, 2.0),
    ),
    Case(
        name="429 that does not end",
        plays=lambda d: [d.fails(429, "slow down")],
        requests=4,
        naps=(1.0, 2.0, 4.0),
        error=ModelRefused,
        told="after 4 attempts: slow down. Wait, raise the quota, or run fewer workers",
    ),
    Case(
        name="429 that asks for an hour",
        plays=lambda d: [d.fails(429, "daily limit", headers={"Retry-After": "3600"})],
        error=ModelRefused,
        told="daily limit",
    ),
    Case(
        name="429 that asks for an hour by date",
        plays=lambda d: [d.fails(429, "daily limit", headers={"Retry-After": later(3600)})],
        error=ModelRefused,
        told="daily limit",
    ),
    Case(
        name="no money left",
        plays=lambda d: [d.fails(402, "no credit")],
        error=ModelRefused,
        told="Top up the account",
    ),
    Case(
        name="529 overloaded",
        plays=lambda d: [d.fails(529, "busy", code="overloaded_error"), d.says(GOOD)],
        requests=2,
        naps=(1.0,),
    ),
    Case(
        name="400 context too long",
        plays=lambda d: [d.too_long()],
        error=ContextTooLong,
        told="longer than the model's context window. Use a model with a larger one",
    ),
    Case(name="400", plays=lambda d: [d.fails(400, "no such option")], error=ModelRefused, told="no such option"),
    Case(name="401", plays=lambda d: [d.fails(401, SECRETIVE)], error=ModelRefused, told="_API_KEY"),
    Case(name="403", plays=lambda d: [d.fails(403, "not yours")], error=ModelRefused, told="may use this model"),
    Case(name="404", plays=lambda d: [d.fails(404, "no tiny")], error=ModelRefused, told="--base-url"),
    Case(
        name="408 and 409, then an answer",
        plays=lambda d: [d.fails(408, "too slow"), d.fails(409, "conflict"), d.says(GOOD)],
        requests=3,
        naps=(1.0, 2.0),
    ),
    Case(
        name="500 and 503, then an answer",
        plays=lambda d: [d.fails(500, "oops"), d.fails(503, "oops"), d.says(GOOD)],
        requests=3,
        naps=(1.0, 2.0),
    ),
    Case(
        name="500 for ever",
        plays=lambda d: [d.fails(500, SECRETIVE)],
        requests=4,
        naps=(1.0, 2.0, 4.0),
        error=ModelError,
        told="HTTP 500 after 4 attempts",
    ),
    Case(
        name="502 in HTML",
        plays=lambda d: [Answer(status=502, body="<html>Bad gateway</html>"), d.says(GOOD)],
        requests=2,
        naps=(1.0,),
    ),
    Case(
        name="a reset in the middle of the body",
        plays=lambda d: [Answer(body={"padding": "x" * 4000}, cut=True), d.says(GOOD)],
        requests=2,
        naps=(1.0,),
    ),
    Case(
        name="a reset each time",
        plays=lambda d: [Answer(body={"padding": "x" * 4000}, cut=True)],
        requests=4,
        naps=(1.0, 2.0, 4.0),
        error=ModelError,
        told="no connection after 4 attempts",
    ),
    Case(
        name="HTML instead of JSON",
        plays=lambda d: [Answer(body="<html>It works!</html>")],
        error=ModelError,
        told="the reply is none of this protocol",
    ),
    Case(
        name="half of a JSON text",
        plays=lambda d: [Answer(body='{"id": ', headers={"Content-Type": "application/json"})],
        error=ModelError,
        told="the reply is none of this protocol",
    ),
    Case(
        name="JSON of something else",
        plays=lambda d: [Answer(body={"object": "list", "data": []})],
        error=ModelError,
        told="the reply is none of this protocol",
    ),
    Case(
        name="an error inside a 200",
        plays=lambda d: [Answer(body={"error": {"message": f"upstream broke, {SECRETIVE}", "code": 500}})],
        requests=4,
        naps=(1.0, 2.0, 4.0),
        error=ModelError,
        told="upstream broke",
    ),
    Case(
        name="a redirect to elsewhere",
        plays=lambda d: [Answer(status=307, body="", headers={"Location": "/elsewhere"}), d.says(GOOD)],
        error=ModelError,
        told="307",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Opened:
    """One provider's model, and how long it was made to wait."""

    backend: ProviderModel
    naps: Naps


@pytest.fixture(scope="session")
async def models(running_server: ModelServer) -> AsyncGenerator[dict[str, Opened]]:
    """By provider; opened once, since that takes longer than most cases."""
    made: dict[str, Opened] = {}
    with pytest.MonkeyPatch.context() as patch:
        for dialect in DIALECTS.values():
            patch.setenv(dialect.variable, KEY)
            naps = Naps()
            made[dialect.provider] = Opened(backend=opened(dialect, running_server.origin, naps=naps), naps=naps)
    yield made
    for one in made.values():
        await one.backend.close()


def _name(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", [*REPLIES, *TRANSPORT], ids=_name)
async def test_torture(
    case: Case,
    dialect: Dialect,
    server: ModelServer,
    models: dict[str, Opened],
    bench: Bench,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answer(*case.plays(dialect))
    backend, naps = models[dialect.provider].backend, models[dialect.provider].naps
    backend.mode = case.mode
    naps.taken.clear()
    said = ""
    if case.error is None:
        assert await bench.model(backend).call(COLOR, sky()) == BLUE
        assert case.told in dialect.told(server.received[-1])[-1]
    else:
        with pytest.raises(case.error) as caught:
            await bench.model(backend).call(COLOR, sky())
        assert caught.type is case.error
        assert case.told in str(caught.value)
        said = f"{caught.value!r} {backend!r} {''.join(traceback.format_exception(caught.value))}"

    assert bench.called().ok is (case.error is None)
    assert len(server.received) == case.requests
    assert tuple(naps.taken) == case.naps
    assert {dialect.key(received) for received in server.received} == {KEY}
    printed = capfd.readouterr()
    shown = said + caplog.text + printed.out + printed.err
    shown += "".join(path.read_text() for path in bench.folder.rglob("*.jsonl"))
    for secret in (KEY, "abcdefgh1234", "abcdef123456"):
        assert secret not in shown
