"""Kept replies on runs: the same command again asks the model nothing, though the site has another address."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from refute import GoalResult, UserError, run_goal
from refute.browser import Acted, Observation
from refute.budget import RealClock
from refute.cli._bench import run_bench
from refute.goals import Goal, Milestone
from refute.llm import ModelCalled, OutputMode, ProviderModel, Reply, Request
from refute.llm._stand_in import QUOTED, STAND_IN, StandIn
from refute.report import make_view
from refute.revisions import Delivered, EpisodeEnded, EpisodeStarted, MilestoneTrigger
from refute.run import RunSettings, open_suite, run_suite
from refute.run._casting import harness_model, with_kept_replies
from refute.tables import read_tables
from refute.trace import Recorder, Trace, read_trace

from ..cli.lamps import lamps
from ..cli.provider import Json, LampModel

TASK = "buy-one.tripod"


class Browses(LampModel):
    """A model behind a real server that looks around in the shop, with an address of the shop in its first answer."""

    def __init__(self) -> None:
        super().__init__()
        self.acted = 0

    def act(self, prompt: str) -> tuple[Json, str]:
        page = prompt.rsplit("The page now:", 1)[-1]
        links = re.findall(r'\[(\d+)\] link "', page)
        address = re.search(r"http://127\.0\.0\.1:\d+", page)
        assert address is not None
        actions = (
            f"goto('{address[0]}/search/?q=tripod')",
            f"click('{links[-1]}')",
            f"click('{links[0]}')",
            "done('Nothing found.')",
        )
        action = actions[min(self.acted, len(actions) - 1)]
        self.acted += 1
        return {"reasoning": "look", "action": action}, f"I look.\n```action\n{action}\n```"


async def browse(out: Path, cache: Path, model: LampModel, agent: str = "fcp") -> Trace:
    suite = open_suite("arena:shop").select(TASK)
    settings = RunSettings(
        suite=suite.name, agent=agent, model="openai-chat:m", base_url=model.url, max_steps=6, screenshots=False
    )
    result = await run_suite(suite, settings, out, cache=cache)
    return read_trace(result.folder / TASK / "0")


async def test_the_same_run_again_asks_the_model_nothing_and_does_the_same(tmp_path: Path) -> None:
    with Browses() as model:
        first = await browse(tmp_path / "first", tmp_path / "replies", model)
        asked = len(model.requests)
        again = await browse(tmp_path / "again", tmp_path / "replies", model)
    assert asked > 5
    assert len(model.requests) == asked
    origins = [trace.of(EpisodeStarted)[0].origin for trace in (first, again)]
    assert origins[0] != origins[1]
    acts = [
        [(a.text.replace(o, ""), a.target) for a in t.of(Acted)] for t, o in zip((first, again), origins, strict=True)
    ]
    assert acts[0] == acts[1]
    assert "goto('/search/?q=tripod')" in acts[0][0]
    assert again.of(Acted)[0].text == f"goto('{origins[1]}/search/?q=tripod')", "the site as it is reached now"
    assert [d.step for d in first.of(Delivered)] == [d.step for d in again.of(Delivered)]
    assert all(call.cached == call.attempts for call in again.of(ModelCalled))
    one, two = (trace.of(EpisodeEnded)[0].spent for trace in (first, again))
    assert (one.requests, one.tokens) == (two.requests, two.tokens), "what the work costs stays the same"
    assert (two.kept_requests, two.kept_tokens) == (two.requests, two.tokens)
    (row,) = {s.name: s for s in make_view("cost", read_tables(tmp_path / "again")).sheets}["kept"].rows
    assert row[1:] == (two.requests, two.requests, two.tokens, two.tokens, None), "no price is known of such a model"
    assert "kept" not in {sheet.name for sheet in make_view("cost", read_tables(tmp_path / "first")).sheets}
    kept = "".join(file.read_text() for file in (tmp_path / "replies").rglob("*.json"))
    assert not any(origin.removeprefix("http://") in kept for origin in origins)


async def test_a_goal_that_is_asked_for_again_costs_nothing(tmp_path: Path) -> None:
    with lamps() as site, LampModel() as model:

        async def ask(out: str) -> GoalResult:
            return await run_goal(
                "What color is the Arbor lamp?", url=site, model="openai-chat:m", base_url=model.url, agent="react",
                out=tmp_path / out, cache=tmp_path / "replies", screenshots=False,
            )  # fmt: skip

        first = await ask("first")
        asked = len(model.requests)
        again = await ask("again")
    assert len(model.requests) == asked > 0
    assert (first.message, first.steps, first.tokens) == (again.message, again.steps, again.tokens)
    assert (first.kept_calls, again.kept_calls) == (0, again.calls)


async def test_a_providers_address_is_the_same_spelled_out_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Request] = []

    async def answer(model: ProviderModel, request: Request) -> Reply:
        asked.append(request)
        return Reply(text="yes")

    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(ProviderModel, "complete", answer)
    request = Request(role="judge", system="", user="Is it red?", output_schema={}, input=Goal(instructions=("?",)))
    for address in (None, "https://api.openai.com/v1", "http://127.0.0.1:9/v1"):
        settings = RunSettings(
            suite="arena:shop",
            agent="react",
            model="openai-chat:m",
            base_url=address,
            output_mode=OutputMode.PROMPTED,
        )
        await with_kept_replies(settings.open_backend(), tmp_path, settings).complete(request)
    assert len(asked) == 2, "another server is asked anew"


async def test_kept_answers_of_the_harness_take_their_seconds_as_well(tmp_path: Path) -> None:
    class Kept:
        name, simulated, mode = "kept", False, OutputMode.PROMPTED

        async def complete(self, request: Request) -> Reply:
            return Reply(text='{"reached": true, "confidence": 1, "evidence": "it is open"}', seconds=100, cached=True)

        async def close(self) -> None: ...

    clock = RealClock()
    before = clock.now()
    with Recorder(tmp_path, now=clock.now) as recorder:
        trigger = MilestoneTrigger(harness_model(Kept(), recorder, clock))
        goal = Goal(instructions=("Find the lamp.",))
        await trigger.ask(Milestone(text="The lamp is open."), goal, Observation(url="http://127.0.0.1/"))
    assert clock.now() - before >= 100


def test_the_simulated_model_takes_no_cache(tmp_path: Path) -> None:
    suite = open_suite("arena:shop")
    settings = RunSettings(suite=suite.name, agent="react", model="simulated")
    with pytest.raises(UserError, match="leave --cache out"):
        run_bench(
            suite, settings, tmp_path, repeats=1, workers=1, cache=tmp_path / "replies", console=Console(quiet=True)
        )


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("http://127.0.0.1:4711/a", f"http://{STAND_IN}/a"),
        ("?next=http%3A//127.0.0.1%3A4711/a", f"?next=http%3A//{QUOTED}/a"),
        ("?next=http%3A%2F%2F127.0.0.1%3A4711%2Fa", f"?next=http%3A%2F%2F{QUOTED}%2Fa"),
        ("?host=127.0.0.1%3A4711&to=%2f%2f127.0.0.1:4711", f"?host={QUOTED}&to=%2f%2f{STAND_IN}"),
        ("%2F1127.0.0.1%3A4711 and %2F127.0.0.1%3A47110", "%2F1127.0.0.1%3A4711 and %2F127.0.0.1%3A47110"),
        ("127.0.0.1:47110 and 1127.0.0.1:4711", "127.0.0.1:47110 and 1127.0.0.1:4711"),
    ],
)
def test_an_address_is_found_as_pages_write_it_and_no_other_is(text: str, hidden: str) -> None:
    site = StandIn("http://127.0.0.1:4711")
    assert site.hide(text) == hidden
    assert site.show(hidden) == text


parts = st.sampled_from(["%3A", "%2F", ":", "/", "127.0.0.1", "4711", "quoted.", "a"])
around = st.text() | st.lists(parts).map("".join)


@given(around, around, st.booleans(), st.integers(1, 65535), st.integers(1, 65535))
def test_a_text_reads_the_same_on_every_run(before: str, after: str, quoted: bool, port: int, other: int) -> None:
    one, two = (f"http://127.0.0.1:{number}" for number in (port, other))
    text, moved = (f"{before} {quote(a, safe='') if quoted else a}/{after}" for a in (one, two))
    hidden = StandIn(one).hide(text)
    if not any(str(number) in before + after for number in (port, other)):
        assert StandIn(two).hide(moved) == hidden
    assert StandIn(one).show(hidden) == text or STAND_IN in text
    assert StandIn("").hide(text) == StandIn("").show(text) == text
