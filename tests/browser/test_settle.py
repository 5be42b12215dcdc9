"""Observations are made when the page has come to rest, and not before."""

from __future__ import annotations

import pytest

from refute.browser import Click, Observation, Session
from refute.browser._engine import Pulse

from .site import Site, named, see


async def click(session: Session, url: str) -> Observation:
    """What is seen after a click on the page's button."""
    await session.goto(url)
    page = await session.observe()
    outcome, page = await session.step(Click(target=named(page, "Go").id))
    assert outcome.ok
    return page


def button(script: str) -> str:
    return f'<p id=p>before</p><button onclick="{script}">Go</button>'


CHANGE = "p.textContent = 'after'"


async def test_a_change_after_200_ms_is_seen(site: Site, session: Session) -> None:
    page = await click(session, site.serve(button(f"setTimeout(() => {{ {CHANGE} }}, 200)")))
    assert "after" in page.text


async def test_what_a_request_brings_is_seen(site: Site, session: Session) -> None:
    site.serve("data", "/slow", delay=0.5)
    page = await click(session, site.serve(button(f"fetch('/slow').then(r => r.text()).then(() => {{ {CHANGE} }})")))
    assert "after" in page.text
    old = "const x = new XMLHttpRequest(); x.open('GET', '/slow'); x.onload = () => { " + CHANGE + " }; x.send()"
    page = await click(session, site.serve(button(old)))
    assert "after" in page.text


async def test_a_navigation_after_300_ms_is_seen(site: Site, session: Session) -> None:
    site.serve("<h1>Second</h1>", "/second")
    page = await click(session, site.serve(button("setTimeout(() => { location.href = '/second' }, 300)")))
    assert page.url == site.url("/second")
    assert "Second" in page.text


async def test_a_slow_answer_to_a_link_is_waited_for(site: Site, session: Session) -> None:
    site.serve("<h1>Slow</h1>", "/slow", delay=2.5)
    page = await click(session, site.serve("<a href=/slow>Go</a>"))
    assert page.url == site.url("/slow")
    assert "Slow" in page.text


async def test_a_page_that_never_rests_is_left_after_a_while(site: Site, session: Session) -> None:
    site.serve("late", "/late", delay=30)
    page = await click(session, site.serve(button(f"fetch('/late'); {CHANGE}")))
    assert "after" in page.text
    assert await session.settle()  # what takes that long is not waited for again
    ask = "<script>fetch('/late'); setInterval(() => fetch('/late'), 300)</script>"
    page = await click(session, site.serve(button(CHANGE) + ask))
    assert "after" in page.text
    assert not await session.settle()


async def test_polling_does_not_keep_a_page_from_rest(site: Site, session: Session) -> None:
    poll = "<script>(function poll() { setTimeout(poll, 50) })()</script>"
    await click(session, site.serve(button(CHANGE) + poll))
    assert await session.settle()


async def test_a_page_on_its_way_elsewhere_is_read_after_it_arrived(site: Site, session: Session) -> None:
    site.serve("<h1>There</h1>", "/there")
    hops = "".join(site.serve(f"<script>location.href = '/{n + 1}'</script><p>hop", f"/{n}") and "" for n in range(3))
    site.serve(f"{hops}<h1>There</h1>", "/3")
    await session.goto(site.url("/0"))
    page = await session.observe()
    assert (page.url, page.text) == (site.url("/3"), "# There")


async def test_a_frame_whose_document_never_comes_does_not_hold_up_the_rest(site: Site, session: Session) -> None:
    site.serve("late", "/late", delay=30)
    page = await click(session, site.serve(button(CHANGE) + "<iframe src=/late></iframe>"))
    assert "after" in page.text


async def test_each_effect_is_seen_every_time(site: Site, session: Session) -> None:
    site.serve("data", "/slow", delay=0.5)
    site.serve("<p>after</p>", "/second")
    site.serve("<p>after</p>", "/late", delay=1.0)
    effects = [
        f"setTimeout(() => {{ {CHANGE} }}, 200)",
        f"fetch('/slow').then(r => r.text()).then(() => {{ {CHANGE} }})",
        "setTimeout(() => { location.href = '/second' }, 300)",
        "location.href = '/late'",
    ]
    for script in effects * 4:
        page = await click(session, site.serve(button(script)))
        assert "after" in page.text, script


