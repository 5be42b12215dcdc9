"""Pages that are hard for an agent, one difficulty each: what is needed is seen, and what is seen can be acted on."""

from __future__ import annotations

from refute.browser import (
    AnswerDialog,
    Back,
    Cause,
    Check,
    Click,
    ClickAt,
    Drag,
    DragAt,
    Fill,
    Hover,
    Press,
    Scroll,
    Type,
    Upload,
    Wait,
)

from .conftest import Walk

MOST_SCROLLS = 12


async def scroll_to(walk: Walk, name: str, *, inside: int | None = None) -> None:
    """Scroll down until a target with this name is in view."""
    for _ in range(MOST_SCROLLS):
        if any(element.name == name for element in walk.page.elements):
            return
        await walk.do(Scroll(direction="down", target=inside))
    raise AssertionError(f"{name!r} did not come into view:\n{walk.text}")


# ---- where things are


async def test_a_frame_of_this_site(walk: Walk) -> None:
    await walk.open("same_frame")
    await walk.do(Click(target=walk.find("button", "Press inside")))
    assert "Done: Press inside" in walk.text


async def test_a_frame_of_another_site(walk: Walk) -> None:
    await walk.open("cross_frame")
    await walk.do(Fill(target=walk.find("textbox", "Card"), text="4111"))
    await walk.do(Click(target=walk.find("button", "Pay")))
    assert "Done: paid by 4111" in walk.text


async def test_scrollers_in_scrollers(walk: Walk) -> None:
    await walk.open("nested_scrollers")
    outer = next(e.id for e in walk.page.elements if e.name == "Outer")
    await scroll_to(walk, "Inner", inside=outer)
    inner = next(e.id for e in walk.page.elements if e.name == "Inner")
    await scroll_to(walk, "Deep button", inside=inner)
    await walk.do(Click(target=walk.find("button", "Deep button")))
    assert "Done: reached" in walk.text


async def test_a_closed_shadow_root(walk: Walk) -> None:
    await walk.open("closed_shadow")
    await walk.do(Fill(target=walk.find("textbox", "Word"), text="psst"))
    await walk.do(Click(target=walk.find("button", "Tell")))
    assert "Done: psst" in walk.text


async def test_a_list_that_draws_only_what_is_in_view(walk: Walk) -> None:
    await walk.open("virtual_list")
    await scroll_to(walk, "Row 30", inside=walk.find("listbox", "Rows"))
    await walk.do(Click(target=walk.find("option", "Row 30")))
    assert "Done: Row 30" in walk.text


async def test_a_list_without_an_end(walk: Walk) -> None:
    await walk.open("infinite")
    await scroll_to(walk, "Entry 50")
    await walk.do(Click(target=walk.find("button", "Entry 50")))
    assert "Done: Entry 50" in walk.text


async def test_7500_elements(walk: Walk) -> None:
    page = await walk.open("large")
    assert len(page.elements) < 100
    assert page.below > 4000
    await walk.do(Press(key="End"))
    await walk.do(Wait(seconds=1))  # Chromium scrolls smoothly by keys
    await walk.do(Click(target=walk.find("button", "Take 2499")))
    assert "Done: Take 2499" in walk.text
    assert len(walk.page.elements) < 100


# ---- widgets


async def test_a_dropdown_that_is_no_select(walk: Walk) -> None:
    await walk.open("dropdown")
    await walk.do(Click(target=walk.find("combobox", "Size")))
    assert "expanded" in next(e.states for e in walk.page.elements if e.name == "Size")
    await walk.do(Click(target=walk.find("option", "Medium")))
    assert "Done: Medium" in walk.text


async def test_a_calendar(walk: Walk) -> None:
    await walk.open("date_picker")
    await walk.do(Click(target=walk.find("textbox", "Arrival")))
    assert "January 2031" in walk.text
    await walk.do(Click(target=walk.find("button", "Later month")))
    assert "February 2031" in walk.text
    await walk.do(Click(target=walk.find("button", "14")))
    assert "Done: 2031-02-14" in walk.text


async def test_an_editor(walk: Walk) -> None:
    await walk.open("editor")
    await walk.do(Type(target=walk.find("textbox", "Letter"), text=" thank you"))
    await walk.do(Click(target=walk.find("button", "Keep")))
    assert "Done: Dear Ann, thank you" in walk.text


async def test_cards_to_drag(walk: Walk) -> None:
    await walk.open("drag")
    card = next(e.id for e in walk.page.elements if "draggable" in e.states)
    await walk.do(Drag(target=card, to=walk.find("group", "Finished")))
    assert "Done: Finished" in walk.text


def circle(walk: Walk) -> tuple[int, int]:
    """Where the picture shows one."""
    left, top, width, height = next(e.box for e in walk.page.elements if e.role == "canvas")
    assert (width, height) == (402, 202)
    return left + 301, top + 151


async def test_a_drawing(walk: Walk) -> None:
    await walk.open("canvas")
    x, y = circle(walk)
    await walk.do(ClickAt(x=x, y=y))
    assert "Hit the circle" in walk.text
    x, y = circle(walk)  # the answer moved the drawing down
    await walk.do(DragAt(points=((x, y), (x - 100, y))))
    assert "Done: dragged 100" in walk.text


async def test_suggestions(walk: Walk) -> None:
    await walk.open("autocomplete")
    await walk.do(Type(target=walk.find("combobox", "City"), text="Ber"))
    await walk.do(Click(target=walk.find("option", "Berlin")))
    assert "Done: Berlin" in walk.text


