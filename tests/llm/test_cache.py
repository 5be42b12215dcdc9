"""A question that was answered is never asked again, and a recording answers without any model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import LimitReached, ModelRefused, NotRecorded
from refute.budget import Limits
from refute.llm import CachedBackend, MeteredBackend, OutputMode, Picture, ReplayBackend
from refute.llm._cache import question_of

from .dialects import DIALECTS
from .server import ModelServer
from .setup import COLOR, Bench, Thing, opened, request, sky

CHAT = DIALECTS["openai-chat"]


def cached(server: ModelServer, folder: Path, **more: Any) -> CachedBackend:
    return CachedBackend(opened(CHAT, server.origin), folder, settings={"address": "here"}, **more)


async def test_the_same_question_reaches_the_server_once(server: ModelServer, bench: Bench, tmp_path: Path) -> None:
    server.answer(CHAT.says('{"color": "blue"}'), CHAT.says('{"color": "red"}'))

    first = await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())
    again = await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())

    assert (first.color, again.color, len(server.received)) == ("blue", "blue", 1)
    calls = bench.events()
    assert [getattr(call, "cached", None) for call in calls] == [0, 1]
    assert calls[0].model_dump(include={"usage", "dollars"}) == calls[1].model_dump(include={"usage", "dollars"})


async def test_another_repetition_or_another_setting_is_another_question(
    server: ModelServer, bench: Bench, tmp_path: Path
) -> None:
    server.answer(CHAT.says('{"color": "blue"}'))
    await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())
    await bench.model(cached(server, tmp_path / "replies", repeat=1)).call(COLOR, sky())
    await bench.model(CachedBackend(opened(CHAT, server.origin), tmp_path / "replies")).call(COLOR, sky())
    assert len(server.received) == 3


async def test_a_retry_takes_the_same_way_from_the_cache(server: ModelServer, bench: Bench, tmp_path: Path) -> None:
    server.answer(CHAT.says("blue, I think"), CHAT.says('{"color": "blue"}'))
    for _ in range(2):
        assert (await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())).color == "blue"
    assert len(server.received) == 2
    assert [getattr(call, "attempts", None) for call in bench.events()] == [2, 2]


async def test_a_damaged_file_is_asked_again_and_mended(server: ModelServer, bench: Bench, tmp_path: Path) -> None:
    server.answer(CHAT.says('{"color": "blue"}'))
    await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())
    (file,) = (tmp_path / "replies").rglob("*.json")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])

    await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())

    await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())
    assert len(server.received) == 2
    assert [path.suffix for path in (tmp_path / "replies").rglob("*") if path.is_file()] == [".json"]


async def test_a_refusal_is_not_kept(server: ModelServer, bench: Bench, tmp_path: Path) -> None:
    server.answer(CHAT.refuses("no"), CHAT.says('{"color": "blue"}'))
    with pytest.raises(ModelRefused):
        await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())
    assert (await bench.model(cached(server, tmp_path / "replies")).call(COLOR, sky())).color == "blue"


async def test_a_recording_answers_what_is_in_it_and_nothing_else(
    server: ModelServer, bench: Bench, tmp_path: Path
) -> None:
    server.answer(CHAT.says("hm"), CHAT.says('{"color": "blue"}'))
    recorder = cached(server, tmp_path / "replies")
    await bench.model(recorder).call(COLOR, sky())

    replay = ReplayBackend(tmp_path / "replies", model=recorder.name, mode=recorder.mode, settings={"address": "here"})

    assert (await bench.model(replay).call(COLOR, sky())).color == "blue"
    with pytest.raises(NotRecorded, match=r"'color'.*Record it again"):
        await bench.model(replay).call(COLOR, Thing(thing="grass"))
    assert len(server.received) == 2


async def test_limits_count_what_is_asked_and_not_what_is_kept(
    server: ModelServer, bench: Bench, tmp_path: Path
) -> None:
    server.answer(CHAT.says('{"color": "blue"}'))
    metered = MeteredBackend(opened(CHAT, server.origin), Limits(requests=2))
    model = bench.model(CachedBackend(metered, tmp_path / "replies"))
    for thing in ("sky", "sky", "sea", "sky"):
        await model.call(COLOR, Thing(thing=thing))
    assert metered.spent.requests == 2
    assert metered.spent.tokens == 2 * 150
    with pytest.raises(LimitReached, match="requests"):
        await model.call(COLOR, Thing(thing="grass"))
    assert len(server.received) == 2


@given(st.sampled_from(["system", "user", "role", "previous_reply", "problem"]), st.text(min_size=1), st.integers(1, 9))
def test_whatever_can_change_a_reply_changes_the_question(field: str, text: str, attempt: int) -> None:
    before = request()
    asked = question_of(before, model="m", mode=OutputMode.TOOL, settings={}, repeat=0)
    picture = Picture(data=text.encode("utf-8", "replace"))
    for changed in (
        before.model_copy(update={field: getattr(before, field) + text}),
        before.model_copy(update={"attempt": attempt}),
        before.model_copy(update={"pictures": (picture,)}),
        before.model_copy(update={"output_schema": {**before.output_schema, "title": text}}),
    ):
        again = question_of(changed, model="m", mode=OutputMode.TOOL, settings={}, repeat=0)
        assert again != asked or changed == before
    assert question_of(before, model="m", mode=OutputMode.TOOL, settings={}, repeat=attempt) != asked
    assert question_of(before, model="m", mode=OutputMode.NATIVE, settings={}, repeat=0) != asked
