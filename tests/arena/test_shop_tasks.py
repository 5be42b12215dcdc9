"""Every task of the shop against the seeded database."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from tests.arena.conftest import EMMA, ORIGIN, Rows, failed, seen, verdicts

from refute.arena import EndState
from refute.arena.shop import ShopWorld, WantedReview, load_tasks, resolve
from refute.goals import Reference, RevisionKind, Task

TASKS = load_tasks()
REVISED = [(task, k) for task in TASKS for k in range(1, len(task.revisions) + 1)]


def branches(task: Task, world: ShopWorld) -> Mapping[str, bool]:
    return world.branches(task, seen())


def test_there_are_tasks_of_every_kind_and_template() -> None:
    kinds = [{r.kind for r in task.revisions} for task in TASKS]
    assert len(TASKS) >= 12
    assert sum(k == {RevisionKind.ADDITIVE} for k in kinds) >= 4
    assert sum(RevisionKind.UNCONDITIONAL in k for k in kinds) >= 4
    assert sum(RevisionKind.CONDITIONAL in k for k in kinds) >= 4
    assert len({task.template for task in TASKS}) >= 5
    splits = {task.template: {t.split for t in TASKS if t.template == task.template} for task in TASKS}
    assert all(len(found) == 1 for found in splits.values())


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_task_is_ready_to_run(task: Task, world: ShopWorld) -> None:
    assert task.sites == ("shop",)
    assert task.account == EMMA
    assert all(url.startswith("__SITE__/") for url in task.start_urls)
    assert all(c.validator is not None for c in task.constraints)
    assert 1 <= len(task.revisions) <= 3
    for revision in task.revisions:
        predicate = revision.milestone.predicate
        assert predicate is not None
        assert not world.holds(predicate, seen())
    for condition in task.conditions.values():
        assert condition.predicate is not None
        args = condition.predicate.args
        assert condition.threshold == args.get("below", args.get("above"))
        assert condition.inclusive == args.get("inclusive", False)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_nothing_counts_as_done_at_the_start(task: Task, world: ShopWorld) -> None:
    active = task.judged(branches(task, world))
    end = EndState(seen=seen(), message="", active=active)
    for constraint in task.constraints:
        assert world.validate(constraint, end).satisfied is not constraint.action, constraint.id
    assert not world.damage(task, end)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_every_stage_of_a_task_can_be_reached(task: Task, gold: Path, tmp_path: Path) -> None:
    for delivered in range(len(task.revisions) + 1):
        with closing(Rows(tmp_path / f"{delivered}.sqlite3", gold)) as rows:
            reach_stage(task, delivered, rows)


def reach_stage(task: Task, delivered: int, rows: Rows) -> None:
    world = ShopWorld(rows.path, ORIGIN)
    active = task.active(delivered, branches(task, world))
    target = resolve(active, world)
    lines = [*(target.order or ()), *(target.basket or ())]
    assert all(line.product.stock >= line.quantity for line in lines)
    message = rows.reach(target)
    assert not failed(verdicts(world, active, message))
    end = EndState(seen=seen(), message=message, active=active)
    assert not world.damage(task, end)
    gone = {t for revision in task.revisions[:delivered] for t in revision.targets}
    for constraint in task.constraints:
        kept = any(c.validator == constraint.validator for c in active)
        assert not (constraint.id in gone and not kept and world.validate(constraint, end).satisfied)


@pytest.mark.parametrize(("task", "k"), REVISED, ids=lambda v: getattr(v, "id", v))
def test_ignoring_a_revision_fails_exactly_what_it_brought(task: Task, k: int, rows: Rows, world: ShopWorld) -> None:
    true = branches(task, world)
    judged = task.judged(true)
    brought = {c.id for c in judged if c.bound_to == k}
    replaced = task.revisions[k - 1].targets
    stale = [c for c in judged if c.bound_to != k] + [c for c in task.constraints if c.id in replaced]
    condition = task.revisions[k - 1].condition
    held = condition is None or true[condition.id]

    message = rows.reach(resolve(stale, world))

    assert brought
    assert failed(verdicts(world, judged, message)) == (brought if held else set())


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_revision_changes_what_it_replaces(task: Task) -> None:
    by_id = {c.id: c for c in task.constraints}
    for k, revision in enumerate(task.revisions, start=1):
        new = [c.validator for c in task.constraints if c.bound_to == k and (c.branch is None or c.branch.when)]
        assert new
        assert not any(
            by_id[target].validator in new
            and by_id[target].validator != Reference(name="best_item", args={"by": "price_asc"})
            for target in revision.targets
        )


def test_conditions_come_out_both_ways(world: ShopWorld) -> None:
    outcomes = {value for task in TASKS for value in branches(task, world).values()}
    assert outcomes == {True, False}


def test_conditions_do_not_move_with_what_an_agent_does(rows: Rows, world: ShopWorld) -> None:
    before = {task.id: branches(task, world) for task in TASKS}
    rows.run("UPDATE partner_stockrecord SET num_allocated = num_in_stock, price = 1")
    rows.run("DELETE FROM reviews_productreview")
    assert {task.id: branches(task, world) for task in TASKS} == before


def test_targets_describe_reviews_completely(world: ShopWorld) -> None:
    task = next(t for t in TASKS if t.id == "write-review.backpack")
    (review,) = resolve(task.judged({}), world).reviews
    assert isinstance(review, WantedReview)
    assert (review.score, review.title) == (4, "Fits a whole weekend")
    assert "zips are stiff" in review.body
