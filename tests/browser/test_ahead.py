"""The walker is in a document before it is asked there."""

from __future__ import annotations

import asyncio

from refute.browser import BrowserHost

from .site import Site, named, see


async def test_the_walker_enters_documents_and_frames_while_they_load(site: Site, host: BrowserHost) -> None:
    site.serve("p {}", "/style", delay=0.6)
    site.serve("<button>Inside</button>", "/in")
    async with await host.session() as session:
        tab = session._tabs.active  # pyright: ignore[reportPrivateUsage]
        ahead = session._ahead  # pyright: ignore[reportPrivateUsage]
        entered: list[str] = []
        tab.on("framenavigated", lambda frame: entered.append(frame.url) if ahead.pending else None)
        body = "<script></script><iframe src=/in></iframe><button>Here</button>"
        url = site.serve(f"<link rel=stylesheet href=/style>{body}")
        page = await see(session, url)
        assert {"Here", "Inside"} <= {element.name for element in page.elements}
        assert entered == [url, site.url("/in")]
        await asyncio.wait_for(ahead.done(), 10)


async def test_a_session_can_be_closed_while_the_walker_is_on_its_way(site: Site, host: BrowserHost) -> None:
    site.serve("late", "/late", delay=3)
    async with await host.session() as session:
        await session.goto(site.serve("<h1>Here</h1><iframe src=/late></iframe>"))
        session._ahead._arrived(session._tabs.active.frames[-1])  # pyright: ignore[reportPrivateUsage]
    async with await host.session() as session:
        assert named(await see(session, site.serve("<button>Next</button>")), "Next").id == 1
