"""A page of the dashboard in front: its menus, and its tables by row and column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from refute.arena._procedure import Move
from refute.arena.shop._procedures_page import BUTTON, LINK, Page, flat, is_element
from refute.browser import Click, Element, Scroll

_TARGET = re.compile(r"\[(\d+)\]")
_ASIDE = re.compile(r"\([^()]*\)")
"""What stands in brackets behind an element: its value, options and states, which may hold a bar."""


class StaffPage(Page):
    """One observation, with the questions that the staff's procedures ask of it."""

    @property
    def is_dashboard(self) -> bool:
        """Whether this is a page for staff."""
        return self.path.startswith("/dashboard/")

    def asked(self, name: str) -> str:
        """What the address says that a list was searched for."""
        return " ".join(parse_qs(urlsplit(self.observation.url).query).get(name, []))

    def shows_good(self, title: str) -> bool:
        """Whether this is the form of the product `title`."""
        form = re.match(r"^/dashboard/catalogue/products/\d+/$", self.path)
        return form is not None and flat(self.observation.title).startswith(f"{flat(title)} |")

    def shows_order(self, number: str) -> bool:
        """Whether this is the page of order `number`."""
        return self.path == f"/dashboard/orders/{number}/"

    def dialog(self) -> Element | None:
        """The dialog that lies over the page."""
        return next((e for e in self.observation.elements if e.role == "dialog"), None)

    def open_to(self, roles: Sequence[str], name: str) -> Element | None:
        """Like `find`, but nothing that lies below something else."""
        elements = self.observation.elements
        return next((e for e in elements if is_element(e, roles, name) and "covered" not in e.states), None)

    # ---- tables --------------------------------------------------------------------------------------------------

    def in_row(self, mentions: Sequence[str], roles: Sequence[str], name: str = ".*") -> Element | None:
        """The first match in the first visible table row that mentions all of `mentions`."""
        for line in self.observation.text.splitlines():
            if line.lstrip().startswith("|") and all(f" {flat(m)} " in f" {_words(line)} " for m in mentions):
                return next((e for e in self._elements(line) if is_element(e, roles, name)), None)
        return None

    def in_column(self, name: str, *, beside: str) -> Element | None:
        """The element in column `name` of the first row, in the visible table that has a column `beside` too."""
        cells: list[str] | None = None
        column = 0
        for line in self.observation.text.splitlines():
            parts = [flat(part) for part in _ASIDE.sub("", line).split("|")]
            if cells is None:
                if flat(name) in parts and flat(beside) in parts:
                    cells, column = [], parts.index(flat(name)) - 1
                continue
            if line.lstrip().startswith("|"):
                cells += _ASIDE.sub("", line).split("|")[1:]
            if len(cells) > column:
                return next(iter(self._elements(cells[column])), None)
        return None

    def _elements(self, text: str) -> list[Element]:
        found = (self.observation.element(int(match[1])) for match in _TARGET.finditer(text))
        return [element for element in found if element is not None]

    # ---- moves ---------------------------------------------------------------------------------------------------

    def to_section(self, menu: str, name: str) -> Move:
        """Open one of the dashboard's lists by its menu, from any page of the shop."""
        why = f"go to {name.lower()}"
        if not self.at_top:
            return Move(action=Scroll(direction="up"), why=f"{why}: look at the top")
        if not self.is_dashboard:
            link = self.find(LINK, "dashboard")
            return self.in_head(link, "go to the dashboard") or self.goto("/dashboard/", "go to the dashboard")
        link = self.open_to(LINK, name)
        if link is not None:
            return Move(action=Click(target=link.id), why=why)
        return self.in_head(self.open_to(BUTTON, menu), f"open the menu {menu}") or self.goto(
            "/dashboard/", "start over"
        )

    def next_page(self, why: str) -> Move | None:
        """Look for something further down the list, and on its next pages; None when there are no more."""
        return self.in_body(None, why) or self.in_body(self.find(LINK, "next"), f"{why}: look at more")


def _words(line: str) -> str:
    """The line without its marks, so that a whole cell or name can be found in it."""
    return flat(re.sub(r'["|]', " ", line))
