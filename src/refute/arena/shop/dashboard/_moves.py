"""The moves behind the staff's procedures: from any page of the shop to the next thing to press, fill or choose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from refute.agents import Step
from refute.arena._procedure import Move
from refute.arena.shop._procedures_page import BUTTON, FIELD, LINK, flat
from refute.arena.shop.dashboard._page import StaffPage
from refute.browser import Click, Element, Scroll, Select

PRODUCTS, ORDERS, REVIEWS = "/dashboard/catalogue/", "/dashboard/orders/", "/dashboard/reviews/"
VOUCHERS = "/dashboard/vouchers/"
_SAVE, _UPDATE = "save|keep changes", "update|apply"
"""Other words may be on a button that mean the same."""
_CHOICE, _TICK, _ENTRY = ("combobox", "listbox"), ("checkbox",), ("option", "link", "menuitem")


def open_good(page: StaffPage, title: str, *, upc: str = "") -> Move:
    """Find the product in the list, by `upc` where given, else by its title, and open its form."""
    if page.shows_good(title):
        return Move(action=None, why="its form is open", completes=True)
    if page.path != PRODUCTS:
        return page.to_section("catalogue", "products")
    key, label, text = ("upc", "upc", upc) if upc else ("title", "product title", title)
    if flat(page.asked(key)) != flat(text):
        return _searched(page, label, text)
    link = page.find(LINK, re.escape(" ".join(title.split())))
    if link is not None:
        return Move(action=Click(target=link.id), why=f'open "{title}"', completes=True)
    return page.next_page(f'find "{title}"') or Move(action=None, why=f'no product is "{title}"')


def set_in_stock_record(page: StaffPage, title: str, column: str, text: str) -> Move:
    """Fill one column of the product's stock record and save."""
    if not page.shows_good(title):
        return _on_the_way(open_good(page, title))
    field = page.in_column(column, beside="Low stock threshold" if column != "Low stock threshold" else "Price")
    if field is None:
        tab = page.in_head(page.find(LINK, "stock and pricing"), "show stock and pricing")
        return tab or Move(action=None, why="it has no stock record")
    if not _equal(field.value, text):
        return page.fill(field, text, f"{column.lower()}: {text}")
    return page.in_body(page.find(BUTTON, _SAVE), "save the product", completes=True) or _gone("save")


def list_orders(page: StaffPage, status: str) -> Move:
    """Search the orders for a status."""
    if page.path == ORDERS and page.asked("status") == status:
        return Move(action=None, why="the orders are listed", completes=True)
    if page.path != ORDERS:
        return page.to_section("fulfilment", "orders")
    dialog = page.dialog()
    if dialog is None:
        return page.in_body(page.find(LINK, "advanced search"), "open the search") or _gone("search")
    choice = page.find(_CHOICE, "status")
    if choice is not None and not _chosen(choice, status):
        return Move(action=Select(target=choice.id, option=status), why=f"choose {status}")
    send = page.open_to(BUTTON, "search")
    if send is None:
        return Move(action=Scroll(direction="down", target=dialog.id), why="look for the button below")
    return Move(action=Click(target=send.id), why="send the search", completes=True)


def open_order(page: StaffPage, number: str) -> Move:
    """Find the order by its number."""
    if page.shows_order(number):
        return Move(action=None, why="the order is open", completes=True)
    if page.path != ORDERS or page.dialog() is not None:
        return page.to_section("fulfilment", "orders") if page.path != ORDERS else page.goto(ORDERS, "start over")
    box = page.find(FIELD, "order number:?( order number)?")
    if box is None:
        return page.in_head(None, "find the search box") or page.goto(ORDERS, "start over")
    if box.value != number:
        return page.fill(box, number, f"type {number}")
    return page.in_head(page.find(BUTTON, "search"), "send the search") or _gone("search")


def open_listed_order(page: StaffPage, number: str) -> Move:
    """Find the order in the list."""
    if page.shows_order(number):
        return Move(action=None, why="the order is open", completes=True)
    if page.path != ORDERS:
        return page.to_section("fulfilment", "orders")
    link = page.in_row([number], LINK, number)
    if link is not None:
        return Move(action=Click(target=link.id), why=f"open order {number}", completes=True)
    return page.next_page(f"find order {number}") or Move(action=None, why=f"order {number} is not in the list")


