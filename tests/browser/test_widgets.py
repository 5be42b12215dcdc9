"""Every kind of control and every way of the mouse, in real Chromium."""

from __future__ import annotations

import pytest

from refute.browser import (
    Action,
    AnswerDialog,
    Cause,
    Click,
    ClickAt,
    DoubleClick,
    Drag,
    DragAt,
    DragBy,
    Fill,
    Hover,
    Outcome,
    Press,
    RightClick,
    Scroll,
    Select,
    Session,
    Type,
)

from .site import Site, named, see

FIELDS = """<input aria-label=date type=date min=2026-01-01><input aria-label=time type=time>
<input aria-label=month type=month><input aria-label=color type=color><input aria-label=range type=range max=10 step=2>
<input aria-label=number type=number step=any><div contenteditable role=textbox aria-label=editable>old</div>
<textarea aria-label=area>one</textarea><input aria-label=file type=file><input aria-label=box type=checkbox>
<div role=slider tabindex=0 aria-label=slider aria-valuenow=3>3</div><p id=p></p>
<script>addEventListener('input', ({target: t}) => { p.textContent = `${t.ariaLabel}=${t.value ?? t.innerText}` })
</script>"""

VALUES = [
    ("date", "2026-12-31"),
    ("time", "13:45"),
    ("month", "2026-12"),
    ("color", "#1e90ff"),
    ("range", "4"),
    ("number", "-1.5"),
    ("editable", "new"),
    ("area", "two"),
]


async def test_fields_of_every_type_are_filled(site: Site, session: Session) -> None:
    page = await see(session, site.serve(FIELDS))
    for name, value in VALUES:
        outcome, page = await session.step(Fill(target=named(page, name).id, text=value))
        assert outcome.ok, outcome
        assert f"{name}={value}" in page.text


async def test_what_a_field_does_not_take_is_told_with_the_form_that_it_does(site: Site, session: Session) -> None:
    page = await see(session, site.serve(FIELDS))
    for name, value, says in [
        ("date", "31.12.2026", "2026-12-31 (year-month-day). It goes from 2026-01-01 to anything."),
        ("color", "no colour", "#1e90ff"),
        ("range", "50", "Write a number. It goes from anything to 10. In steps of 2."),
        ("number", "many", "number"),
        ("file", "a.txt", "upload"),
        ("box", "yes", "check"),
        ("slider", "5", "arrow keys"),
    ]:
        outcome = await session.act(Fill(target=named(page, name).id, text=value))
        assert outcome.cause is Cause.NOT_FILLABLE
        assert says in outcome.hint
    assert (await session.act(Fill(target=named(page, "color").id, text="blue"))).detail == "it holds #0000ff now"


async def test_keys_are_typed_one_by_one_after_what_is_there_and_follow_the_focus(site: Site, session: Session) -> None:
    boxes = "".join(f"<input aria-label=b{n} size=1 maxlength=1>" for n in range(4))
    page = await see(
        session,
        site.serve(f"""<input aria-label=Name value=An><p id=keys></p>{boxes}<script>let keys = 0;
        addEventListener('keydown', () => {{ keys++; document.getElementById('keys').textContent = keys + ' keys' }});
        for (const b of document.querySelectorAll('[maxlength]')) b.oninput = () => b.nextElementSibling?.focus();
        </script>"""),
    )
    _, page = await session.step(Type(target=named(page, "Name").id, text="na"))
    assert (named(page, "Name").value, "keys" in page.text) == ("Anna", True)
    await session.step(Press(key="ctrl+a"))
    _, page = await session.step(Type(text="Bo"))
    assert named(page, "Name").value == "Bo"
    _, page = await session.step(Type(target=named(page, "b0").id, text="1234"))
    assert [named(page, f"b{n}").value for n in range(4)] == ["1", "2", "3", "4"]
    for key in ("return", "Esc", "Down", "PgDn", "Shift+Tab", "Control++"):
        assert (await session.act(Press(key=key))).ok


