"""The page in front, as a shopper's hands find their way on it: by role and visible name, in the viewport."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from refute.agents import Step
from refute.arena._procedure import Move
from refute.browser import Click, Element, Fill, Goto, Observation, Scroll

_PRODUCT = re.compile(r"^/catalogue/[^/]+_\d+/$")
_LISTING = re.compile(r"^/(search/|catalogue/$|catalogue/category/|$)")
_TARGET = re.compile(r"\[(\d+)\]")
_REQUIRED = re.compile(r"[\s*:]+$")
LINK, BUTTON, FIELD, NUMBER = ("link",), ("button", "clickable"), ("textbox", "searchbox"), ("spinbutton", "textbox")
BASKET = r"(?:basket|cart|bag)"
"""Shops have different words for it; hands find any."""
ADD = rf"add to {BASKET}"
WISH = r"(?:add to wish ?list|save for later)"


class Page:
    """One observation, with the questions that procedures ask of it."""

    def __init__(self, observation: Observation, steps: Sequence[Step] = ()) -> None:
        self.observation = observation
        self.steps = steps
        parts = urlsplit(observation.url)
        self.path = parts.path or "/"
        self.query = " ".join(parse_qs(parts.query).get("q", []))
        self.origin = f"{parts.scheme}://{parts.netloc}" if parts.scheme.startswith("http") else ""

    @cached_property
    def text(self) -> str:
        """What the page says, in one line without case."""
        return flat(self.observation.text)

    @property
    def at_top(self) -> bool:
        """Whether nothing lies above."""
        return self.observation.scroll_y <= 0

    @property
    def at_end(self) -> bool:
        """Whether nothing lies below."""
        return self.observation.scroll_y >= self.observation.scroll_max

    @property
    def is_basket(self) -> bool:
        """Whether this is the basket."""
        return self.path == "/basket/"

    @property
    def is_listing(self) -> bool:
        """Whether this page lists products."""
        return _LISTING.match(self.path) is not None

    def says(self, text: str) -> bool:
        """Whether the visible part holds `text`, whatever its case and spaces."""
        return flat(text) in self.text

    def shows_product(self, title: str) -> bool:
        """Whether this is the page of the product `title`."""
        return _PRODUCT.match(self.path) is not None and flat(self.observation.title).startswith(flat(title))

    def find(self, roles: Sequence[str], name: str) -> Element | None:
        """The first visible element of one of `roles` whose whole name matches the pattern `name`."""
        return next((e for e in self.observation.elements if is_element(e, roles, name)), None)

    def find_after(self, anchor: str, roles: Sequence[str], name: str) -> Element | None:
        """The first match below the (last) visible mention of `anchor`; None when `anchor` is not visible.

        Reads down the page's text, so that the button that belongs to a card or a table row is found.
        """
        found: int | None = None
        seen = False
        for line in self.observation.text.splitlines():
            mentions = flat(anchor) in flat(line)
            seen = seen or mentions
            if mentions:
                found = None
            if not seen or found is not None:
                continue
            for match in _TARGET.finditer(line):
                element = self.observation.element(int(match[1]))
                if element is not None and is_element(element, roles, name):
                    found = element.id
                    break
        return self.observation.element(found) if found is not None else None

    def add_button(self, title: str) -> Element | None:
        """The button that adds the page's own product `title`, not one of those of products below.

        It stands beside the wish list or, where the shop has moved it, under words that name the product.
        """
        for button, beside in pairwise(self.observation.elements):
            if is_element(button, BUTTON, ADD) and is_element(beside, (*LINK, *BUTTON), WISH):
                return button
        return self.find_after(f"buy {title}", BUTTON, ADD)

    def product_link(self, title: str) -> Element | None:
        """A visible link named after the product."""
        return self.find(LINK, re.escape(" ".join(title.split())))

    # ---- moves ---------------------------------------------------------------------------------------------------

    def in_body(self, element: Element | None, why: str, *, completes: bool = False) -> Move | None:
        """Click `element`, or look for it over the whole page: first up to its top, then down; None at the end."""
        if element is not None:
            return Move(action=Click(target=element.id), why=why, completes=completes)
        going = _scrolled(self.steps)
        if not self.at_top and going != "down":
            return Move(action=Scroll(direction="up"), why=f"{why}: look from the top")
        return None if self.at_end else Move(action=Scroll(direction="down"), why=f"{why}: look further down")

    def in_head(self, element: Element | None, why: str) -> Move | None:
        """Click `element`, or look at the top; None when it is not there either."""
        if element is not None:
            return Move(action=Click(target=element.id), why=why)
        return None if self.at_top else Move(action=Scroll(direction="up"), why=f"{why}: look at the top")

    def fill(self, element: Element, text: str, why: str) -> Move:
        """Type `text` into `element`."""
        return Move(action=Fill(target=element.id, text=text), why=why)

    def goto(self, path: str, why: str) -> Move:
        """Open an address of this shop."""
        return Move(action=Goto(url=f"{self.origin}{path}"), why=why)

    def to_basket(self, why: str) -> Move:
        """Open the basket, by its button in the page head where there is one."""
        if not self.at_top:
            return Move(action=Scroll(direction="up"), why=f"{why}: look at the top")
        opener = self.find(BUTTON, rf"view {BASKET}") or self.find(LINK, BASKET) or self.find(LINK, f"view {BASKET}")
        return self.in_head(opener, why) or self.goto("/basket/", why)

    def search_for(self, query: str) -> Move:
        """Type `query` into the search box and send it."""
        box = self.find(FIELD, "search")
        if box is None:
            why = f'search for "{query}"'
            return self.in_head(None, why) or self.goto("/", f"{why}: there is no search box here")
        if (box.value or "") != query:
            return self.fill(box, query, f'type "{query}" into the search box')
        return self.in_head(self.find(BUTTON, "search"), "send the search") or self.goto("/", "start over")


def flat(text: str) -> str:
    """`text` in one line without case."""
    return " ".join(text.split()).casefold()


def clicked_since(steps: Sequence[Step], name: str, *, since: str) -> bool:
    """Whether the shopper clicked something named like the pattern `name` after last looking at the path `since`."""
    for step in reversed(steps):
        if re.search(rf'^click\(.*"{name}"', step.action, re.IGNORECASE) and step.outcome == "ok":
            return True
        if urlsplit(step.url).path == since:
            return False
    return False


def _scrolled(steps: Sequence[Step]) -> str:
    """Where the last step scrolled to: ``up``, ``down``, or an empty text for any other step."""
    match = re.match(r"scroll\('(up|down)'", steps[-1].action) if steps else None
    return match[1] if match else ""


def last_action(steps: Sequence[Step]) -> str:
    """How the last step began: ``fill``, ``click``, … or an empty text."""
    return steps[-1].action.partition("(")[0] if steps else ""


def is_element(element: Element, roles: Sequence[str], name: str) -> bool:
    """Whether it has one of `roles`, is enabled, and its whole name matches the pattern `name`."""
    if element.role not in roles or "disabled" in element.states:
        return False
    visible = _REQUIRED.sub("", " ".join(element.name.split()))
    return re.fullmatch(name, visible, re.IGNORECASE) is not None
