"""Kept replies on runs: the same command again asks the model nothing, though the site has another address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from refute import GoalResult, UserError, run_goal
from refute.browser import Acted
from refute.cli._bench import run_bench
from refute.llm import ModelCalled
from refute.llm._stand_in import STAND_IN, StandIn
from refute.report import make_view
from refute.revisions import Delivered, EpisodeEnded, EpisodeStarted
from refute.run import RunSettings, open_suite, run_suite
from refute.tables import read_tables
from refute.trace import Trace, read_trace

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
        ("?next=http%3A//127.0.0.1%3A4711/a", f"?next=http%3A//{STAND_IN}/a"),
        ("127.0.0.1:47110 and 1127.0.0.1:4711", "127.0.0.1:47110 and 1127.0.0.1:4711"),
    ],
)
def test_an_address_is_found_as_pages_write_it_and_no_other_is(text: str, hidden: str) -> None:
    assert StandIn("http://127.0.0.1:4711").hide(text) == hidden


@given(st.text(), st.text(), st.integers(1, 65535), st.integers(1, 65535))
def test_a_text_reads_the_same_on_every_run(before: str, after: str, port: int, other: int) -> None:
    one, two = (f"http://127.0.0.1:{number}" for number in (port, other))
    text = f"{before} {one}/{after}"
    hidden = StandIn(one).hide(text)
    if str(other) not in before + after:
        assert StandIn(two).hide(text.replace(one, two)) == hidden or str(port) in before + after
    assert StandIn(one).show(hidden) == text or STAND_IN in text or "%3A" in text
    assert StandIn("").hide(text) == StandIn("").show(text) == text
