"""Reading replies: whatever stands around the answer, and whatever else a model sends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.llm import OutputMode
from refute.llm._parse import UnusableReply, parse_reply

from .setup import COLOR, FENCED_COLOR, Color

PROSE = st.text(alphabet=st.characters(exclude_characters='{}`"', exclude_categories=["Cs"]), max_size=60)
COLORS = st.builds(Color, color=st.text(min_size=1, max_size=30), shades=st.lists(st.integers(), max_size=4).map(tuple))
MODES = st.sampled_from([OutputMode.TOOL, OutputMode.NATIVE, OutputMode.PROMPTED])


@settings(deadline=None)
@given(color=COLORS, before=PROSE, after=PROSE, mode=MODES)
def test_an_answer_is_found_in_any_prose(color: Color, before: str, after: str, mode: OutputMode) -> None:
    assert parse_reply(f"{before}{color.model_dump_json()}{after}", COLOR, mode) == color


@settings(deadline=None)
@given(color=COLORS, before=PROSE, indent=st.integers(0, 3))
def test_an_answer_is_found_in_a_fence(color: Color, before: str, indent: int) -> None:
    body = json.dumps(color.model_dump(), indent=indent, ensure_ascii=False)
    assert parse_reply(f"{before}\n```json\n{body}\n```\n", COLOR, OutputMode.FENCED) == color


@settings(deadline=None)
@given(color=COLORS)
def test_commas_inside_strings_are_left_alone(color: Color) -> None:
    tricky = color.model_copy(update={"color": color.color + ", } ,]"})
    text = tricky.model_dump_json().removesuffix("}") + ",}"
    assert parse_reply(text, COLOR, OutputMode.PROMPTED) == tricky


@settings(deadline=None)
@given(text=st.one_of(st.text(max_size=200), st.text(alphabet='{}[]",:\\`ab1 \n', max_size=200)), mode=MODES)
def test_any_text_is_read_or_refused_and_nothing_else(text: str, mode: OutputMode) -> None:
    try:
        answer = parse_reply(text, COLOR, mode)
    except UnusableReply:
        return
    assert answer.color


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("blue", "no complete JSON object"),
        ('"blue"', "no complete JSON object"),
        ('["blue"]', "no complete JSON object"),
        ('{"color": "bl', "no complete JSON object"),
        ("{" * 5000, "no complete JSON object"),
        ('{"colour": "blue"}', "color: Field required"),
        ('{"color": "blue", "shades": ["dark"]}', "shades.0: Input should be a valid integer"),
        ("__import__('os').system('true')", "no complete JSON object"),
    ],
)
def test_the_problem_is_worded_for_the_model(text: str, problem: str) -> None:
    with pytest.raises(UnusableReply, match=problem):
        parse_reply(text, COLOR, OutputMode.PROMPTED)


def test_the_object_that_fits_is_taken_when_there_are_several() -> None:
    text = 'The input was {"thing": "sky"}, so the answer is {"color": "blue"}; not {"color": ""}.'
    assert parse_reply(text, COLOR, OutputMode.PROMPTED) == Color(color="blue")


def test_many_problems_are_cut_short() -> None:
    text = json.dumps({"color": "blue", "shades": ["x"] * 40})
    with pytest.raises(UnusableReply, match="and 35 more problems"):
        parse_reply(text, COLOR, OutputMode.PROMPTED)


def test_a_bare_line_break_in_a_string_is_forgiven() -> None:
    assert parse_reply('{"color": "dark\nblue"}', COLOR, OutputMode.TOOL).color == "dark\nblue"


def test_the_fenced_reader_reads_only_in_the_fenced_mode() -> None:
    assert parse_reply("COLOR: red", FENCED_COLOR, OutputMode.FENCED).color == "red"
    with pytest.raises(UnusableReply, match="a line 'COLOR: name' is missing"):
        parse_reply("red", FENCED_COLOR, OutputMode.FENCED)
    answer: Any = parse_reply('{"color": "red"}', FENCED_COLOR, OutputMode.TOOL)
    assert answer == Color(color="red")
