"""Plausible mistakes on a page: the neighbour of the right element, and links that look related."""

from __future__ import annotations

import re

from refute.arena._simulated_dice import Dice, state_of
from refute.browser import Action, Back, Click, Element, Observation, Scroll

_WORD = re.compile(r"\w{4,}")
_KEPT_OFF = re.compile(
    r"log ?out|sign out|remove|delete|save|update|edit|change|checkout|check out|place order|continue|ship to|^×?$",
    re.IGNORECASE,
)
"""A lost shopper looks around; it does not spend money or throw things away."""
_RELATED = 6
_NEAR = 3


def neighbour(page: Observation, right: Click, dice: Dice, visit: int) -> Click | None:
    """A click on something that looks like the right element and stands close to it; None without one."""
    elements = page.elements
    place = next((i for i, e in enumerate(elements) if e.id == right.target), None)
    if place is None:
        return None
    target = elements[place]
    near = sorted(
        (e for e in elements if e.role == target.role and e.name and e.name != target.name and _harmless(e)),
        key=lambda e: (-len(_words(e.name) & _words(target.name)), abs(elements.index(e) - place)),
    )[:_NEAR]
    if not near:
        return None
    return Click(target=dice.pick(near, "neighbour", state_of(page), visit).id)


def wander(page: Observation, text: str, right: Action | None, dice: Dice, visit: int) -> Action:
    """A link that shares words with `text` but does not serve it; else another part of the site."""
    avoid = page.element(getattr(right, "target", None) or 0)
    links = [e for e in page.elements if e.role == "link" and e.name and _harmless(e)]
    if avoid is not None:
        links = [e for e in links if e.name != avoid.name]
    links = [e for e in links if e.name not in text]
    related = sorted(links, key=lambda e: -len(_words(e.name) & _words(text)))[:_RELATED]
    if related:
        return Click(target=dice.pick(related, "wander", state_of(page), visit).id)
    return Scroll(direction="down") if page.scroll_y < page.scroll_max else Back()


def _harmless(element: Element) -> bool:
    return "disabled" not in element.states and _KEPT_OFF.search(element.name.strip()) is None


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
