"""The lint: updates that change nothing or are mislabelled are named with row and reason; sound ones are left alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from refute.cli._main import cli
from refute.suites.interruptbench import FILES, Finding, Rule, Severity, lint, parse_records, webarena_tasks

from .interrupts import GOAL, ROWS, configuration, row, write


def found(file: str, *rows: dict[str, Any]) -> list[Finding]:
    return list(lint(file, parse_records(json.dumps(rows), f"{file}.json")).findings)


@pytest.mark.parametrize("file", FILES)
def test_sound_rows_are_left_alone(file: str) -> None:
    assert found(file, ROWS[file]) == []


MODIFICATION = ROWS["2modification"]
MIXED = ROWS["3mixed"]


@pytest.mark.parametrize(
    ("file", "changes", "update", "rule", "severity"),
    [
        ("1update", {"transformed_initial_intent": GOAL + "."}, 0, Rule.UNCHANGED, Severity.ERROR),
        ("1update", {"updates": ["In red", "Three of them"]}, 0, Rule.COUNT, Severity.ERROR),
        ("1update", {"updates": ["Just kettles please"]}, 1, Rule.NO_OP, Severity.WARNING),
        ("1update", {"updates": ["Something for the summer house"]}, 1, Rule.NO_OP, Severity.UNSURE),
        ("2modification", {"updates": [MODIFICATION["updates"][0]] * 2}, 2, Rule.REPEATED, Severity.ERROR),
        (
            "2modification",
            {"updates": ["Sorry, three red ones, not five blue", "Please show three red kettles"]},
            2,
            Rule.NO_OP,
            Severity.WARNING,
        ),
        (
            "2retraction",
            {"updates": ["No lid, shipping at any time", "Just kettles"]},
            2,
            Rule.NO_OP,
            Severity.WARNING,
        ),
        (
            "1retraction",
            {"transformed_initial_intent": "Show me kettles", "updates": ["Three red ones"]},
            1,
            Rule.MISLABELLED,
            Severity.WARNING,
        ),
        (
            "3mixed",
            {"updates_type": ["retraction", "modification", "retraction"]},
            1,
            Rule.MISLABELLED,
            Severity.WARNING,
        ),
        (
            "3mixed",
            {"updates_type": ["addition", "addition", "retraction"]},
            2,
            Rule.MISLABELLED,
            Severity.WARNING,
        ),
        (
            "3mixed",
            {"updates_type": ["addition", "modification", "modification"]},
            3,
            Rule.MISLABELLED,
            Severity.WARNING,
        ),
        ("3mixed", {"updates_type": ["modification"] * 3}, 0, Rule.ONE_TYPE, Severity.WARNING),
        ("1update", {"updates": ["In red"], "intent": f"{GOAL} at Ember"}, 0, Rule.UNSAID, Severity.UNSURE),
    ],
    ids=str,
)
def test_what_is_odd_is_named(file: str, changes: dict[str, Any], update: int, rule: Rule, severity: Severity) -> None:
    findings = found(file, ROWS[file] | {"task_id": 1}, ROWS[file] | {"task_id": 4} | changes)
    odd = [(f.update, f.rule, f.severity) for f in findings if f.task_id == "4" and f.rule is not Rule.DUPLICATE]
    assert (update, rule, severity) in odd
    for finding in findings:
        assert finding.reason
        assert (finding.row, finding.file) == (1, file), "the sound row before it is left alone"


def test_a_row_that_is_there_twice_is_named_by_the_other_task() -> None:
    (finding,) = found("1update", row(3), row(5))
    assert (finding.rule, finding.severity, finding.task_id) == (Rule.DUPLICATE, Severity.ERROR, "5")
    assert "task 3" in finding.reason


def test_words_in_another_order_are_left_to_a_reader() -> None:
    swapped = row(intent="From Leeds to York", transformed_initial_intent="From York to Leeds", updates=["From Leeds"])
    (finding,) = found("1update", swapped)
    assert (finding.rule, finding.severity, finding.update) == (Rule.NO_OP, Severity.UNSURE, 0)


@given(st.lists(st.text(min_size=1, max_size=30), min_size=3, max_size=5))
def test_any_text_can_be_looked_through(texts: list[str]) -> None:
    intent, initial, *updates = texts
    findings = found("2update", row(intent=intent, transformed_initial_intent=initial, updates=updates))
    assert all(f.reason and 0 <= f.update <= len(updates) for f in findings)


def test_the_command_compares_with_the_original_tasks_and_fails_on_errors(tmp_path: Path) -> None:
    write(tmp_path, "1update", [row(0), row(1, transformed_initial_intent="Show kettles of the spring sale, cheapest")])
    run = CliRunner().invoke
    printed = run(cli, ["bench", "lint", str(tmp_path)])
    assert printed.exit_code == 0
    assert "1update: 2 rows, 2 updates (2 addition); 0 updates with" in printed.output
    assert "not compared with the original tasks" in printed.output
    config = [configuration(0), configuration(1, intent="Show me all kettles")]
    (tmp_path / "test_webarena_lite.raw.json").write_text(json.dumps(config))
    assert len(webarena_tasks(tmp_path / "test_webarena_lite.raw.json")) == 2
    printed = run(cli, ["bench", "lint", str(tmp_path), "--json"])
    assert printed.exit_code == 1
    told = json.loads(printed.output)
    assert told["files"][0]["counts"] == {"other-task": {"error": 1}}
    assert told["findings"][0]["task_id"] == "1"
    assert told["findings"][0]["line"] == 10
    chosen = tmp_path / "mine.json"
    chosen.write_text(json.dumps([configuration(0), configuration(1)]))
    assert run(cli, ["bench", "lint", str(tmp_path), "--config", str(chosen)]).exit_code == 0


def test_the_command_says_what_it_looks_for(tmp_path: Path) -> None:
    printed = CliRunner().invoke(cli, ["bench", "lint", str(tmp_path)])
    assert printed.exit_code == 2 or "1update.json" in str(printed.exception)
