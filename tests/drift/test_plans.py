"""Commitments that readers wrote: read strictly, and active when they should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refute import UserError
from refute.arena import site
from refute.drift import drift_tasks, read_plans
from refute.drift._plans import Plan, own_plan, readers_plan
from refute.drift._prompts import without_secrets

from .making import BUY, FIND, drive, state

GOOD: dict[str, Any] = {
    "commitments": [FIND.model_dump(mode="json"), BUY.model_dump(mode="json")],
    "complete_after": [1, 2],
}


def written(folder: Path, answer: object) -> Path:
    (folder / "lamp.json").write_text(json.dumps(answer))
    return folder


def test_a_readers_plan_is_read_and_used_for_its_task(tmp_path: Path) -> None:
    plans = read_plans(written(tmp_path, GOOD))
    plan = readers_plan(drive([]), plans)
    assert plan is not None
    first, last = plan.active(state(1), finished=0), plan.active(state(1), finished=1)
    assert first is not None
    assert last is not None
    assert (first.commitment.subgoal, last.commitment.subgoal) == (FIND.subgoal, BUY.subgoal)
    assert plan.active(state(1), finished=2) is None
    assert readers_plan(drive([]), {}) is None


def test_a_commitment_over_two_procedures_is_claimed_with_the_second() -> None:
    plan = Plan([FIND, BUY], [2, 3])
    active = [plan.active(state(1, claims=True), finished=n) for n in range(3)]
    assert [a and (a.commitment.number, a.claimed) for a in active] == [(1, False), (1, True), (2, True)]


def test_the_simulated_planner_has_a_commitment_for_each_procedure() -> None:
    plan = own_plan(drive([]))
    assert [plan.active(state(1), finished=n) is None for n in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    "change",
    [
        {"complete_after": [2, 1]},
        {"complete_after": [1]},
        {"complete_after": [0, 2]},
        {"complete_after": ["1", "2"]},
        {"notes": "hello"},
        {"commitments": [{**GOOD["commitments"][0], "why": "so"}, GOOD["commitments"][1]]},
        {"commitments": []},
    ],
)
def test_anything_else_is_refused_with_the_files_name(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"lamp\.json"):
        read_plans(written(tmp_path, {**GOOD, **change}))


def test_a_plan_that_does_not_reach_the_end_of_the_route_is_refused(tmp_path: Path) -> None:
    plans = read_plans(written(tmp_path, {**GOOD, "complete_after": [1, 1]}))
    with pytest.raises(UserError, match="lamp"):
        readers_plan(drive([]), plans)


def test_the_plans_that_ship_are_of_tasks_that_are_reported_on() -> None:
    assert read_plans().keys() <= {task.id for task in drift_tasks(site("shop"), "test")}


def test_a_reader_is_not_told_what_only_the_oracle_knows() -> None:
    route = [
        'Open the page of "Arbor Lite Mouse".',
        'Put 1 of "Arbor Lite Mouse" into the basket.',
        'Search for "Desk".',
    ]
    assert without_secrets(route, "Buy a mouse for my desk.") == [
        'Open the page of "A".',
        'Put 1 of "A" into the basket.',
        'Search for "Desk".',
    ]