BREAKERS = {
    "timers that bypass the report": """const w = new Worker(URL.createObjectURL(new Blob([
        'onmessage = e => setTimeout(() => postMessage(e.data.id), e.data.ms)']))), calls = []; let n = 0;
        w.onmessage = e => calls[e.data]();
        window.setTimeout = (f, ms) => { calls[n] = f; w.postMessage({id: n++, ms}) };""",
    "everything else": """window.MutationObserver = null; performance.now = () => 0; Date.now = () => 0;
        Set.prototype.add = Set.prototype.has = Map.prototype.set = () => { throw new Error('no') };
        Function.prototype.apply = Function.prototype.call = () => 0; Event.prototype.preventDefault = () => 0;
        Performance.prototype.now = () => 0; EventTarget.prototype.dispatchEvent = () => true;
        Object.defineProperty(Promise.prototype, 'constructor', {get() { throw new Error('no') }});""",
    "a document written anew": """addEventListener('load', () => { const html = document.body.innerHTML;
        document.open(); document.write(html); document.close() });""",
    "arrays that cannot be walked": """addEventListener('load', () => { const html = document.body.innerHTML;
        Array.prototype[Symbol.iterator] = () => { throw new Error('no') };
        try { document.open(); document.write(html); document.close() }
        catch { document.body.textContent = 'broken' } });""",
}


@pytest.mark.parametrize("script", BREAKERS.values(), ids=BREAKERS)
async def test_a_page_that_breaks_the_report_is_settled_all_the_same(site: Site, session: Session, script: str) -> None:
    site.serve("data", "/slow", delay=0.5)
    old = "const x = new XMLHttpRequest(); x.open('GET', '/slow'); x.onload = () => { " + CHANGE + " }; x.send()"
    for effect in (f"setTimeout(() => {{ {CHANGE} }}, 200)", old):
        page = await click(session, site.serve(f"<script>{script}</script>{button(effect)}"))
        assert "after" in page.text


@pytest.mark.parametrize(
    "way", ["document.open(); document.write(all)", "document.write(all)", "document.writeln(all)"]
)
async def test_the_report_outlives_a_document_that_is_written_anew(site: Site, session: Session, way: str) -> None:
    inner = """<p id=p>waiting</p><i id=d>Press</i><script>d.addEventListener('click', () => setTimeout(() => {
        p.textContent = 'arrived' }, 300))<\\/script>"""
    page = await see(
        session,
        site.serve(f"""<script>onload = () => {{ const all = `{inner}`; {way}; document.close() }}
        </script>"""),
    )
    assert named(page, "Press").role == "clickable"
    _, page = await session.step(Click(target=named(page, "Press").id))
    assert "arrived" in page.text
    tab, engine = session._tabs.active, session._engine  # pyright: ignore[reportPrivateUsage]
    assert (await engine.ask(tab.main_frame, Pulse, {"do": "pulse"})).sound


async def test_rest_is_waited_for_in_the_frame_that_was_acted_in(site: Site, session: Session) -> None:
    site.serve("data", "/slow", delay=0.4)
    site.serve("<p>after</p>", "/second", delay=0.4)
    for effect in (
        f"setTimeout(() => {{ {CHANGE} }}, 200)",
        f"fetch('/slow').then(r => r.text()).then(() => {{ {CHANGE} }})",
        "location.href = '/second'",
    ):
        site.serve(button(effect), "/inner")
        page = await click(session, site.serve("<iframe src=/inner></iframe>"))
        assert "after" in page.text, effect


async def test_a_script_that_is_loaded_by_a_click_is_waited_for(site: Site, session: Session) -> None:
    site.serve("", "/more.js", delay=0.4)
    site.pages["/more.js"].body = CHANGE
    site.pages["/more.js"].headers["Content-Type"] = "text/javascript"
    effect = "const s = document.createElement('script'); s.src = '/more.js'; document.head.append(s)"
    page = await click(session, site.serve(button(effect)))
    assert "after" in page.text
