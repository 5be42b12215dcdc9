"""Tabs show what they may show, and pages talk to the hosts they may talk to: a server records what arrives."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import playwright.async_api as pw
import pytest

from refute import BrowserTimeout, NavigationError, UserError
from refute.browser import BrowserHost, Cause, Click, Goto, Observation, Policy, Session
from refute.browser._flags import ARGS
from refute.browser._gate import Gate

from .site import Site, named, see

HERE, THERE = "127.0.0.1", "elsewhere.localhost"  # Chromium resolves both to this machine, unless it is told otherwise
SITE = Policy(hosts=(HERE,))
STRICT = Policy(hosts=(HERE,), embeds=False)


def arrived(site: Site) -> set[str]:
    """The hosts that requests came in for."""
    return {host for host, _ in site.log}


def marks(site: Site) -> set[str]:
    """The queries that came in at the other host: each way of getting there carries its own."""
    return {path.partition("?")[2] for host, path in site.log if host == THERE and "?" in path}


@pytest.fixture(scope="module")
async def open_host() -> AsyncIterator[BrowserHost]:
    async with BrowserHost() as running:
        yield running


# ---- documents of tabs

WAYS_OUT = {
    "link": "<a href='{there}?link'>link</a>",
    "redirect": "<a href='/away?redirect'>redirect</a>",
    "chain": "<a href='/far?chain'>chain</a>",
    "meta": "<a href=/meta>meta</a>",
    "script": "<button onclick=\"location.href='/away?script'\">script</button>",
    "form": "<form action='{there}?form' method=post><button>form</button></form>",
    "new tab": "<a href='{there}?new_tab' target=_blank>new tab</a>",
    "redirected tab": "<a href='/away?redirected_tab' target=_blank>redirected tab</a>",
    "window": "<button onclick=\"window.open('{there}?window')\">window</button>",
    "redirected window": "<button onclick=\"window.open('/away?redirected_window')\">redirected window</button>",
    "from a frame": "<iframe srcdoc=\"<a href='{there}?from_a_frame' target=_top>from a frame</a>\"></iframe>",
    "download": "<a href='{there}?download' download>download</a>",
}


def page_of_ways_out(site: Site) -> str:
    there = site.url("/there", host=THERE)
    site.serve("<h1>There</h1>", "/there")
    for way in ("redirect", "script", "redirected_tab", "redirected_window"):
        site.redirect(f"/away?{way}", f"{there}?{way}")
    site.redirect("/far?chain", "/farther?chain")
    site.redirect("/farther?chain", f"{there}?chain")
    site.serve(f"<meta http-equiv=refresh content='0;url={there}?meta'>", "/meta")
    return site.serve("<br>".join(WAYS_OUT.values()).replace("{there}", there))


async def test_without_a_policy_every_way_out_leads_there(site: Site, open_host: BrowserHost) -> None:
    url = page_of_ways_out(site)
    async with await open_host.session() as session:
        for name in WAYS_OUT:
            await session.step(Click(target=named(await see(session, url), name).id))
    assert marks(site) == {name.replace(" ", "_") for name in WAYS_OUT}


@pytest.mark.parametrize("policy", [SITE, STRICT], ids=["site", "strict"])
async def test_a_tab_leaves_the_allowed_hosts_by_no_way(site: Site, open_host: BrowserHost, policy: Policy) -> None:
    url = page_of_ways_out(site)
    async with await open_host.session(policy=policy) as session:
        for name in WAYS_OUT if policy.embeds else ("chain", "redirected window"):
            outcome, page = await session.step(Click(target=named(await see(session, url), name).id))
            assert (name, outcome.cause) == (name, Cause.BLOCKED)
            assert "denied" in {event.type for event in page.events}
            assert {tab.url.split("/")[2] for tab in page.tabs} == {url.split("/")[2]}
        outcome, page = await session.step(Goto(url=site.url("/there", host=THERE)))
        assert outcome.cause is Cause.BLOCKED
        assert f"{site.url('/there', host=THERE)}: not allowed in this session" in {e.text for e in page.events}
    assert arrived(site) == {HERE}


@pytest.mark.parametrize("error", [BrowserTimeout("no answer"), pw.Error("Target closed")])
async def test_a_document_of_nobody_knows_whom_goes_nowhere(
    site: Site, open_host: BrowserHost, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async with await open_host.session(policy=SITE) as session:
        send = Gate._send  # pyright: ignore[reportPrivateUsage]

        async def silent(self: Gate, method: str, **parameters: object) -> object:
            if method == "Target.getTargetInfo":
                raise error
            return await send(self, method, **parameters)

        monkeypatch.setattr(Gate, "_send", silent)
        with pytest.raises(NavigationError):
            await session.goto(site.serve("<h1>Here</h1>"))
    assert not arrived(site)


LOCAL = """<script>const made = () => window.URL.createObjectURL(new Blob(['<h1>Made</h1>'], {type: 'text/html'}))
    </script><button onclick="location.href = made()">blob</button>
    <button onclick="window.open(made())">blob tab</button>
    <button onclick="location.href = 'data:text/html,<h1>Made</h1>'">data</button>
    <a href="data:text/html,<h1>Made</h1>" target=_blank>data tab</a><a href="file:///etc/hosts">file</a>
    <button onclick="window.open('file:///etc/hosts')">file tab</button><a href="mailto:ann@shop.example">mail</a>
    <a href="steam://run/1">custom</a>"""


async def test_no_tab_shows_what_came_from_no_host(site: Site, open_host: BrowserHost) -> None:
    url = site.serve(LOCAL)
    async with await open_host.session(policy=SITE) as session:
        page = await see(session, url)
        for name in [e.name for e in page.elements]:
            outcome, page = await session.step(Click(target=named(await see(session, url), name).id))
            assert (name, [tab.url for tab in page.tabs]) == (name, [url])
            if name.startswith("blob"):  # Chromium itself turns the others down
                assert (name, outcome.cause) == (name, Cause.BLOCKED)
                assert any(event.type == "denied" and "blob:" in event.text for event in page.events)


@pytest.mark.parametrize("scheme", ["file:///etc/hosts", "data:text/html,x", "javascript:alert(1)", "chrome://version"])
async def test_an_agent_opens_addresses_of_the_web_only(site: Site, session: Session, scheme: str) -> None:
    url = site.serve("<h1>Here</h1>")
    await session.goto(url)
    outcome, page = await session.step(Goto(url=scheme))
    assert (outcome.cause, page.url) == (Cause.BLOCKED, url)


async def test_a_page_fetched_ahead_is_not_shown(site: Site, open_host: BrowserHost) -> None:
    there = site.url("/there", host=THERE)
    site.serve("<h1>There</h1>", "/there")
    rules = json.dumps({"prefetch": [{"source": "list", "urls": [there]}]})
    url = site.serve(f"<a href='{there}'>link</a><script type=speculationrules>{rules}</script>")
    async with await open_host.session(policy=SITE) as session:
        page = await see(session, url)
        for _ in range(100):
            if arrived(site) == {HERE, THERE}:  # the request ahead is one that the page embeds
                break
            await asyncio.sleep(0.05)
        outcome, page = await session.step(Click(target=named(page, "link").id))
        assert (outcome.cause, page.url) == (Cause.BLOCKED, url)
    async with await open_host.session(policy=STRICT) as session:
        site.log.clear()
        page = await see(session, url)
        assert (await session.act(Click(target=named(page, "link").id))).cause is Cause.BLOCKED
    assert arrived(site) == {HERE}


# ---- what pages embed

EMBEDDED = {
    "style": "<link rel=stylesheet href='{there}?style'>",
    "picture": "<img src='{there}?picture'>",
    "redirected_picture": "<img src='/away?redirected_picture'>",
    "script": "<script src='{there}?script'></script>",
    "frame": "<iframe src='{there}?frame'></iframe>",
    "redirected_frame": "<iframe src='/away?redirected_frame'></iframe>",
    "ahead": "<link rel=prefetch href='{there}?ahead'>",
    "fetch": "<script>fetch('{there}?fetch', {mode: 'no-cors'}).catch(() => 0)</script>",
    "beacon": "<script>navigator.sendBeacon('{there}?beacon', 'x')</script>",
    "stream": "<script>new EventSource('{there}?stream')</script>",
    "socket": "<script>new WebSocket('{there}?socket'.replace('http', 'ws'))</script>",
    "worker": "<script>new Worker('/worker')</script>",
    "worker_socket": "",
    "background": "<script>navigator.serviceWorker?.register('/worker').catch(() => 0)</script>",
}


def page_that_embeds(site: Site) -> str:
    there = site.url("/there", host=THERE)
    site.serve("<h1>There</h1>", "/there")
    for way in ("redirected_picture", "redirected_frame"):
        site.redirect(f"/away?{way}", f"{there}?{way}")
    script = f"fetch('{there}?worker', {{mode: 'no-cors'}}).catch(() => 0);\n"
    script += f"new WebSocket('{there}?worker_socket'.replace('http', 'ws'))"
    site.raw(script, "/worker", Content_Type="text/javascript")
    return site.serve("<h1>Here</h1>" + "".join(EMBEDDED.values()).replace("{there}", there))


async def arrives(site: Site, expected: set[str]) -> bool:
    """Whether all of these arrive before long."""
    for _ in range(100):
        if marks(site) >= expected:
            return True
        await asyncio.sleep(0.05)
    return False


async def test_pages_of_the_site_embed_from_anywhere_by_default(site: Site, open_host: BrowserHost) -> None:
    async with await open_host.session(policy=SITE) as session:
        await session.goto(page_that_embeds(site))
        expected = set(EMBEDDED) - {"background"}  # a service worker outlives its page, and none is ever started
        assert await arrives(site, expected), expected - marks(site)


async def test_a_strict_policy_lets_nothing_out_by_any_means(site: Site, open_host: BrowserHost) -> None:
    url = page_that_embeds(site)
    async with await open_host.session(policy=STRICT) as session:
        page = await see(session, url)
        assert "# Here" in page.text
        events = list(page.events)
        for _ in range(5):
            await asyncio.sleep(0.2)  # for those that are slow to set out
            page = await session.observe()
            events += page.events
        assert f"{THERE}:{site.port}: not allowed in this session" in {e.text for e in events if e.type == "denied"}
    assert arrived(site) == {HERE}


class Calls(asyncio.DatagramProtocol):
    """A server for calls; `count` datagrams came in."""

    def __init__(self) -> None:
        self.count = 0

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.count += 1


@pytest.mark.parametrize("flags", [(), ARGS], ids=["plain", "ours"])
async def test_calls_go_around_no_proxy(site: Site, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]) -> None:
    """A call asks its server over UDP, which neither a route nor a proxy sees. A plain browser does."""
    monkeypatch.setattr("refute.browser._flags.ARGS", flags)
    loop = asyncio.get_running_loop()
    transport, calls = await loop.create_datagram_endpoint(Calls, local_addr=("127.0.0.1", 0))
    port = transport.get_extra_info("sockname")[1]
    url = site.serve(f"""<script>
        const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{port}'}}]}});
        peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer))</script>""")
    try:
        async with BrowserHost() as host, await host.session() as session:
            await session.goto(url)
            for _ in range(20 if flags else 100):
                if calls.count:
                    break
                await asyncio.sleep(0.05)
    finally:
        transport.close()
    assert bool(calls.count) is not bool(flags)


# ---- sessions side by side, and the loopback host


async def test_each_session_has_a_policy_of_its_own(site: Site, open_host: BrowserHost) -> None:
    site.serve("<h1>There</h1>", "/there")
    there = site.url("/there", host=THERE)
    async with (
        await open_host.session(policy=SITE) as bound,
        await open_host.session(policy=Policy(hosts=(f"*.localhost:{site.port}",), embeds=False)) as other,
        await open_host.session() as free,
    ):
        outcomes = [(await session.act(Goto(url=there))).cause for session in (bound, other, free)]
    assert outcomes == [Cause.BLOCKED, None, None]


async def test_a_loopback_host_reaches_no_other_name_by_any_way(site: Site, host: BrowserHost) -> None:
    url = page_of_ways_out(site)
    async with await host.session() as session:
        causes: list[Cause | None] = []
        for name in ("link", "redirect"):
            page: Observation = await see(session, url)
            causes.append((await session.act(Click(target=named(page, name).id))).cause)
    assert causes == [Cause.NAVIGATION, Cause.NAVIGATION]
    assert arrived(site) == {HERE}


def test_a_policy_says_what_is_wrong_with_a_host() -> None:
    for wrong in ("https://shop.example/", "a b", "*.127.0.0.1", "shop.example:http", "*.*", "user@shop.example", ""):
        with pytest.raises(UserError, match="names no host"):
            Policy(hosts=(wrong,))
