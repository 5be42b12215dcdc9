"""Parts of an answer, quotes, and which pages are looked at: whatever the texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.judge import State, candidates, quoted_in, sections

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
def test_every_piece_with_a_letter_is_found_in_its_own_text(text: str, start: int, length: int) -> None:
    piece = text[start : start + length]
    plain = piece.isascii() and any(c.isalnum() for c in piece) and ">" not in piece and text.isascii()
    if plain and piece == piece.strip():
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
