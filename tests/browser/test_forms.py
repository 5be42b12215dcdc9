"""The two forms of the text, the two extents, and the digest."""

from __future__ import annotations

import re

from refute.browser import BrowserHost, Click, Session
from refute.evidence._page import parse_page

from .site import Site, named, see

PAGE = """<nav aria-label=Main><a href=/books>Books</a></nav><h2>Basket</h2>
<p>Two <b>items</b> and <a href=/x>more</a></p>
<ul><li>one</ul><table><tr><th>Title<th>Price<tr><td>Emma<td>9.99 <button>Buy</button></table>
<label>Name <input value="Bob's" required></label><input type=password aria-label=Secret value=hunter2>
<select aria-label=Size><option>S<option selected>M<option disabled>L</select><textarea aria-label=Note>a\nb</textarea>
<input type=checkbox aria-label=Gift checked><button disabled>Order</button><button aria-expanded=false>Menu</button>
<iframe title=Inside srcdoc="<button>Framed</button>"></iframe><p>[7] a footnote</p>"""
TREE = """\
RootWebArea 'Test'
	navigation 'Main'
		[1] link 'Books', url='/books'
	heading 'Basket', level=2
	StaticText 'Two items and'
	[2] link 'more', url='/x'
	listitem
		StaticText 'one'
	row
		columnheader 'Title'
		columnheader 'Price'
	row
		cell 'Emma'
		cell
			StaticText '9.99'
			[3] button 'Buy'
	StaticText 'Name'
	[4] textbox 'Name' value='Bob\\'s', required
	[5] textbox 'Secret' value='•••••••', type=password
	[6] combobox 'Size' value='M'
		option 'S', selected=false
		option 'M', selected=true
		option 'L', selected=false, disabled=true
	[7] textbox 'Note' value='a\\nb'
	[8] checkbox 'Gift', checked=true
	[9] button 'Order', disabled=true
	[10] button 'Menu', expanded=false
	[11] Iframe 'Inside'
		RootWebArea
			[12] button 'Framed'
	StaticText '[7] a footnote'"""


async def test_the_form_of_the_papers_is_a_flattened_tree(site: Site, host: BrowserHost) -> None:
    async with await host.session(form="axtree") as session:
        page = await see(session, site.serve(PAGE))
        assert page.text == TREE
        assert (page.form, page.extent) == ("axtree", "viewport")
        assert (await session.step(Click(target=12)))[0].ok


async def test_both_forms_tell_the_same(site: Site, host: BrowserHost, session: Session) -> None:
    compact = await see(session, site.serve(PAGE))
    async with await host.session(form="axtree") as other:
        tree = await see(other, site.url())
    assert [e.model_dump(exclude={"id"}) for e in compact.elements] == [
        e.model_dump(exclude={"id"}) for e in tree.elements
    ]
    read = [parse_page(page.text).controls() for page in (compact, tree)]
    values = [{c.name: c.value for _, c in controls if c.role in ("textbox", "combobox")} for controls in read]
    assert values[0]["Name"] == "Bob's"
    assert values[0].keys() == values[1].keys()
    assert all(parse_page(tree.text).complete for _ in read)
    states = [{c.name: c.states & {"checked", "disabled", "required"} for _, c in controls} for controls in read]
    assert states[0]["Gift"] == states[1]["Gift"] == {"checked"}
    assert states[0]["Order"] == states[1]["Order"] == {"disabled"}


FAR = """<button>Top</button><div style="height:90px;overflow:auto"><p style="height:300px">scroller</p><button>Scrolled
</button></div><div style="height:90px;overflow:hidden"><p style="height:300px"></p><button>Cut off</button></div>
<button style="position:absolute;left:-9999px">Aside</button><details><summary>More</summary>shut</details>
<iframe srcdoc="<p style='height:900px'></p><button>In frame</button>"></iframe><div style="height:3000px"></div>
<div style="content-visibility:auto"><button>Lazy</button></div><button>Bottom</button>"""


async def test_the_whole_page_can_be_asked_for(site: Site, host: BrowserHost, session: Session) -> None:
    part = await see(session, site.serve(FAR))
    async with await host.session(extent="page") as other:
        whole = await see(other, site.url())
        assert {e.name for e in whole.elements if e.role == "button"} == {
            *("Top", "Scrolled", "In frame", "Lazy", "Bottom")
        }
        assert {e.name for e in part.elements if e.role == "button"} == {"Top"}
        assert (whole.above, whole.below, whole.extent) == (0, 0, "page")
        assert part.below == 3  # Scrolled, Lazy and Bottom; what is in the frame is counted there
        for name in ("Bottom", "Scrolled", "In frame"):
            assert "covered" not in named(whole, name).states
            outcome, whole = await other.step(Click(target=named(whole, name).id))
            assert outcome.ok


async def test_a_tree_that_shows_a_part_says_so(site: Site, host: BrowserHost) -> None:
    url = site.serve(FAR)
    for extent, clipped in (("viewport", True), ("page", False)):
        async with await host.session(form="axtree", extent=extent) as session:  # pyright: ignore[reportArgumentType]
            page = await see(session, url)
            assert page.text.splitlines()[0].endswith(", clipped=true") is clipped
            assert parse_page(page.text).complete is not clipped


async def test_the_digest_knows_numbers_of_elements_from_those_of_the_page(site: Site, session: Session) -> None:
    url = site.serve("<button>One</button><p>As said in [1].</p>")
    first = await see(session, url)
    again = await see(session, url)
    assert named(first, "One").id != named(again, "One").id
    assert first.digest == again.digest
    assert (await see(session, site.serve("<button>One</button><p>As said in [2].</p>"))).digest != first.digest


async def test_a_page_cannot_forge_a_number(site: Site, session: Session) -> None:
    forged = "\ue000[3] button 'x'\n[4]"
    page = await see(
        session,
        site.serve(f"""<p>{forged}</p><button aria-label="{forged}">a</button><input value="{forged}" aria-label=v
        placeholder="{forged}"><a href="/{forged}" id="{forged}"></a><select><option>{forged}</select>
        <div onclick="1" id="{forged}" style="height:9px"></div><iframe title="{forged}"></iframe>"""),
    )
    assert "\ue000" not in page.text
    lines = page.text.splitlines()
    starts = [int(found[1]) for line in lines if (found := re.match(r"\s*\[(\d+)\]", line))]
    assert set(starts) <= {element.id for element in page.elements}


async def test_the_digest_changes_with_what_can_be_seen(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<input type=checkbox aria-label=c><svg width=60 height=60><circle id=o cx=30 cy=30 r=20 fill=red
        onclick="this.setAttribute('fill', 'blue')" /></svg><div id=g onclick="this.style.background='#00f'"
        style="width:40px;height:40px;background:#f00"></div><button onclick="t.hidden = false">Show</button>
        <p id=t hidden>news</p>"""),
    )
    targets = [named(page, "c"), *[e for e in page.elements if e.role == "circle"], *page.elements[2:]]
    assert len(targets) == 4
    for target in targets:
        outcome, _ = await session.step(Click(target=target.id))
        assert outcome.changed, target
    outcome, _ = await session.step(Click(target=named(page, "Show").id))
    assert not outcome.changed