async def test_a_menu_under_the_mouse(walk: Walk) -> None:
    await walk.open("hover")
    assert "Sign out" not in walk.text
    await walk.do(Hover(target=walk.find("button", "Account")))
    await walk.do(Click(target=walk.find("button", "Sign out")))
    assert "Done: signed out" in walk.text


async def test_a_form_that_minds(walk: Walk) -> None:
    await walk.open("validation")
    await walk.do(Fill(target=walk.find("textbox", "E-mail"), text="ann"))
    await walk.do(Fill(target=walk.find("textbox", "Code"), text="abc"))
    await walk.do(Click(target=walk.find("button", "Send")))
    assert "Done" not in walk.text
    assert {e.name for e in walk.page.elements if "invalid" in e.states} == {"E-mail", "Code"}
    await walk.do(Fill(target=walk.find("textbox", "E-mail"), text="ann@shop.example"))
    await walk.do(Fill(target=walk.find("textbox", "Code"), text="ABC"))
    await walk.do(Click(target=walk.find("button", "Send")))
    assert "Done: ann@shop.example ABC" in walk.text


async def test_not_before_it_is_right(walk: Walk) -> None:
    await walk.open("disabled")
    outcome, walk.page = await walk.session.step(Click(target=walk.find("button", "Continue")))
    assert outcome.cause is Cause.DISABLED
    await walk.do(Fill(target=walk.find("textbox", "Name"), text="Ann"))
    await walk.do(Check(target=walk.find("checkbox", "I agree")))
    await walk.do(Click(target=walk.find("button", "Continue")))
    assert "Done: Ann" in walk.text


async def test_a_field_that_is_swapped_when_it_gets_the_focus(walk: Walk) -> None:
    await walk.open("replaced")
    old = walk.find("textbox", "Amount")
    await walk.do(Click(target=old))
    new = walk.find("textbox", "Amount")
    assert new != old
    assert (await walk.session.act(Fill(target=old, text="9"))).cause is Cause.STALE
    await walk.do(Fill(target=new, text="12"))
    await walk.do(Click(target=walk.find("button", "Keep")))
    assert "Done: 12" in walk.text


# ---- time


async def test_a_banner_in_the_way(walk: Walk) -> None:
    await walk.open("overlay")
    order = walk.find("button", "Order")
    assert "covered" in next(e.states for e in walk.page.elements if e.id == order)
    outcome, walk.page = await walk.session.step(Click(target=order))
    assert outcome.cause is Cause.COVERED
    await walk.do(Click(target=walk.find("button", "Only the necessary ones")))
    await walk.do(Click(target=order))
    assert "Done: ordered" in walk.text


async def test_a_word_that_goes_away(walk: Walk) -> None:
    await walk.open("toast")
    await walk.do(Click(target=walk.find("button", "Save")))
    assert "Saved as draft 17" in walk.text
    await walk.do(Wait(seconds=4))
    assert "Saved as draft" not in walk.text


async def test_a_slow_answer(walk: Walk) -> None:
    await walk.open("slow")
    await walk.do(Click(target=walk.find("button", "Load")))
    assert "Done: slow but sure" in walk.text


# ---- beyond the page


async def test_questions_of_the_browser(walk: Walk) -> None:
    await walk.open("dialogs")
    await walk.do(Click(target=walk.find("button", "Ask")))
    assert ("dialog", 'alert "Read this": accepted') in {(e.type, e.text) for e in walk.page.events}
    assert "Go on?" in walk.text
    await walk.do(AnswerDialog(accept=True))
    assert "Your name?" in walk.text
    await walk.do(AnswerDialog(accept=True, text="Ann"))
    assert "Done: Ann" in walk.text
    await walk.do(Click(target=walk.find("link", "Leave")))
    assert "Done: arrived" in walk.text


async def test_a_window_of_its_own(walk: Walk) -> None:
    await walk.open("popup")
    await walk.do(Click(target=walk.find("button", "Choose")))
    assert (walk.page.title, len(walk.page.tabs)) == ("Choose a colour", 2)
    await walk.do(Click(target=walk.find("button", "Green")))
    assert "Done: green" in walk.text
    assert len(walk.page.tabs) == 1


async def test_files_down_and_up(walk: Walk) -> None:
    await walk.open("files")
    await walk.do(Click(target=walk.find("link", "Report")))
    assert any(event.type == "download" and "report.csv" in event.text for event in walk.page.events)
    attachment = next(e.id for e in walk.page.elements if "Attachment" in e.name)
    await walk.do(Upload(target=attachment, file="letter.txt"))
    assert "Done: letter.txt holds a letter" in walk.text
    await walk.do(Upload(target=attachment, file="report.csv"))
    assert "Done: report.csv holds a,b 1,2" in walk.text


async def test_the_long_way(walk: Walk) -> None:
    await walk.open("redirects")
    await walk.do(Click(target=walk.find("link", "Go")))
    assert walk.page.url == f"{walk.origin}/arrived.html"
    assert "Done: arrived" in walk.text


async def test_one_page_with_many_addresses(walk: Walk) -> None:
    await walk.open("hash")
    await walk.do(Click(target=walk.find("link", "Settings")))
    assert walk.page.url.endswith("#/settings")
    await walk.do(Check(target=walk.find("checkbox", "Dark")))
    assert "Done: true" in walk.text
    await walk.do(Back())
    assert "## Home" in walk.text
