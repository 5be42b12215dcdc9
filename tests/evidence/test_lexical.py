"""What the matcher reads off pages in the compact form, and what it must never do."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.evidence import Label, lexical

SUPPORTED, CONTRADICTED, UNKNOWN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN

BASKET = """\
 [3] link "Account" -> /accounts/
 [4] link "Logout" -> /accounts/logout/
# Basket
“Red Clay Mug” has been added to your basket.
## Items to buy now
[20] link "Red Clay Mug" -> /catalogue/red-clay-mug_194/
In stock
[21] spinbutton "Quantity" (value="3", type=number)
[22] button "Update"
[23] button "Remove"
£9.99 £29.97
## Totals
| Basket total £29.97
| Order total £32.97
[30] link "Proceed to checkout" -> /checkout/
"""
RESULTS = """\
# Products matching "coding"
13 results - showing 1 to 13.
[11] combobox "Sort by" (options: *Relevancy | Customer rating | Price low to high)
[12] checkbox "In stock" (unchecked)
- [20] link "The Coder's Handbook" -> /catalogue/x_209/
### [21] link "The Coder's Handbook" -> /catalogue/x_209/
£9.99
In stock
[22] button "Add to basket"
- [23] link "Wireless Coding" -> /catalogue/y_194/
### [24] link "Wireless Coding" -> /catalogue/y_194/
£19.50
Unavailable
[25] button "Notify me"
"""
FORM = """\
# Shipping address
We found some errors - please check the messages below and try again
[3] textbox "First name" = "Ann" required
[4] textbox "Postcode" (value="", required, invalid)
This field is required.
[5] combobox "Country" (options: France | *United Kingdom | Spain)
[6] checkbox "Remember this address" (checked)
[9] button "Continue" (disabled)
"""
DONE = """\
# Thank you!
Your order has been placed and a confirmation has been sent - your order number is 100042.
| Order total £32.97
"""
EMPTY = '# Basket\nYour basket is empty. [9] link "Continue shopping" -> /\n'


@pytest.mark.parametrize(
    ("page", "statement", "label"),
    [
        (BASKET, "The basket contains 3 copies of Red Clay Mug", SUPPORTED),
        (BASKET, "The basket contains two copies of Red Clay Mug", CONTRADICTED),
        (BASKET, "The basket is empty", CONTRADICTED),
        (EMPTY, "The basket is empty", SUPPORTED),
        (EMPTY, "The basket is not empty", UNKNOWN),
        (BASKET, "The order total is £32.97", SUPPORTED),
        (BASKET, "The order total is £29.97", CONTRADICTED),
        (BASKET, "The order total is below £40", SUPPORTED),
        (BASKET, "The order total is below £20", CONTRADICTED),
        (BASKET, 'A message says that "Red Clay Mug" has been added to the basket', SUPPORTED),
        (BASKET, 'A message says that "Blue Glass Vase" has been added to the basket', UNKNOWN),
        (BASKET, "The user is signed in", SUPPORTED),
        (BASKET, "The basket page is displayed and the order total is £32.97", SUPPORTED),
        (BASKET, "The basket page is displayed and the order total is £1.00", CONTRADICTED),
        (BASKET, "The basket page is displayed and the weather is fine", UNKNOWN),
        (BASKET, "The order has been placed", UNKNOWN),
        (BASKET, "The order has not been placed", UNKNOWN),
        (RESULTS, 'The page lists search results for "coding"', SUPPORTED),
        (RESULTS, "The search returned 13 results", SUPPORTED),
        (RESULTS, "The search returned more than 20 results", CONTRADICTED),
        (RESULTS, "The results are sorted by relevancy", SUPPORTED),
        (RESULTS, "The results are sorted by price low to high", CONTRADICTED),
        (RESULTS, "The in stock filter is checked", CONTRADICTED),
        (RESULTS, "The in stock filter is not checked", SUPPORTED),
        (RESULTS, "The Coder's Handbook is in stock", SUPPORTED),
        (RESULTS, "Wireless Coding is in stock", CONTRADICTED),
        (RESULTS, "Wireless Coding costs £9.99", CONTRADICTED),
        (RESULTS, "Only products that are in stock are listed", CONTRADICTED),
        (RESULTS, "All products cost less than £15", CONTRADICTED),
        (RESULTS, "All products cost less than £20", SUPPORTED),
        (RESULTS, "Wireless Coding is a good book", UNKNOWN),
        (FORM, "An error message is shown", SUPPORTED),
        (FORM, "No error message is shown", CONTRADICTED),
        (FORM, "The first name is Ann", SUPPORTED),
        (FORM, "The first name is Bob", CONTRADICTED),
        (FORM, "The postcode field is empty", SUPPORTED),
        (FORM, "The country is set to France", CONTRADICTED),
        (FORM, "The Continue button is disabled", SUPPORTED),
        (FORM, "Remember this address is checked", SUPPORTED),
        (DONE, "The order has been placed", SUPPORTED),
        (DONE, "The order was not placed", CONTRADICTED),
        (DONE, "The order number is 100042", SUPPORTED),
        (DONE, "The order number is 100043", CONTRADICTED),
    ],
)
def test_a_page_in_the_compact_form(page: str, statement: str, label: Label) -> None:
    verdict = lexical(page, statement)
    assert verdict.label is label, verdict


def test_what_a_viewport_lacks_may_be_further_down_but_not_what_a_whole_page_lacks() -> None:
    statement = "There is a Gift wrap button"
    assert lexical(BASKET, statement).label is UNKNOWN
    assert lexical(BASKET, statement, complete=True).label is CONTRADICTED


def test_a_label_of_a_button_is_no_message() -> None:
    page = '# Mug\nA mug of clay.\n[6] button "Add to basket"\n[7] button "Place order"\n'
    for statement in ("The mug was added to the basket", "The order has been placed"):
        assert lexical(page, statement).label is UNKNOWN


def test_the_lines_show_what_a_verdict_rests_on() -> None:
    assert lexical(BASKET, "The order total is £32.97").lines == ("| Order total £32.97",)


PAGES = (BASKET, RESULTS, FORM, DONE, EMPTY)
STATEMENTS = (
    "The basket is empty",
    "No error message is shown",
    "The order was not placed",
    "The order total is £32.97",
    "There are more than 5 results",
    "Only blue products are listed",
    'A product called "Mug" is shown',
    "The Continue button is disabled",
    "The page does not exist",
    "The user is not signed in",
    "The basket page is displayed",
)
TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=120)


@settings(deadline=None)
@given(statement=st.one_of(st.sampled_from(STATEMENTS), TEXT), blank=st.text(alphabet=" \n\t", max_size=9))
def test_an_empty_page_supports_and_contradicts_nothing(statement: str, blank: str) -> None:
    verdict = lexical(blank, statement)
    assert (verdict.label, verdict.support, verdict.contradiction, verdict.lines) == (UNKNOWN, 0, 0, ())


@settings(deadline=None)
@given(page=st.one_of(st.sampled_from(PAGES), TEXT), statement=st.one_of(st.sampled_from(STATEMENTS), TEXT))
def test_scores_stay_in_range_and_agree_with_the_label(page: str, statement: str) -> None:
    verdict = lexical(page, statement)
    assert 0 <= verdict.support <= 1
    assert 0 <= verdict.contradiction <= 1
    assert min(verdict.support, verdict.contradiction) < 0.5
    assert (verdict.label is SUPPORTED) == (verdict.support >= 0.5)
    assert verdict == lexical(page, statement)


@settings(deadline=None)
@given(
    control=st.sampled_from(["[3] button", "button", "[3] textbox", "checkbox", "[3] combobox"]),
    name=TEXT,
    rest=TEXT,
    statement=st.sampled_from(STATEMENTS),
)
def test_any_line_can_be_read(control: str, name: str, rest: str, statement: str) -> None:
    assert lexical(f'{control} "{name}" {rest}', statement).label in Label


SECTIONS = (
    '# Opening hours\nMonday to Friday, 9 to 17\n[90] link "How to find us" -> /where/\n',
    "# From our kitchen\nSimmer the lentils and stir in the cream.\n",
    '# Newsletter\n[91] textbox "E-mail address" (value="")\n[92] button "Subscribe"\n',
)


@pytest.mark.parametrize(
    ("page", "statement"),
    [
        (BASKET, "The order total is £32.97"),
        (BASKET, "The order total is £29.97"),
        (BASKET, "The basket contains two copies of Red Clay Mug"),
        (RESULTS, "The search returned 13 results"),
        (RESULTS, "Wireless Coding is in stock"),
        (FORM, "The country is set to France"),
        (DONE, "The order has been placed"),
        (EMPTY, "The basket is empty"),
    ],
)
@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_unrelated_sections_in_any_order_flip_nothing(page: str, statement: str, seed: int) -> None:
    parts = [page, *SECTIONS]
    random.Random(seed).shuffle(parts)
    assert lexical("".join(parts), statement).label is lexical(page, statement).label


def test_an_endless_statement_is_left_undecided() -> None:
    statement = "The page shows " + " and ".join(['"Arbor lamp"'] * 20_000)
    assert lexical("# Arbor lamp", statement).label is Label.UNKNOWN


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ('The basket lists "Red Clay Mug" with a quantity of 3', SUPPORTED),
        ('The basket lists "Red Clay Mug" with a quantity other than 3', CONTRADICTED),
        ('The basket lists "Red Clay Mug" with a quantity other than 2', UNKNOWN),
        ("The order total is different from £32.97", CONTRADICTED),
        ("The order total is different from £30.00", UNKNOWN),
        ('The basket lists "Mug other than Red"', UNKNOWN),
        ("The order total is another amount than £32.97", UNKNOWN),
        ("The order is sent to another delivery address than 3 Mill Lane", UNKNOWN),
        ("The quantity is different from the price", UNKNOWN),
    ],
)
def test_what_excludes_something_is_contradicted_by_it_and_not_supported_by_the_rest(
    statement: str, label: Label
) -> None:
    assert lexical(BASKET, statement).label is label


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("Another lamp costs less than $20", "Another lamp costs less than $20"),
        ("Lamps | Another lamp costs $15", "Another lamp costs less than $20"),
        (
            "Delivery address is different from billing address.",
            "The delivery address is different from the billing address",
        ),
    ],
)
def test_a_comparison_is_supported_by_a_page_that_makes_it(line: str, statement: str) -> None:
    assert lexical(f"# Checkout\n{line}\n", statement).label is SUPPORTED
