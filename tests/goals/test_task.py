"""Task records: what counts after which revision, and what a broken file tells its author."""

import json
from pathlib import Path
from typing import Any

import pytest

from refute import UserError
from refute.goals import Goal, Revision, Task, read_task, read_tasks


def record(**changes: Any) -> dict[str, Any]:
    """A conditional task: lamp under 60; if it has few reviews, the best rated under 80 instead."""
    base: dict[str, Any] = {
        "id": "lamp",
        "template": "buy-one",
        "start_urls": ["__SITE__/"],
        "initial_instruction": "Order a desk lamp under $60.",
        "static_instruction": "Order a desk lamp under $60, or the best rated under $80 if it has few reviews.",
        "revisions": [
            {"text": "Make it two.", "kind": "additive", "milestone": {"text": "Desk lamps have been listed."}},
            {
                "text": "If it has fewer than 3 reviews, take the best rated one under $80 instead.",
                "kind": "override_conditional",
                "milestone": {"text": "A desk lamp has been chosen."},
                "targets": ["cheap"],
                "condition": {"id": "few-reviews", "text": "The lamp has fewer than 3 reviews."},
            },
        ],
        "constraints": [
            {"id": "kind", "text": "It is a desk lamp.", "bound_to": 0},
            {"id": "cheap", "text": "It costs under $60.", "bound_to": 0},
            {"id": "two", "text": "Two are ordered.", "bound_to": 1},
            {
                "id": "stay",
                "text": "It costs under $60.",
                "bound_to": 2,
                "branch": {"condition": "few-reviews", "when": False},
            },
            {
                "id": "best",
                "text": "It is the best rated.",
                "bound_to": 2,
                "branch": {"condition": "few-reviews", "when": True},
            },
        ],
    }
    return base | changes


def ids(constraints: Any) -> list[str]:
    return [c.id for c in constraints]


def test_what_counts_changes_with_each_revision_and_branch() -> None:
    task = Task.model_validate(record())
    assert ids(task.active(0, {})) == ["kind", "cheap"]
    assert ids(task.active(1, {})) == ["kind", "cheap", "two"]
    assert ids(task.active(2, {"few-reviews": True})) == ["kind", "two", "best"]
    assert ids(task.active(2, {"few-reviews": False})) == ["kind", "two", "stay"]
    assert ids(task.judged({})) == ["kind", "two"], "an unresolved condition keeps neither branch (decision 24)"


def test_an_agent_gets_texts_only() -> None:
    goal = Goal(instructions=("Order a lamp.",)).append(Revision(text="Make it two."))
    assert goal.version == 1
    assert goal.text == "1. Order a lamp.\n2. Make it two."
    assert set(Goal.model_fields) == {"version", "instructions"}
    assert set(Revision.model_fields) == {"text"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"initial_instruction": None}, "initial_instruction"),
        ({"id": "../evil"}, "id"),
        ({"colour": "red"}, "colour"),
        ({"constraints": []}, "constraints"),
        ({"revisions": [], "constraints": [{"id": "kind", "text": "x", "bound_to": 3}]}, "bound to revision 3"),
        (
            {
                "revisions": [
                    {"text": "x", "kind": "override_unconditional", "milestone": {"text": "m"}, "targets": ["nobody"]}
                ]
            },
            "nobody",
        ),
        ({"revisions": [{"text": "x", "kind": "override_conditional", "milestone": {"text": "m"}}]}, "no condition"),
        (
            {"revisions": [{"text": "x", "kind": "additive", "milestone": {"text": "m"}, "targets": ["kind"]}]},
            "additive",
        ),
        ({"revisions": [{"text": "x", "kind": "retraction", "milestone": {"text": "m"}}]}, "targets no constraint"),
        (
            {
                "revisions": [
                    {"text": "x", "kind": "override_unconditional", "milestone": {"text": "m"}, "targets": ["late"]}
                ],
                "constraints": [{"id": "late", "text": "x", "bound_to": 1}],
            },
            "cycle",
        ),
    ],
)
def test_a_broken_record_names_the_fault(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    broken = {key: value for key, value in record(**change).items() if value is not None}
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken))
    with pytest.raises(UserError) as error:
        read_task(path)
    assert complaint in str(error.value)
    assert "broken.json" in str(error.value)
    assert len(str(error.value).splitlines()) < 12


def test_task_files_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"missing\.toml"):
        read_task(tmp_path / "missing.toml")
    (tmp_path / "a.toml").write_text("id = ")
    with pytest.raises(UserError, match="not valid TOML"):
        read_task(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match=r"a\.toml"):
        read_task(tmp_path / "a.toml")


def test_a_folder_without_tasks_and_one_with_twins(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no task files"):
        read_tasks(tmp_path)
    text = Task.model_validate(record()).model_dump_json()
    (tmp_path / "one.json").write_text(text)
    (tmp_path / "two.json").write_text(text)
    with pytest.raises(UserError, match="already has the id 'lamp'"):
        read_tasks(tmp_path)
