"""Claims that a quoted text stands on a heading, a button, a message …: one page in both forms, and near misses."""

from __future__ import annotations

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refute.evidence import Label, lexical
from refute.evidence._statement import parse_statement

SUPPORTED, CONTRADICTED, UNKNOWN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN

COMPACT = """\
http://127.0.0.1:4711/search/lamps/?q=desk+lamp
Arbor lamp | Arbor
banner:
 [1] link "Checkout" -> /checkout/
 [2] searchbox "Search" (value="desk lamp")
# Arbor lamp
It is white.
$35.99
In stock (10 available)
[3] button "Add to basket"
Arbor lamp has been added to your basket.
Two orders could not be shipped.
[7] textbox "Email" (value="")
[8] textbox "Password" (value="••••")
[9] combobox "Sort by" (options: *Newest | Price)
### Reviews
- [10] link "Desk lamp" -> /desk-lamp/
| Shade | Green linen
"""
TREE = """\
RootWebArea 'Arbor lamp | Arbor' focused
  banner
    link 'Checkout'
    searchbox 'Search' value='desk lamp'
  main
    heading 'Arbor lamp' level=1
    StaticText 'It is white.'
    StaticText '$35.99'
    StaticText 'In stock (10 available)'
    button 'Add to basket'
    status
      StaticText 'Arbor lamp has been added to your basket.'
    StaticText 'Two orders could not be shipped.'
    textbox 'Email' value=''
    textbox 'Password' value='••••'
    combobox 'Sort by' value='Newest'
    heading 'Reviews' level=3
    listitem
      link 'Desk lamp'
    table
      row
        cell 'Shade'
        cell 'Green linen'
"""
HOLDS = (
    'The heading says "Arbor lamp"',
    'The page heading is "Arbor lamp"',
    'A heading reads "Arbor lamp"',
    "The heading reads: “Arbor lamp”",
    "The main heading is 'Arbor lamp.'",
    'The heading contains "Arbor"',
    'The page shows the heading "Arbor lamp"',
    'The heading "Reviews" is visible',
    'A heading "Reviews" is displayed on the page',
    '"Arbor lamp" is shown as the main heading',
    "The page heading is Arbor lamp",
    'The page title contains "Arbor"',
    'The page title is "Arbor lamp"',
    'The page is titled "Arbor lamp | Arbor"',
    'The page shows "Arbor lamp"',
    'The page shows "Arbor lamp", "Reviews" and "It is white."',
    'The page shows the text "It is white."',
    'The text "it is white" appears on the page',
    'The page contains "$35.99"',
    'The page mentions "10 available"',
    'An "Add to basket" button is visible',
    'A button labelled "Add to basket" is present',
    'There is an "Add to basket" button on the page',
    'A link named "Checkout" is present',
    'The page has a "Checkout" link',
    'The "Email" field is visible',
    'The message "Arbor lamp has been added to your basket." appears',
    'A message says "added to your basket"',
    'A success message is displayed saying "Arbor lamp has been added to your basket"',
    'The search box contains "desk lamp"',
    'The "Search" field contains "desk lamp"',
    'The "Sort by" dropdown shows "Newest"',
    'A row contains "Green linen"',
    'The list contains "Desk lamp"',
    'The heading says "Arbor lamp" and an "Add to basket" button is visible',
    'The heading does not say "Kettle"',
)
FAILS = (
    'The heading says "Kettle"',
    'The page heading is "Blue lamp"',
    'The page title is "Kettle"',
    'The heading does not say "Arbor lamp"',
    'There is no heading "Arbor lamp"',
    'The page does not show "It is white."',
    'No "Add to basket" button is visible',
    'The "Checkout" link is no longer visible',
    'The search box contains "kettle"',
    'The "Sort by" dropdown is set to "Price"',
    'The heading says "Arbor lamp" and the page does not show "It is white."',
    'The page does not show "Arbor lamp" and "Reviews"',
)
OPEN = (
    'The heading says "It is white."',  # on the page, but no heading
    'A heading reads "Add to basket"',
    'The message "Add to basket" appears',
    'The heading contains "Arb"',  # a part of a word
    'The word "whit" appears on the page',
    'The page contains "5.99"',  # a part of a number
    'The heading is "Arbor"',  # it says more
    'A message says "be shipped"',  # it says the opposite
    'A row contains "It is white."',
    'There is no "Add" button',  # there is one with a longer name
    'No "Checkout" button is visible',  # there is such a link
    'The "Password" field contains "secret"',  # masked
    'The heading says "Arbor lamp" twice',  # more is claimed than the quoted text
    'The heading says "Arbor lamp" in green letters',
    'The second heading says "Arbor lamp"',
    'The heading says "Arbor lamp" and the lamp has a dimmer',
    'The page shows only "Arbor lamp"',
    'The page does not show "Arbor lamp" and "Kettle"',  # which of the two?
    "The heading is visible",
    "The heading is Orange",
)
UNSEEN = (
    'A heading says "Kettle"',
    'The heading "Questions" is visible',
    'The page shows "Arbor lamp" and "It is blue."',
    'The "Buy now" button is visible',
    'A button "It is white." is shown',
    'The message "Arbor lamp has been removed" appears',
    'The "Email" field contains "ann@example.org"',
)
ABSENT = ('The page does not contain "Kettle"', 'No "Buy now" button is visible', 'There is no "Kettle" link')


