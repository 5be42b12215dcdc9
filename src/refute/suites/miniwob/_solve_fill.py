"""Solutions of tasks that are solved by typing what the instruction or the page says."""

from __future__ import annotations

import re

from refute.browser import Element, Press, Scroll, Wait
from refute.suites.miniwob._script import (
    NotOnPage,
    Page,
    Script,
    Steps,
    between,
    check,
    click,
    down,
    fill,
    press_button,
    quoted,
    solves,
)


def _fields(page: Page) -> list[Element]:
    return page.all("textbox")


@solves("enter-text", "enter-text-dynamic", "enter-text-2")
def enter_text(goal: str, page: Page) -> Script:
    """The quoted text, as it is or in one case of letters."""
    text = quoted(goal)[0]
    text = text.upper() if "all upper case" in goal else text.lower() if "all lower case" in goal else text
    page = yield fill(_fields(page)[0], text)
    yield press_button(page, "Submit")


@solves("enter-password")
def enter_password(goal: str, page: Page) -> Script:
    """The same text twice."""
    for number in (0, 1):
        page = yield fill(_fields(page)[number], quoted(goal)[0])
    yield press_button(page, "Submit")


@solves("login-user", "login-user-popup")
def login_user(goal: str, page: Page) -> Script:
    """Name and password; a popup in between asks to leave, and is turned down."""
    todo = dict(enumerate(quoted(goal)[:2]))
    while todo:
        if page.all("button", "Cancel"):
            page = yield press_button(page, "Cancel")
        number = min(todo)
        page = yield fill(_fields(page)[number], todo[number])
        if _fields(page)[number].value:
            todo.pop(number)
    if page.all("button", "Cancel"):
        page = yield press_button(page, "Cancel")
    yield press_button(page, "Login", "OK")


@solves("enter-date")
def enter_date(goal: str, page: Page) -> Script:
    """A native date field takes the ISO form."""
    month, day, year = between(goal, r"Enter (\d+/\d+/\d+)").split("/")
    page = yield fill(_fields(page)[0], f"{year}-{int(month):02}-{int(day):02}")
    yield press_button(page, "Submit")


@solves("enter-time")
def enter_time(goal: str, page: Page) -> Script:
    """A native time field takes 24 hours."""
    hours, minutes = between(goal, r"Enter (\d+:\d+)").split(":")
    hour = int(hours) % 12 + (12 if "PM" in goal else 0)
    page = yield fill(_fields(page)[0], f"{hour:02}:{minutes}")
    yield press_button(page, "Submit")


@solves("focus-text", "focus-text-2")
def focus_text(goal: str, page: Page) -> Script:
    """Click into the field."""
    number = re.search(r"(\d)(?:st|nd|rd|th)", goal)
    yield click(_fields(page)[int(number[1]) - 1 if number else 0])


@solves("find-word")
def find_word(goal: str, page: Page) -> Script:
    """The n-th word of a paragraph, without its full stop."""
    number = int(between(goal, r"Find the (\d+)\w\w word"))
    text = page.text[: page.text.index("[")]
    page = yield fill(_fields(page)[0], re.sub(r"\W", "", text.split()[number - 1]))
    yield press_button(page, "Submit")


@solves("copy-paste", "copy-paste-2")
def copy_paste(goal: str, page: Page) -> Script:
    """From the n-th text area, which holds a text, into the field that is empty."""
    number = re.search(r"(\d)(?:st|nd|rd|th) text area", goal)
    sources = [field for field in _fields(page) if field.value]
    source = sources[int(number[1]) - 1 if number else 0]
    page = yield fill(next(field for field in _fields(page) if not field.value), source.value or "")
    yield press_button(page, "Submit")


@solves("read-table")
def read_table(goal: str, page: Page) -> Script:
    """The value in a table's row."""
    page = yield fill(_fields(page)[0], _cell(page, between(goal, r"value of (.*) into the")))
    yield press_button(page, "Submit")


@solves("read-table-2")
def read_table_2(goal: str, page: Page) -> Script:
    """A row for each label."""
    for label in re.findall(r"^(.*):$", page.text, re.MULTILINE):
        page = yield fill(page.after(re.escape(f"{label}:"), "textbox"), _cell(page, label))
    yield press_button(page, "Submit")


def _cell(page: Page, label: str) -> str:
    return between(page.text, rf"\| {re.escape(label)} \| (.*)")


@solves("simple-arithmetic")
def simple_arithmetic(goal: str, page: Page) -> Script:
    """``2 x 4 =``."""
    left, sign, right = re.findall(r"(-?\d+) ([-+x]) (-?\d+) =", page.text)[0]
    page = yield fill(_fields(page)[0], str(_calculate(int(left), sign, int(right))))
    yield press_button(page, "Submit")


