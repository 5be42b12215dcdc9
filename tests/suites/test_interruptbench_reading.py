"""Records in InterruptBench's format are read row by row: a bad one is named, and costs no other."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from refute import UserError
from refute.suites.interruptbench import FILES, Trouble, parse_records, read_records

from .interrupts import GOAL, ROWS, row, write


@pytest.mark.parametrize("file", FILES)
def test_each_published_shape_is_read(file: str, tmp_path: Path) -> None:
    reading = read_records(write(tmp_path, file, [ROWS[file], ROWS[file] | {"task_id": 1, "votes": 3}]))
    assert reading.problems == ()
    first, second = reading.records
    assert (first.task_id, second.task_id, second.row, second.file) == ("0", "1", 1, file)
    assert [u.text for u in first.updates] == ROWS[file]["updates"]
    kinds = {"update": "addition", "modification": "modification", "retraction": "retraction"}
    expected = ROWS[file].get("updates_type") or [kinds[file[1:]]] * int(file[0])
    assert [u.type for u in first.updates] == expected


@pytest.mark.parametrize(
    ("bad", "field", "trouble"),
    [
        ([], "", Trouble.SHAPE),
        (None, "", Trouble.SHAPE),
        (row(task_id=True), "task_id", Trouble.WRONG_TYPE),
        (row(task_id=-1), "task_id", Trouble.WRONG_TYPE),
        (row(task_id=""), "task_id", Trouble.EMPTY),
        (row(task_id=7), "task_id", Trouble.DUPLICATE),
        (row(intent=""), "intent", Trouble.EMPTY),
        (row(intent=["x"]), "intent", Trouble.WRONG_TYPE),
        (row(intent="half \ud800"), "intent", Trouble.WRONG_TYPE),
        ({"task_id": 1, "intent": GOAL, "updates": ["x"]}, "transformed_initial_intent", Trouble.MISSING),
        (row(updates=[]), "updates", Trouble.EMPTY),
        (row(updates="red"), "updates", Trouble.WRONG_TYPE),
        (row(updates=["red", " "]), "updates.1", Trouble.EMPTY),
        (row(updates=["red", 3]), "updates.1", Trouble.WRONG_TYPE),
        (row(updates_type=["addition", "addition"]), "updates_type", Trouble.SHAPE),
        (row(updates_type=["swap"]), "updates_type.0", Trouble.UNKNOWN_TYPE),
    ],
    ids=str,
)
def test_a_bad_row_is_named_and_costs_no_other(bad: Any, field: str, trouble: Trouble, tmp_path: Path) -> None:
    reading = read_records(write(tmp_path, "1update", [row(7), bad, row(8)]))
    assert [r.task_id for r in reading.records] == ["7", "8"]
    (problem,) = reading.problems
    assert (problem.row, problem.field, problem.trouble) == (1, field, trouble)
    assert str(problem).startswith(f"1update.json, line {problem.line} (row 1")
    assert problem.cure
    with pytest.raises(UserError, match=r"1 row\(s\) cannot be used"):
        reading.strict()


def test_a_mixed_file_must_tell_its_types(tmp_path: Path) -> None:
    (problem,) = read_records(write(tmp_path, "3mixed", [row()])).problems
    assert (problem.field, problem.trouble) == ("updates_type", Trouble.MISSING)


def test_a_file_that_is_torn_keeps_what_is_whole(tmp_path: Path) -> None:
    path = write(tmp_path, "1update", [row(n) for n in range(5)])
    lines = path.read_text().splitlines()
    second = lines.index("  {", 2)
    path.write_text("\n".join(lines[: second + 2] + lines[second + 4 :]))  # a row loses its middle
    reading = read_records(path)
    assert [r.task_id for r in reading.records] == ["0", "2", "3", "4"]
    (problem,) = reading.problems
    assert (problem.trouble, problem.line) == (Trouble.MISSING, second + 1)
    text = path.read_text()
    path.write_text(text[: text.rindex("spring")])  # the end is cut off
    reading = read_records(path)
    assert [r.task_id for r in reading.records] == ["0", "2", "3"]
    assert reading.problems[-1].trouble is Trouble.SYNTAX


@given(cut=st.integers(0, 2000), junk=st.text(max_size=12))
def test_no_damage_makes_the_reader_fall_or_invent_a_row(cut: int, junk: str) -> None:
    """Whatever is put into a file: the rows before the damage are all there, and no row is there twice."""
    whole = json.dumps([row(n) for n in range(6)], indent=1)
    reading = parse_records(whole[:cut] + junk + whole[cut:], "1update.json")
    before = whole[:cut].count("}")
    assert [r.task_id for r in reading.records[:before]] == [str(n) for n in range(before)]
    assert len({r.task_id for r in reading.records}) == len(reading.records)
    assert len({r.row for r in (*reading.records, *reading.problems)}) == len(reading.records) + len(reading.problems)


fields = st.dictionaries(
    st.sampled_from(["task_id", "intent", "transformed_initial_intent", "updates", "updates_type", "other"]),
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda s: st.lists(s, max_size=3)),
)


@examples(max_examples=50)
@given(rows=st.lists(fields | st.just(row()), min_size=1, max_size=6))
def test_every_row_is_either_a_record_or_a_problem(rows: list[Any]) -> None:
    reading = parse_records(json.dumps(rows), "2update.json")
    assert sorted(r.row for r in (*reading.records, *reading.problems)) == list(range(len(rows)))
    assert len({r.task_id for r in reading.records}) == len(reading.records)


def test_what_holds_no_records_says_what_it_should_hold(tmp_path: Path) -> None:
    path = tmp_path / "1update.json"
    path.write_text("[]")
    with pytest.raises(UserError, match="JSON array of objects"):
        read_records(path)
    with pytest.raises(UserError, match="cannot read"):
        read_records(tmp_path / "2update.json")
