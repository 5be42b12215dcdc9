"""Actions as text: what models write, and nothing else, becomes an action."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.browser import (
    ACTION_HELP,
    Action,
    ActionSyntaxError,
    Back,
    Check,
    Click,
    Done,
    Fill,
    Goto,
    Infeasible,
    Note,
    Press,
    Scroll,
    Select,
    Wait,
    format_action,
    parse_action,
)

texts = st.text()
words = st.text(min_size=1)
numbers = st.integers(min_value=1, max_value=999_999_999)
actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, target=numbers),
    st.builds(Fill, target=numbers, text=texts),
    st.builds(Select, target=numbers, option=texts),
    st.builds(Check, target=numbers, checked=st.booleans()),
    st.builds(Press, key=words, target=st.none() | numbers),
    st.builds(Scroll, direction=st.sampled_from(["up", "down"]), target=st.none() | numbers),
    st.builds(Goto, url=words),
    st.just(Back()),
    st.builds(Wait, seconds=st.floats(min_value=0, max_value=10)),
    st.builds(Note, text=texts),
    st.builds(Done, message=texts),
    st.builds(Infeasible, reason=texts),
)


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
        ("back()", Back()),
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
        ("click('12', '13')", "1 arguments, not 2"),
        ("fill('12')", "2 arguments, not 1"),
        ("scroll('left')", "'up' or 'down'"),
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
