"""BrowserGym in its own environment: a real child, a real Chromium, its own verdict."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from refute import UserError
from refute._errors import SiteError
from refute.browser import BrowserHost
from refute.run import solve_suite
from refute.suites import Rewarded, Suite, open_suite
from refute.suites.browsergym import PACKAGES, BrowserGymProcess, package
from refute.suites.browsergym._process import Listed
from refute.suites.miniwob import NAMES
from refute.trace import Recorder

from .test_miniwob import begin, only, only_trace


async def test_its_tasks_are_ours(browsergym: Suite) -> None:
    assert {task.template for task in browsergym.tasks} == set(NAMES)


async def test_a_task_solved_by_our_actions_is_rewarded_by_its_own_validate(browsergym: Suite, tmp_path: Path) -> None:
    result = await solve_suite(only(browsergym, "click-checkboxes"), tmp_path, workers=1)
    assert result.failures == ()
    trace = only_trace(tmp_path)
    assert [event.reward for event in trace.of(Rewarded)][-1] == 1.0
    assert trace.of(Rewarded)[-1].done


async def test_it_draws_what_the_native_suite_draws(
    browsergym: Suite, miniwob: Suite, host: BrowserHost, tmp_path: Path
) -> None:
    theirs, seen = await begin(browsergym, host, "click-option", tmp_path / "theirs")
    ours, native = await begin(miniwob, host, "click-option", tmp_path / "ours")
    assert theirs.task.initial_instruction == ours.task.initial_instruction
    assert seen.text == native.text
    await theirs.session.close()
    await ours.session.close()


async def test_a_child_that_dies_ends_the_call_with_its_last_words(browsergym: Suite) -> None:
    child = await BrowserGymProcess.start(package("miniwob"), MINIWOB_URL="http://127.0.0.1:9/")
    try:
        os.kill(child.pid, signal.SIGKILL)
        with pytest.raises(SiteError, match="ended during 'tasks'"):
            await child.ask(Listed, "tasks", seconds=20)
        assert not child.alive
    finally:
        await child.close()


async def test_a_child_that_hangs_is_ended_at_the_deadline(browsergym: Suite) -> None:
    child = await BrowserGymProcess.start(package("miniwob"), MINIWOB_URL="http://127.0.0.1:9/")
    try:
        os.kill(child.pid, signal.SIGSTOP)
        with pytest.raises(SiteError, match=r"did not finish 'tasks' within 0\.5 s"):
            await child.ask(Listed, "tasks", seconds=0.5)
        await asyncio.sleep(0.2)
        assert not child.alive
    finally:
        await child.close()


async def test_a_request_that_fails_says_why_and_the_child_goes_on(browsergym: Suite) -> None:
    child = await BrowserGymProcess.start(package("miniwob"), MINIWOB_URL="http://127.0.0.1:9/")
    try:
        with pytest.raises(SiteError, match="could not start"):
            await child.ask(Listed, "start", seconds=20, task="miniwob.click-test", seed=0, url="about:blank")
        assert len((await child.ask(Listed, "tasks", seconds=20)).tasks) == len(NAMES)
    finally:
        await child.close()


async def test_an_episode_whose_child_died_is_a_harness_error_not_a_failure(browsergym: Suite, tmp_path: Path) -> None:
    place = await browsergym.launch()
    async with BrowserHost(loopback_only=True) as host:
        start = await place.start(host, only(browsergym, "click-test").tasks[0], Recorder(tmp_path))
        await place.close()
        with pytest.raises(SiteError):
            await start.ground.look(None)
        await start.session.close()


@pytest.mark.parametrize("name", [name for name in PACKAGES if name != "miniwob"])
def test_what_is_missing_is_named_before_anything_starts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = package(name)
    variables = [*chosen.needs, *(variable for group in chosen.needs_one_of for variable in group)]
    for variable in variables:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UserError) as told:
        open_suite(f"browsergym:{name}")
    assert all(variable in str(told.value) for variable in variables)
    for variable in variables:
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with pytest.raises(UserError, match=f"refute browsergym setup {name}"):
        open_suite(f"browsergym:{name}")
