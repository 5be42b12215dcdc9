"""What an agent is shown of a page."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

import pytest

from refute.browser import BrowserHost, Click, Scroll, Session

from .site import Site, named, see


async def test_a_page_becomes_lines_with_numbered_elements(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""
        <nav aria-label=Main><a href=/books>Books</a></nav><h2>Basket</h2><p>Two <b>items</b></p>
        <ul><li>one</li></ul><table><tr><th>Title<th>Price<tr><td>Emma<td>9.99</table>
        <label>Name <input value=Bob required></label> <input type=password aria-label=Secret value=hunter2>
        <select aria-label=Size><option>S<option selected>M<option disabled>L</select>
        <input type=checkbox aria-label=Gift checked> <button disabled>Order</button>"""),
    )
    lines = [line.strip() for line in page.text.splitlines()]
    assert 'navigation "Main":' in lines
    assert re.search(r'^\s*\[\d+\] link "Books" -> /books$', page.text, re.MULTILINE)
    assert {"## Basket", "Two items", "- one", "| Title | Price", "| Emma | 9.99"} <= set(lines)
    assert page.title == "Test"
    assert named(page, "Name").role == "textbox"
    assert named(page, "Name").value == "Bob"
    assert "required" in named(page, "Name").states
    assert named(page, "Size").options == ("S", "M", "L")
    assert named(page, "Size").value == "M"
    assert named(page, "Gift").states == ("checked",)
    assert named(page, "Order").states == ("disabled",)
    assert named(page, "Order").box[2] > 0


async def test_passwords_are_never_shown(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<input type=password aria-label=Secret value=hunter2>"))
    assert "hunter2" not in page.model_dump_json()
    assert named(page, "Secret").value == "•" * 7


async def test_the_listed_elements_are_those_in_the_text(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div onclick="1">Card <button>Buy</button></div><button><span onclick="1">inner</span></button>
        <table><tr><td><a href=/x>x</a><td><input></table><iframe srcdoc="<button>framed</button>"></iframe>
        <svg width=40 height=40><circle cx=20 cy=20 r=10 fill=red onclick="1" /></svg><canvas width=9></canvas>"""),
    )
    assert sorted(e.id for e in page.elements) == sorted(int(n) for n in re.findall(r"\[(\d+)\]", page.text))
    assert named(page, "framed").role == "button"


async def test_only_what_lies_in_the_viewport_is_shown(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<button>Top</button><div style="height:100px;overflow:auto"><p>shown</p>
        <p style="margin-top:200px">clipped <button>Clipped</button></p></div>
        <button style="visibility:hidden">Hidden</button> <button style="position:absolute;left:-9999px">Aside</button>
        <details><summary>More</summary>shut away</details>
        <div style="height:3000px"></div><button>Bottom</button><p>the end</p>"""),
    )
    assert {e.name for e in page.elements} >= {"Top", "More"}
    for absent in ("clipped", "Clipped", "Hidden", "Aside", "shut away", "Bottom", "the end"):
        assert absent not in page.text
    assert page.scroll_max > 2000
    assert (page.above, page.below >= 1) == (0, True)
    assert (page.more_above, page.more_below) == (False, True)
    for _ in range(6):
        _, page = await session.step(Scroll(direction="down"))
    assert "the end" in page.text
    assert "Top" not in page.text
    assert page.above >= 1
    assert page.scroll_y == page.scroll_max
    assert page.more_above


async def test_long_text_is_cut_to_the_visible_lines(site: Site, session: Session) -> None:
    page = await see(
        session, site.serve("<p style='width:300px'>" + " ".join(f"word{i}" for i in range(5000)) + "</p>")
    )
    assert "word0 " in page.text
    assert "word4999" not in page.text
    assert page.text.endswith("…")


