"""Solutions of tasks that need the mouse at a place: dragging, hovering, points of the window."""

from __future__ import annotations

import re

from refute.browser import ClickAt, Drag, DragAt, DragBy, Hover
from refute.suites.miniwob._script import Page, Script, between, click, middle, press_button, quoted, solves
from refute.suites.miniwob._solve_drawn import drawn


@solves("drag-circle", "drag-single-shape")
def drag_one_way(goal: str, page: Page) -> Script:
    """The only shape, some pixels to one side."""
    right, down = WAYS[between(goal, r"(left|right|up|down) then")]
    page = yield DragBy(target=drawn(page)[0].id, right=30 * right, down=30 * down)
    yield press_button(page, "Submit")


WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


@solves("drag-box")
def drag_box(goal: str, page: Page) -> Script:
    """The small box onto the large one; or the large one, if it lies over the small one's middle."""
    small, large = page.one(name="s"), page.one(name="L")
    (x, y), (left, top, width, height) = middle(small), large.box
    under = left <= x <= left + width and top <= y <= top + height
    page = yield Drag(target=large.id, to=small.id) if under else Drag(target=small.id, to=large.id)
    yield press_button(page, "Submit")


@solves("drag-items")
def drag_items(goal: str, page: Page) -> Script:
    """One item of a list to another place."""
    name, place = re.findall(r"Drag (\w+) (.*)", goal)[0]
    rows = _rows(page)
    at, number = rows.index(name), re.search(r"\d", place)
    places = {"to the top.": 0, "to the bottom.": len(rows) - 1, "down by one position.": at + 1}
    yield _move(page, at, int(number[0]) - 1 if number else places.get(place, at - 1))


@solves("drag-sort-numbers")
def drag_sort_numbers(goal: str, page: Page) -> Script:
    """The smallest of the rest to the next place, until all are in order."""
    for place in range(len(_rows(page))):
        numbers = [int(row) for row in _rows(page)]
        smallest = numbers.index(min(numbers[place:]), place)
        if smallest != place:
            page = yield _move(page, smallest, place)
    yield press_button(page, "Submit")


def _rows(page: Page) -> list[str]:
    return re.findall(r"^ *- (.*)$", page.text, re.MULTILINE)


def _move(page: Page, start: int, end: int) -> DragAt:
    """Drag a row of the list, which are all of one height, to the place of another one."""
    left, top, width, height = page.one("list").box
    row = height / len(_rows(page))
    x, a, b = left + width // 2, round(top + row * (start + 0.5)), round(top + row * (end + 0.5))
    beyond = 4 if end > start else -4  # where another row gives way to it
    return DragAt(points=((x, a), (x, b + beyond)))


@solves("resize-textarea")
def resize_textarea(goal: str, page: Page) -> Script:
    """The handle on its right (east) or below it (south), some pixels inwards or outwards."""
    pixels = 15 if "larger" in goal else -15
    if "width" in goal:
        page = yield DragBy(target=page.before(r"ui-resizable-e\}").id, right=pixels, down=0)
    else:
        page = yield DragBy(target=page.before(r"ui-resizable-s\}").id, right=0, down=pixels)
    yield press_button(page, "Submit")


@solves("ascending-numbers")
def ascending_numbers(goal: str, page: Page) -> Script:
    """The numbers are hidden after the first click, so their places are kept in mind."""
    for x, y in [middle(page.one("text", str(number))) for number in range(1, 6)]:
        page = yield ClickAt(x=x, y=y)


@solves("click-menu")
def click_menu(goal: str, page: Page) -> Script:
    """Submenus open under the mouse."""
    *parents, leaf = between(goal, r"Select (.*)").split(">")
    for parent in parents:
        page = yield Hover(target=page.one("menuitem", parent).id)
    yield click(page.one("menuitem", leaf))


@solves("click-pie", "click-pie-nodelay")
def click_pie(goal: str, page: Page) -> Script:
    """Items come out of the plus."""
    page = yield click(page.one("text", "+"))
    yield click(page.one("text", quoted(goal)[0]))
