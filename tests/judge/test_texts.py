"""Parts of an answer, quotes, and which pages are looked at: whatever the texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.judge import State, candidates, quoted_in, sections
from refute.judge._quotes import names

LINES = st.lists(
    st.sampled_from(
        ["", "  ", "# Lamps", "Lamps:", "**Lamps**", "1. Arbor", "- Arbor", "   $20", "Some words.", "More."]
    ),
    max_size=14,
)


@given(LINES)
def test_no_line_of_an_answer_is_lost_or_repeated(lines: list[str]) -> None:
    kept = [line for part in sections("\n".join(lines)) for line in part.splitlines()]
    assert kept == [line for line in lines if line.strip()]


def test_parts_are_what_a_reader_takes_for_them() -> None:
    assert sections("I looked.\n\n**Desk lamps**\n\n1. Arbor\n   $20\n\n2. Birch\n\nFloor lamps:\n- Cedar\n\nBye.") == (
        "I looked.",
        "**Desk lamps**\n1. Arbor\n   $20\n2. Birch",
        "Floor lamps:\n- Cedar",
        "Bye.",
    )
    assert sections("One line") == ("One line",)
    assert sections(" \n ") == ()


@given(st.text(), st.integers(0, 40), st.integers(1, 40))
def test_whole_words_are_found_in_its_own_text(text: str, start: int, length: int) -> None:
    words = text.split()
    piece = " ".join(words[start : start + length])
    if piece.isascii() and any(c.isalnum() for c in piece) and ">" not in piece and text.isascii():
        assert quoted_in(piece, text)


@given(st.text(alphabet="abc $5.", min_size=1, max_size=12), st.text(alphabet="abc $5.", max_size=40))
def test_nothing_is_found_that_does_not_stand_there(quote: str, text: str) -> None:
    if quoted_in(quote, text):
        assert "".join(quote.split()) in "".join(text.split())


def test_typography_and_line_breaks_are_overlooked_but_no_word_is() -> None:
    page = "# Arbor Desk Lamp – White\n“Bright” it isn’t"
    assert quoted_in('Lamp - White "Bright" it isn\'t', page)
    assert not quoted_in("Arbor Lamp", page)
    assert not quoted_in("...", page)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("5 reviews", "15 reviews"),
        ("5 reviews", "4.5 reviews"),
        ("2", "2024"),
        ("2", "v2"),
        ("$20", "$20.50"),
        ("$20.", "$20.50"),
        ("$1", "$1,200"),
        ("200", "1,200"),
        (".5", "4.5"),
        ("lamp", "lamps"),
        ("amp", "a lamp"),
        ("Order 1", "Order 12"),
    ],
)
def test_a_piece_of_a_word_or_number_stands_nowhere(quote: str, text: str) -> None:
    assert not quoted_in(quote, text)
    assert quoted_in(quote, f"{text} ({quote})")


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("$20", "It costs $20."),
        ("$20.", "It costs $20. Good."),
        ("5", "3, 5, 7"),
        ("arbor", "/lamps/arbor_lamp/"),
        ("$5", "US$5"),
        ("日本", "東日本語"),
    ],
)
def test_what_stands_beside_a_quote_may_be_anything_but_its_rest(quote: str, text: str) -> None:
    assert quoted_in(quote, text)


@pytest.mark.parametrize(
    ("subject", "quote", "named"),
    [
        ("The Arbor Lamp of 2024", "the 2024 catalogue", False),
        ("The Arbor Lamp of 2024", "all of the things", False),
        ("The Arbor Lamp of 2024", "Arbor", True),
        ("15", "order 15", True),
        ("15", "order 16", False),
    ],
)
def test_a_subject_is_named_by_a_word_of_its_own(subject: str, quote: str, named: bool) -> None:
    assert names(subject, [quote]) is named


STATES = st.lists(st.sampled_from(["Arbor Lamp", "Birch Lamp", "orders", "nothing", "arbor"]), min_size=1, max_size=12)


@given(STATES, st.integers(1, 5))
def test_the_last_page_leads_and_the_others_follow_in_order(texts: list[str], most: int) -> None:
    states = [State(step=n, url="u", title="t", text=text) for n, text in enumerate(texts)]
    first, *others = candidates(states, "Arbor Lamp", most=most)
    assert first == states[-1]
    assert len(others) < most
    assert [state.step for state in others] == sorted({state.step for state in others})
    assert all({"arbor", "lamp"} & set(state.text.lower().split()) for state in others)
    assert len({state.text for state in (first, *others)}) == 1 + len(others)


def test_words_of_the_subject_that_lie_about_on_a_page_make_no_match() -> None:
    texts = [
        "Sonex Pen\nVelo Ultra Headphones - Green\nDeluxe Chair\nsearch: Notebook",
        "- Sonex Deluxe Notebook",
        "the end",
    ]
    states = [State(step=n, url="u", title="t", text=text) for n, text in enumerate(texts)]
    found = candidates(states, "Sonex Deluxe Notebook - Green", most=5)
    assert [state.step for state in found] == [2, 1]
    by_address = State(step=3, url="/catalogue/sonex-deluxe-notebook-green_203/", title="", text="")
    assert candidates([by_address, *states], "Sonex Deluxe Notebook - Green", most=5)[1] == by_address


def test_where_too_many_match_those_with_most_of_the_subject_are_kept() -> None:
    texts = ["Birch Lamp", "Arbor Lamp", "Cedar Lamp", "the end"]
    states = [State(step=n, url="u", title="t", text=text) for n, text in enumerate(texts)]
    assert [state.text for state in candidates(states, "Arbor Lamp", most=2)] == ["the end", "Arbor Lamp"]
