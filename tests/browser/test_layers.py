"""What is in view and what is not: clips, top layer, frames that are transformed, slots, closed roots, odd text."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from refute.browser import BrowserHost, Click, Observation, Scroll, Session
from refute.browser._engine import Canary

from .site import Site, named, see
from .test_states import oracle_of


def names(page: Observation) -> set[str]:
    return {element.name for element in page.elements}


CLIPS = """<div style="width:200px;height:40px;overflow:hidden">clip
<p style="position:absolute;left:20px;top:300px"><button>absolute leaves</button></p>
<p style="position:fixed;left:300px;top:300px"><button>fixed leaves</button></p>
<p style="position:relative;top:60px"><button>relative stays</button></p></div>
<div style="position:relative;width:200px;height:40px;overflow:hidden">block
<p style="position:absolute;left:20px;top:100px"><button>absolute stays</button></p></div>
<div style="transform:translate(0);width:200px;height:40px;overflow:hidden">block
<p style="position:fixed;left:20px;top:100px"><button>fixed stays</button></p></div>
<div style="position:absolute;top:5000px;overflow:hidden;height:10px">far
<p style="position:fixed;top:600px;left:600px"><button>fixed, from afar</button></p>
<p style="position:relative;top:-4600px"><button>relative, from afar</button></p></div>"""


async def test_clips_bind_what_css_says_they_bind(site: Site, session: Session) -> None:
    page = await see(session, site.serve(CLIPS))
    assert names(page) == {"absolute leaves", "fixed leaves", "fixed, from afar"}
    for name in names(page):
        outcome, _ = await session.step(Click(target=named(page, name).id))
        assert outcome.ok


TOP_LAYER = """<div style="height:20px;overflow:hidden;transform:scale(1)">
<div popover id=pop>Hint <button>In hint</button></div><dialog id=modal>
<h2>Sure?</h2><button onclick="this.closest('dialog').close()">Yes</button></dialog></div>
<p><button popovertarget=pop>Tip</button> <button onclick="modal.showModal()">Ask</button></p>"""


async def test_dialogs_and_popovers_in_the_top_layer_are_seen(site: Site, session: Session) -> None:
    page = await see(session, site.serve(TOP_LAYER))
    assert names(page) == {"Tip", "Ask"}
    _, page = await session.step(Click(target=named(page, "Tip").id))
    assert "Hint" in page.text
    assert {"Tip", "Ask", "In hint"} == names(page)
    _, page = await session.step(Click(target=named(page, "Ask").id))
    assert 'dialog "' in page.text or "dialog:" in page.text
    assert "## Sure?" in page.text
    assert "covered" not in named(page, "Yes").states
    assert {"Tip", "Ask"} & {e.name for e in page.elements if "covered" not in e.states} == set()  # inert behind it
    _, page = await session.step(Click(target=named(page, "Yes").id))
    assert "covered" not in named(page, "Tip").states


INNER = "<button style='position:absolute;left:100px;top:60px' onclick=&quot;this.textContent='hit'&quot;>"


@pytest.mark.parametrize(
    "style",
    [
        "transform:scale(.5);transform-origin:0 0",
        "transform:rotate(30deg)",
        "rotate:20deg;scale:.8 1.2",
        "zoom:2",
        "zoom:.5;transform:skewX(10deg)",
        "border:7px solid;padding:11px;transform:scaleX(-1)",
    ],
)
async def test_targets_in_transformed_frames_are_where_they_are_drawn(site: Site, session: Session, style: str) -> None:
    site.serve(f"<iframe srcdoc=\"{INNER}In</button>\" style='{style}'></iframe>", "/nested")
    frame = "<iframe src=/nested width=400 height=260></iframe>"
    page = await see(session, site.serve(f"<div style='position:absolute;left:200px;top:150px;{style}'>{frame}"))
    left, top, width, height = named(page, "In").box
    session._tabs.active.set_default_timeout(5000)  # pyright: ignore[reportPrivateUsage]
    await session._tabs.active.mouse.click(left + width / 2, top + height / 2)  # pyright: ignore[reportPrivateUsage]
    assert named(await session.observe(), "hit").id == named(page, "In").id


async def test_a_frame_shows_its_visible_part_only(site: Site, session: Session) -> None:
    site.serve("<p>first</p><div style='height:400px'></div><p>last</p><button>Deep</button>", "/in")
    half = "<div style='height:90px;overflow:hidden'><iframe src=/in style='height:800px;transform:scale(.5);"
    page = await see(session, site.serve(half + "transform-origin:0 0'></iframe></div>"))
    assert "first" in page.text  # 90 px show 180 of the frame's 800
    assert "last" not in page.text
    page = await see(session, site.serve("<iframe src=/in height=100></iframe>"))
    assert "(the frame scrolls: 0px above, " in page.text
    assert "targets: 0 above, 1 below)" in page.text


async def test_what_lies_over_a_frame_covers_what_is_in_it(site: Site, session: Session) -> None:
    buttons = (
        "<button style='position:absolute;top:10px'>Under</button><button style='position:absolute;top:110px'>Free"
    )
    site.serve(buttons, "/in")
    banner = (
        "<div id=banner style='position:absolute;left:0;top:0;width:400px;height:90px;background:#ccc'>Cookies</div>"
    )
    page = await see(session, site.serve(f"<iframe src=/in></iframe>{banner}"))
    assert "covered" in named(page, "Under").states
    assert "(covered by div#banner)" in page.text
    assert "covered" not in named(page, "Free").states


async def test_frames_may_vanish_or_never_load_while_they_are_read(site: Site, session: Session) -> None:
    site.serve("<button>Never</button>", "/slow", delay=4)
    page = await see(
        session,
        site.serve("""<iframe src=/slow></iframe><iframe id=f srcdoc="<button>Gone</button>"></iframe>
        <button>Here</button>
        <script>setInterval(() => { const n = f.cloneNode(); f.replaceWith(n); n.id = 'f' }, 150)</script>"""),
    )
    for _ in range(2):
        page = await session.observe()
        assert "Here" in names(page)


async def test_slots_are_read_in_the_order_they_are_drawn(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div><template shadowrootmode=open><slot name=b>instead <a href=/f>Fallback</a></slot>
        <slot></slot></template><i slot=none>undrawn</i><a href=/s>Slotted</a></div>
        <div><template shadowrootmode=open><p><template shadowrootmode=open><slot><button>Inner</button></slot>
        </template></p><div><template shadowrootmode=open><slot></slot></template><slot name=q></slot></div></template>
        <button slot=q>Twice</button></div>"""),
    )
    assert [element.name for element in page.elements] == ["Fallback", "Slotted", "Inner", "Twice"]
    assert "undrawn" not in page.text
    oracle = await oracle_of(session)
    assert [oracle.index(f'"{name}"') for name in ("Fallback", "Slotted", "Inner", "Twice")] == sorted(
        oracle.index(f'"{name}"') for name in ("Fallback", "Slotted", "Inner", "Twice")
    )