async def test_numbers_stay_over_insertion_scrolling_and_renaming(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div id=top></div><button onclick="top_()">Insert</button><button id=b>Old</button>
        <script>function top_() { document.getElementById('top').innerHTML = '<button>New</button><a href=/>x</a>';
        document.getElementById('b').textContent = 'Renamed'; }</script><div style="height:3000px"></div>"""),
    )
    insert, old = named(page, "Insert").id, named(page, "Old").id
    _, page = await session.step(Click(target=insert))
    assert named(page, "Insert").id == insert
    assert named(page, "Renamed").id == old
    assert named(page, "New").id > old
    await session.step(Scroll(direction="down"))
    _, page = await session.step(Scroll(direction="up"))
    assert (named(page, "Insert").id, named(page, "Renamed").id) == (insert, old)


async def test_numbers_are_never_used_again(site: Site, session: Session) -> None:
    url = site.serve("<button onclick='this.replaceWith(this.cloneNode(true))'>Again</button><iframe src=/in></iframe>")
    site.serve("<button>Inside</button>", "/in")
    seen: list[int] = []
    page = await see(session, url)
    for _ in range(3):
        seen += [e.id for e in page.elements if e.role == "button"]
        _, page = await session.step(Click(target=named(page, "Again").id))
        assert named(page, "Again").id not in seen
        page = await see(session, url)
        assert not {e.id for e in page.elements} & set(seen)


async def test_the_digest_follows_what_is_seen_and_not_the_numbers(site: Site, session: Session) -> None:
    url = site.serve(
        "<button onclick=\"document.title='t'\">Same</button><button onclick=\"this.textContent='b'\">a</button>"
    )
    first = await see(session, url)
    again = await see(session, url)
    assert {e.id for e in first.elements}.isdisjoint(e.id for e in again.elements)
    assert first.digest == again.digest
    outcome, changed = await session.step(Click(target=named(again, "a").id))
    assert outcome.changed
    assert changed.digest != again.digest
    outcome, _ = await session.step(Click(target=named(changed, "b").id))
    assert not outcome.changed


async def test_what_scripts_listen_to_is_listed(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div id=a>by listener</div><div id=b onclick="1">by attribute</div><div>plain</div>
        <span style="cursor:pointer">by cursor</span><script>a.addEventListener('click', () => 1)</script>"""),
    )
    assert {e.name for e in page.elements} == {"by listener", "by attribute", "by cursor"}


async def test_frames_are_read_and_acted_in_at_their_place(site: Site, session: Session) -> None:
    site.serve("<button onclick=\"this.textContent='hit'\">Deep</button><p style='height:900px'></p><p>far</p>", "/in")
    page = await see(
        session,
        site.serve(f"""<h1>Out</h1><div style="height:100px"></div>
        <iframe src="{site.url("/in", host="localhost")}"></iframe>
        <iframe srcdoc="<iframe src='/in' width=200 height=60></iframe>"></iframe><p>After</p>"""),
    )
    deep = [e for e in page.elements if e.name == "Deep"]
    assert len(deep) == 2
    assert deep[0].box[1] > 100
    assert "far" not in page.text
    assert page.text.index("Out") < page.text.index("Deep") < page.text.index("After")
    for element in deep:
        outcome, page = await session.step(Click(target=element.id))
        assert outcome.ok
    assert [e.name for e in page.elements if e.role == "button"] == ["hit", "hit"]


async def test_a_frame_that_scrolls_can_be_scrolled(site: Site, session: Session) -> None:
    site.serve("<p>start</p><p style='height:150px'></p><button>Further</button>", "/in")
    page = await see(session, site.serve("<iframe src=/in height=120></iframe>"))
    assert "Further" not in page.text
    frame = next(e for e in page.elements if e.role == "iframe")
    for _ in range(2):
        _, page = await session.step(Scroll(direction="down", target=frame.id))
    assert "Further" in page.text


BROKEN = """<script>
Array.prototype.toJSON = String.prototype.toJSON = Object.prototype.toJSON = () => 'bad';
Array.prototype.map = () => { throw 1 }; Array.from = () => []; Map = WeakMap = Set = function () {};
Element.prototype.getBoundingClientRect = () => ({}); Element.prototype.matches = null; JSON.stringify = () => 'x';
document.querySelectorAll = () => []; window.getComputedStyle = null; window.performance = null;
Object.prototype.foo = 1; document.elementFromPoint = 0; window.setTimeout = null; Promise = null;
EventTarget.prototype.dispatchEvent = null;
</script><form><input name=matches aria-label=q><input name=localName><input name=querySelectorAll>
<input name=getBoundingClientRect><input name=childNodes><button>Go</button></form>
<form><input name=getAttribute><button>Stop</button></form>
<img name=querySelectorAll><img name=elementFromPoint><img name=title alt=x>"""


async def test_a_page_that_breaks_its_own_world_is_read_all_the_same(site: Site, session: Session) -> None:
    page = await see(session, site.serve(BROKEN))
    assert {"q", "Go", "Stop"} <= {e.name for e in page.elements}
    assert page.title == "Test"
    outcome, _ = await session.step(Click(target=named(page, "q").id))
    assert outcome.ok


async def test_a_strict_content_policy_does_not_keep_the_walker_out(site: Site, session: Session) -> None:
    policy = "default-src 'none'; sandbox allow-scripts"
    page = await see(session, site.serve("<button>Strict</button>", Content_Security_Policy=policy))
    assert named(page, "Strict").role == "button"


