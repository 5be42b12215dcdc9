"""A shop's pages as an agent reads them (address, title, viewport text) against what a plan step would claim."""

from __future__ import annotations

import pytest

from refute.evidence import Label, lexical

SUPPORTED, CONTRADICTED, UNKNOWN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN

SEARCH = """\
http://127.0.0.1:4711/search/?q=Red+Clay+Mug
Red Clay Mug | Oscar
banner:
 [1] link "Oscar" -> /
 Cart total: £0.00 [5] link "View cart" -> /basket/
 [6] searchbox "Search" (value="Red Clay Mug")
 [7] button "Search"
# Products matching "Red Clay Mug"
Found 3 results, showing 1 to 3.
- [20] link "Red Clay Mug" -> /catalogue/red-clay-mug_1/
### [21] link "Red Clay Mug" -> /catalogue/red-clay-mug_1/
£9.99
In stock
[22] button "Add to cart"
- [23] link "Blue Clay Mug" -> /catalogue/blue-clay-mug_2/
### [24] link "Blue Clay Mug" -> /catalogue/blue-clay-mug_2/
£8.00
In stock
[25] button "Add to cart"
"""
NOTHING_FOUND = """\
http://127.0.0.1:4711/search/?q=Red+Clay+Mug
# Products matching "Red Clay Mug"
Found 0 results.
[6] searchbox "Search" (value="Red Clay Mug")
"""
PRODUCT = """\
http://127.0.0.1:4711/catalogue/red-clay-mug_1/
Red Clay Mug | Oscar
banner:
 Cart total: £0.00 [5] link "View cart" -> /basket/
- [8] link "Home"
- [9] link "Mugs"
- Red Clay Mug
# Red Clay Mug
£9.99
In stock (5 available)
[12] spinbutton "Quantity" (value="1", type=number)
[13] button "Add to cart"
[14] button "Add to wish list"
## Product Description
A mug.
"""
CART = """\
http://127.0.0.1:4711/basket/
Cart | Oscar
# Cart
Red Clay Mug has been added to your cart.
## Items to buy now
| Quantity Price Total
| [20] link "Red Clay Mug" In stock [21] spinbutton "Quantity" (value="2") [23] link "Remove" £9.99 £19.98
| [30] link "Blue Lamp" In stock [31] spinbutton "Quantity" (value="1") [33] link "Remove" £5.00 £5.00
| Order total £24.98
"""
THANKS = """\
http://127.0.0.1:4711/checkout/thank-you/
# Confirmation
Your order has been placed and a confirmation email has been sent - your order number is 100001.
- Red Clay Mug 2 £19.98
"""
ADDED = PRODUCT.replace("- [8]", "Red Clay Mug has been added to your cart.\nYour cart total is now £9.99\n- [8]")
OTHER = PRODUCT.replace("Red", "Blue").replace("red-", "blue-")


@pytest.mark.parametrize(
    ("page", "statement", "label"),
    [
        (SEARCH, 'The search box holds "Red Clay Mug"', SUPPORTED),
        (SEARCH, 'The page shows products matching "Red Clay Mug"', SUPPORTED),
        (SEARCH, 'A search for "Red Clay Mug" found 0 results', CONTRADICTED),
        (NOTHING_FOUND, 'A search for "Red Clay Mug" found 0 results', SUPPORTED),
        (SEARCH, 'A link to "Red Clay Mug" is in the list', SUPPORTED),
        (SEARCH, 'The page of "Red Clay Mug" is open with its price', UNKNOWN),
        (PRODUCT, 'The page of "Red Clay Mug" is open with its price', SUPPORTED),
        (PRODUCT, 'The page of a product other than "Red Clay Mug" is open', CONTRADICTED),
        (OTHER, 'The page of a product other than "Red Clay Mug" is open', UNKNOWN),
        (SEARCH, 'The page of a product other than "Red Clay Mug" is open', UNKNOWN),
        (PRODUCT, '"Red Clay Mug" has been added to your cart', UNKNOWN),
        (SEARCH, '"Red Clay Mug" has been added to your cart', UNKNOWN),
        (ADDED, '"Red Clay Mug" has been added to your cart', SUPPORTED),
        (PRODUCT, 'The cart lists 1 of "Red Clay Mug"', UNKNOWN),
        (CART, 'The cart lists 2 of "Red Clay Mug"', SUPPORTED),
        (CART, 'The cart lists 1 of "Red Clay Mug"', CONTRADICTED),
        (CART, 'The quantity of "Red Clay Mug" in the cart is 2', SUPPORTED),
        (CART, 'The quantity of "Red Clay Mug" in the cart is 3', CONTRADICTED),
        (CART, 'The quantity of "Blue Lamp" in the cart is 1', SUPPORTED),
        (CART, '"Red Clay Mug" is not in the cart', CONTRADICTED),
        (PRODUCT, '"Red Clay Mug" is not in the cart', UNKNOWN),
        (PRODUCT, '"Red Clay Mug" is unavailable', CONTRADICTED),
        (SEARCH, '"Red Clay Mug" is unavailable', CONTRADICTED),
        (CART, 'The cart lists "Red Clay Mug"', SUPPORTED),
        (CART, 'The cart lists "Red Clay Mug" with a link to remove it', SUPPORTED),
        (CART, '"Red Clay Mug" was removed', UNKNOWN),
        (CART, '"Green Vase" was removed', UNKNOWN),
        (THANKS, "Your order has been placed and has an order number", SUPPORTED),
        (PRODUCT, "Your order has been placed and has an order number", UNKNOWN),
        (CART, "Your cart is empty before the order is placed", CONTRADICTED),
        (CART, "Your cart is empty", CONTRADICTED),
        (PRODUCT, '"Red Clay Mug" was added to your wish list', UNKNOWN),
        (PRODUCT, 'The page of "Red Clay Mug" has a button "Add to wish list"', SUPPORTED),
        (PRODUCT, "You have already reviewed this product", UNKNOWN),
        (PRODUCT, "The page has nothing to do with this step", UNKNOWN),
        (PRODUCT, "A button or page that the procedure names does not exist", UNKNOWN),
        (CART, "The order would hold products or quantities that the user did not ask for", UNKNOWN),
        (PRODUCT, "Something that the user asked for is still missing", UNKNOWN),
        (CART, "The checkout is open", UNKNOWN),
        (THANKS, 'The order preview ships to another address than "1 High Street"', UNKNOWN),
        (SEARCH, 'The search for "Red Clay Mug" found 0 results', CONTRADICTED),
    ],
)
def test_what_a_plan_step_claims(page: str, statement: str, label: Label) -> None:
    verdict = lexical(page, statement)
    assert verdict.label is label, verdict
