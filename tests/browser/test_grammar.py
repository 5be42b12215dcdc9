"""Actions as text: what models write, and nothing else, becomes an action."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from refute.browser import (
    ACTION_HELP,
    Action,
    ActionSyntaxError,
    AnswerDialog,
    Back,
    Check,
    Click,
    ClickAt,
    CloseTab,
    Done,
    DoubleClick,
    Drag,
    DragAt,
    DragBy,
    Fill,
    FocusTab,
    Forward,
    Goto,
    Hover,
    HoverAt,
    Infeasible,
    NewTab,
    Note,
    Press,
    Reload,
    RightClick,
    Scroll,
    Select,
    SendMessage,
    Type,
    Upload,
    Wait,
    action_help,
    format_action,
    parse_action,
)

texts = st.text()
words = st.text(min_size=1)
numbers = st.integers(min_value=1, max_value=999_999_999)
pixels = st.integers(min_value=-100_000, max_value=100_000)
more = st.lists(texts, max_size=3).map(tuple)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, target=numbers),
    st.builds(DoubleClick, target=numbers),
    st.builds(RightClick, target=numbers),
    st.builds(Hover, target=numbers),
    st.builds(Fill, target=numbers, text=texts),
    st.builds(Type, text=words, target=st.none() | numbers),
    st.builds(Press, key=words, target=st.none() | numbers),
    st.builds(Select, target=numbers, option=texts, more=more),
    st.builds(Check, target=numbers, checked=st.booleans()),
    st.builds(Upload, target=numbers, file=words, more=more),
    st.builds(Drag, target=numbers, to=numbers),
    st.builds(DragBy, target=numbers, right=pixels, down=pixels),
    st.builds(Scroll, direction=st.sampled_from(["up", "down", "left", "right"]), target=st.none() | numbers),
    st.builds(ClickAt, x=pixels, y=pixels),
    st.builds(HoverAt, x=pixels, y=pixels),
    st.builds(DragAt, points=st.lists(st.tuples(pixels, pixels), min_size=2, max_size=6).map(tuple)),
    st.builds(Goto, url=words),
    st.just(Back()),
    st.just(Forward()),
    st.just(Reload()),
    st.builds(NewTab, url=texts),
    st.builds(FocusTab, tab=numbers),
    st.builds(CloseTab, tab=st.none() | numbers),
    st.builds(AnswerDialog, accept=st.booleans(), text=st.none() | texts),
    st.builds(Wait, seconds=st.floats(min_value=0, max_value=10)),
    st.builds(Note, text=texts),
    st.builds(SendMessage, text=texts),
    st.builds(Done, message=texts),
    st.builds(Infeasible, reason=texts),
)


def test_the_property_covers_every_action() -> None:
    members = {model.model_fields["name"].default for model in get_args(get_args(Action)[0])}
    assert {form.partition("(")[0] for form in re.findall(r"\b\w+\(", ACTION_HELP)} - {"uncheck"} == members
    assert len(members) == 29


@given(actions)
def test_the_textual_form_means_the_same_action(action: Action) -> None:
    text = format_action(action)
    assert parse_action(text) == action
    assert len(text.splitlines()) == 1


@given(st.text())
def test_any_text_is_an_action_or_a_syntax_error(text: str) -> None:
    with suppress(ActionSyntaxError):
        assert parse_action(format_action(parse_action(text))) == parse_action(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click('12')", Click(target=12)),
        ("click(12)", Click(target=12)),
        ('click("12")', Click(target=12)),
        ("click('[12]')", Click(target=12)),
        ("  Click ( '12' )\n", Click(target=12)),
        ('fill(3, "it\'s")', Fill(target=3, text="it's")),
        (r"fill('3', 'it\'s\n\"so\"')", Fill(target=3, text='it\'s\n"so"')),
        (r"note('\u00e9\ud83d\ude00')", Note(text="é😀")),
        ("fill('3', '')", Fill(target=3, text="")),
        ("select('4', 'Price (low, high)')", Select(target=4, option="Price (low, high)")),
        ("uncheck('5')", Check(target=5, checked=False)),
        ("press('Enter')", Press(key="Enter")),
        ("press('12', 'Control+a')", Press(key="Control+a", target=12)),
        ("scroll('down', '12')", Scroll(direction="down", target=12)),
        ("scroll('Left')", Scroll(direction="left")),
        ("back()", Back()),
        ("type('a b')", Type(text="a b")),
        ("type(3, 'a')", Type(target=3, text="a")),
        ("select('4', 'Red', 'Blue')", Select(target=4, option="Red", more=("Blue",))),
        ("upload('4', 'a.csv')", Upload(target=4, file="a.csv")),
        ("drag('4', 5)", Drag(target=4, to=5)),
        ("drag_by('4', '40', -10)", DragBy(target=4, right=40, down=-10)),
        ("click_at(10.6, 20)", ClickAt(x=11, y=20)),
        ("drag_at(1, 2, 3, 4, 5, 6)", DragAt(points=((1, 2), (3, 4), (5, 6)))),
        ("new_tab()", NewTab()),
        ("focus_tab(2)", FocusTab(tab=2)),
        ("close_tab('2')", CloseTab(tab=2)),
        ("answer_dialog('Accept', 'Ann')", AnswerDialog(accept=True, text="Ann")),
        ("answer_dialog('dismiss')", AnswerDialog(accept=False)),
        ("wait()", Wait()),
        ("wait(0.5)", Wait(seconds=0.5)),
        ("done('two\nlines')", Done(message="two\nlines")),
    ],
)
def test_forms_that_models_write(text: str, action: Action) -> None:
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no action found"),
        ("I will click the button.", "no action found"),
        ("click(12", "comma or '\\)'"),
        ("click('12)", "quotes"),
        ("click('12') click('13')", "exactly one"),
        ("click('12')\nthen I am done", "exactly one"),
        ("click()", r"click\('12'\)"),
        ("click('0')", r"click\('12'\)"),
        ("click('the button')", "number of an element"),
        ("click('12', '13')", "1 argument, not 2"),
        ("fill('12')", "2 arguments, not 1"),
        ("select('12')", "2 or more arguments, not 1"),
        ("scroll('inwards')", "'up', 'down'"),
        ("click_at('left', 3)", "number of pixels"),
        ("click_at(200000, 3)", "less than or equal"),
        ("drag_at(1, 2, 3, 4, 5)", "pairs"),
        ("drag_at(1, 2)", "4 or more"),
        ("answer_dialog('maybe')", "'accept' or 'dismiss'"),
        ("focus_tab(0)", "focus_tab"),
        ("type('')", "type"),
        ("wait(60)", "less than or equal to 10"),
        ("wait('nan')", "wait"),
        ("press('')", "press"),
        ("open('x')", "there is no action 'open'"),
        ("click(element='12')", "quotes"),
        ("__import__('os').system('true')", "exactly one"),
        ("click(6 * 2)", "comma or"),
    ],
)
def test_what_is_no_action_is_refused_by_name(text: str, says: str) -> None:
    with pytest.raises(ActionSyntaxError, match=says):
        parse_action(text)


def test_the_help_lists_forms_that_parse() -> None:
    for line in ACTION_HELP.splitlines():
        form = line.split("  ")[0]
        assert format_action(parse_action(form)).startswith(form.partition("(")[0])


def test_help_can_be_had_for_some_actions_only() -> None:
    assert action_help() == ACTION_HELP
    lines = action_help(["click", "uncheck", "done"]).splitlines()
    assert [line.partition("(")[0] for line in lines] == ["click", "check", "done"]
    with pytest.raises(ValueError, match="clik"):
        action_help(["clik"])


def test_actions_of_older_traces_are_read() -> None:
    read = TypeAdapter[Action](Action).validate_python
    assert read({"name": "select", "target": 3, "option": "Red"}) == Select(target=3, option="Red")
    assert read({"name": "check", "target": 3}) == Check(target=3)
    assert read({"name": "scroll", "direction": "down", "target": None}) == Scroll(direction="down")
