"""What the solutions are written in: a script reads the page in front, and yields one action after the other.

A solution sees what an agent sees: the instruction and our observation (roles, names, values, text, colours, boxes).
None looks into the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from refute.browser import Action, Check, Click, Element, Fill, Observation, Scroll, Select

Script = Generator[Action, "Page", None]
Steps = Generator[Action, "Page", "Page"]
"""Steps in the middle of a script; gives the page that they lead to."""
Solution = Callable[[str, "Page"], Script]
SOLUTIONS: dict[str, Solution] = {}
"""By the name of the task."""

T = TypeVar("T")
Colour = tuple[int, int, int]
Point = tuple[int, int]
"""Pixels from the left and from the top of the window."""
NAMED_COLOURS = {
    "black": "000000", "white": "ffffff", "aqua": "00ffff", "cyan": "00ffff", "blue": "0000ff", "gray": "808080",
    "grey": "808080", "green": "008000", "lime": "00ff00", "maroon": "800000", "navy": "000080", "olive": "808000",
    "purple": "800080", "red": "ff0000", "silver": "c0c0c0", "teal": "008080", "yellow": "ffff00", "pink": "ffc0cb",
    "magenta": "ff00ff", "gold": "ffd700", "orange": "ffa500",
}  # fmt: skip
"""CSS colours that the tasks use."""


class NotOnPage(Exception):
    """A solution looked for something that the observation does not show."""


def solves(*names: str) -> Callable[[Solution], Solution]:
    """Register a solution for these tasks."""

    def register(solution: Solution) -> Solution:
        SOLUTIONS.update(dict.fromkeys(names, solution))
        return solution

    return register


class Page:
    """An observation, with the questions that solutions ask."""

    def __init__(self, observation: Observation) -> None:
        self.text = observation.text
        self.elements = observation.elements
        self.observation = observation

    @property
    def lines(self) -> list[str]:
        """The text's lines without indentation."""
        return [line.strip() for line in self.text.splitlines()]

    def all(self, role: str = "", name: str | None = None) -> list[Element]:
        """The elements of a role (empty = any) and, if given, of exactly this name, in the order of the page."""
        return [e for e in self.elements if (not role or e.role == role) and (name is None or e.name == name)]

    def one(self, role: str = "", name: str | None = None) -> Element:
        """The first of them. Raises `NotOnPage`."""
        found = self.all(role, name)
        if not found:
            raise NotOnPage(f"no {role or 'element'} {name or ''}".strip())
        return found[0]

    def element(self, number: int | str) -> Element:
        """The element with this number. Raises `NotOnPage`."""
        return first((e for e in self.elements if e.id == int(number)), f"element {number}")

    def after(self, pattern: str, role: str = "", *, start: int = 0) -> Element:
        """The first element of a role behind what matches `pattern` (from `start` on). Raises `NotOnPage`."""
        found = re.compile(pattern, re.MULTILINE).search(self.text, start)
        if found is None:
            raise NotOnPage(f"nothing like {pattern!r}")
        return self._first(re.findall(r"\[(\d+)\]", self.text[found.end() :]), role, pattern)

    def before(self, pattern: str, role: str = "") -> Element:
        """The last element of a role that begins before what matches `pattern`. Raises `NotOnPage`."""
        found = re.search(pattern, self.text, re.MULTILINE)
        if found is None:
            raise NotOnPage(f"nothing like {pattern!r}")
        return self._first(reversed(re.findall(r"\[(\d+)\]", self.text[: found.end()])), role, pattern)

    def _first(self, numbers: Iterable[str], role: str, pattern: str) -> Element:
        for number in numbers:
            element = self.observation.element(int(number))
            if element is not None and (not role or element.role == role):
                return element
        raise NotOnPage(f"no {role or 'element'} next to {pattern!r}")

    def said(self, element: Element) -> str:
        """What the text says of an element, up to the next one."""
        found = re.search(rf"\[{element.id}\] (.*?)(?=\[\d+\] |\n|$)", self.text)
        return found[1] if found else ""

    def colour(self, element: Element) -> Colour | None:
        """The colour that the text gives for an element."""
        found = re.search(r"#([0-9a-f]{6})", self.said(element))
        return rgb(found[1]) if found else None


def middle(element: Element) -> Point:
    """The middle of its box."""
    left, top, width, height = element.box
    return left + width // 2, top + height // 2


def first(found: Iterable[T], what: str) -> T:
    """The first that was found. Raises `NotOnPage`, which says `what` is not there."""
    for one in found:
        return one
    raise NotOnPage(f"no {what}")


def rgb(digits: str) -> Colour:
    """Red, green and blue (0 to 255) of six hexadecimal digits."""
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def fields(page: Page) -> list[Element]:
    """The text fields, in the order of the page."""
    return page.all("textbox")


def click(element: Element) -> Click:
    """Click it."""
    return Click(target=element.id)


def press_button(page: Page, *names: str) -> Click:
    """Click the first button with one of these names."""
    for name in names:
        if page.all("button", name):
            return click(page.one("button", name))
    raise NotOnPage(f"no button {' or '.join(names)}")


def fill(element: Element, text: str) -> Fill:
    """Fill it."""
    return Fill(target=element.id, text=text)


def check(element: Element, checked: bool = True) -> Check:
    """Check it."""
    return Check(target=element.id, checked=checked)


def choose(element: Element, option: str) -> Select:
    """Select an option."""
    return Select(target=element.id, option=option)


def down(page: Page) -> Scroll:
    """Scroll down the part of the page that scrolls, or the page."""
    parts = page.all("scroller")
    return Scroll(direction="down", target=parts[0].id if parts else None)


def quoted(goal: str) -> list[str]:
    """What stands in quotation marks in an instruction."""
    return re.findall(r'"([^"]*)"', goal)


def between(goal: str, pattern: str) -> str:
    """The first group of `pattern` in an instruction. Raises `NotOnPage`."""
    found = re.search(pattern, goal)
    if found is None:
        raise NotOnPage(f"the instruction is not like {pattern!r}")
    return found[1]