async def test_lists_take_one_option_or_several(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<select multiple aria-label=Many><option>Red<option selected>Green<option>Blue</select>
        <select aria-label=One><option>Red<option>Green</select>"""),
    )
    outcome, page = await session.step(Select(target=named(page, "Many").id, option="red", more=("Blue",)))
    assert (outcome.ok, named(page, "Many").value) == (True, "Red, Blue")
    outcome = await session.act(Select(target=named(page, "One").id, option="Red", more=("Green",)))
    assert (outcome.cause, "one option" in outcome.detail) == (Cause.INVALID, True)
    outcome = await session.act(Select(target=named(page, "Many").id, option="Red", more=("Pink",)))
    assert outcome.cause is Cause.NO_SUCH_OPTION


MOUSE = """<style>div {width:80px;height:30px;margin:4px;background:#ccd}
#menu ul {display:none} #menu:hover ul {display:block}</style><p id=p></p>
<div id=d tabindex=0 aria-label=Pad role=button>Pad</div>
<div id=menu tabindex=0 aria-label=Menu role=button>Menu<ul><li><button>Inner</button></ul></div>
<div draggable=true id=a aria-label=Card role=button>Card</div>
<div id=b aria-label=Slot role=button tabindex=0>Slot</div>
<div id=k style="position:absolute;left:300px;top:200px" role=button aria-label=Knob tabindex=0>Knob</div>
<canvas id=c width=200 height=100 style="position:absolute;left:400px;top:300px"></canvas>
<script>const say = t => { p.textContent = t }; d.onclick = () => say('click'); d.ondblclick = () => say('double');
d.oncontextmenu = e => { e.preventDefault(); say('right') };
b.ondragover = e => e.preventDefault(); b.ondrop = () => say('dropped'); let from = null, path = [];
k.onmousedown = e => { from = [e.clientX, e.clientY] };
addEventListener('mouseup', e => { if (from) say(`moved ${e.clientX - from[0]},${e.clientY - from[1]}`); from = null });
c.onclick = e => { if (path.length < 4) say(`canvas ${e.offsetX},${e.offsetY}`) };
c.onmousedown = e => { path = [[e.offsetX, e.offsetY]]; c.onmousemove = m => path.push([m.offsetX, m.offsetY]) };
c.onmouseup = e => { c.onmousemove = null; if (path.length < 4) return;
 say(`drew ${path[0]} to ${e.offsetX},${e.offsetY} past ${path.some(q => q[0] == 90)}`) };</script>"""


async def test_the_mouse_does_what_a_hand_does(site: Site, session: Session) -> None:
    page = await see(session, site.serve(MOUSE))
    pad, card, slot, knob = (named(page, name).id for name in ("Pad", "Card", "Slot", "Knob"))
    steps: list[tuple[Action, str]] = [
        (Click(target=pad), "click"),
        (DoubleClick(target=pad), "double"),
        (RightClick(target=pad), "right"),
        (Drag(target=card, to=slot), "dropped"),
        (DragBy(target=knob, right=-60, down=25), "moved -60,25"),
        (ClickAt(x=420, y=330), "canvas 20,30"),
        (DragAt(points=((410, 310), (490, 350), (550, 310))), "drew 10,10 to 150,10 past true"),
    ]
    for action, says in steps:
        outcome, page = await session.step(action)
        assert outcome.ok, outcome
        assert says in page.text
    _, page = await session.step(Hover(target=named(page, "Menu").id))
    assert named(page, "Inner")
    assert (await session.act(ClickAt(x=1280, y=5))).cause is Cause.INVALID
    outcome = await session.act(DragAt(points=((5, 5), (5, -1))))
    assert (outcome.cause, "1280 x 720" in outcome.detail) == (Cause.INVALID, True)


async def test_the_button_does_not_stay_down_after_a_drag_that_was_given_up(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<p id=p>-</p><button id=k>Knob</button> <button id=o>Other</button><script>
        k.onmousedown = () => confirm('Really?'); o.onmousemove = e => { p.textContent = `buttons ${e.buttons}` }
        </script>"""),
    )
    await session.act(DragBy(target=named(page, "Knob").id, right=200, down=200))
    _, page = await session.step(AnswerDialog(accept=False))
    _, page = await session.step(Hover(target=named(page, "Other").id))
    assert "buttons 0" in page.text


async def test_things_too_far_apart_to_be_seen_together_are_not_dragged(site: Site, session: Session) -> None:
    far = MOUSE.replace("<canvas", "<div style='position:absolute;top:3000px' role=button tabindex=0>Far</div><canvas")
    page = await see(session, site.serve(far))
    card = named(page, "Card").id
    for _ in range(4):
        _, page = await session.step(Scroll(direction="down"))
    far_away = named(page, "Far").id
    outcome = await session.act(Drag(target=card, to=far_away))
    assert (outcome.cause, "not in view together" in outcome.detail) == (Cause.HIDDEN, True)


async def test_wide_boxes_scroll_sideways(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<div style='width:200px;height:60px;overflow:auto' tabindex=0 role=region aria-label=Box>
        <div style='width:900px;height:20px'>wide</div></div><div style='width:3000px;height:20px'></div>"""),
    )
    assert (await session.act(Scroll(direction="right"))).detail == "scrolled by 1024 px"
    assert (await session.act(Scroll(direction="left"))).detail == "scrolled by 1024 px"
    assert (await session.act(Scroll(direction="left"))).detail == "nothing moved: it is at the left end already"
    outcome = await session.act(Scroll(direction="right", target=named(page, "Box").id))
    assert outcome.detail == "scrolled by 160 px"


async def slow_to_go(site: Site, session: Session, script: str) -> Outcome:
    page = await see(session, site.serve(f"<style>@keyframes m {{to {{margin-left:300px}}}}</style>{script}"))
    return await session.act(Click(target=named(page, "B").id))


@pytest.mark.parametrize(
    ("page", "cause", "says"),
    [
        ("<button style='animation:m .2s linear infinite alternate'>B</button>", Cause.TIMEOUT, "keeps moving"),
        ("<button onmouseover='this.remove()'>B</button>", Cause.STALE, "left the page"),
        ("<button onfocus='this.replaceWith(this.cloneNode(true))'>B</button>", Cause.LOST, "replaced by one like it"),
    ],
)
async def test_elements_that_move_or_go_away_under_the_mouse_end_in_time(
    site: Site, session: Session, page: str, cause: Cause | None, says: str
) -> None:
    outcome = await slow_to_go(site, session, page)
    assert outcome.cause is cause
    assert says in outcome.detail
