"""A click that the page takes away under the mouse is told, and never made a second time."""

from __future__ import annotations

import pytest

from refute.browser import Cause, Click, Observation, Outcome, Session

from .site import Site, named, see

COUNT = "<p>clicked <b id=n>0</b></p><script>const did = () => { n.textContent = +n.textContent + 1 }</script>"


async def click(session: Session, url: str, name: str = "Send") -> tuple[Outcome, Observation]:
    page = await see(session, url)
    return await session.step(Click(target=named(page, name).id))


NOT_CLICKED = {
    "moved": """<input aria-label=Mail id=m autofocus onblur="w.style.display = 'block'">
        <p id=w style="display:none;height:90px">Wrong</p><br><button onclick=did()>Send</button>""",
    "rendered anew": """<div id=d><button onclick=did()>Send</button></div>
        <input aria-label=Mail autofocus onblur="d.innerHTML = d.innerHTML">""",
    "rendered anew in a shadow root": """<div id=h></div><input aria-label=Mail autofocus onblur="draw()"><script>
        const root = h.attachShadow({mode: 'closed'}); const draw = () => { root.innerHTML = '<button>Send</button>';
        root.firstChild.onclick = did }; draw()</script>""",
}


@pytest.mark.parametrize("body", NOT_CLICKED.values(), ids=list(NOT_CLICKED))
async def test_a_lost_click_is_a_failure_that_can_be_mended(site: Site, session: Session, body: str) -> None:
    outcome, page = await click(session, site.serve(COUNT + body))
    assert outcome.cause is Cause.LOST
    assert "click it" in outcome.hint
    assert "clicked 0" in page.text
    outcome, page = await session.step(Click(target=named(page, "Send").id))
    assert outcome.ok
    assert "clicked 1" in page.text


async def test_a_shape_that_is_overlaid_as_the_mouse_arrives_was_not_clicked(site: Site, session: Session) -> None:
    body = """<svg width=200 height=100><path d="M10,10 L190,10 L190,90" fill=none stroke=red stroke-width=4 role=button
        aria-label=Send onclick=did() onmousemove="v.hidden = false"></path></svg>
        <div id=v hidden style="position:fixed;inset:0" onclick="this.hidden = true"></div>"""
    outcome, page = await click(session, site.serve(COUNT + body))
    assert outcome.cause is Cause.LOST
    assert "something else" in outcome.detail
    assert "clicked 0" in page.text


PRESSED = {
    "a suggestion": "<ul><li onmousedown='did(); this.remove()'>Send</li></ul>",
    "rendered anew by its press": """<div id=d><button onmousedown='did(); d.innerHTML = d.innerHTML'>Send</button>
        </div>""",
    "a list that opens at the press": """<button onmousedown="did(); v.hidden = false">Send</button>
        <div id=v hidden style="position:fixed;inset:0"></div>""",
    "opened for all by one listener": """<button id=b>Send</button>
        <div id=v hidden style="position:fixed;inset:0"></div><script>
        document.addEventListener('mousedown', e => { if (e.target === b) { did(); v.hidden = false } })</script>""",
}


@pytest.mark.parametrize("body", PRESSED.values(), ids=list(PRESSED))
async def test_what_answers_to_the_press_has_done_its_work(site: Site, session: Session, body: str) -> None:
    outcome, page = await click(session, site.serve(COUNT + body))
    assert outcome.ok
    assert "a click did not follow" in outcome.detail
    assert "clicked 1" in page.text


PLAIN = {
    "a button": "<button onclick=did()>Send</button>",
    "its own replacement": "<div id=d><button onclick='did(); d.innerHTML = d.innerHTML'>Send</button></div>",
    "a label": "<label>Send <input type=checkbox onclick=did() style='opacity:0'></label>",
    "something inside": "<button onclick=did()><b>Se</b>nd</button>",
    "a page that swallows clicks": """<button onmouseup=did()>Send</button>
        <script>addEventListener('click', e => e.stopImmediatePropagation(), true)</script>""",
    "a slider that takes the mouse": """<div id=o role=group><div id=s role=slider aria-label=Send tabindex=0
        style="width:50px;height:20px;background:red"></div></div><script>o.onpointerdown = e => {
        o.setPointerCapture(e.pointerId); did() }</script>""",
    "a document that was opened anew": """<script>onload = () => setTimeout(() => { const all =
        '<p>clicked <b id=n>0</b></p><button>Send</button>'; document.open(); document.write(all); document.close();
        document.querySelector('button').onclick = () => { n.textContent = +n.textContent + 1 } })</script>""",
}


@pytest.mark.parametrize("body", PLAIN.values(), ids=list(PLAIN))
async def test_a_click_that_arrives_is_no_news(site: Site, session: Session, body: str) -> None:
    outcome, page = await click(session, site.serve(COUNT + body))
    assert outcome.ok
    assert not outcome.detail
    assert "clicked 1" in page.text


async def test_a_field_that_is_swapped_when_it_gets_the_focus_got_it(site: Site, session: Session) -> None:
    swapped = """<label>Sum <input onfocus="const i = document.createElement('input'); this.replaceWith(i); i.focus()">
        </label>"""
    outcome, _ = await click(session, site.serve(swapped), "Sum")
    assert outcome.ok
    assert "a click did not follow" in outcome.detail
