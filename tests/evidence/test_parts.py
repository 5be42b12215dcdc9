"""Reading pages and statements, and cutting texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.evidence import chunks
from refute.evidence._page import parse_page
from refute.evidence._statement import parse_statement
from refute.evidence._words import numbers, spelled_numbers, stem, words


@pytest.mark.parametrize(
    "line",
    [
        "  textbox 'Quantity' value='2' disabled=true",
        '[3] textbox "Quantity" (value="2", type=number, range=0..10, disabled)',
        '[3] textbox "Quantity" = 2 disabled',
        '[3] combobox "Quantity" (options: 1 | *2 | 3 (gone), disabled)',
        '- Lamp [3] textbox "Quantity" (value="2", disabled) -> /x $5',
    ],
)
def test_a_field_reads_alike_in_every_form(line: str) -> None:
    ((_, control),) = parse_page(line).controls()
    assert (control.name, control.value) == ("Quantity", "2")
    assert control.states == {"disabled"}


@pytest.mark.parametrize(
    "line",
    ["switch 'Digest' checked=false", '[4] switch "Digest" (unchecked)', '- Mail [4] switch "Digest" (unchecked)'],
)
def test_a_switch_reads_alike_in_every_form(line: str) -> None:
    ((_, control),) = parse_page(line).controls()
    assert control.states == {"unchecked"}


def test_a_value_cannot_pose_as_a_state() -> None:
    for line in ("textbox 'Note' value='is disabled now'", '[3] textbox "Note" (value="is disabled, disabled")'):
        ((_, control),) = parse_page(line).controls()
        assert control.states == frozenset()


def test_what_belongs_together_in_a_list_of_cards() -> None:
    page = parse_page(
        '# Shop\n- [1] link "Mug"\n### [2] link "Mug"\n£5.00\n- [3] link "Vase"\n### [4] link "Vase"\n£9\n'
    )
    prices = [(block.kind, [number.value for number in block.numbers]) for block in page.blocks]
    assert prices == [("heading", []), ("listitem", [5.0]), ("listitem", [9.0])]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("£1,234.50 and 7 more", [(1234.5, True), (7, False)]),
        ("12 €", [(12, True)]),
        ("at 10:30, model x200, 1.2.3", []),
        ("-", []),
    ],
)
def test_numbers(text: str, found: list[tuple[float, bool]]) -> None:
    assert [(number.value, number.money) for number in numbers(text)] == found


def test_spelled_numbers() -> None:
    assert [number.value for number in spelled_numbers("Three mugs and 2 vases")] == [3, 2]


@pytest.mark.parametrize(
    "family", [("apply", "applied", "applies"), ("save", "saved", "saving"), ("add", "added"), ("basket", "cart")]
)
def test_stems_meet(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_words_that_carry_no_meaning_are_left_out() -> None:
    assert words("The page shows 3 of the mugs") == words("mug")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The cart is empty", ["The cart is empty"]),
        ("The cart is empty and the user is signed in", ["The cart is empty", "the user is signed in"]),
        ("A filter is chosen but not applied", ["A filter is chosen", "A filter is not applied"]),
        ("The list shows a mug and contains a vase", ["The list shows a mug", "The list contains a vase"]),
        ('The book "War and Peace is long" is shown', ['The book "War and Peace is long" is shown']),
        ("The shop sells Salt and Pepper", ["The shop sells Salt and Pepper"]),
        (
            "The page is the overview with an Invite members button",
            ["The page is the overview", "There is an Invite members button"],
        ),
        ("", []),
    ],
)
def test_joined_claims_are_taken_apart(text: str, claims: list[str]) -> None:
    assert [claim.text for claim in parse_statement(text)] == claims


def test_texts_that_must_stand_on_the_page() -> None:
    (claim,) = parse_statement('A project called metaseq and a file "a b.txt" are shown')
    assert claim.names == ("a b.txt", "metaseq")


@pytest.mark.parametrize(
    "line",
    [
        "link " + "a='b' " * 200 + "!",
        "link 'x' " + "a=b " * 500 + "'",
        '[1] textbox "x" ' + 'value= "' * 500,
        "[1] combobox options: " + "*a | " * 2000,
        "no " * 5000 + "0 " * 5000,
    ],
)
def test_a_hostile_line_is_read_without_getting_lost(line: str) -> None:
    assert len(parse_page(line).lines) == 1


@settings(deadline=None)
@given(
    lines=st.lists(st.text(alphabet="ab ", max_size=5), max_size=60), size=st.integers(1, 9), overlap=st.integers(0, 8)
)
def test_chunks_cover_every_line_in_order(lines: list[str], size: int, overlap: int) -> None:
    if overlap >= size:
        with pytest.raises(ValueError, match="overlap"):
            chunks("\n".join(lines), size=size, overlap=overlap)
        return
    kept = [line for line in lines if line.strip()]
    pieces = [piece.split("\n") for piece in chunks("\n".join(lines), size=size, overlap=overlap)]
    assert all(len(piece) <= size for piece in pieces)
    joined = pieces[0] + [line for piece in pieces[1:] for line in piece[overlap:]] if pieces else []
    assert joined == kept
