"""Observations are made when the page has come to rest, and not before."""

from __future__ import annotations

from refute.browser import Click, Observation, Session

from .site import Site, named


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