def set_status(page: StaffPage, number: str, status: str) -> Move:
    """Choose the status on the order's own page."""
    if page.says(f"to '{status}'") and page.shows_order(number):
        return Move(action=None, why="the status was changed", completes=True)
    if not page.shows_order(number):
        return _on_the_way(open_order(page, number))
    choice = page.find(_CHOICE, "new order status")
    if choice is None:
        return page.in_body(None, "find the status") or Move(action=None, why="its status cannot be changed")
    if status not in choice.options:
        return Move(action=None, why=f"it cannot become {status}")
    if not _chosen(choice, status):
        return Move(action=Select(target=choice.id, option=status), why=f"choose {status}")
    button = page.find(BUTTON, "change status")
    return page.in_body(button, "change the status", completes=True) or _gone("change status")


def set_listed_status(page: StaffPage, number: str, status: str) -> Move:
    """Tick the order in the list and change the status of what is ticked."""
    if page.says(f"to '{status}'") and page.path == ORDERS and _last(page.steps, "change status"):
        return Move(action=None, why="the status was changed", completes=True)
    if page.path != ORDERS:
        return page.to_section("fulfilment", "orders")
    tick = page.in_row([number], _TICK)
    if tick is not None and "unchecked" in tick.states:
        return Move(action=Click(target=tick.id), why=f"tick order {number}")
    if tick is None and not _ticked(page):
        return page.next_page(f"find order {number}") or Move(action=None, why=f"order {number} is not in the list")
    choice = next((e for e in page.observation.elements if e.role in _CHOICE and status in e.options), None)
    if choice is not None and not _chosen(choice, status):
        return Move(action=Select(target=choice.id, option=status), why=f"choose {status}")
    button = page.find(BUTTON, "change status") if choice is not None else None
    return page.in_body(button, "change the status", completes=True) or _gone("change status")


def add_note(page: StaffPage, number: str, note: str) -> Move:
    """Write the note below the order."""
    if not page.shows_order(number):
        return _on_the_way(open_order(page, number))
    if page.says("note saved") and _last(page.steps, "save note"):
        return Move(action=None, why="the note is saved", completes=True)
    box = page.find(FIELD, "message")
    if box is None:
        return page.in_body(page.find(LINK, "notes"), "show the notes") or _gone("notes")
    if (box.value or "").strip() != note.strip():
        return page.fill(box, note, "write the note")
    return page.in_body(page.find(BUTTON, "save note"), "save the note", completes=True) or _gone("save note")


def list_reviews(page: StaffPage, status: str) -> Move:
    """Search the reviews for a status."""
    if page.path != REVIEWS:
        return page.to_section("content", "reviews")
    if page.says(f"with status matching '{status}'"):
        return Move(action=None, why="the reviews are listed", completes=True)
    choice = page.find(_CHOICE, "status")
    if choice is None:
        return page.in_head(None, "find the search") or _gone("search")
    if not _chosen(choice, status):
        return Move(action=Select(target=choice.id, option=status), why=f"choose {status}")
    return page.in_head(page.find(BUTTON, "search"), "send the search") or _gone("search")


def find_review(page: StaffPage, headline: str) -> Move | None:
    """Search the reviews for a headline; None when the list shows what was found."""
    if page.path != REVIEWS:
        return page.to_section("content", "reviews")
    return None if flat(page.asked("keyword")) == flat(headline) else _searched(page, "keyword", headline)


def decide_in_list(page: StaffPage, headline: str, title: str, customer: str, status: str) -> Move:
    """Tick the review in the list and update the status of what is ticked."""
    found = find_review(page, headline)
    if found is not None:
        return _on_the_way(found)
    row = (headline, title, customer)
    tick = page.in_row(row, _TICK)
    if tick is not None and "unchecked" in tick.states:
        return Move(action=Click(target=tick.id), why=f'tick "{headline}"')
    if tick is None and not _ticked(page):
        return page.next_page(f'find "{headline}"') or Move(action=None, why="the review is not in the list")
    entry = page.open_to(_ENTRY, status)
    opened = page.find(_CHOICE, "approved|rejected")
    if opened is not None and flat(opened.name) != flat(status):
        return Move(action=Click(target=(entry or opened).id), why=f"choose {status}")
    button = page.find(BUTTON, _UPDATE) if opened is not None else None
    return page.in_body(button, "update the review", completes=True) or _gone("update")


def decide_on_page(page: StaffPage, headline: str, title: str, customer: str, status: str) -> Move:
    """Open the review's own form and save it with the status."""
    if not _arrived(page, headline):
        return _open_in_row(page, headline, title, customer)
    choice = page.find(_CHOICE, "status")
    if choice is not None and not _chosen(choice, status):
        return Move(action=Select(target=choice.id, option=status), why=f"choose {status}")
    return page.in_body(page.find(BUTTON, _SAVE), "save the review", completes=True) or _gone("save")