async def test_shadow_roots_closed_ones_too_are_read(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div id=h></div><div><template shadowrootmode=open><slot></slot><button>Open</button></template>
        <a href=/s>Slotted</a></div>
        <script>h.attachShadow({mode: 'closed'}).innerHTML = '<button>Closed</button>'</script>"""),
    )
    assert {e.name for e in page.elements} == {"Open", "Slotted", "Closed"}


async def test_what_sticks_out_of_a_link_stands_for_the_link(site: Site, session: Session) -> None:
    picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"
    page = await see(
        session,
        site.serve(f"""<a href=/lamp style="display:block;height:10px"><img alt=Lamp width=90 height=90 src="{picture}"
        style="position:relative;top:600px"></a><div style="height:3000px"></div>"""),
    )
    lamp = named(page, "Lamp").id
    _, page = await session.step(Scroll(direction="down"))  # the link's own box is out of view now
    assert [(e.id, e.role, e.name) for e in page.elements] == [(lamp, "link", "Lamp")]
    outcome, page = await session.step(Click(target=lamp))
    assert (outcome.ok, page.url) == (True, site.url("/lamp"))


async def test_covered_elements_say_so(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<button>Under</button><div id=veil style="position:fixed;inset:0;background:#fff"></div>"""),
    )
    assert "covered" in named(page, "Under").states
    assert "(covered by div#veil)" in page.text


async def test_a_large_page_shows_what_a_small_one_would(site: Site, session: Session) -> None:
    rows = "".join(f"<div><a href=/{i}>Row {i}</a> <button>Buy {i}</button></div>" for i in range(2500))
    place = "position:fixed;left:500px;top:250px;width:280px;height:220px;background:#fff"
    dialog = f'<div style="{place}"><button>OK</button></div>'
    half = rows.index("<div>", len(rows) // 2)
    page = await see(session, site.serve(f"<button>First</button>{rows[:half]}{dialog}{rows[half:]}"))
    names = {e.name for e in page.elements}
    assert {"First", "Row 0", "Buy 20", "OK"} <= names
    assert "Row 200" not in names
    assert page.below > 2000


@pytest.mark.parametrize(
    ("element", "style", "states"),
    [
        ("", "", [()]),
        ('<i style="position:absolute;left:0;top:0;width:900px;height:300px"></i>', "", [("covered",)]),
        ('<p style="margin:-200px 0 0;height:200px;position:relative">pulled up</p>', "", [("covered",)]),
        ("", "div::after{content:'';position:absolute;inset:0}", []),  # nothing can reach it: no target
        ("<p>A sibling</p>", "p::after{content:'';position:absolute;inset:0;z-index:1}", [("covered",)]),
        ("", "button{pointer-events:none}", []),
    ],
)
async def test_what_lies_over_a_target_is_found_in_small_and_in_large_pages(
    site: Site, session: Session, element: str, style: str, states: list[tuple[str, ...]]
) -> None:
    top = f"<style>{style}</style><div style='position:relative'><button>Target</button></div>{element}"
    for rows in (1, 4000):
        page = await see(session, site.serve(top + "<p>A row</p>" * rows))
        assert [e.states for e in page.elements if e.name == "Target"] == states


async def test_counts_follow_changes_of_a_large_page(site: Site, session: Session) -> None:
    grow = "document.body.insertAdjacentHTML(`beforeend`, `<button>New</button>`.repeat(3))"
    before = await see(session, site.serve(f"<button onclick='{grow}'>Grow</button>{'<p>A row</p>' * 4000}"))
    _, after = await session.step(Click(target=named(before, "Grow").id))
    assert (before.below, after.below) == (0, 3)


async def test_the_answer_channel_that_nobody_promises_works_here(host: BrowserHost) -> None:
    """The canary: Playwright hands back the text of an element that is in no document."""
    assert host.answers_directly


@pytest.mark.parametrize("body", ["<h1>Title</h1><button>One</button><iframe srcdoc='<a href=/>in</a>'></iframe>"])
async def test_the_other_channel_sees_the_same(site: Site, host: BrowserHost, session: Session, body: str) -> None:
    direct = await see(session, site.serve(body))
    async with BrowserHost(direct_answers=False) as other:
        assert not other.answers_directly
        async with await other.session() as second:
            indirect = await see(second, site.url())
            assert indirect.digest == direct.digest
            outcome, _ = await second.step(Click(target=named(indirect, "One").id))
            assert outcome.ok


def test_the_bundle_was_made_of_these_sources() -> None:
    """`node src/refute/browser/js/build.mjs --check` compares the bundle itself."""
    room = files("refute.browser")
    digest = hashlib.sha256()
    for file in sorted(entry.name for entry in room.joinpath("js").iterdir() if entry.name.endswith(".js")):
        digest.update(f"{file}\n".encode() + room.joinpath("js", file).read_bytes())
    assert f"// Sources: {digest.hexdigest()}" in room.joinpath("_walker.js").read_text(encoding="utf-8")
