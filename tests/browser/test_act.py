"""Actions, and how each of them ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from refute.browser import (
    Action,
    Back,
    Cause,
    Check,
    Click,
    Done,
    Fill,
    Forward,
    Goto,
    Infeasible,
    Note,
    Press,
    Reload,
    Scroll,
    Select,
    SendMessage,
    Session,
    Wait,
)

from .site import Page, Site, named, see


async def test_a_form_is_filled_in_and_sent(site: Site, session: Session) -> None:
    site.serve("<h1>Found</h1>", "/found")
    page = await see(
        session,
        site.serve("""<form action=/found><label>Name <input name=n></label>
        <label>Notes <textarea name=t></textarea></label>
        <select name=s aria-label=Size><option value=1>  Very   small<option value=2>Large</select>
        <label><input type=checkbox name=c> Gift</label></form>"""),
    )
    for action in (
        Fill(target=named(page, "Name").id, text="Ann O'Hara"),
        Fill(target=named(page, "Notes").id, text="two\nlines"),
        Select(target=named(page, "Size").id, option="large"),
        Check(target=named(page, "Gift").id),
    ):
        outcome, page = await session.step(action)
        assert outcome.ok
        assert outcome.changed
    assert named(page, "Name").value == "Ann O'Hara"
    assert named(page, "Size").value == "Large"
    assert named(page, "Gift").states == ("checked", "focused")
    outcome, page = await session.step(Press(target=named(page, "Name").id, key="Enter"))
    assert outcome.ok
    assert "# Found" in page.text
    assert page.url.endswith("/found?n=Ann+O%27Hara&t=two%0D%0Alines&s=2&c=on")


async def test_styled_checkboxes_and_switches_are_set_by_what_is_seen_of_them(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve("""<style>.h {position:absolute;opacity:0;width:1px;height:1px} .g {display:none}</style>
        <label><input class=h type=checkbox>Tiny</label> <label for=g>Gone</label><input class=g id=g type=checkbox>
        <div role=switch aria-checked=false tabindex=0
         onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Dark</div>"""),
    )
    for target in (named(page, "Tiny").id, named(page, "Gone").id, named(page, "Dark").id):
        outcome, page = await session.step(Check(target=target))
        assert (outcome.ok, outcome.changed) == (True, True), outcome
        outcome, page = await session.step(Check(target=target))
        assert (outcome.ok, outcome.changed) == (True, False)
        outcome, page = await session.step(Check(target=target, checked=False))
        assert (outcome.ok, outcome.changed) == (True, True)


PAGE = """<style>.veil {position:fixed;left:0;top:300px;width:400px;height:200px;background:#eee}</style>
<button onclick="document.getElementById('gone').remove()">Remove</button><button id=gone>Gone</button>
<button disabled>Off</button><input aria-label=Fixed readonly value=x><input aria-label=Count type=number>
<select aria-label=Colour><option>Red<option>Green<option disabled>Blue</select>
<label><input type=radio name=r checked>One</label><p><a href="http://127.0.0.1:PORT/">Dead</a></p>
<button style="position:absolute;left:20px;top:350px">Under</button><div class=veil id=veil></div>
<div role=checkbox aria-checked=false tabindex=0>Stuck</div>"""


Way = tuple[str, Callable[[int], Action], Cause, str]
WAYS: list[Way] = [
    ("Off", lambda n: Click(target=n), Cause.DISABLED, "disabled"),
    ("Under", lambda n: Click(target=n), Cause.COVERED, "veil"),
    ("Fixed", lambda n: Fill(target=n, text="y"), Cause.NOT_FILLABLE, "read-only"),
    ("Count", lambda n: Fill(target=n, text="many"), Cause.NOT_FILLABLE, "Write a number"),
    ("Gone", lambda n: Fill(target=n, text="y"), Cause.NOT_FILLABLE, "Choose a text field"),
    ("Colour", lambda n: Fill(target=n, text="Red"), Cause.NOT_FILLABLE, "Use select"),
    ("Colour", lambda n: Select(target=n, option="Pink"), Cause.NO_SUCH_OPTION, '"Red", "Green", "Blue"'),
    ("Colour", lambda n: Select(target=n, option="Blue"), Cause.DISABLED, "Blue"),
    ("Gone", lambda n: Select(target=n, option="Red"), Cause.INVALID, "not a native list"),
    ("Gone", lambda n: Check(target=n), Cause.INVALID, "Use click"),
    ("One", lambda n: Check(target=n, checked=False), Cause.INVALID, "radio"),
    ("Stuck", lambda n: Check(target=n), Cause.INVALID, "did not become checked"),
    ("Gone", lambda n: Press(target=n, key="Enterr"), Cause.INVALID, "no such key"),
    ("Gone", lambda _: Click(target=12345), Cause.MISSING, "12345"),
    ("Gone", lambda _: Back(), Cause.INVALID, "no earlier page"),
    ("Gone", lambda _: Goto(url="file:///etc/hostname"), Cause.BLOCKED, "not an address"),
    ("Gone", lambda _: Goto(url="javascript:alert(1)"), Cause.BLOCKED, "not an address"),
]


async def test_each_way_to_fail_has_its_cause(site: Site, session: Session) -> None:
    page = await see(session, site.serve(PAGE))
    for name, make, cause, says in WAYS:
        outcome = await session.act(make(named(page, name).id))
        assert (name, outcome.ok, outcome.cause) == (name, False, cause)
        assert says in f"{outcome.detail} {outcome.hint}"


async def test_an_address_that_cannot_be_reached_fails_the_action_that_leads_there(
    site: Site, session: Session
) -> None:
    page = await see(session, site.serve(PAGE.replace("PORT", str(site.unused_port))))
    for action in (Click(target=named(page, "Dead").id), Goto(url=f"http://127.0.0.1:{site.unused_port}/")):
        outcome, after = await session.step(action)
        assert (outcome.ok, outcome.cause) == (False, Cause.NAVIGATION)
        assert str(site.unused_port) in outcome.detail
        assert any(event.type == "request_failed" for event in after.events)
        outcome, page = await session.step(Back())
        assert (outcome.ok, page.url) == (True, site.url())


@pytest.mark.parametrize("status", [404, 500])
async def test_an_address_that_answers_with_an_error_is_told_with_its_status(
    site: Site, session: Session, status: int
) -> None:
    site.pages["/bad"] = Page(body="<h1>Sorry</h1>", status=status)
    page = await see(session, site.serve("<a href=/bad>Bad</a>"))
    outcome, after = await session.step(Goto(url="/bad"))
    assert (outcome.cause, after.text) == (Cause.NAVIGATION, "# Sorry")
    assert f"answered {status}" in outcome.detail
    await session.step(Back())
    page = await session.observe()
    outcome, after = await session.step(Click(target=named(page, "Bad").id))
    assert outcome.ok  # the click did what it says
    (told,) = [e.text for e in after.events if e.type == "http_error"]
    assert told.startswith(f"{site.url('/bad')} answered {status}")


async def test_history_is_walked_both_ways_and_a_form_is_not_sent_twice(site: Site, session: Session) -> None:
    site.serve("<h1>Sent</h1>", "/send")
    page = await see(session, site.serve("<form action=/send method=post><button>Send</button></form>"))
    _, page = await session.step(Click(target=named(page, "Send").id))
    assert (page.text, site.posts) == ("# Sent", ["/send"])
    outcome, page = await session.step(Reload())
    assert (outcome.ok, page.text, site.posts) == (True, "# Sent", ["/send"])
    assert "not sent again" in outcome.detail
    outcome, page = await session.step(Back())
    assert outcome.ok
    outcome, page = await session.step(Forward())
    assert (outcome.ok, page.text) == (True, "# Sent")
    assert (await session.act(Forward())).cause is Cause.INVALID
    site.serve("<h1>Changed</h1>")
    await session.step(Goto(url="/"))
    site.serve("<h1>Again</h1>")
    outcome, page = await session.step(Reload())
    assert (outcome.ok, page.text) == (True, "# Again")
    assert site.posts == ["/send"]


async def test_an_element_that_left_the_page_is_stale_and_so_is_one_of_an_earlier_page(
    site: Site, session: Session
) -> None:
    page = await see(session, site.serve(PAGE))
    gone = named(page, "Gone").id
    await session.step(Click(target=named(page, "Remove").id))
    outcome, page = await session.step(Click(target=gone))
    assert outcome.cause is Cause.STALE
    assert not outcome.changed
    off = named(page, "Off").id
    await session.goto(site.url())
    assert (await session.act(Click(target=off))).cause is Cause.STALE


async def test_a_frame_that_left_the_page_is_stale(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve(
            "<button onclick='document.querySelector(`iframe`).remove()'>X</button>"
            "<iframe srcdoc='<button>In</button>'></iframe>"
        ),
    )
    inside = named(page, "In").id
    await session.act(Click(target=named(page, "X").id))
    assert (await session.act(Click(target=inside))).cause is Cause.STALE


async def test_actions_that_leave_the_page_alone(site: Site, session: Session) -> None:
    page = await see(session, site.serve("<button>B</button>"))
    for action in (Note(text="n"), SendMessage(text="m"), Wait(seconds=0), Done(message="d"), Infeasible(reason="r")):
        outcome, after = await session.step(action)
        assert (outcome.ok, outcome.changed) == (True, False)
        assert after.text == page.text


async def test_scrolling_moves_most_of_a_screen_or_a_container(site: Site, session: Session) -> None:
    style = "height:100px;width:300px;overflow:auto"
    box = f"<div style='{style}' tabindex=0 aria-label=Box><p style='height:900px'>in</p></div>"
    page = await see(session, site.serve(f"{box}<div style='height:3000px'></div>"))
    outcome, after = await session.step(Scroll(direction="down"))
    assert after.scroll_y == 576
    assert outcome.changed
    outcome, after = await session.step(Scroll(direction="up"))
    outcome, after = await session.step(Scroll(direction="up"))
    assert "at the top already" in outcome.detail
    outcome, after = await session.step(Scroll(direction="down", target=named(page, "Box").id))
    assert "(scrolls: 80px above" in after.text
    assert after.scroll_y == 0


async def test_a_page_that_scrolls_in_an_inner_box_is_scrolled_there(site: Site, session: Session) -> None:
    page = await see(
        session,
        site.serve(
            "<style>html,body{margin:0;height:100%;overflow:hidden}</style><div style='height:100%;overflow:auto'>"
            "<div style='height:1500px'></div><p>the end</p></div>"
        ),
    )
    for _ in range(3):
        _, page = await session.step(Scroll(direction="down"))
    assert "the end" in page.text


async def test_an_address_may_be_given_relative_to_the_page(site: Site, session: Session) -> None:
    site.serve("<h1>Second</h1>", "/second")
    await see(session, site.serve("<h1>First</h1>"))
    outcome, page = await session.step(Goto(url="/second"))
    assert (outcome.ok, page.url) == (True, site.url("/second"))
    outcome, page = await session.step(Back())
    assert (outcome.ok, page.url) == (True, site.url("/"))


async def test_a_picture_of_the_page_is_a_jpeg(site: Site, session: Session) -> None:
    await see(session, site.serve("<h1>Picture</h1>"))
    assert (await session.screenshot()).startswith(b"\xff\xd8\xff")
