"""What a final message states about a product."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.arena.shop import Product
from refute.arena.shop._criteria import Attribute
from refute.arena.shop._message import fact, plainly, states

LAMP = Product(
    id=1,
    title="Tundra 5 Compact Desk Lamp - White",
    brand="Tundra",
    kind="Desk Lamp",
    color="White",
    category="Home > Furniture",
    price=Decimal("1128.50"),
    stock=12,
    rating=4.25,
    reviews=3,
    path="/catalogue/lamp_1/",
)

OTHER = replace(LAMP, id=2, title="Arbor Pro Desk Lamp - White", price=Decimal(5), stock=1, reviews=9, path="/other_2/")


@pytest.mark.parametrize(
    ("attribute", "message", "said"),
    [
        ("price", "It costs $1,128.50.", True),
        ("price", "It costs 1128.5 USD", True),
        ("price", "It costs $128.50.", False),
        ("reviews", "It has 3 customer reviews and 12 pieces in stock.", True),
        ("reviews", "It has three reviews.", True),
        ("reviews", "Number of reviews: 3", True),
        ("reviews", "The lamp has been reviewed by 3 customers (rated 5.0 out of 5).", True),
        ("reviews", "The Arbor Pro Desk Lamp - White has been reviewed by 3 customers.", False),
        ("reviews", "It was reviewed by 12 people. There are 3 lamps.", False),
        ("reviews", "It has 12 reviews. I looked at 3 lamps.", False),
        ("reviews", "3 of them are in stock; it has no reviews.", False),
        ("stock", "In stock (12 available), 3 reviews", True),
        ("stock", "There are only 3 left, with 12 reviews.", False),
        ("stock", "12 are left.", True),
        ("rating", "Rated 4.3 out of 5 (3 reviews)", True),
        ("rating", "Rated 3.9 out of 5", False),
        ("title", "I suggest the TUNDRA 5 compact desk lamp, white.", True),
        ("title", "I suggest the Tundra 5 Compact Desk Lamp.", False),
        ("price", "It does not cost $1,128.50.", False),
        ("price", "It isn\u2019t $1,128.50, it is $5.", False),
        ("price", "It costs $1,128.50, not $5.", True),
        ("price", "The Arbor Pro Desk Lamp - White costs $1,128.50.", False),
        ("price", "I ordered the Arbor Pro Desk Lamp - White because this one costs $1,128.50.", True),
        ("stock", "There are 12 pieces of the Arbor Pro Desk Lamp - White in stock.", False),
        ("stock", "I took the Arbor Pro Desk Lamp - White: of this one only 12 are left.", True),
        ("stock", "Not many: 12 are left.", True),
        ("reviews", "It does not have 3 reviews.", False),
        ("title", "It is not the Tundra 5 Compact Desk Lamp - White.", False),
        ("title", "I did not find another, so it is the Tundra 5 Compact Desk Lamp - White.", True),
        ("price", "It costs $1,128.50 or $1,130.", False),
        ("price", "It costs either $5 or $1,128.50.", False),
        ("price", "It costs about $1,128.50.", False),
        ("price", "It costs $1,128.50 or so.", False),
        ("price", "It cost from $1,128.50 to $1,140 last year: $1,128.50 today.", True),
        ("price", "It costs $1,128.50, and $1,133.50 from now on.", True),
        ("price", "Its price, $1,128.50, is what I paid.", True),
        ("rating", "It is rated 4.3 or 4.5 out of 5.", False),
        ("rating", "It is rated 4.3/5.", True),
        ("rating", "It is rated 4.3 out of 5 or so.", True),
        ("rating", "It is probably rated 4.3 out of 5.", False),
        ("reviews", "It has 3-4 reviews.", False),
        ("reviews", "It has between 3 and 4 reviews.", False),
        ("reviews", "It has more than 3 reviews.", False),
        ("reviews", "It has 3 reviews, or perhaps it has four.", False),
        ("reviews", "It has 3 reviews. Arbor Pro Desk Lamp - White or not: that one has 9 reviews.", True),
        ("stock", "At least 12 are in stock.", False),
        ("stock", "12 are left, but it could be 13.", False),
        ("stock", "12 are left, and they could arrive in 3 days.", True),
        ("price", "It costs $1,128.50 and may be with you in 5 days.", True),
        ("stock", "12 are in stock. Maybe you want two of them?", True),
        ("title", "It is the Tundra 5 Compact Desk Lamp - White or the Arbor Pro Desk Lamp - White.", False),
        ("title", "It is the Tundra 5 Compact Desk Lamp - White, not the Arbor Pro Desk Lamp - White.", True),
        ("stock", "Tundra 12 Compact Desk Lamp: nothing known about stock.", False),
        ("price", "Tundra 5 Compact Desk Lamp - White: $1,128.50 - 4.3 stars - 3 reviews", True),
        ("rating", "Tundra 5 Compact Desk Lamp - White: $1,128.50 - 4.3 stars - 3 reviews", True),
        ("reviews", "Tundra 5 Compact Desk Lamp - White: $1,128.50 - 4.3 stars - 3 reviews", True),
        ("price", "| Tundra 5 Compact Desk Lamp - White | $1,128.50 | 4.3 |", True),
        ("price", "$1,128.50 / 4.3 stars", True),
        ("rating", "$1,128.50/4.3 stars", True),
        ("price", "It costs $1,128.50, or 4.3 stars, if you like.", True),
        ("rating", "I wanted at least 4.3 stars: the Tundra 5 Compact Desk Lamp - White is rated 4.3 out of 5.", True),
        ("price", "It costs $1,128.50, which is within your limit of at most $1,128.50.", True),
        ("price", "Of lamps with 2 or more lights, it costs $1,128.50.", True),
        ("price", "The price is 1128.50 dollars and available are 12.", True),
        ("price", "It costs $1,100-$1,128.50.", False),
        ("price", "It costs 1128.50\u20131130.", False),
        ("price", "It costs $1,128.50 or 1,130.", False),
        ("price", "It costs $1,128.50 or more.", False),
        ("price", "It costs about $1,128.50. 12 are in stock.", False),
        ("rating", "It has 4.3 out of 5 stars.", True),
        ("rating", "It is rated 4.3 or 5.", False),
        ("reviews", "It has 3 or more reviews.", False),
        ("reviews", "It has about 3 reviews. 3 are in stock.", False),
    ],
)
def test_what_a_message_states(attribute: str, message: str, said: bool) -> None:
    assert states(message, Attribute(attribute), LAMP, [LAMP, OTHER]) is said


@pytest.mark.parametrize(
    ("nouns", "number", "message", "said"),
    [
        ("order orders", 3, "There are 3 orders above $100 or with 2 pieces.", True),
        ("order orders", 7, "7 of 9 orders, or 78 percent, are pending.", True),
        ("order orders", 7, "7 of 9 orders, or 78%, are pending.", True),
        ("order orders", 7, "Orders of 2 or more pieces: 7.", True),
        ("order orders", 3, "There are at least 2 orders: there are 3 orders.", True),
        ("review reviews", 7, "1 or 2 star reviews: 7", True),
        ("order orders", 3, "There are 3 or 4 orders.", False),
        ("order orders", 3, "There are 3, 4 or 5 orders.", False),
        ("order orders", 3, "There are 4 or 3 orders.", False),
        ("order orders", 3, "There are about 3 orders, and 3 products.", False),
    ],
)
def test_a_number_is_plain_beside_numbers_of_other_things(nouns: str, number: int, message: str, said: bool) -> None:
    assert plainly(message, number, nouns.split()) is said


@given(
    st.sampled_from(list(Attribute)),
    st.integers(0, 999),
    st.integers(0, 999),
    st.integers(1, 999_999),
    st.integers(10, 50),
)
def test_a_fact_is_found_in_its_own_words(
    attribute: Attribute, stock: int, reviews: int, cents: int, tenths: int
) -> None:
    lamp = replace(LAMP, stock=stock, reviews=reviews, price=Decimal(cents) / 100, rating=tenths / 10)
    assert states(f"Hello! {fact(attribute, lamp)}. Bye.", attribute, lamp, [lamp])