CLOSED = """<div id=a><template shadowrootmode=closed><button>in A</button></template></div>
<x-card>light<template shadowrootmode=closed><b>in B</b></template></x-card>
<section><template shadowrootmode=closed><slot name=a></slot><button>in C</button></template>
<p>unslotted</p></section>
<div style="height:9px"></div><div style="display:flex"><div></div></div><p><span></span></p>
<div style="min-height:5px"></div><div><template shadowrootmode=open></template></div><p>open text</p>"""


async def test_closed_shadow_roots_in_the_mark_up_are_said_to_be_there(site: Site, session: Session) -> None:
    page = await see(session, site.serve(CLOSED))
    unreadable = [e for e in page.elements if e.role == "unreadable"]
    assert len(unreadable) == len(page.elements) == 3
    assert "{div#a} (closed shadow root)" in page.text
    assert "unslotted" not in page.text
    assert "open text" in page.text
    outcome, _ = await session.step(Click(target=unreadable[0].id))  # it can still be clicked
    assert outcome.ok


async def test_hidden_and_owned_by_aria(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div aria-hidden=true><button>Drawn</button> seen by users</div>
        <button>Buy<span aria-hidden=true>→</span></button>
        <input role=combobox aria-label=City aria-expanded=true aria-owns=list aria-controls=list>
        <div id=list role=listbox><div role=option tabindex=0>Bern</div></div>
        <div inert><button>Inert</button> dead</div>
        <ul role=tree aria-label=Files aria-owns=late tabindex=0><li role=treeitem tabindex=0>early</ul>
        <div id=late role=treeitem tabindex=0>late</div>"""),
    )
    listed = [element for element in page.elements if element.name and not element.guessed]
    assert [e.name for e in listed] == ["Drawn", "Buy", "City", "Bern", "Files", "early", "late"]
    assert "seen by users" in page.text
    assert "dead" in page.text
    oracle = await oracle_of(session)
    for element in listed:
        if element.name != "Drawn":  # the oracle follows assistive technology here, we follow the eye
            assert f'{element.role} "{element.name}"' in oracle


LONG = " ".join(f"w{i}" for i in range(4000))


@pytest.mark.parametrize(
    "style",
    [
        "direction:rtl;width:300px",
        "writing-mode:vertical-rl;height:300px",
        "writing-mode:vertical-lr;height:300px",
        "writing-mode:vertical-rl;direction:rtl;height:300px",
    ],
)
async def test_text_of_any_direction_is_cut_to_what_is_in_view(site: Site, session: Session, style: str) -> None:
    page = await see(session, site.serve(f"<div style='{style}'>{LONG}</div>"))
    shown = {int(word[1:]) for word in page.text.replace("…", " ").split()}
    drawn = """n => { const r = document.createRange(), out = []; let at = 0;
    for (const word of n.data.split(' ')) { r.setStart(n, at); r.setEnd(n, at + word.length); at += word.length + 1;
      const b = r.getBoundingClientRect();
      if (b.bottom > 1 && b.top < innerHeight - 1 && b.right > 1 && b.left < innerWidth - 1) out.push(+word.slice(1)); }
    return out }"""
    expected = set(
        await session._tabs.active.evaluate(f"({drawn})(document.querySelector('div').firstChild)")  # pyright: ignore[reportPrivateUsage]
    )
    assert expected <= shown
    assert len(shown - expected) <= 60  # at most a line too much at either end, since lines are shown whole
    assert len(shown) < 4000


async def test_scrollers_say_what_is_above_below_and_beside(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div tabindex=0 aria-label=List style="height:100px;width:200px;overflow:auto">
        <button>First</button>
        <div style="height:300px;width:500px"></div><button>Last</button><button hidden>Never</button></div>
        <div dir=rtl aria-label=Right style="width:200px;overflow-x:auto"><div style="width:600px">wide</div></div>
        <div style="height:2000px"></div><a href=/>End</a><input type=hidden>
        <button style="display:none">No</button>"""),
    )
    assert (page.above, page.below) == (0, 2)
    assert "0px above, " in page.text
    assert "0px left, " in page.text
    assert "400px left, 0px right" in page.text
    _, page = await session.step(Scroll(direction="down", target=named(page, "List").id))
    for _ in range(6):
        _, page = await session.step(Scroll(direction="down", target=named(page, "List").id))
    assert "Last" in names(page)
    assert (page.above, page.below) == (1, 1)