@pytest.mark.parametrize("page", [COMPACT, TREE], ids=["compact", "tree"])
@pytest.mark.parametrize(
    ("statement", "label"),
    [(s, label) for group, label in ((HOLDS, SUPPORTED), (FAILS, CONTRADICTED), (OPEN, UNKNOWN)) for s in group],
)
def test_a_quoted_text_is_looked_for_where_it_is_said_to_be(page: str, statement: str, label: Label) -> None:
    verdict = lexical(page, statement)
    assert verdict.label is label, verdict


@pytest.mark.parametrize("statement", UNSEEN + ABSENT)
def test_only_a_whole_page_tells_what_is_missing(statement: str) -> None:
    whole = SUPPORTED if statement in ABSENT else CONTRADICTED
    assert lexical(COMPACT, statement).label is UNKNOWN
    assert lexical(COMPACT, statement, complete=True).label is whole
    assert lexical(TREE, statement).label is whole
    assert lexical(TREE, statement, complete=False).label is UNKNOWN


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ('The address contains "/search/"', SUPPORTED),
        ('The URL contains "desk lamp"', SUPPORTED),
        ('The page URL starts with "http://127.0.0.1:4711/"', SUPPORTED),
        ('The address ends with "?q=desk+lamp"', SUPPORTED),
        ('The URL does not contain "/basket/"', SUPPORTED),
        ('The address contains "/basket/"', CONTRADICTED),
        ('The URL ends with "/search/"', UNKNOWN),
        ('The address is "1 High Street"', UNKNOWN),
        ('The page shows "/search/lamps/"', UNKNOWN),
    ],
)
def test_the_address_is_asked_for_what_it_contains(statement: str, label: Label) -> None:
    assert lexical(COMPACT, statement).label is label
    assert lexical(TREE, statement).label is not SUPPORTED  # which does not say where it is


def test_a_full_match_counts_more_than_one_in_a_longer_text() -> None:
    full, part = (lexical(COMPACT, f'The heading contains "{text}"').support for text in ("Arbor lamp", "Arbor"))
    assert full > part


def test_the_page_of_another_tab_is_not_this_page() -> None:
    page = COMPACT.replace("banner:", "Copper kettle http://127.0.0.1:4711/kettle/\nbanner:")
    assert lexical(page, 'The page shows "Copper kettle"').label is UNKNOWN


def test_one_of_several_headings_denies_nothing() -> None:
    assert lexical("# Mugs\n# Vases\n", 'The heading says "Lamps"').label is UNKNOWN
    assert lexical('# [3] link "The shop" -> /\n', 'The heading says "Lamps"').label is UNKNOWN


def test_the_words_inside_the_quotes_claim_nothing_themselves() -> None:
    page = '# Basket\nYour basket is empty.\n[2] button "No, thanks"\n'
    assert lexical(page, 'A heading says "Your basket is empty"').label is UNKNOWN
    assert lexical(page, 'A button "No, thanks" is shown').label is SUPPORTED


SAFE = st.text(alphabet=string.ascii_letters + string.digits + " ", min_size=1, max_size=40).filter(str.strip)
WORD = st.text(alphabet=string.ascii_letters, min_size=1, max_size=9)
CLAIMS = (
    'The heading says "{}"',
    'The page heading is "{}"',
    'A heading contains "{}"',
    'The page shows the heading "{}"',
    'The heading "{}" is visible',
)


@settings(deadline=None)
@given(text=SAFE, claim=st.sampled_from(CLAIMS), before=st.lists(WORD, max_size=3))
def test_a_heading_says_what_it_says(text: str, claim: str, before: list[str]) -> None:
    for heading in (f"# {text}", f"heading '{text}'"):
        assert lexical("\n".join([*before, heading, "More."]), claim.format(text)).label is SUPPORTED


@settings(deadline=None)
@given(
    text=SAFE,
    claim=st.sampled_from((*CLAIMS, 'The page shows "{}"', 'A "{}" button is visible', 'The message "{}" appears')),
    lines=st.lists(st.tuples(st.sampled_from(["# ", "", "- ", "| ", "heading "]), SAFE), max_size=6),
)
def test_a_page_without_the_text_never_supports_it(text: str, claim: str, lines: list[tuple[str, str]]) -> None:
    page = "\n".join(prefix + line for prefix, line in lines)
    assume(" ".join(text.split()).lower() not in " ".join(page.split()).lower())
    assert lexical(page, claim.format(text)).label is not SUPPORTED


@settings(deadline=None)
@given(text=SAFE)
def test_a_text_elsewhere_is_no_heading(text: str) -> None:
    assert lexical(f"# Mugs\n{text}\n", f'A heading says "{text} of the day"').label is not SUPPORTED
    if text.strip().lower() not in ("mugs", "mug"):
        assert lexical(f"# Mugs\nThen {text}\n", f'A heading says "{text}"').label is not SUPPORTED


@pytest.mark.parametrize(
    "statement",
    [
        "The heading says " + '"a" and ' * 300,
        "The " + "main page " * 300 + 'heading says "a"',
        'The heading says "' + "a" * 100_000 + '"',
        "The " + '"a" ' * 300 + "button is visible",
        "The " + "a" * 2_000 + ' field contains "a"',
        "The heading is A" + " a" * 300,
        "\0" * 1000 + '"a"',
    ],
)
def test_a_hostile_statement_is_read_without_getting_lost(statement: str) -> None:
    parse_statement.cache_clear()
    assert lexical("# " + "a" * 100_000 + "\n" + "a " * 50_000, statement).label in Label
