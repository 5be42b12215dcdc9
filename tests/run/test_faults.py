"""A browser, a site or the disk fails in the middle of a run: what each episode is told, and what is kept."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from refute import RunStopped, SiteError, TraceError
from refute.browser import BrowserHost, Observed
from refute.goals import TruthVerdict
from refute.report import summary, write_report
from refute.revisions import EpisodeEnded, EpisodeStarted
from refute.run import run_suite
from refute.run._lease import leases
from refute.trace import EVENTS, Recorder, read_trace

from .tiny import TinyInstance, TinySite, suite_of, tiny_settings, tiny_suite, tiny_task


def endings(folder: Path) -> dict[str, str]:
    """By task: how it ended, and the class of the error."""
    traces = {path.parent.parent.name: read_trace(path.parent) for path in folder.rglob(EVENTS)}
    last = {task: trace.of(EpisodeEnded)[-1] for task, trace in traces.items()}
    return {task: f"{end.ending} {end.message.split(':')[0]}" for task, end in sorted(last.items())}


def browsers() -> set[int]:
    """Chromiums that this process started, without their helpers."""
    found: set[int] = set()
    for process in psutil.Process().children(recursive=True):
        with_arguments = process.cmdline() if process.is_running() and process.status() != psutil.STATUS_ZOMBIE else []
        if with_arguments and "chrom" in process.name() and not any(a.startswith("--type=") for a in with_arguments):
            found.add(process.pid)
    return found


async def test_a_killed_browser_ends_the_episodes_in_it_and_the_next_ones_get_a_new_one(tmp_path: Path) -> None:
    others, second, killed = browsers(), asyncio.Event(), asyncio.Event()

    async def kill(task: str, step: int, instance: TinyInstance) -> None:
        if (task, step) == ("look-0", 1):
            await second.wait()
            for pid in browsers() - others:
                os.kill(pid, signal.SIGKILL)
            killed.set()
        if (task, step) == ("look-1", 1):
            second.set()
            await killed.wait()

    site = TinySite(at=kill)
    result = await run_suite(tiny_suite(4, site), tiny_settings(), tmp_path, workers=2)
    gone, done = "harness_error BrowserGone", "done seen"
    assert endings(tmp_path) == {"look-0": gone, "look-1": gone, "look-2": done, "look-3": done}
    assert not read_trace(result.folder / "look-0" / "0").of(TruthVerdict)
    write_report(tmp_path)
    assert (summary(tmp_path)["errors"], summary(tmp_path)["n"]) == (2, 2)
    site.at = TinySite().at
    again = await run_suite(tiny_suite(4, site), tiny_settings(), tmp_path, workers=2)
    assert (again.kept, len(again.ended)) == (2, 2)
    assert set(endings(tmp_path).values()) == {done}


async def test_a_killed_site_is_no_failure_of_the_agent_and_is_launched_again(tmp_path: Path) -> None:
    async def kill(task: str, step: int, instance: TinyInstance) -> None:
        if (task, step) == ("look-1", 1):
            os.kill(instance.process.pid, signal.SIGKILL)

    site = TinySite(at=kill)
    result = await run_suite(tiny_suite(3, site), tiny_settings(), tmp_path)
    assert endings(tmp_path) == {"look-0": "done seen", "look-1": "harness_error SiteError", "look-2": "done seen"}
    assert len(site.launched) == 2
    origins = [read_trace(result.folder / f"look-{n}" / "0").of(EpisodeStarted)[0].origin for n in range(3)]
    assert origins == [site.launched[n].origin for n in (0, 0, 1)]
    assert not any(instance.data.exists() for instance in site.launched)


async def test_a_site_that_dies_unnoticed_by_the_agent_leaves_no_verdict(tmp_path: Path) -> None:
    async def kill(task: str, step: int, instance: TinyInstance) -> None:
        if step == 2:
            os.kill(instance.process.pid, signal.SIGKILL)

    result = await run_suite(tiny_suite(1, TinySite(at=kill)), tiny_settings(), tmp_path)
    trace = read_trace(result.folder / "look-0" / "0")
    assert endings(tmp_path) == {"look-0": "harness_error SiteError"}
    assert not trace.of(TruthVerdict)


async def test_a_site_that_hangs_is_replaced(tmp_path: Path) -> None:
    site = TinySite()
    suite = tiny_suite(1, site)

    async def begin() -> str:
        start = await lease.start(host, suite.tasks[0], recorder)
        await start.session.close()
        return lease.origin

    async with BrowserHost(loopback_only=True) as host, leases(suite, 1) as (lease,):
        with Recorder(tmp_path) as recorder:
            first = await begin()
            assert await begin() == first
            os.kill(site.launched[0].process.pid, signal.SIGSTOP)
            second = await begin()
        await lease.check()
        assert second != first
    assert not any(psutil.pid_exists(instance.process.pid) for instance in site.launched)


async def test_a_site_that_does_not_start_again_stops_the_run(tmp_path: Path) -> None:
    async def ruin(task: str, step: int, instance: TinyInstance) -> None:
        if (task, step) == ("look-1", 0):
            site.broken = True
            os.kill(instance.process.pid, signal.SIGKILL)

    site = TinySite(at=ruin)
    with pytest.raises(RunStopped, match="1 of 9 episodes are finished and kept") as stopped:
        await run_suite(tiny_suite(9, site), tiny_settings(), tmp_path)
    assert isinstance(stopped.value.__cause__, SiteError)
    assert list(endings(tmp_path)) == ["look-0", "look-1", "look-2", "look-3", "look-4"]


@contextmanager
def largest_file(size: int) -> Generator[None]:
    """No file of this process grows beyond `size` bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_stops_the_run_and_the_same_run_goes_on_when_there_is_space(tmp_path: Path) -> None:
    full = asyncio.Event()

    async def fill(task: str, step: int, instance: TinyInstance) -> None:
        if (task, step) == ("look-1", 1):
            full.set()

    async def run() -> None:
        await run_suite(suite, tiny_settings(), tmp_path)

    suite = tiny_suite(3, TinySite(at=fill, pause=0.2))
    running = asyncio.ensure_future(run())
    await asyncio.wait([running, asyncio.ensure_future(full.wait())], return_when=asyncio.FIRST_COMPLETED)
    place = tmp_path / tiny_settings().run_id
    kept = (place / "look-0" / "0" / EVENTS).read_bytes()
    size = (place / "look-1" / "0" / EVENTS).stat().st_size
    with largest_file(size + 40), pytest.raises(RunStopped, match="1 of 3 episodes are finished and kept") as stopped:
        await running
    assert isinstance(stopped.value.__cause__, TraceError)
    assert "earlier events are kept" in str(stopped.value)
    torn = read_trace(place / "look-1" / "0")
    assert not torn.torn
    assert torn.of(Observed)
    result = await run_suite(suite, tiny_settings(), tmp_path)
    assert (result.kept, len(result.ended)) == (1, 2)
    assert (place / "look-0" / "0" / EVENTS).read_bytes() == kept


async def test_a_page_that_is_not_utf8_leaves_a_trace_that_is(tmp_path: Path) -> None:
    suite = suite_of(TinySite(), tiny_task("odd", start="/odd"))
    result = await run_suite(suite, tiny_settings(), tmp_path)
    assert endings(tmp_path) == {"odd": "done seen"}
    place = result.folder / "odd" / "0"
    for line in (place / EVENTS).read_text(encoding="utf-8", errors="strict").splitlines():
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    first = read_trace(place).of(Observed)[0]
    assert "half � of a pair" in first.text
    assert first.title.startswith("caf�")
    assert write_report(tmp_path).is_file()
