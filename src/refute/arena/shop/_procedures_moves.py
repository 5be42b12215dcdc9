"""The moves behind the procedures: from any page of the shop to the next thing to press, fill or look at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from refute.agents import Step
from refute.arena._procedure import Move
from refute.arena.shop._procedures_page import (
    ADD,
    BUTTON,
    FIELD,
    LINK,
    NUMBER,
    WISH,
    Page,
    clicked_since,
    flat,
    last_action,
)
from refute.browser import Click, Element, Select

DEFAULT_ADDRESS = "the default one"
"""Stands for an address where none was asked for."""
_CHOICE = ("combobox", "listbox", "label")


def past_trouble(page: Page) -> Move | None:
    """What anybody does first: close what covers the page, sign in again, ask once more. None = there is no trouble."""
    close = page.find(BUTTON, "no,? thanks|not now")
    if close is not None and any("covered" in element.states for element in page.observation.elements):
        return Move(action=Click(target=close.id), why="close what covers the page")
    account = page.find(BUTTON, "continue as .*")
    if account is not None:
        return Move(action=Click(target=account.id), why="sign in again")
    again = page.find(LINK, "try again")
    if again is not None and page.observation.failed:
        return Move(action=Click(target=again.id), why="ask for the page again")
    return None


def search(page: Page, query: str) -> Move:
    """Send a search, unless its results are in front."""
    if page.path.startswith("/search") and flat(page.query) == flat(query):
        return Move(action=None, why="the results are shown", completes=True)
    move = page.search_for(query)
    sends = isinstance(move.action, Click) and move.why == "send the search"
    return Move(action=move.action, why=move.why, completes=sends)


def open_product(page: Page, title: str) -> Move:
    """Open the product's page by a link in sight, else by a search for its title."""
    if page.shows_product(title):
        return Move(action=None, why="its page is open", completes=True)
    why = f'open "{title}"'
    link = page.product_link(title)
    if link is not None:
        return Move(action=Click(target=link.id), why=why, completes=True)
    if not (page.path.startswith("/search") and flat(page.query) == flat(title)):
        return page.search_for(title)
    found = page.in_body(None, why) or page.in_body(page.find(LINK, "next"), "look at more results")
    return found or Move(action=None, why=f'no result is "{title}"')


def open_category(page: Page, name: str) -> Move:
    """By its link beside a list of products, which the shop's name in the page head leads to."""
    if page.path.startswith("/catalogue/category/") and flat(page.observation.title).startswith(flat(name)):
        return Move(action=None, why="the category is open", completes=True)
    why = f'open the category "{name}"'
    if page.path.startswith("/catalogue/") and (page.path == "/catalogue/" or "/category/" in page.path):
        move = page.in_body(page.find(LINK, re.escape(name)), why, completes=True)
        return move or page.goto("/catalogue/", why)
    return page.in_head(page.find(LINK, "juniper lane"), f"{why}: from the front page") or page.goto("/catalogue/", why)


def open_reviews(page: Page, title: str) -> Move:
    """By the link on the product's page."""
    if page.path.endswith("/reviews/") and flat(title) in flat(page.observation.title):
        return Move(action=None, why="its reviews are open", completes=True)
    if not page.shows_product(title):
        return _on_the_way(open_product(page, title))
    link = page.find(LINK, "read the reviews")
    return page.in_body(link, "read the reviews", completes=True) or Move(action=None, why="it has no reviews")


def open_basket(page: Page) -> Move:
    """By its button in the page head."""
    if page.is_basket:
        return Move(action=None, why="the basket is open", completes=True)
    return page.to_basket("open the basket")


def open_wish_list(page: Page) -> Move:
    """From the account's page to its lists, and to the first of them."""
    if page.path == "/accounts/wishlists/":
        return page.in_body(page.find(LINK, "view"), "open the list", completes=True) or Move(
            action=None, why="there is no wish list"
        )
    if page.path.startswith("/accounts/wishlists/"):
        return Move(action=None, why="the list is open", completes=True)
    lists = page.find(LINK, "wish lists")
    if lists is not None:
        return Move(action=Click(target=lists.id), why="open the wish lists")
    account = page.in_head(page.find(LINK, "account"), "open the account")
    return account or page.goto("/accounts/wishlists/", "open the wish lists")


def add_to_basket(page: Page, steps: Sequence[Step], title: str, quantity: int) -> Move:
    """Add one piece on the product's page; more of them, and every doubt, are settled in the basket."""
    if page.is_basket:
        return _in_basket(page, steps, title, quantity) or page.goto("/", "it is not in the basket: go and add it")
    added = page.says(f"{title} has been added to your")
    if added and quantity == 1:
        return Move(action=None, why="the shop says that it was added", completes=True)
    if added or clicked_since(steps, ADD, since="/basket/"):
        return page.to_basket("see what the basket holds")
    if not page.shows_product(title):
        return _on_the_way(open_product(page, title))
    if page.says("sold out for the moment"):
        return page.goto(page.path, "look again: it may be there by now")
    number = page.find(NUMBER, "quantity")
    if number is not None and number.value != str(quantity):
        return page.fill(number, str(quantity), f"ask for {quantity}")
    done = quantity == 1 or number is not None
    move = page.in_body(page.add_button(title), "add it", completes=done)
    return move or Move(action=None, why="it cannot be added")


