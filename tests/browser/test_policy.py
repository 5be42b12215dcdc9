"""Pages talk to the hosts they may talk to, and to no other: the server records what arrives."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from refute.browser import BrowserHost, Cause, Click, Goto, Session

from .site import Site

HERE, THERE = "127.0.0.1", "elsewhere.localhost"  # Chromium resolves both to this machine, unless it is told otherwise


def arrived(site: Site) -> set[str]:
    """The hosts that requests came in for."""
    return {host for host, _ in site.log}


@pytest.fixture(scope="module")
async def open_host() -> AsyncIterator[BrowserHost]:
    async with BrowserHost() as running:
        yield running


def page_that_talks_to(site: Site, host: str) -> str:
    there = site.url("/there", host=host)
    site.serve("<h1>There</h1>", "/there")
    site.redirect("/away", there)
    return site.serve(f"""<link rel=stylesheet href="{there}?css"><img src="{there}?img">
        <script src="{there}?script"></script><script>navigator.sendBeacon('{there}?beacon');
        fetch('{there}?fetch', {{mode: 'no-cors'}}).catch(() => 0)</script>
        <img src=/away?img><a href="{there}?link">Link</a><a href=/away?link>Away</a>""")


async def walk(session: Session, site: Site, url: str) -> list[Cause | None]:
    """Open the page, and follow both of its links."""
    causes: list[Cause | None] = []
    for name in ("Link", "Away"):
        await session.goto(url)
        page = await session.observe()
        link = next(e.id for e in page.elements if e.name == name)
        outcome, _ = await session.step(Click(target=link))
        causes.append(outcome.cause)
    return causes


async def test_without_a_policy_requests_arrive(site: Site, open_host: BrowserHost) -> None:
    async with await open_host.session() as session:
        assert await walk(session, site, page_that_talks_to(site, THERE)) == [None, None]
    assert arrived(site) == {HERE, THERE}


async def test_a_session_reaches_only_what_it_may_but_for_redirects(site: Site, open_host: BrowserHost) -> None:
    async with await open_host.session(allow=lambda host: host == HERE) as session:
        assert (await walk(session, site, page_that_talks_to(site, THERE)))[0] is Cause.BLOCKED
        page = await session.observe()
        outcome, page = await session.step(Goto(url=site.url("/there", host=THERE)))
        assert outcome.cause is Cause.BLOCKED
        assert any("not allowed" in event.text for event in page.events)
    assert {path for host, path in site.log if host == THERE} <= {"/there"}  # what a redirect led to, nothing else


async def test_a_loopback_host_reaches_no_other_name_by_any_way(site: Site, host: BrowserHost) -> None:
    async with await host.session() as session:
        assert await walk(session, site, page_that_talks_to(site, THERE)) == [Cause.NAVIGATION, Cause.NAVIGATION]
    assert arrived(site) == {HERE}