@solves("simple-algebra")
def simple_algebra(goal: str, page: Page) -> Script:
    """``2 + x = 43``, ``x - 3 = 8``."""
    left, sign, right, total = re.findall(r"(x|-?\d+) ([-+]) (x|-?\d+) = (-?\d+)", page.text)[0]
    solution = next(x for x in range(-1000, 1001) if _calculate(_at(left, x), sign, _at(right, x)) == int(total))
    page = yield fill(_fields(page)[0], str(solution))
    yield press_button(page, "Submit")


def _at(term: str, x: int) -> int:
    return x if term == "x" else int(term)


def _calculate(left: int, sign: str, right: int) -> int:
    return left + right if sign == "+" else left - right if sign == "-" else left * right


@solves("text-transform")
def text_transform(goal: str, page: Page) -> Script:
    """Letters that are turned and scattered, in one line."""
    page = yield fill(_fields(page)[0], re.sub(r"\s", "", page.text[: page.text.index("[")]))
    yield press_button(page, "Submit")


@solves("multi-layouts", "multi-orderings")
def search_movies(goal: str, page: Page) -> Script:
    """Three fields in any order, under labels or beside them."""
    genre, director, year = re.findall(r"for (\w+) movies directed by (\w+) from year (\d+)", goal)[0]
    for label, text in (("Genre", genre), ("Director", director), ("Year", year)):
        page = yield fill(_labelled(page, label), text)
    yield click(next(e for e in page.elements if e.name in ("Search", "Submit")))


def _labelled(page: Page, label: str) -> Element:
    """The field that a label belongs to: of its own name; or behind the label, or before it if labels come last."""
    for field in _fields(page):
        if label.lower() in field.name.lower():
            return field
    first = min(page.text.find(name) for name in ("Genre", "Director", "Year"))
    return page.before(label, "textbox") if page.text.find("textbox") < first else page.after(label, "textbox")


@solves("guess-number")
def guess_number(goal: str, page: Page) -> Script:
    """Halve the range by what the page answers."""
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        page = yield fill(page.one("spinbutton"), str(guess))
        page = yield press_button(page, "Submit")
        if "lower" in page.text:
            high = guess - 1
        else:
            low = guess + 1


@solves("generate-number")
def generate_number(goal: str, page: Page) -> Script:
    """Draw until the number fits."""
    for _ in range(60):
        number = re.search(r"^(-?\d+)$", page.text, re.MULTILINE)
        if number and _fits(goal, int(number[1])):
            break
        page = yield press_button(page, "Generate")
    yield press_button(page, "Submit")


def _fits(goal: str, number: int) -> bool:
    limit = re.search(r"(less|greater) than (-?\d+)", goal)
    if limit:
        return number < int(limit[2]) if limit[1] == "less" else number > int(limit[2])
    return number % 2 == (1 if "odd" in goal else 0)


@solves("search-engine")
def search_engine(goal: str, page: Page) -> Script:
    """Search, then go to the page that holds the n-th result."""
    rank = int(between(goal, r"the (\d+)\w\w search result")) - 1
    page = yield fill(_fields(page)[0], quoted(goal)[0])
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
    page = yield click(_fields(page)[0])
    page = yield fill(_fields(page)[0], start)
    page = yield Press(key="End", target=_fields(page)[0].id)
    for _ in range(4):
        items = [e for e in page.elements if e.role in ("option", "listitem", "clickable", "menuitem") and e.name]
        fitting = [e for e in items if e.name.startswith(start) and (ends is None or e.name.endswith(ends[1]))]
        if fitting:
            page = yield click(fitting[0])
            break
        page = yield Wait(seconds=0.5)
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
    page = yield fill(_fields(page)[int(field) - 1], number)
    yield press_button(page, "Submit")


@solves("scroll-text-2")
def scroll_text_2(goal: str, page: Page) -> Script:
    """To the top or the bottom of a text area."""
    up = "top" in goal
    for _ in range(8):
        left = re.search(r"scrolls: (\d+)px above, (\d+)px below", page.text)
        if left is None or int(left[1 if up else 2]) == 0:
            break
        page = yield Scroll(direction="up" if up else "down", target=_fields(page)[0].id)
    yield press_button(page, "Submit")


@solves("sign-agreement")
def sign_agreement(goal: str, page: Page) -> Script:
    """Cancel; or read to the end, sign, and agree."""
    if "cancel" in goal:
        yield press_button(page, "Cancel")
        return
    for _ in range(40):
        if "disabled" not in page.one("textbox", "Name").states:
            break
        page = yield Scroll(direction="down", target=_fields(page)[0].id)
    page = yield fill(page.one("textbox", "Name"), quoted(goal)[0])
    yield press_button(page, "Agree")