def delete_review(page: StaffPage, headline: str, title: str, customer: str) -> Move:
    """Choose “Delete” among the review's actions, and confirm."""
    if page.path.startswith(REVIEWS) and page.path.endswith("/delete/") and page.says(headline) and page.says(title):
        return page.in_body(page.find(BUTTON, "delete"), "confirm", completes=True) or _gone("delete")
    found = find_review(page, headline)
    if found is not None:
        return _on_the_way(found)
    row = (headline, title, customer)
    entry = page.in_row(row, _ENTRY, "delete") or page.open_to(_ENTRY, "delete")
    if entry is not None:
        return Move(action=Click(target=entry.id), why="choose “Delete”")
    button = page.in_row(row, BUTTON, "actions")
    if button is not None:
        return Move(action=Click(target=button.id), why="see what can be done with it")
    return page.next_page(f'find "{headline}"') or Move(action=None, why="the review is gone", completes=True)


def make_voucher(page: StaffPage, code: str, texts: Mapping[str, str], choices: Mapping[str, str]) -> Move:
    """Open the form, that of the voucher with this code where there is one, fill it from top to bottom, and save."""
    if re.match(r"^/dashboard/vouchers/(create|update/\d+)/$", page.path) is None:
        if page.path != VOUCHERS:
            return page.to_section("offers", "vouchers")
        return _open_voucher(page, code)
    for label, text in texts.items():
        field = page.find(FIELD, label)
        if field is not None and field.value != text:
            return page.fill(field, text, f"{label}: {text}")
    for label, option in choices.items():
        choice = page.find(_CHOICE, re.escape(label))
        if choice is not None and not _chosen(choice, option):
            return Move(action=Select(target=choice.id, option=option), why=f"{label}: {option}")
    return page.in_body(page.find(BUTTON, _SAVE), "save the voucher", completes=True) or _gone("save")


# ---- parts ------------------------------------------------------------------------------------------------------


def _searched(page: StaffPage, label: str, text: str) -> Move:
    """Fill a search field of a list and send it."""
    box = page.find(FIELD, label)
    if box is None:
        return page.in_head(None, f"search for {text}") or _gone("search")
    if (box.value or "") != text:
        return page.fill(box, text, f"type {text}")
    return page.in_head(page.find(BUTTON, "search"), "send the search") or _gone("search")


def _open_in_row(page: StaffPage, headline: str, title: str, customer: str) -> Move:
    found = find_review(page, headline)
    if found is not None:
        return _on_the_way(found)
    link = page.in_row((headline, title, customer), LINK, re.escape(" ".join(headline.split())))
    if link is not None:
        return Move(action=Click(target=link.id), why=f'open "{headline}"')
    return page.next_page(f'find "{headline}"') or Move(action=None, why="the review is not in the list")


def _open_voucher(page: StaffPage, code: str) -> Move:
    if page.in_row([code], LINK) is not None:
        edit = page.open_to(_ENTRY, "edit")
        button = page.in_row([code], BUTTON, "actions")
        target = edit or button
        return Move(action=Click(target=target.id), why=f"edit {code}") if target is not None else _gone("actions")
    return page.in_body(page.find(LINK, "create new voucher"), "make a new one") or _gone("create new voucher")


def _arrived(page: StaffPage, headline: str) -> bool:
    """Whether the form in front belongs to the review whose link was pressed: it names neither product nor writer."""
    if re.match(r"^/dashboard/reviews/\d+/$", page.path) is None:
        return False
    here = [step for step in page.steps if urlsplit(step.url).path == page.path]
    return bool(here) and re.search(rf'^click\(.*link "{re.escape(headline)}"', here[0].action) is not None


def _ticked(page: StaffPage) -> bool:
    """Whether the list that is in front was ticked before: its boxes may have been scrolled away."""
    for step in reversed(page.steps):
        if step.url != page.observation.url:
            return False
        if re.search(r"^click\(.*on checkbox", step.action):
            return True
    return False


def _last(steps: Sequence[Step], name: str) -> bool:
    """Whether the last step was a click on something of that name."""
    return bool(steps) and re.search(rf'^click\(.*"{name}"', steps[-1].action, re.IGNORECASE) is not None


def _chosen(choice: Element, option: str) -> bool:
    return flat(choice.value or "") == flat(option)


def _equal(found: str | None, wanted: str) -> bool:
    """Whether a field holds the text; numbers count by their value."""
    try:
        return float(found or "") == float(wanted)
    except ValueError:
        return (found or "") == wanted


def _gone(name: str) -> Move:
    return Move(action=None, why=f'there is no "{name}" here')


def _on_the_way(move: Move) -> Move:
    """A move that leads to the place where the real work begins."""
    return Move(action=move.action, why=move.why)
