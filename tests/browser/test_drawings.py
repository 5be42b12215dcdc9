"""Shapes of a drawing can be told apart and clicked, whatever listens to the drawing as a whole."""

from __future__ import annotations

import re

import pytest

from refute.browser import Click, Element, HoverAt, Observation, Session

from .site import Site, see

TOLD = """<p id=t>none</p><script>const tell = e => { t.textContent = 'hit ' + (e.target.id || e.target.localName) }
</script>"""
CHART = """<svg width=300 height=120 {svg}><rect id=full x=10 y=10 width=40 height=60 fill=red></rect>
<circle id=ring cx=120 cy=50 r=30 fill=none stroke=blue stroke-width=2></circle>
<path id=arc d="M200 20 Q 240 100 280 20" fill=none stroke=green stroke-width=3></path>
<line id=flat x1=10 y1=100 x2=90 y2=100 stroke=purple stroke-width=4></line>
<text id=label x=180 y=110 fill=#ff8000>Late</text></svg>"""
LISTENED = {
    "the drawing": TOLD + CHART.format(svg="onclick=tell(event)"),
    "the drawing, which looks like a link": TOLD
    + CHART.format(svg="style=cursor:pointer")
    + "<script>document.addEventListener('click', tell)</script>",
    "what is around it": f"{TOLD}<div onclick=tell(event)>{CHART.format(svg='')}</div>",
    "each shape": TOLD
    + CHART.format(svg="")
    + "<script>for (const s of document.querySelector('svg').children) s.addEventListener('click', tell)</script>",
}


def shape(page: Observation, role: str) -> Element:
    (found,) = [e for e in page.elements if e.role == role]
    return found


@pytest.mark.parametrize("body", LISTENED.values(), ids=list(LISTENED))
async def test_the_shapes_of_a_drawing_that_listens(site: Site, session: Session, body: str) -> None:
    page = await see(session, site.serve(body))
    for role, identity in (("rect", "full"), ("circle", "ring"), ("path", "arc"), ("line", "flat"), ("text", "label")):
        outcome, page = await session.step(Click(target=shape(page, role).id))
        assert outcome.ok, outcome
        assert f"hit {identity}" in page.text
    colours = dict(re.findall(r"\] (\w+)[^]]* (#\w{6}) @", page.text))
    assert colours == {"rect": "#ff0000", "circle": "#0000ff", "path": "#008000", "line": "#800080", "text": "#ff8000"}


async def test_an_icon_is_one_piece(site: Site, session: Session) -> None:
    icon = "<svg width=32 height=32><path d='M2 2h20v20z'></path><circle cx=20 cy=20 r=6></circle></svg>"
    page = await see(session, site.serve(f"<div onclick=1>{icon} Later</div><button>{icon}</button>"))
    assert [(e.role, e.name) for e in page.elements] == [("clickable", "Later"), ("button", "")]


async def test_hovering_over_a_point(site: Site, session: Session) -> None:
    page = await see(session, site.serve(TOLD + CHART.format(svg="onmousemove=tell(event)")))
    left, top, width, height = shape(page, "rect").box
    outcome, page = await session.step(HoverAt(x=left + width // 2, y=top + height // 2))
    assert outcome.ok
    assert "hit full" in page.text
    assert not (await session.act(HoverAt(x=5000, y=1))).ok
