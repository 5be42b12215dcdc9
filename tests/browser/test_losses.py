"""Crashes and hangs: each is bounded in time, has a type, and leaves a tab that can be used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import psutil
import pytest

from refute import BrowserError, BrowserGone, BrowserTimeout
from refute.browser import (
    BrowserHost,
    Cause,
    Click,
    Deadlines,
    Fill,
    Goto,
    Note,
    Observation,
    Press,
    Session,
)
from refute.browser._engine import Engine

from .site import Site, named, see

HURRIED = Deadlines(element=1, covered=1, navigation=4, action=6, look=3, rest=1.5, rest_in_all=5)


@pytest.fixture
async def hurried(host: BrowserHost) -> AsyncIterator[Session]:
    async with await host.session(deadlines=HURRIED) as opened:
        yield opened


def renderers() -> set[psutil.Process]:
    """The processes of pages that this test run started."""
    found: set[psutil.Process] = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--type=renderer" in process.cmdline():
                found.add(process)
    return found


def youngest_browser() -> psutil.Process:
    """The main process of the Chromium that was started last."""
    found: list[psutil.Process] = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            line = process.cmdline()
            if any("--remote-debugging" in part for part in line) and not any("--type=" in part for part in line):
                found.append(process)
    return max(found, key=lambda process: process.create_time())


def kill(processes: set[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


def kinds(page: Observation) -> list[str]:
    return [event.type for event in page.events]


async def test_a_killed_renderer_is_an_event_and_its_tab_is_opened_again(site: Site, host: BrowserHost) -> None:
    before = renderers()
    async with await host.session() as session:
        page = await see(session, site.serve("<h1>Fine</h1><input aria-label=Name><a href=/next>Next</a>"))
        old = named(page, "Name").id
        kill(renderers() - before)
        await asyncio.sleep(0.5)
        outcome, page = await session.step(Fill(target=old, text="x"))
        assert (outcome.cause, page.text.splitlines()[0]) == (Cause.CRASHED, "# Fine")
        assert (kinds(page), len(page.tabs), page.tabs[0].number) == (["crashed"], 1, 1)
        assert "opened again" in page.events[0].text
        assert (await session.act(Fill(target=old, text="x"))).cause is Cause.STALE  # never guessed
        outcome, page = await session.step(Fill(target=named(page, "Name").id, text="x"))
        assert (outcome.ok, named(page, "Name").value, page.events) == (True, "x", ())
        assert (await session.screenshot()).startswith(b"\xff\xd8\xff")


async def test_a_page_that_crashes_chromium_does_not_end_the_session(site: Site, host: BrowserHost) -> None:
    async with await host.session() as session:
        await session.goto(site.serve("<h1>Fine</h1>"))
        with suppress(BrowserError):
            await session.goto("chrome://crash")
        outcome, page = await session.step(Goto(url=site.url()))
        assert (outcome.cause, page.text, kinds(page)) == (Cause.CRASHED, "# Fine", ["crashed"])


async def test_a_page_that_stops_answering_is_opened_again(site: Site, hurried: Session) -> None:
    page = await see(
        hurried, site.serve("<h1>Alive</h1><input aria-label=Name><button onclick='while (true) {}'>Spin</button>")
    )
    outcome, page = await hurried.step(Click(target=named(page, "Spin").id))
    assert (outcome.ok, outcome.cause) == (False, Cause.TIMEOUT)
    assert (kinds(page), page.text.splitlines()[0]) == (["hung"], "# Alive")
    outcome, page = await hurried.step(Press(target=named(page, "Name").id, key="a"))
    assert (outcome.ok, named(page, "Name").value) == (True, "a")


async def test_a_picture_of_a_page_that_stops_answering_is_not_waited_for(site: Site, hurried: Session) -> None:
    page = await see(hurried, site.serve("<h1>Alive</h1><button onclick='while (true) {}'>Spin</button>"))
    await hurried.act(Click(target=named(page, "Spin").id))
    with pytest.raises(BrowserTimeout, match="does not answer any more"):
        await hurried.screenshot(marks=True)


async def test_a_frame_that_breaks_the_walker_leaves_the_rest_of_the_page(
    site: Site, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Engine.ask

    async def breaks(self: Engine, frame: Any, *args: Any, **options: Any) -> Any:
        if frame.parent_frame is not None:
            raise BrowserError("the page walker failed: TypeError")
        return await ask(self, frame, *args, **options)

    monkeypatch.setattr(Engine, "ask", breaks)
    page = await see(session, site.serve("<h1>Whole</h1><iframe srcdoc='<h1>Broken</h1>'></iframe>"))
    assert "# Whole" in page.text
    assert "(this frame cannot be read)" in page.text


async def test_a_page_that_never_answers_leaves_an_empty_tab(site: Site, hurried: Session) -> None:
    site.serve("<h1>Trap</h1><script>addEventListener('load', () => { while (true) {} })</script>", "/trap")
    await see(hurried, site.serve("<h1>Home</h1>"))
    _, page = await hurried.step(Goto(url="/trap"))
    assert (page.url, page.text) == ("about:blank", "")
    assert kinds(page) == ["hung", "crashed"]
    outcome, page = await hurried.step(Goto(url=site.url()))
    assert (outcome.ok, page.text) == (True, "# Home")


async def test_documents_that_never_arrive_cost_their_deadline_and_no_more(site: Site, host: BrowserHost) -> None:
    site.serve("late", "/late", delay=60)
    url = site.serve("<h1>Here</h1><a href=/late>Late</a><iframe src=/late></iframe>")
    async with await host.session(deadlines=replace(HURRIED, look=15, navigation=2, rest_in_all=3)) as session:
        page = await see(session, url)
        assert "this frame cannot be read" in page.text
        outcome, page = await session.step(Goto(url="/late"))
        assert (outcome.cause, page.url) == (Cause.TIMEOUT, url)
        outcome, page = await session.step(Click(target=named(page, "Late").id))
        assert (outcome.cause, page.url) == (Cause.TIMEOUT, url)
        assert site.url("/late") in outcome.detail


async def test_a_killed_browser_is_told_to_all_its_sessions_and_the_next_one_gets_another(site: Site) -> None:
    async with BrowserHost(loopback_only=True) as host:
        first, second = await host.session(), await host.session()
        page = await see(first, site.serve("<h1>Fine</h1><button>B</button>"))
        await see(second, site.url())
        youngest_browser().kill()
        await asyncio.sleep(0.5)
        for session in (first, second):
            calls: list[Callable[[], Awaitable[object]]] = [
                lambda s=session: s.act(Click(target=named(page, "B").id)),
                lambda s=session: s.act(Note(text="n")),
                session.observe,
                session.screenshot,
                lambda s=session: s.goto(site.url()),
                session.storage_state,
            ]
            for call in calls:
                with pytest.raises(BrowserGone):
                    await call()
            await session.close()
        third, fourth = await asyncio.gather(host.session(), host.session())
        assert (await see(third, site.url())).text.startswith("# Fine")
        assert (await see(fourth, site.url())).text.startswith("# Fine")
        await third.close()
        await fourth.close()
