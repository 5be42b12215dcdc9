"""The comparison of environments: a pass is followed line by line, and what it measured is kept, however it ends."""

from __future__ import annotations

import sys

import pytest

from refute import SiteError
from refute.suites.environment import EnvironmentTable
from refute.suites.environment._rows import Memory, Times, Unfinished, compare
from refute.suites.environment._theirs import time_theirs

SAYS = """
import json, sys, time
def say(kind, **more): print(json.dumps({"kind": kind, **more}), flush=True)
say("reset")
say("reset", ms=3000)
"""


async def a_pass(then: str, *, deadline: float = 30.0) -> tuple[Times, list[str]]:
    lines: list[str] = []
    times = await time_theirs([sys.executable, "-c", SAYS + then], deadline=deadline, on_line=lines.append)
    return times, lines


async def test_a_pass_is_followed_while_it_runs() -> None:
    times, lines = await a_pass("for ms in (900, 1000): say('step', ms=ms)")
    assert times == Times(resets=(3000,), steps=(900, 1000))
    assert lines == ["reset 1: 3,000 ms", "step 1: 900 ms", "step 2: 1,000 ms"]


async def test_a_pass_that_takes_too_long_is_ended_and_keeps_what_it_measured() -> None:
    times, lines = await a_pass("say('step', ms=900); say('step'); time.sleep(600)", deadline=5)
    assert times.steps == (900,)
    assert times.unfinished is not None
    assert times.unfinished.call == "step"
    assert 0 < times.unfinished.ms <= 5000
    assert "ended after 5 s" in lines[-1]


async def test_what_a_pass_does_between_its_calls_is_none_of_them() -> None:
    times, lines = await a_pass("time.sleep(600)", deadline=5)
    assert times == Times(resets=(3000,))
    assert lines[-1] == "ended after 5 s"


async def test_a_call_that_gave_up_says_how_long_it_tried() -> None:
    times, _ = await a_pass("say('step'); say('step', ms=30000, gave_up=True)")
    assert times == Times(resets=(3000,), unfinished=Unfinished(call="step", ms=30000))


@pytest.mark.parametrize("then", ["raise OSError('no room')", "print('no room')"])
async def test_a_pass_that_fails_says_why(then: str) -> None:
    with pytest.raises(SiteError, match="could not be timed"):
        await a_pass(then + "\nprint('no room', file=sys.stderr)")


def test_rows_are_medians_and_ratios_of_one_run() -> None:
    ours, theirs = Times(resets=(500, 700, 600), steps=(90, 100, 110)), Times(resets=(2400,), steps=(800, 1000))
    step, reset = compare("miniwob", ours, theirs, Times(resets=(1200,), steps=(400,)))
    assert (step.refute, step.browsergym, step.ratio, step.ratio_no_delay) == (100, 900, 9, 4)
    assert (step.repeats, step.repeats_browsergym, step.floor, step.stretch) == (3, 2, 7, 10)
    assert (reset.ratio, reset.ratio_no_delay) == (4, 2)


def test_a_time_out_is_a_bound() -> None:
    ours = Times(resets=(700,), observations=(40, 60))
    (row,) = compare("large", ours, Times(unfinished=Unfinished(call="observation", ms=600_000)))
    assert row.timed_out
    assert row.ratio == 12_000
    table = EnvironmentTable(machine="m", load=(0, 0), python="3", browser="b", browsergym="g", rows=(row,))
    assert "| observe 30,000 elements | 50 | ≥ 600000 | - | ≥ 12000.0x | - |" in table.text()


def test_a_call_that_was_never_begun_has_no_bound() -> None:
    ours = Times(resets=(500,), steps=(100,))
    step, reset = compare("miniwob", ours, Times(unfinished=Unfinished(call="reset", ms=30_000)))
    assert (step.browsergym, step.ratio, step.timed_out) == (None, None, False)
    assert (reset.browsergym, reset.ratio, reset.timed_out) == (30_000, 60, True)
    assert "| click, observe, screenshot: miniwob | 100 | - | - | - | - |" in step.text()


def test_a_table_without_memory_is_one_that_was_interrupted() -> None:
    table = EnvironmentTable(machine="m", load=(0, 0), python="3", browser="b", browsergym="g", rows=())
    assert not table.complete
    assert "Memory" not in table.text()
    weighed = table.model_copy(update={"memory": Memory(one_browser=60, four_browsers=120), "memory_share": 0.5})
    assert "share 0.50" in weighed.text()
