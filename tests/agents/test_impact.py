"""What is tested before it runs, what may last, and when two actions are the same."""

from __future__ import annotations

import pytest

from refute.agents._impact import Impact, high_impact, impact, irreversible
from refute.agents._wording import describe, in_words, normal_form
from refute.browser import (
    Action,
    AnswerDialog,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Done,
    DoubleClick,
    Drag,
    Element,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Hover,
    Infeasible,
    NewTab,
    Note,
    Observation,
    Press,
    Reload,
    RightClick,
    Scroll,
    Select,
    SendMessage,
    Type,
    Upload,
    Wait,
)

NAMES = [
    ("button", "Place order"),
    ("link", "Order history"),
    ("button", "Show more"),
    ("button", "Delete"),
    ("textbox", "Comment"),
    ("searchbox", "Products"),
    ("textbox", "Search products"),
    ("button", "Add to basket"),
    ("button", "Add to basket"),
]
BOXES = {3: (0, 0, 100, 100), 4: (10, 10, 20, 20)}
PAGE = Observation(
    url="http://shop/",
    elements=tuple(
        Element(id=n, role=role, name=name, box=BOXES.get(n, (0, 0, 0, 0)))
        for n, (role, name) in enumerate(NAMES, start=1)
    ),
)


@pytest.mark.parametrize(
    ("action", "tested", "lasts"),
    [
        (Click(target=1), True, True),
        (Click(target=2), False, False),  # a thing to look at
        (Click(target=3), False, False),
        (Click(target=4), True, True),
        (Click(target=8), True, False),
        (Click(target=99), False, False),
        (Press(key="Enter", target=5), True, True),
        (Press(key="Enter", target=6), True, False),
        (Press(key="Enter", target=7), True, False),
        (Press(key="Enter"), True, True),
        (Press(key="Control+Enter", target=5), True, True),
        (Press(key="ArrowDown"), False, False),
        (Goto(url="http://shop/x"), True, False),
        (Back(), True, False),
        (Select(target=5, option="a"), True, False),
        (Done(message="x"), True, False),
        (Infeasible(reason="x"), True, False),
        (Forward(), True, False),
        (Reload(), True, False),
        (NewTab(url="http://shop/x"), True, False),
        (CloseTab(), True, False),
        (FocusTab(tab=2), False, False),
        (Upload(target=5, file="a.csv"), True, False),
        (AnswerDialog(accept=True), True, True),
        (AnswerDialog(accept=False), False, False),
        (SendMessage(text="x"), True, True),
        (DoubleClick(target=1), True, True),
        (RightClick(target=4), False, False),
        (Hover(target=4), False, False),
        (ClickAt(x=15, y=15), True, True),  # the small "Delete" upon the large "Show more"
        (ClickAt(x=500, y=500), False, False),
        (Drag(target=1, to=2), False, False),
        (Type(text="two\n"), True, True),
        (Type(text="mugs\n", target=6), True, False),
        (Type(text="two", target=5), False, False),
        (Press(key="Return", target=5), True, True),
        (Fill(target=5, text="delete"), False, False),
        (Check(target=5), False, False),
        (Scroll(direction="down"), False, False),
        (Wait(), False, False),
        (Note(text="x"), False, False),
    ],
)
def test_high_impact_and_lasting_actions(action: Action, tested: bool, lasts: bool) -> None:
    assert high_impact(action, PAGE) is tested
    assert irreversible(action, PAGE) is lasts


@pytest.mark.parametrize(
    ("role", "name", "lasts"),
    [
        ("link", "Delete", True),
        ("link", "Order history", False),
        ("link", "Order details", False),
        ("button", "Find an order", False),
        ("button", "Search", False),
        ("link", "Cancel order", True),
        ("menuitem", "Transfer ownership", True),
        ("button", "Show payment options", False),
    ],
)
def test_what_lasts_is_tested_whatever_its_role_and_what_is_looked_at_lasts_not(
    role: str, name: str, lasts: bool
) -> None:
    page = Observation(url="http://shop/", elements=(Element(id=1, role=role, name=name),))
    assert irreversible(Click(target=1), page) is lasts
    assert high_impact(Click(target=1), page) or not lasts


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (Click(target=1), Impact.LASTS),
        (Click(target=3), Impact.READS),
        (Click(target=8), Impact.ACTS),
        (Press(key="Enter", target=6), Impact.READS),
        (Press(key="Enter", target=5), Impact.LASTS),
        (Goto(url="http://shop/x"), Impact.READS),
        (Select(target=5, option="a"), Impact.ACTS),
    ],
)
def test_impact_tells_reading_from_acting_and_from_what_lasts(action: Action, expected: Impact) -> None:
    assert impact(action, PAGE) is expected


def test_a_normal_form_survives_renumbering_and_tells_twins_apart() -> None:
    renumbered = PAGE.model_copy(
        update={"elements": tuple(e.model_copy(update={"id": e.id + 100}) for e in PAGE.elements)}
    )
    for number in range(1, len(NAMES) + 1):
        assert normal_form(Click(target=number), PAGE) == normal_form(Click(target=number + 100), renumbered)
    assert normal_form(Click(target=8), PAGE) != normal_form(Click(target=9), PAGE)
    assert normal_form(Fill(target=5, text="a"), PAGE) != normal_form(Fill(target=5, text="b"), PAGE)
    assert normal_form(Check(target=5, checked=True), PAGE) != normal_form(Check(target=5, checked=False), PAGE)


def test_an_action_reads_with_its_targets_role_and_name() -> None:
    assert describe(Click(target=4), PAGE) == "click('4') on button \"Delete\""
    assert describe(Click(target=99), PAGE) == "click('99')"
    assert describe(Back(), PAGE) == "back()"


def test_the_words_that_evidence_is_matched_with_hold_no_element_numbers() -> None:
    assert in_words(Click(target=4), PAGE) == 'click button "Delete"'
    assert in_words(Fill(target=5, text="2 mugs"), PAGE) == 'fill 2 mugs textbox "Comment"'
    assert in_words(Goto(url="http://shop/7"), PAGE) == "goto http://shop/7"
