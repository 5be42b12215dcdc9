"""Solutions of tasks that are solved by clicking what the instruction names."""

from __future__ import annotations

import colorsys
import re

from refute.browser import Select
from refute.suites.miniwob._script import (
    NAMED_COLOURS,
    Colour,
    NotOnPage,
    Page,
    Script,
    between,
    check,
    choose,
    click,
    down,
    first,
    press_button,
    quoted,
    rgb,
    solves,
)


@solves("click-button", "unicode-test", "click-dialog-2")
def click_named_button(goal: str, page: Page) -> Script:
    """The button whose name is quoted."""
    name = quoted(goal)[0]
    yield press_button(page, name, "Close" if name == "x" else name)


@solves("click-dialog")
def click_dialog(goal: str, page: Page) -> Script:
    """The dialog's own closing button."""
    yield press_button(page, "Close")


@solves("click-test", "click-test-2", "click-test-transfer", "click-button-sequence")
def click_in_order(goal: str, page: Page) -> Script:
    """One button, or ONE and then TWO."""
    names = re.findall(r"button (ONE|TWO)", goal) or ["Click Me!"]
    for name in names:
        page = yield press_button(page, name)


@solves("click-link")
def click_link(goal: str, page: Page) -> Script:
    """The link with the quoted text."""
    yield click(page.one(name=quoted(goal)[0]))


@solves("click-option")
def click_option(goal: str, page: Page) -> Script:
    """A radio button, then Submit."""
    page = yield check(page.one("radio", between(goal, r"Select (.*) and click")))
    yield press_button(page, "Submit")


@solves("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer")
def click_checkboxes(goal: str, page: Page) -> Script:
    """The boxes that are named, or none; the list may be longer than the page."""
    wanted = set(between(goal, r"Select (.*) and click").split(", ")) - {"nothing"}
    yield from _check_and_submit(page, wanted)


def _check_and_submit(page: Page, wanted: set[str]) -> Script:
    while True:
        todo = [box for box in page.all("checkbox") if box.name in wanted and "unchecked" in box.states]
        if todo:
            page = yield check(todo[0])
        elif page.all("button", "Submit"):
            break
        else:
            page = yield down(page)
    yield press_button(page, "Submit")


@solves("choose-list")
def choose_list(goal: str, page: Page) -> Script:
    """An option of a list, then Submit."""
    page = yield choose(page.one("combobox"), between(goal, r"Select (.*) from the list"))
    yield press_button(page, "Submit")


@solves("click-scroll-list")
def click_scroll_list(goal: str, page: Page) -> Script:
    """One or two options of a list, then Submit."""
    option, *more = between(goal, r"Select (.*) from the scroll list").split(", ")
    page = yield Select(target=page.one("listbox").id, option=option, more=tuple(more))
    yield press_button(page, "Submit")


@solves("click-collapsible", "click-collapsible-nodelay")
def click_collapsible(goal: str, page: Page) -> Script:
    """Open the section; Submit is inside, and may take a moment to be in view."""
    page = yield click(page.all("tab")[0])
    for _ in range(5):
        if page.all("button", "Submit"):
            break
        page = yield down(page)
    yield press_button(page, "Submit")


@solves("click-collapsible-2", "click-collapsible-2-nodelay")
def click_collapsible_2(goal: str, page: Page) -> Script:
    """Open one section after the other until the link is there."""
    wanted = quoted(goal)[0]
    for number in range(len(page.all("tab"))):
        page = yield click(page.all("tab")[number])
        yield from _click_if_there(page, wanted)


@solves("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard")
def click_tab_2(goal: str, page: Page) -> Script:
    """Look at one tab after the other until the link is there."""
    wanted = quoted(goal)[0]
    yield from _click_if_there(page, wanted)
    names = [link.name for link in page.all("link")]
    for name in names[1:]:
        page = yield click(page.one("link", name))
        yield from _click_if_there(page, wanted)


def _click_if_there(page: Page, name: str) -> Script:
    for element in page.all("clickable", name):
        yield click(element)


@solves("click-tab")
def click_tab(goal: str, page: Page) -> Script:
    """The tab that is named."""
    yield click(page.one("link", between(goal, r"Click on (Tab #\d+)")))


@solves("click-color")
def click_color(goal: str, page: Page) -> Script:
    """The box of a named colour."""
    wanted = rgb(NAMED_COLOURS[between(goal, r"Click on the (\w+) colored box")])
    yield click(first((e for e in page.all("clickable") if page.colour(e) == wanted), "box of this colour"))


@solves("click-shades")
def click_shades(goal: str, page: Page) -> Script:
    """All boxes whose colour leans to one of red, green and blue."""
    wanted = ["red", "green", "blue"].index(between(goal, r"shades of (\w+)"))
    for box in page.all("clickable"):
        if hue(page.colour(box)) == wanted:
            page = yield click(box)
    yield press_button(page, "Submit")


def hue(colour: Colour | None) -> int | None:
    """0 = red, 1 = green, 2 = blue."""
    if colour is None:
        return None
    return round(colorsys.rgb_to_hls(*(part / 255 for part in colour))[0] * 3) % 3


@solves("click-widget")
def click_widget(goal: str, page: Page) -> Script:
    """A widget of the kind that is asked for; a text area is a text field of several lines."""
    kind = quoted(goal)[0]
    role = {"text": "textbox", "textarea": "textbox"}.get(kind, kind)
    found = page.all(role)
    if role == "textbox":  # a text area is the higher one
        found.sort(key=lambda e: e.box[3], reverse=kind == "textarea")
    yield click(found[0])


@solves("find-greatest")
def find_greatest(goal: str, page: Page) -> Script:
    """The card with the greatest number."""
    page = yield click(max(page.all("clickable"), key=lambda e: int(e.name)))
    yield press_button(page, "Submit")


@solves("buy-ticket")
def buy_ticket(goal: str, page: Page) -> Script:
    """The ticket with the shortest or longest flight, or the lowest or highest price."""
    tickets: dict[tuple[int, int], int] = {}
    for hours, minutes, number, price in re.findall(r'(\d+)h (\d+)m\s+\[(\d+)\] button "Book for \$(\d+)"', page.text):
        tickets[60 * int(hours) + int(minutes), int(price)] = int(number)
    by = 0 if "duration" in goal else 1
    ordered = sorted(tickets, key=lambda ticket: ticket[by])
    best = ordered[0] if re.search(r"shortest|cheapest|lowest", goal) else ordered[-1]
    yield click(page.element(tickets[best]))


@solves("navigate-tree")
def navigate_tree(goal: str, page: Page) -> Script:
    """Open folders until the name is there."""
    wanted = quoted(goal)[0]
    opened = set[str]()
    for _ in range(9):
        found = page.all("clickable", wanted) or page.all("listitem", wanted)
        if found:
            page = yield click(found[0])
            continue
        folders = [e for e in page.all("clickable") if e.name and e.name not in opened]
        if not folders:
            raise NotOnPage(f"no {wanted}")
        opened.add(folders[0].name)
        page = yield click(folders[0])


@solves("odd-or-even")
def odd_or_even(goal: str, page: Page) -> Script:
    """Odd stands before each number, Even behind it."""
    for odd, number, even in re.findall(r'\[(\d+)\] button "Odd"\s+(-?\d+)\s+\[(\d+)\] button "Even"', page.text):
        page = yield click(page.element(odd if int(number) % 2 else even))
    for _ in range(3):
        if page.all("button", "Submit"):
            break
        page = yield down(page)
    yield press_button(page, "Submit")
