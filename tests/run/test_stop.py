"""Ending a run from outside: Ctrl-C once and twice, SIGTERM, and SIGKILL at any moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pytest

from refute.revisions import EpisodeEnded
from refute.run import stop_on_signals
from refute.run._stop import SIGNALS
from refute.trace import EVENTS, read_trace

from .tiny import tiny_settings

HERE = Path(__file__).parent
SLOW, LONG = 0.3, 60.0
"""Seconds that the model takes for an answer."""


class Run:
    """A run of the tiny suite in a process and a process group of its own, as a shell starts it in a terminal."""

    def __init__(self, process: subprocess.Popen[str], lines: IO[str]) -> None:
        self.process = process
        self.lines = lines

    def until(self, start: str) -> list[str]:
        """Lines up to the one that begins with `start`."""
        seen: list[str] = []
        for line in self.lines:
            seen.append(line.strip())
            if line.startswith(start):
                return seen
        raise AssertionError(f"the run ended before it said {start!r}: {seen}")

    def signal(self, number: int) -> None:
        """To the whole group, as a terminal does."""
        os.killpg(self.process.pid, number)

    def family(self) -> list[psutil.Process]:
        """Everything that it started."""
        return psutil.Process(self.process.pid).children(recursive=True)


@contextmanager
def run(out: Path, *, tasks: int, pause: float) -> Generator[Run]:
    command = [sys.executable, str(HERE / "tiny.py"), str(out), str(tasks), str(pause)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        try:
            yield Run(process, process.stdout)
        finally:
            process.kill()


def all_gone(family: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(family, timeout=60)[1]


def ended(out: Path) -> list[bool]:
    """For each episode that was begun, in order, whether it was finished."""
    folder = out / tiny_settings().run_id
    return [bool(read_trace(path.parent).of(EpisodeEnded)) for path in sorted(folder.rglob(EVENTS))]


async def test_after_a_run_signals_mean_what_they_meant_before() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    own = signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        mine = signal.getsignal(signal.SIGTERM)
        with stop_on_signals():
            assert signal.getsignal(signal.SIGTERM) is not mine
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, own)
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_ctrl_c_lets_the_episode_at_work_finish_and_starts_no_more(tmp_path: Path) -> None:
    with run(tmp_path, tasks=50, pause=SLOW) as running:
        running.until("step look-0")
        family = running.family()
        running.signal(signal.SIGINT)
        told = running.until("result")
        assert running.process.wait(timeout=60) == 0
    assert "stopping" in told
    assert ended(tmp_path) == [True]
    assert told[-1] == "result 1 ended, 0 kept, 49 left"
    assert all_gone(family)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_second_signal_ends_the_episodes_at_once(tmp_path: Path, number: int) -> None:
    with run(tmp_path, tasks=3, pause=LONG) as running:
        running.until("asked look-0")
        family = running.family()
        running.signal(number)
        running.until("stopping")
        running.signal(number)
        assert running.process.wait(timeout=LONG - 5) != 0
    assert ended(tmp_path) == [False]
    assert all_gone(family)


def test_a_killed_run_leaves_no_process_behind_and_is_continued(tmp_path: Path) -> None:
    with run(tmp_path, tasks=2, pause=SLOW) as running:
        running.until("ended look-0")
        running.until("step look-1")
        family = running.family()
        names = " ".join(process.name() for process in family)
        os.kill(running.process.pid, signal.SIGKILL)
        running.process.wait(timeout=60)
    assert "chrom" in names
    assert "python" in names
    assert all_gone(family)
    with run(tmp_path, tasks=2, pause=0.0) as running:
        assert running.until("result")[-1] == "result 1 ended, 1 kept, 0 left"
    assert ended(tmp_path) == [True, True]


def test_fifty_kills_at_random_moments_lose_no_finished_episode(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "killed.py"), str(tmp_path), "50"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout)
    assert (found["kills"], found["lost"]) == (50, 0)
    assert found["interrupted"] > 0
    assert found["finished"] > 0
