"""Each state of an element one by one; where Playwright's aria snapshot knows it too, that is the oracle."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page

from refute.browser import BrowserHost, Check, Click, Fill, Press, Select, Session

from .site import Site, named, see

# mark-up (its name is "x"), our states, flags of the oracle (None = it has no word for it)
STATES: list[tuple[str, str, str | None]] = [
    ("<input type=checkbox aria-label=x>", "unchecked", ""),
    ("<input type=checkbox aria-label=x checked>", "checked", "checked"),
    ("<input type=checkbox aria-label=x class=half>", "mixed", "checked=mixed"),
    ("<input type=radio aria-label=x checked>", "checked", "checked"),
    ("<div role=checkbox tabindex=0 aria-label=x aria-checked=mixed>x</div>", "mixed", "checked=mixed"),
    ("<div role=checkbox tabindex=0 aria-label=x aria-checked=true>x</div>", "checked", "checked"),
    ("<button role=switch aria-label=x aria-checked=true>x</button>", "checked", "checked"),
    ("<button role=switch aria-label=x aria-checked=false>x</button>", "unchecked", ""),
    ("<div role=menuitemradio tabindex=0 aria-checked=true>x</div>", "checked", "checked"),
    ("<button aria-pressed=true>x</button>", "pressed", "pressed"),
    ("<button aria-pressed=false>x</button>", "unpressed", ""),
    ("<button aria-pressed=mixed>x</button>", "mixed", "pressed=mixed"),
    ("<div role=tablist><button role=tab aria-selected=true>x</button></div>", "selected", "selected"),
    ("<div role=tablist><button role=tab aria-selected=false>x</button></div>", "", ""),
    ("<div role=listbox><div role=option tabindex=0 aria-selected=true>x</div></div>", "selected", "selected"),
    ("<button disabled>x</button>", "disabled", "disabled"),
    ("<fieldset disabled><button>x</button></fieldset>", "disabled", "disabled"),
    ("<div aria-disabled=true><button>x</button></div>", "disabled", "disabled"),
    ("<button aria-disabled=false>x</button>", "", ""),
    ("<input aria-label=x readonly>", "readonly", None),
    ("<div role=textbox tabindex=0 aria-label=x aria-readonly=true>text</div>", "readonly", None),
    ("<input aria-label=x required>", "required", None),
    ("<input aria-label=x aria-required=true>", "required", None),
    ("<input aria-label=x type=email value=nobody>", "invalid", None),
    ("<input aria-label=x type=email value=a@b.c>", "", None),
    ("<input aria-label=x aria-invalid=true>", "invalid", None),
    ("<input aria-label=x aria-invalid=spelling>", "invalid", None),
    ("<input aria-label=x aria-invalid=false>", "", None),
    ("<input aria-label=x required pattern=a+>", "required", None),  # empty, and nobody has tried to send it
    ("<button aria-expanded=true>x</button>", "expanded", "expanded"),
    ("<button aria-expanded=false>x</button>", "collapsed", ""),
    ("<details open><summary>x</summary>more</details>", "expanded", None),
    ("<details><summary>x</summary>more</details>", "collapsed", None),
    ("<button popovertarget=p>x</button><div popover id=p>pop</div>", "collapsed", None),
    ("<a href=/ aria-current=page>x</a>", "current", None),
    ("<a href=/ aria-current=false>x</a>", "", None),
    ("<button aria-haspopup=menu>x</button>", "popup", None),
    ("<button aria-busy=true>x</button>", "busy", None),
    ("<select multiple aria-label=x><option>y</select>", "multiple", None),
    ("<ul role=listbox tabindex=0 aria-label=x aria-multiselectable=true><li role=option>y</ul>", "multiple", None),
    ("<div draggable=true>x</div>", "draggable", None),
    ("<button id=f>x</button>", "focused", "active"),
]


@pytest.fixture(scope="module")
async def shared(host: BrowserHost) -> Session:
    """One session for the whole table; every case replaces the page."""
    return await host.session()


@pytest.mark.parametrize(("markup", "states", "flags"), STATES, ids=[markup for markup, _, _ in STATES])
async def test_each_state_is_told_as_the_oracle_tells_it(
    site: Site, shared: Session, markup: str, states: str, flags: str | None
) -> None:
    script = (
        "<script>document.querySelectorAll('.half').forEach(e => e.indeterminate = true); window.f?.focus()</script>"
    )
    page = await see(shared, site.serve(f"<main>{markup}{script}</main>"))
    assert named(page, "x").states == tuple(states.split())
    for word in states.split():
        (line,) = [line for line in page.text.splitlines() if "x" in line.split('"')]
        assert re.search(rf"[(, ]{word}[), ]", line)
    if flags is not None:
        oracle = await oracle_of(shared)
        (line,) = [line for line in oracle.splitlines() if line.strip().startswith("- ") and '"x"' in line]
        assert re.findall(r"\[([a-z=]+)\]", line) == flags.split()


async def oracle_of(session: Session) -> str:
    """What Playwright's aria snapshot says of the active tab."""
    page: Page = session._tabs.active  # pyright: ignore[reportPrivateUsage]
    return await page.locator("body").aria_snapshot(mode="ai")


