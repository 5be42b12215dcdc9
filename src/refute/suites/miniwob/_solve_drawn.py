"""Solutions of tasks with dates, drawings, sliders and little machines."""

from __future__ import annotations

import re
from datetime import date

from refute.browser import Element, Press, Wait
from refute.suites.miniwob._script import (
    NAMED_COLOURS,
    Page,
    Script,
    Steps,
    between,
    check,
    click,
    down,
    first,
    press_button,
    rgb,
    solves,
)


@solves("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay")
def choose_date(goal: str, page: Page) -> Script:
    """Open the picker, turn to the month, and click the day."""
    page = yield from pick_date(page, page.one("textbox"), _date(goal))
    yield press_button(page, "Submit")


def pick_date(page: Page, field: Element, wanted: date) -> Steps:
    """Choose a date in the page's date picker."""
    page = yield click(field)
    for _ in range(14):
        month = re.search(rf"({'|'.join(MONTHS)}) (\d{{4}})", page.text)
        if month is None:
            page = yield Wait(seconds=0.5)
            continue
        shown = 12 * int(month[2]) + MONTHS.index(month[1]) + 1
        target = 12 * wanted.year + wanted.month
        if shown == target:
            break
        page = yield click(page.one("clickable", "Prev" if shown > target else "Next"))
    return (yield click(page.one("link", str(wanted.day))))


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _date(goal: str) -> date:
    month, day, year = re.findall(r"(\d\d)/(\d\d)/(\d{4})", goal)[0]
    return date(int(year), int(month), int(day))


@solves("form-sequence-3")
def form_sequence_3(goal: str, page: Page) -> Script:
    """A drop-down list of the page's own, then a button."""
    option, button = re.findall(r'Choose (.*) from the dropdown, then click the button labeled "(.*)"', goal)[0]
    page = yield click(page.one("clickable", "▾"))
    for _ in range(6):
        if page.all("listitem", option):
            break
        page = yield down(page)
    page = yield click(page.one("listitem", option))
    yield press_button(page, button)


@solves("identify-shape")
def identify_shape(goal: str, page: Page) -> Script:
    """The one shape that is drawn; a text is a letter or a number."""
    shape = first(drawn(page), "shape")
    name = SHAPES.get(shape.role, "Number" if shape.name.isdigit() else "Letter")
    yield press_button(page, name)


SHAPES = {"rect": "Rectangle", "circle": "Circle", "polygon": "Triangle"}


@solves("count-shape")
def count_shape(goal: str, page: Page) -> Script:
    """As many as fit the description."""
    kinds = between(goal, r"How many (.*) are there")
    count = sum(fits(page, e, kinds) for e in drawn(page))
    yield press_button(page, str(count))


def drawn(page: Page) -> list[Element]:
    """The shapes and letters of a drawing."""
    return [e for e in page.elements if e.role in (*SHAPES, "text")]


def fits(page: Page, shape: Element, kind: str) -> bool:
    """Whether a shape is of a kind such as ``small red triangle``, ``large items``, ``black 8``."""
    large = shape.box[3] > LARGE
    for word in kind.split():
        singular = word.removesuffix("s")
        if word in ("large", "big"):
            right = large
        elif word == "small":
            right = not large
        elif word in NAMED_COLOURS:
            right = page.colour(shape) in (rgb(NAMED_COLOURS[word]), None if word == "black" else ())
        elif singular in ("item", "shape", "object"):
            right = True
        elif singular in ("digit", "number"):
            right = shape.role == "text" and shape.name.isdigit()
        elif singular in ("letter",):
            right = shape.role == "text" and shape.name.isalpha()
        elif singular in ("rectangle", "circle", "triangle"):
            right = SHAPES.get(shape.role, "").lower() == singular
        else:
            right = shape.name == word
        if not right:
            return False
    return True


LARGE = 14
"""Pixels: what is higher is called large."""


@solves("grid-coordinate")
def grid_coordinate(goal: str, page: Page) -> Script:
    """The point of a grid: its circles are in columns and rows."""
    x, y = (int(part) for part in re.findall(r"\((-?\d),(-?\d)\)", goal)[0])
    points = page.all("circle")
    columns = sorted({e.box[0] for e in points})
    rows = sorted({e.box[1] for e in points})
    yield click(first((e for e in points if e.box[:2] == (columns[x + 2], rows[2 - y])), "point"))


@solves("order-food")
def order_food(goal: str, page: Page) -> Script:
    """The plus beside each dish that is named, or several times beside one of a kind; then the order at the end."""
    some = re.search(r"Order (\d+) items that are (.*)", goal)
    todo = [f'"{some[2]}"'] * int(some[1]) if some else between(goal, r"Order one of each item: (.*)").split(", ")
    for _ in range(60):
        beside = [
            re.search(rf'{re.escape(wanted)}[^[]*\[\d+\] clickable "-"[^[]*\[(\d+)\]', page.text) for wanted in todo
        ]
        shown = [(wanted, found[1]) for wanted, found in zip(todo, beside, strict=True) if found]
        if shown:
            page = yield click(page.element(shown[0][1]))
            todo.remove(shown[0][0])
        elif not todo and page.all("button"):
            break
        else:
            page = yield down(page)
    yield click(page.all("button")[-1])


@solves("use-slider", "use-slider-2", "form-sequence")
def use_slider(goal: str, page: Page) -> Script:
    """The arrow keys move a slider by one; its value stands below it."""
    numbers = re.findall(r"-?\d+", between(goal, r"\[(.*)\]") if "[" in goal else between(goal, r"Select (-?\d+)"))
    for position, wanted in enumerate(map(int, numbers)):
        page = yield click(_handle(page, position))
        for _ in range(80):
            missing = wanted - _value(page, position)
            if not missing:
                break
            page = yield Press(key="ArrowRight" if missing > 0 else "ArrowLeft")
    box = re.search(r"the (\d)\w\w checkbox", goal)
    if box:
        page = yield check(page.all("checkbox")[int(box[1]) - 1])
    yield press_button(page, "Submit")


def _handle(page: Page, position: int) -> Element:
    numbers = re.findall(r"\[(\d+)\] clickable \{\.ui-slider-handle", page.text)
    return page.element(numbers[position])


def _value(page: Page, position: int) -> int:
    return int(re.findall(r"^(-?\d+)$", page.text, re.MULTILINE)[position])


@solves("terminal")
def terminal(goal: str, page: Page) -> Script:
    """List the files; remove the one with the right ending. The terminal reads single keys."""
    ending = re.search(r"extension (\.[\w.]+)", goal)
    page = yield from _command(page, "ls")
    files = page.text.split("user$ ls")[1].split("user$")[0].split()
    name = first((f for f in files if (f.endswith(ending[1]) if ending else "." not in f)), "such file")
    yield from _command(page, f"rm {name}")


def _command(page: Page, command: str) -> Steps:
    page = yield click(page.one("textbox"))
    for key in command:
        page = yield Press(key="Space" if key == " " else key)
    return (yield Press(key="Enter"))
