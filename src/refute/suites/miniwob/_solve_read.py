"""Solutions of tasks whose answer has to be read on the page."""

from __future__ import annotations

import re

from refute.browser import Scroll
from refute.suites.miniwob._script import (
    Page,
    Script,
    between,
    fields,
    fill,
    first,
    press_button,
    quoted,
    solves,
)


@solves("find-word")
def find_word(goal: str, page: Page) -> Script:
    """The n-th word of a paragraph, without its full stop."""
    number = int(between(goal, r"Find the (\d+)\w\w word"))
    text = page.text[: page.text.index("[")]
    page = yield fill(fields(page)[0], re.sub(r"\W", "", text.split()[number - 1]))
    yield press_button(page, "Submit")


@solves("copy-paste", "copy-paste-2")
def copy_paste(goal: str, page: Page) -> Script:
    """From the n-th text area, which holds a text, into the field that is empty."""
    number = re.search(r"(\d)(?:st|nd|rd|th) text area", goal)
    sources = [field for field in fields(page) if field.value]
    source = sources[int(number[1]) - 1 if number else 0]
    page = yield fill(first((field for field in fields(page) if not field.value), "empty field"), source.value or "")
    yield press_button(page, "Submit")


@solves("read-table")
def read_table(goal: str, page: Page) -> Script:
    """The value in a table's row."""
    page = yield fill(fields(page)[0], _cell(page, between(goal, r"value of (.*) into the")))
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
    page = yield fill(fields(page)[0], str(_calculate(int(left), sign, int(right))))
    yield press_button(page, "Submit")


@solves("simple-algebra")
def simple_algebra(goal: str, page: Page) -> Script:
    """``2 + x = 43``, ``x - 3 = 8``."""
    left, sign, right, total = re.findall(r"(x|-?\d+) ([-+]) (x|-?\d+) = (-?\d+)", page.text)[0]
    solved = (x for x in range(-1000, 1001) if _calculate(_at(left, x), sign, _at(right, x)) == int(total))
    page = yield fill(fields(page)[0], str(first(solved, "solution")))
    yield press_button(page, "Submit")


def _at(term: str, x: int) -> int:
    return x if term == "x" else int(term)


def _calculate(left: int, sign: str, right: int) -> int:
    return left + right if sign == "+" else left - right if sign == "-" else left * right


@solves("text-transform")
def text_transform(goal: str, page: Page) -> Script:
    """Letters that are turned and scattered, in one line."""
    page = yield fill(fields(page)[0], re.sub(r"\s", "", page.text[: page.text.index("[")]))
    yield press_button(page, "Submit")


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


@solves("scroll-text-2")
def scroll_text_2(goal: str, page: Page) -> Script:
    """To the top or the bottom of a text area."""
    up = "top" in goal
    for _ in range(8):
        left = re.search(r"scrolls: (\d+)px above, (\d+)px below", page.text)
        if left is None or int(left[1 if up else 2]) == 0:
            break
        page = yield Scroll(direction="up" if up else "down", target=fields(page)[0].id)
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
        page = yield Scroll(direction="down", target=fields(page)[0].id)
    page = yield fill(page.one("textbox", "Name"), quoted(goal)[0])
    yield press_button(page, "Agree")