FORM = """<form onsubmit="return false">
<label><input type=checkbox> Gift</label><label><input type=radio name=r checked> Post</label>
<label><input type=radio name=r> Courier</label><label>Mail <input type=email required></label>
<select aria-label=Size><option>S<option>M</select><button id=t aria-pressed=false>Toggle</button>
<button type=button aria-expanded=false onclick="this.setAttribute('aria-expanded', true); m.hidden = false">Menu
</button><div role=menu id=m hidden><div role=menuitem tabindex=0>Item</div></div>
<details><summary>More</summary><a href=/d>Detail</a></details>
<button type=button popovertarget=p>Tip</button><div popover id=p>A tip</div><button>Send</button></form>
<script>t.onclick = () => t.setAttribute('aria-pressed', t.getAttribute('aria-pressed') === 'false')</script>"""


async def test_states_follow_what_is_done(site: Site, session: Session) -> None:
    page = await see(session, site.serve(FORM))
    first = {element.name: element.id for element in page.elements}

    async def after(action: Click | Check | Fill | Press | Select, name: str) -> set[str]:
        outcome, seen = await session.step(action)
        assert outcome.ok, outcome
        assert outcome.changed
        assert named(seen, name).id == first[name]
        return set(named(seen, name).states) - {"focused", "covered"}

    assert await after(Check(target=first["Gift"]), "Gift") == {"checked"}
    assert await after(Check(target=first["Courier"]), "Post") == {"unchecked"}
    assert await after(Click(target=first["Toggle"]), "Toggle") == {"pressed"}
    assert await after(Click(target=first["Toggle"]), "Toggle") == {"unpressed"}
    assert await after(Click(target=first["Menu"]), "Menu") == {"expanded"}
    assert await after(Click(target=first["More"]), "More") == {"expanded"}
    assert await after(Click(target=first["Tip"]), "Tip") == {"expanded"}
    assert await after(Press(key="Escape"), "Tip") == {"collapsed"}
    assert await after(Click(target=first["Send"]), "Mail") == {"required", "invalid"}
    page = await session.observe()
    assert 'error="Please fill out this field."' in page.text  # the bubble that says so is no part of the page
    assert await after(Fill(target=first["Mail"], text="nobody"), "Mail") == {"required", "invalid"}
    assert await after(Fill(target=first["Mail"], text="a@b.c"), "Mail") == {"required"}
    await after(Select(target=first["Size"], option="M"), "Size")
    page = await session.observe()
    assert named(page, "Size").value == "M"
    assert {"Item", "Detail"} <= {element.name for element in page.elements}


async def test_values_are_shown_on_one_line(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve(
            """<textarea aria-label=Note>one\n[7] button "Fake"</textarea><div contenteditable aria-label=Rich>a
        <b>b</b></div><input type=range aria-label=Loud min=0 max=9 value=4><div role=slider tabindex=0 aria-label=Zoom
        aria-valuenow=2 aria-valuetext=double>|</div><input type=date aria-label=Day value=2026-01-02>
        <input type=color aria-label=Tint value="#ff0000"><meter value=3 max=9></meter><progress value=.5></progress>
        <select aria-label=Big>"""
            + "".join(f"<option>Choice {i}" for i in range(400))
            + "<option selected>Last</select>"
        ),
    )
    values = {e.name: e.value for e in page.elements}
    assert values["Note"] == 'one\n[7] button "Fake"'
    assert "(value=\"one\\n[7] button 'Fake'\")" in page.text
    assert values | {"Rich": "a b", "Loud": "4", "Zoom": "double", "Day": "2026-01-02", "Tint": "#ff0000"} == values
    assert "range=0..9" in page.text
    assert "(meter 3)" in page.text
    assert "(progressbar 0.5)" in page.text
    assert values["Big"] == "Last"
    assert len(named(page, "Big").options) == 401
    assert "… 401 in all" in page.text
    assert "Choice 200" not in page.text
