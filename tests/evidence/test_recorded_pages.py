"""Pages of the bundled shop, recorded by the browser, against what a reader would say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from refute.evidence import Label, lexical

SUPPORTED, CONTRADICTED, UNKNOWN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN
RED, GREEN = '"Sonex Deluxe Travel Mug - Red"', '"Sonex Deluxe Travel Mug - Green"'


def _pages() -> dict[str, str]:
    parts = (Path(__file__).parent / "shop_pages.txt").read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text for name, _, text in (part.partition("\n") for part in parts)}


PAGES = _pages()


@pytest.mark.parametrize(
    ("page", "statement", "label"),
    [
        ("search", 'The search box holds "mug"', UNKNOWN),
        ("search", 'The page shows products matching "mug"', SUPPORTED),
        ("search", 'A search for "mug" found 0 results', CONTRADICTED),
        ("none", 'A search for "zzzzzz" found 0 results', SUPPORTED),
        ("none", 'The page shows products matching "mug"', UNKNOWN),
        ("search", f"A link to {RED} is in the list", SUPPORTED),
        ("search", f"The page of {RED} is open with its price", UNKNOWN),
        ("product", f"The page of {RED} is open with its price", SUPPORTED),
        ("product", f"The page of {GREEN} is open with its price", UNKNOWN),
        ("product", f"The page of a product other than {RED} is open", CONTRADICTED),
        ("product", f"The page of a product other than {GREEN} is open", UNKNOWN),
        ("product", f"{RED} has been added to your cart", UNKNOWN),
        ("added", f"{RED} has been added to your cart", SUPPORTED),
        ("added", f"{GREEN} has been added to your cart", UNKNOWN),
        ("product", f"The cart lists 1 of {RED}", UNKNOWN),
        ("added", f"The cart lists 1 of {RED}", UNKNOWN),
        ("basket", f"The cart lists 1 of {RED}", SUPPORTED),
        ("basket", f"The cart lists 3 of {RED}", CONTRADICTED),
        ("basket", f"The quantity of {RED} in the cart is 1", SUPPORTED),
        ("basket", f"The quantity of {RED} in the cart is 2", CONTRADICTED),
        ("basket", f"The cart lists {RED}", SUPPORTED),
        ("basket", f"{RED} is not in the cart", CONTRADICTED),
        ("basket", f"{GREEN} is not in the cart", UNKNOWN),
        ("product", f"{RED} is unavailable", CONTRADICTED),
        ("basket", f"{RED} was removed", UNKNOWN),
        ("basket", "Your cart is empty before the order is placed", CONTRADICTED),
        ("added", "Your cart is empty before the order is placed", UNKNOWN),
        ("product", "Your order has been placed and has an order number", UNKNOWN),
        ("product", f"{RED} was added to your wish list", UNKNOWN),
        ("product", f'The page of {RED} has a button "Add to wish list"', SUPPORTED),
        ("product", "You have already reviewed this product", UNKNOWN),
        ("product", "The page has nothing to do with this step", UNKNOWN),
        ("product", "A button or page that the procedure names does not exist", UNKNOWN),
        ("search", "All products listed are red", CONTRADICTED),
        ("search", "The results contain only travel mugs", SUPPORTED),
        ("search", "The results are sorted by customer rating", CONTRADICTED),
        ("search", "There are 9 results", SUPPORTED),
        ("search", "At least one mug is listed", SUPPORTED),
        ("product", "The product costs less than $15", CONTRADICTED),
        ("product", "The price is $19.95", SUPPORTED),
        ("product", "The rating is 2.6", SUPPORTED),
        ("product", "The rating is above 4", CONTRADICTED),
        ("product", "The product is in stock", SUPPORTED),
        ("basket", "The basket total is $19.95", SUPPORTED),
        ("added", "The basket total is $19.95", SUPPORTED),
        ("basket", "The basket contains 1 mug", UNKNOWN),
        ("basket", "The basket contains 5 mugs", UNKNOWN),
        ("basket", "The page is the basket page", SUPPORTED),
        ("product", "The page is the basket page", UNKNOWN),
        ("product", "10 pieces are available", SUPPORTED),
        ("product", "The product has 5 reviews", SUPPORTED),
        ("product", "The user is signed in", SUPPORTED),
        ("product", "The user is signed out", CONTRADICTED),
        ("search", "No products match the search", CONTRADICTED),
        ("none", "No products match the search", SUPPORTED),
        ("none", "The search has no results", SUPPORTED),
        ("none", "At least one product was found", CONTRADICTED),
    ],
)
def test_a_recorded_page(page: str, statement: str, label: Label) -> None:
    verdict = lexical(PAGES[page], statement)
    assert verdict.label is label, verdict