def set_quantity(page: Page, steps: Sequence[Step], title: str, quantity: int) -> Move:
    """Fill the line's number in the basket and update."""
    if not page.is_basket:
        return page.to_basket("open the basket")
    return _in_basket(page, steps, title, quantity) or Move(action=None, why="it is not in the basket")


def remove_from_basket(page: Page, title: str) -> Move:
    """Press the line's remove link; a basket without the line is what was wanted."""
    if not page.is_basket:
        return page.to_basket("open the basket")
    link = page.find_after(title, LINK, "remove")
    move = page.in_body(link, f'remove "{title}"', completes=True)
    return move or Move(action=None, why="it is not in the basket", completes=True)


def check_out(page: Page, address: str) -> Move:
    """From anywhere to the basket, and from there through the checkout."""
    if page.path.startswith("/checkout/thank-you"):
        return Move(action=None, why="the order is placed", completes=True)
    if page.path.startswith("/checkout/preview"):
        return _place_order(page, address)
    if page.path.startswith("/checkout/payment-details"):
        return page.in_body(page.find(LINK, "continue"), "go on to the preview") or page.goto("/basket/", "start over")
    if page.path.startswith("/checkout/shipping-method"):
        button = page.find(BUTTON, "select option|continue")
        return page.in_body(button, "choose the shipping method") or page.goto("/basket/", "start over")
    if page.path.startswith("/checkout/shipping-address"):
        return _choose_address(page, address)
    if not page.is_basket:
        return page.to_basket("open the basket")
    proceed = page.in_body(page.find(LINK, "(?:proceed|go) to checkout"), "proceed to checkout")
    return proceed or Move(action=None, why="there is nothing to check out")


def add_to_wish_list(page: Page, title: str) -> Move:
    """Press the button on its page, then the list in the menu that opens."""
    if not page.shows_product(title):
        return _on_the_way(open_product(page, title))
    if page.says("product is in") or page.says("was added to your wish list"):
        return Move(action=None, why="it is on the wish list", completes=True)
    entry = page.find((*LINK, "menuitem"), "add to '.*' wish ?list")
    if entry is not None:
        return Move(action=Click(target=entry.id), why="choose the list", completes=True)
    opener = page.find((*LINK, *BUTTON), WISH)
    return page.in_body(opener, "open the wish list menu") or Move(action=None, why="it cannot be put on a list")


def remove_from_wish_list(page: Page, title: str) -> Move:
    """Press remove on its page."""
    if not page.shows_product(title):
        return _on_the_way(open_product(page, title))
    button = page.find_after("product is in", BUTTON, "remove")
    move = page.in_body(button, "take it off the list", completes=True)
    return move or Move(action=None, why="it is on no list", completes=True)


def write_review(page: Page, title: str, score: int, headline: str, body: str) -> Move:
    """Open the form on the product's page, fill it from top to bottom, save."""
    if page.says("thank you for reviewing"):
        return Move(action=None, why="the review is saved", completes=True)
    if not page.path.endswith("/reviews/add/"):
        if not page.shows_product(title):
            return _on_the_way(open_product(page, title))
        link = page.find(LINK, "write a review|share your opinion|be the first to write one")
        return page.in_body(link, "open the review form") or Move(action=None, why="no review can be written")
    fields = (page.find(FIELD, "title"), page.find_after("score", _CHOICE, "score"), page.find(FIELD, "body"))
    top, choice, bottom = fields
    if top is not None and top.value != headline:
        return page.fill(top, headline, "write the headline")
    if choice is not None and not _chosen(choice, str(score)):
        return Move(action=Select(target=choice.id, option=str(score)), why=f"give {score} stars")
    if bottom is not None and (bottom.value or "").strip() != body.strip():
        return page.fill(bottom, body, "write the text")
    save = page.in_body(page.find(BUTTON, "save review"), "save the review", completes=None not in fields)
    return save or Move(action=None, why="the form is gone")


# ---- parts ------------------------------------------------------------------------------------------------------


def _in_basket(page: Page, steps: Sequence[Step], title: str, quantity: int) -> Move | None:
    """Bring the line to `quantity`; None when the basket has no such line."""
    field = page.find_after(title, NUMBER, ".*")
    if field is None:
        return page.in_body(None, f'find "{title}" in the basket')
    if field.value != str(quantity):
        return page.fill(field, str(quantity), f"ask for {quantity}")
    if last_action(steps) == "fill":
        return page.in_body(page.find_after(title, BUTTON, "update"), "update the basket", completes=True)
    return Move(action=None, why=f"the basket holds {quantity}", completes=True)


def _choose_address(page: Page, address: str) -> Move:
    default = page.find(BUTTON, "ship to your default.*")
    button = default if address == DEFAULT_ADDRESS else page.find_after(address, BUTTON, "ship to .*")
    move = page.in_body(button, f'ship to "{address}"')
    return move or Move(action=None, why="the address is not saved")


def _place_order(page: Page, address: str) -> Move:
    change = page.find(LINK, r"1\. shipping address")
    if address != DEFAULT_ADDRESS and change is not None and page.at_top and not page.says(address):
        return Move(action=Click(target=change.id), why="another address is shown: change it")
    move = page.in_body(page.find(BUTTON, "place order"), "place the order", completes=True)
    return move or page.goto("/basket/", "start over")


def _chosen(choice: Element, option: str) -> bool:
    return option in (choice.value or "").split() or f"*{option}" in choice.options


def _on_the_way(move: Move) -> Move:
    """A move that leads to the place where the real work begins."""
    return Move(action=move.action, why=move.why)
