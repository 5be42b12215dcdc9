"""Tabs: which are open, which is in front, and what scripts do in them."""

from __future__ import annotations

import pytest

from refute import NavigationError
from refute.browser import (
    Back,
    BrowserHost,
    Cause,
    Click,
    CloseTab,
    FocusTab,
    NewTab,
    Session,
)

from .site import Site, named, see


@pytest.mark.parametrize(
    "opener", ["<a href=/new target=_blank>Open</a>", "<button onclick=\"window.open('/new')\">Open</button>"]
)
async def test_a_new_tab_comes_to_the_front_and_back_closes_it(site: Site, session: Session, opener: str) -> None:
    site.serve("<h1>New</h1>", "/new")
    page = await see(session, site.serve(opener))
    opener_id = named(page, "Open").id
    _, page = await session.step(Click(target=opener_id))
    assert (page.url, page.text) == (site.url("/new"), "# New")
    assert [(t.url, t.active) for t in page.tabs] == [(site.url(), False), (site.url("/new"), True)]
    assert "tab_opened" in {e.type for e in page.events}
    assert (await session.act(Click(target=opener_id))).cause is Cause.STALE
    outcome, page = await session.step(Back())
    assert (outcome.ok, page.url, len(page.tabs)) == (True, site.url(), 1)
    assert "tab_closed" in {e.type for e in page.events}
    assert named(page, "Open").id == opener_id


async def test_a_tab_that_closes_itself_gives_way_to_the_one_before(site: Site, session: Session) -> None:
    site.serve("<button onclick='window.close()'>Close</button>", "/new")
    page = await see(session, site.serve("<button onclick=\"window.open('/new')\">Open</button>"))
    _, page = await session.step(Click(target=named(page, "Open").id))
    outcome, page = await session.step(Click(target=named(page, "Close").id))
    assert (outcome.ok, page.url) == (True, site.url())


async def test_tabs_are_opened_brought_to_the_front_and_closed_by_number(site: Site, session: Session) -> None:
    site.serve("<title>Second</title><h1>Second</h1>", "/second")
    page = await see(session, site.serve("<h1>First</h1>"))
    outcome, page = await session.step(NewTab(url="/second"))
    assert (outcome.ok, page.text) == (True, "# Second")
    outcome, page = await session.step(NewTab())
    assert (outcome.ok, page.url) == (True, "about:blank")
    assert [(t.number, t.url, t.active) for t in page.tabs] == [
        (1, site.url("/"), False),
        (2, site.url("/second"), False),
        (3, "about:blank", True),
    ]
    outcome, page = await session.step(FocusTab(tab=2))
    assert (outcome.ok, page.text) == (True, "# Second")
    outcome, page = await session.step(CloseTab(tab=1))  # not the one in front
    assert (outcome.ok, page.text, [t.number for t in page.tabs]) == (True, "# Second", [2, 3])
    outcome, page = await session.step(CloseTab())
    assert (outcome.ok, page.url, [t.number for t in page.tabs]) == (True, "about:blank", [3])
    outcome = await session.act(CloseTab())
    assert (outcome.cause, "only tab" in outcome.detail) == (Cause.INVALID, True)
    assert (await session.act(FocusTab(tab=2))).cause is Cause.STALE
    assert (await session.act(CloseTab(tab=9))).cause is Cause.MISSING
    outcome, page = await session.step(NewTab(url=site.url("/second")))
    assert [t.number for t in page.tabs] == [3, 4]


@pytest.mark.parametrize("url", ["file:///etc/hostname", "javascript:alert(1)", "data:text/html,x", "chrome://version"])
async def test_a_tab_is_opened_with_a_web_address_or_none(site: Site, session: Session, url: str) -> None:
    await see(session, site.serve("<h1>First</h1>"))
    outcome, page = await session.step(NewTab(url=url))
    assert (outcome.cause, len(page.tabs)) == (Cause.BLOCKED, 1)


async def test_script_errors_are_reported(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<button onclick=\"throw new Error('broken')\">Throw</button>"))
    _, page = await session.step(Click(target=named(page, "Throw").id))
    assert [(e.type, e.text) for e in page.events] == [("console_error", "broken")]


async def test_the_harness_is_told_of_addresses_that_do_not_open(site: Site, session: Session) -> None:
    with pytest.raises(NavigationError, match="CONNECTION_REFUSED"):
        await session.goto(f"http://127.0.0.1:{site.unused_port}/")


async def test_sessions_share_nothing_and_can_begin_with_cookies(site: Site, host: BrowserHost) -> None:
    url = site.serve("<p id=p></p><script>p.textContent = 'cookie: ' + document.cookie</script>", Set_Cookie="user=ann")
    async with await host.session(viewport=(400, 300)) as first:
        await first.goto(url)
        page = await see(first, url)
        assert page.text == "cookie: user=ann"
        state = await first.storage_state()
    site.serve("<p id=p></p><script>p.textContent = 'cookie: ' + document.cookie</script>")
    async with await host.session() as second, await host.session(state) as third:
        assert (await see(second, url)).text == "cookie:"
        assert (await see(third, url)).text == "cookie: user=ann"


async def test_the_host_says_which_browser_it_runs(host: BrowserHost) -> None:
    assert host.version.startswith("Chromium ")
    assert host.version.split()[1].split(".")[0].isdigit()
