"""What happens unasked: dialogs, new tabs, downloads, errors, crashes."""

from __future__ import annotations

from contextlib import suppress

import pytest

from refute import BrowserError, NavigationError, PageCrashed
from refute.browser import Back, BrowserHost, Cause, Click, Goto, Session

from .site import Site, named, see


async def test_dialogs_are_answered_at_once_and_reported(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<p id=p></p>
        <button onclick="p.textContent = [confirm('Sure?'), prompt('Who?', 'me')]">Ask</button>
        <script>addEventListener('beforeunload', e => e.preventDefault())</script>"""),
    )
    outcome, page = await session.step(Click(target=named(page, "Ask").id))
    assert outcome.ok
    assert "true,me" in page.text
    assert [e.text for e in page.events if e.type == "dialog"] == [
        "confirm 'Sure?': accepted",
        "prompt 'Who?': accepted",
    ]
    assert (await session.observe()).events == ()
    site.serve("<h1>Left</h1>", "/left")
    outcome, page = await session.step(Goto(url="/left"))  # the page asks whether to leave
    assert (outcome.ok, page.text) == (True, "# Left")


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


async def test_downloads_and_script_errors_are_reported(site: Site, session: Session) -> None:
    site.serve("data", "/file", Content_Disposition="attachment; filename=report.csv")
    page = await see(
        session, site.serve("<a href=/file>Get</a><button onclick=\"throw new Error('broken')\">Throw</button>")
    )
    outcome, page = await session.step(Click(target=named(page, "Get").id))
    assert outcome.ok
    assert ("download", "report.csv") in {(e.type, e.text) for e in page.events}
    _, page = await session.step(Click(target=named(page, "Throw").id))
    assert [(e.type, e.text) for e in page.events] == [("console_error", "broken")]


async def test_the_harness_is_told_of_addresses_that_do_not_open(site: Site, session: Session) -> None:
    with pytest.raises(NavigationError, match="CONNECTION_REFUSED"):
        await session.goto(f"http://127.0.0.1:{site.unused_port}/")


async def test_a_crashed_page_is_an_error_and_the_next_session_is_not_concerned(site: Site, host: BrowserHost) -> None:
    async with await host.session() as session:
        await session.goto(site.serve("<h1>Fine</h1>"))
        with suppress(BrowserError):
            await session.goto("chrome://crash")
        assert (await session.act(Goto(url=site.url()))).cause is Cause.CRASHED
        with pytest.raises(PageCrashed):
            await session.observe()
    async with await host.session() as session:
        assert (await see(session, site.url())).text == "# Fine"


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