async def test_a_popup_window_is_observed_at_its_own_size(site: Site, session: Session) -> None:
    site.serve("<button>Small</button><p style='height:900px'></p><button>Far</button>", "/pop")
    opener = "<button onclick=\"open('/pop', 'p', 'width=300,height=200')\">Open</button>"
    page = await see(session, site.serve(opener))
    _, page = await session.step(Click(target=named(page, "Open").id))
    assert names(page) == {"Small"}
    assert [tab.active for tab in page.tabs] == [False, True]
    assert page.below == 1
    assert (await session.screenshot(marks=True)).startswith(b"\xff\xd8")


async def test_numbers_of_elements_that_are_gone_are_forgotten(site: Site, host: BrowserHost) -> None:
    """A thousand looks at a page that makes new elements all the time: the registry holds those still there."""
    body = """<div id=d></div><script>const fill = () => { d.innerHTML = '<button>a</button>'.repeat(9) }; fill();
    setInterval(fill, 4)</script>"""
    async with await host.session() as session:
        await session.goto(site.serve(body))
        tab = session._tabs.active  # pyright: ignore[reportPrivateUsage]
        engine, observer = session._engine, session._observer  # pyright: ignore[reportPrivateUsage]
        devtools: Any = await tab.context.new_cdp_session(tab)  # its replies are untyped

        async def held() -> tuple[int, float]:
            for _ in range(3):
                await devtools.send("HeapProfiler.collectGarbage")
                await asyncio.sleep(0.05)  # the registry is told of what was collected in a task of its own
            usage = await devtools.send("Runtime.getHeapUsage")
            return (await engine.ask(tab.main_frame, Canary, {"do": "canary"})).numbers, float(usage["usedSize"])

        for _ in range(50):
            await observer.look(tab)
        _, before = await held()
        for _ in range(950):
            await observer.look(tab)
        numbers, after = await held()
        look = await observer.look(tab)
        assert look.elements[-1].id > 1000
        assert numbers < 100
        assert after < before * 1.5
