"""MiniWoB++ through the ordinary path: real pages, real Chromium, the page's own reward."""

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from refute import UserError
from refute.browser import BrowserHost, Click, Done, Observation
from refute.goals import TruthVerdict
from refute.report import summary, write_report
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted, GoalSet
from refute.run import solve_suite
from refute.suites import Rewarded, Start, Suite, open_suite
from refute.suites.miniwob import NAMES, SOLUTIONS, miniwob_coverage, page_seed
from refute.trace import Recorder, Trace, read_trace

SAMPLE = (
    "ascending-numbers", "buy-ticket", "choose-date-nodelay", "click-menu", "click-shades", "drag-items",
    "email-inbox-reply", "login-user-popup", "search-engine", "social-media-all",
)  # fmt: skip
"""One of each strategy: points, texts, pickers, hovering, colours, dragging, mails, popups, pages, scrolling."""


def only(suite: Suite, *names: str) -> Suite:
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.template in names))


def only_trace(folder: Path) -> Trace:
    return read_trace(next(folder.rglob("events.jsonl")).parent)


async def begin(suite: Suite, host: BrowserHost, name: str, folder: Path) -> tuple[Start, Observation]:
    place = await suite.launch()
    start = await place.start(host, only(suite, name).tasks[0], Recorder(folder))
    return start, await start.session.observe()


@pytest.mark.usefixtures("miniwob")
async def test_tasks_and_seeds_are_those_of_browsergym() -> None:
    suite = open_suite("miniwob", seeds=3)
    assert len(set(NAMES)) == 125
    assert len(suite.tasks) == 375
    task = suite.select("click-button.2").tasks[0]
    assert (task.seed, task.env_id, task.template) == (2, "browsergym/miniwob.click-button", "click-button")
    assert page_seed(2) == np.random.RandomState(2).randint(0, 1_000_000)


def test_before_the_pages_are_installed_the_command_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUTE_CACHE", str(tmp_path))

    async def launch() -> None:
        await open_suite("miniwob").launch()

    with pytest.raises(UserError, match="refute bench setup miniwob"):
        asyncio.run(launch())


async def test_solutions_of_every_strategy_reach_the_reward(miniwob: Suite, tmp_path: Path) -> None:
    assert len(SOLUTIONS) >= 60
    result = await solve_suite(only(miniwob, *SAMPLE), tmp_path, workers=2)
    assert result.failures == ()
    assert (result.templates, result.solved, result.rewarded) == (len(SAMPLE), len(SAMPLE), len(SAMPLE))


async def test_an_episode_records_its_instruction_and_rewards_and_is_reported(miniwob: Suite, tmp_path: Path) -> None:
    await solve_suite(only(miniwob, "click-test-2"), tmp_path)
    trace = only_trace(tmp_path)
    assert trace.of(EpisodeStarted)[0].task.initial_instruction == "Click button ONE."
    assert trace.of(GoalSet)[0].goal.text == "Click button ONE."
    rewards = trace.of(Rewarded)
    assert [(event.reward, event.done) for event in rewards] == [(0.0, False), (1.0, True)]
    assert trace.of(TruthVerdict)[0].findings["goal"].satisfied
    assert trace.of(EpisodeEnded)[0].ending is Ending.DONE
    figures = summary(tmp_path)
    assert (figures["n"], figures["score"], figures["errors"]) == (1, 1.0, 0)
    assert "Click button ONE." in write_report(tmp_path).read_text()


async def test_the_pages_own_display_is_out_of_sight_and_the_wrong_click_gives_nothing(
    miniwob: Suite, host: BrowserHost, tmp_path: Path
) -> None:
    start, seen = await begin(miniwob, host, "click-test-2", tmp_path)
    assert start.task.initial_instruction not in seen.text
    assert not any(word in seen.text for word in ("Time left", "Last reward", "START"))
    assert [element.role for element in seen.elements] == ["button", "button"]
    wrong = next(element for element in seen.elements if element.name == "TWO")
    await start.session.step(Click(target=wrong.id))
    assert await start.ground.look(None)
    await start.session.close()
    raw = [event for event in read_trace(tmp_path).events if isinstance(event, Rewarded)]
    assert (raw[-1].reward, raw[-1].raw, raw[-1].done) == (0.0, -1.0, True)


async def test_whoever_leaves_the_page_has_lost(miniwob: Suite, host: BrowserHost, tmp_path: Path) -> None:
    start, _ = await begin(miniwob, host, "click-test", tmp_path)
    assert not await start.ground.look(None)
    await start.session.goto("about:blank")
    assert await start.ground.look(None)
    await start.session.close()
    last = read_trace(tmp_path).of(Rewarded)[-1]
    assert (last.reward, last.done) == (0.0, True)
    assert "about:blank" in last.reason


async def test_a_dialog_that_waits_holds_the_verdict_back_until_the_end(
    miniwob: Suite, host: BrowserHost, tmp_path: Path
) -> None:
    start, _ = await begin(miniwob, host, "click-test", tmp_path)
    await start.session.evaluate("() => { setTimeout(() => confirm('Sure?'), 0) }")
    while not start.session.dialog_open:
        await start.session.observe()
    assert not await start.ground.look(None)
    assert read_trace(tmp_path).of(Rewarded) == ()
    await start.ground.look(Done(message=""))
    assert not start.session.dialog_open
    await start.session.close()
    assert [event.reward for event in read_trace(tmp_path).of(Rewarded)] == [0.0]


@pytest.mark.usefixtures("miniwob")
async def test_pages_that_do_not_say_so_are_read_as_utf_8(host: BrowserHost, tmp_path: Path) -> None:
    suite = open_suite("miniwob", seeds=2).select("unicode-test.1")
    start, seen = await begin(suite, host, "unicode-test", tmp_path)
    assert start.task.initial_instruction == 'Click on the "取消" button.'
    assert any(element.name == "取消" for element in seen.elements)
    await start.session.close()


async def test_the_same_seed_draws_the_same_problem(miniwob: Suite, host: BrowserHost, tmp_path: Path) -> None:
    seen: list[str] = []
    for name in ("a", "b"):
        start, observation = await begin(miniwob, host, "click-checkboxes", tmp_path / name)
        seen.append(start.task.initial_instruction + observation.text)
        await start.session.close()
    assert seen[0] == seen[1]


async def test_the_observation_names_every_interactive_element_of_a_sample() -> None:
    names = ("click-dialog", "click-shape", "drag-circle", "email-inbox", "tic-tac-toe", "use-slider")
    result = await miniwob_coverage(names)
    assert result.missed == ()
    assert (result.tasks, result.unreachable) == (len(names), 0)
    assert result.elements > 40
