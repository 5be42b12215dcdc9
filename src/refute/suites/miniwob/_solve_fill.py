"""Solutions of tasks that are solved by filling in what the instruction says."""

from __future__ import annotations

import re

from refute.browser import Element, Press, Wait
from refute.suites.miniwob._script import (
    NAMED_COLOURS,
    NotOnPage,
    Page,
    Script,
    Steps,
    between,
    check,
    click,
    down,
    fields,
    fill,
    first,
    press_button,
    quoted,
    solves,
)


@solves("enter-text", "enter-text-dynamic", "enter-text-2")
def enter_text(goal: str, page: Page) -> Script:
    """The quoted text, as it is or in one case of letters."""
    text = quoted(goal)[0]
    text = text.upper() if "all upper case" in goal else text.lower() if "all lower case" in goal else text
    page = yield fill(fields(page)[0], text)
    yield press_button(page, "Submit")


@solves("enter-password")
def enter_password(goal: str, page: Page) -> Script:
    """The same text twice."""
    for number in (0, 1):
        page = yield fill(fields(page)[number], quoted(goal)[0])
    yield press_button(page, "Submit")


@solves("login-user", "login-user-popup")
def login_user(goal: str, page: Page) -> Script:
    """Name and password; a popup in between asks to leave, and is turned down."""
    todo = dict(enumerate(quoted(goal)[:2]))
    while todo:
        if page.all("button", "Cancel"):
            page = yield press_button(page, "Cancel")
        number = min(todo)
        page = yield fill(fields(page)[number], todo[number])
        if fields(page)[number].value:
            todo.pop(number)
    if page.all("button", "Cancel"):
        page = yield press_button(page, "Cancel")
    yield press_button(page, "Login", "OK")


@solves("enter-date")
def enter_date(goal: str, page: Page) -> Script:
    """A native date field takes the ISO form."""
    month, day, year = between(goal, r"Enter (\d+/\d+/\d+)").split("/")
    page = yield fill(fields(page)[0], f"{year}-{int(month):02}-{int(day):02}")
    yield press_button(page, "Submit")


@solves("enter-time")
def enter_time(goal: str, page: Page) -> Script:
    """A native time field takes 24 hours."""
    hours, minutes = between(goal, r"Enter (\d+:\d+)").split(":")
    hour = int(hours) % 12 + (12 if "PM" in goal else 0)
    page = yield fill(fields(page)[0], f"{hour:02}:{minutes}")
    yield press_button(page, "Submit")


@solves("focus-text", "focus-text-2")
def focus_text(goal: str, page: Page) -> Script:
    """Click into the field."""
    number = re.search(r"(\d)(?:st|nd|rd|th)", goal)
    yield click(fields(page)[int(number[1]) - 1 if number else 0])


@solves("multi-layouts", "multi-orderings")
def search_movies(goal: str, page: Page) -> Script:
    """Three fields in any order, under labels or beside them."""
    genre, director, year = re.findall(r"for (\w+) movies directed by (\w+) from year (\d+)", goal)[0]
    for label, text in (("Genre", genre), ("Director", director), ("Year", year)):
        page = yield fill(_labelled(page, label), text)
    yield click(first((e for e in page.elements if e.name in ("Search", "Submit")), "button"))


def _labelled(page: Page, label: str) -> Element:
    """The field that a label belongs to: of its own name; or behind the label, or before it if labels come last."""
    for field in fields(page):
        if label.lower() in field.name.lower():
            return field
    first = min(page.text.find(name) for name in ("Genre", "Director", "Year"))
    return page.before(label, "textbox") if page.text.find("textbox") < first else page.after(label, "textbox")


@solves("search-engine")
def search_engine(goal: str, page: Page) -> Script:
    """Search, then go to the page that holds the n-th result."""
    rank = int(between(goal, r"the (\d+)\w\w search result")) - 1
    page = yield fill(fields(page)[0], quoted(goal)[0])
    page = yield press_button(page, "Search")
    for number in range(2, rank // 3 + 2):
        page = yield from _page_number(page, str(number))
    yield click([link for link in page.all("link") if not re.fullmatch(r"[<>\d]*", link.name)][rank % 3])


def _page_number(page: Page, number: str) -> Steps:
    for _ in range(4):
        if page.all("link", number):
            return (yield click(page.one("link", number)))
        page = yield down(page)
    raise NotOnPage(f"no page {number}")


@solves("phone-book")
def phone_book(goal: str, page: Page) -> Script:
    """Turn pages until the person is there; the row is named."""
    name, field = re.findall(r"Find (\w+) in the contact book and click on their (.*)\.", goal)[0]
    for _ in range(12):
        if f"## {name}" in page.text:
            break
        page = yield click(page.one("link", ">"))
    label = {"phone number": "Phone:", "email": "Email:", "address": "Address:"}[field]
    yield click(page.after(label))


@solves("use-autocomplete", "use-autocomplete-nodelay")
def use_autocomplete(goal: str, page: Page) -> Script:
    """Type the beginning; take the suggestion with the right end."""
    start = quoted(goal)[0]
    ends = re.search(r'ends with "(.*?)"', goal)
    page = yield click(fields(page)[0])
    page = yield fill(fields(page)[0], start)
    page = yield Press(key="End", target=fields(page)[0].id)
    for _ in range(4):
        items = [e for e in page.elements if e.role in ("option", "listitem", "clickable", "menuitem") and e.name]
        fitting = [e for e in items if e.name.startswith(start) and (ends is None or e.name.endswith(ends[1]))]
        if fitting:
            page = yield click(fitting[0])
            break
        page = yield Wait(seconds=0.5)
    yield press_button(page, "Submit")


@solves("use-colorwheel")
def use_colorwheel(goal: str, page: Page) -> Script:
    """The field beside the wheel takes the six digits of a colour."""
    page = yield fill(fields(page)[0], NAMED_COLOURS[between(goal, r"Select (\w+) with")])
    page = yield Press(key="Tab", target=fields(page)[0].id)
    yield press_button(page, "Submit")


@solves("use-spinner")
def use_spinner(goal: str, page: Page) -> Script:
    """A spinner takes a typed number."""
    page = yield fill(page.one("spinbutton"), between(goal, r"Select (-?\d+) with"))
    yield press_button(page, "Submit")


@solves("form-sequence-2")
def form_sequence_2(goal: str, page: Page) -> Script:
    """A radio button, then a field."""
    radio, number, field = re.findall(r'the (\d)\w\w radio button .* "(-?\d+)" into the (\d)\w\w textbox', goal)[0]
    page = yield check(page.all("radio")[int(radio) - 1])
    page = yield fill(fields(page)[int(field) - 1], number)
    yield press_button(page, "Submit")
