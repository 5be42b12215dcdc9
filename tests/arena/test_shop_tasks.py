"""Every task of the shop's customers against the seeded database; those of the staff: `test_dashboard_tasks`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from tests.arena.conftest import EMMA, ORIGIN, Rows, failed, seen, verdicts

from refute.arena import EndState
from refute.arena.shop import ShopWorld, Target, WantedReview, load_tasks, resolve
from refute.arena.shop._asked import trail
from refute.arena.shop._slots import slots_of
from refute.arena.shop._wants import Place, read_wants
from refute.goals import Constraint, Reference, RevisionKind, Task

TASKS = tuple(task for task in load_tasks() if task.account == EMMA)
REVISED = [(task, k) for task in TASKS for k in range(1, len(task.revisions) + 1)]


@pytest.fixture(scope="module")
def worlds(editions: tuple[Path, ...]) -> tuple[ShopWorld, ...]:
    return tuple(ShopWorld(database, ORIGIN) for database in editions)


def branches(task: Task, world: ShopWorld) -> Mapping[str, bool]:
    return world.branches(task, seen())


def retracted(task: Task) -> set[str]:
    """Constraints that a retraction takes back; out of force, they are judged without the rest of their slot."""
    return {t for revision in task.revisions if revision.kind is RevisionKind.RETRACTION for t in revision.targets}


def test_there_are_tasks_of_every_kind_and_template() -> None:
    kinds = [{r.kind for r in task.revisions} for task in TASKS]
    assert len(TASKS) >= 28
    assert sum(k == {RevisionKind.ADDITIVE} for k in kinds) >= 4
    assert sum(RevisionKind.UNCONDITIONAL in k for k in kinds) >= 8
    assert sum(RevisionKind.CONDITIONAL in k for k in kinds) >= 8
    assert sum(RevisionKind.RETRACTION in k for k in kinds) >= 4
    assert {len(task.revisions) for task in TASKS} == {1, 2, 3, 4}
    assert len({task.template for task in TASKS}) >= 8
    splits = {task.template: {t.split for t in TASKS if t.template == task.template} for task in TASKS}
    assert all(len(found) == 1 for found in splits.values())
    assert 0.4 <= sum(task.split == "train" for task in TASKS) / len(TASKS) <= 0.6


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_task_is_ready_to_run(task: Task, world: ShopWorld) -> None:
    assert task.sites == ("shop",)
    assert task.account == EMMA
    assert all(url.startswith("__SITE__/") for url in task.start_urls)
    assert all(c.validator is not None for c in task.constraints)
    assert 1 <= len(task.revisions) <= 4
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
        satisfied = world.validate(constraint, end).satisfied
        if constraint in active:
            assert satisfied is not constraint.action, constraint.id
        elif constraint.id not in retracted(task):
            assert not (satisfied and constraint.action), constraint.id
    assert not world.damage(task, end)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_every_stage_of_a_task_can_be_reached(task: Task, gold: Path, tmp_path: Path) -> None:
    for delivered in range(len(task.revisions) + 1):
        with closing(Rows(tmp_path / f"{delivered}.sqlite3", gold)) as rows:
            reach_stage(task, delivered, rows)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_task_can_be_done_in_every_edition_and_branch(task: Task, worlds: tuple[ShopWorld, ...]) -> None:
    for seed, world in enumerate(worlds):
        for outcomes in product((True, False), repeat=len(task.conditions)):
            came_out = dict(zip(task.conditions, outcomes, strict=True))
            for delivered in range(len(task.revisions) + 1):
                active = task.active(delivered, came_out)
                target = resolve(active, world)  # raises when there is nothing to be had
                assert target != Target(), (seed, delivered)
                assert_the_best_can_be_had(active, world)


def assert_the_best_can_be_had(active: Sequence[Constraint], world: ShopWorld) -> None:
    """The best of those in stock is there in the number that is wanted: else nobody knows what is meant."""
    for slot in slots_of(read_wants(active)).values():
        if slot.rankings and (slot.at(Place.ORDER) or slot.at(Place.BASKET)):
            ranking = slot.rankings[0]
            best = min(ranking.value_of(p) for p in world.catalogue if slot.fits(p) and p.stock > 0)
            assert ranking.value_of(slot.candidates(world.catalogue)[0]) == best


def test_most_conditions_hold_in_some_editions_and_not_in_others(worlds: tuple[ShopWorld, ...]) -> None:
    outcomes = [{world.branches(task, seen())[name] for world in worlds} for task in TASKS for name in task.conditions]
    assert len(outcomes) >= 10
    assert sum(found == {True, False} for found in outcomes) >= 0.8 * len(outcomes)


def reach_stage(task: Task, delivered: int, rows: Rows) -> None:
    world = ShopWorld(rows.path, ORIGIN)
    active = task.active(delivered, branches(task, world))
    target = resolve(active, world)
    lines = [*(target.order or ()), *(target.basket or ())]
    assert all(line.product.stock >= line.quantity for line in lines)
    message = rows.reach(target)
    assert not failed(verdicts(world, active, message, paths=trail(target)))
    end = EndState(seen=seen(*trail(target)), message=message, active=active)
    assert not world.damage(task, end)
    gone = {t for revision in task.revisions[:delivered] for t in revision.targets} - retracted(task)
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
    kept = {c.id for c in judged if c.bound_to == k and c.branch is not None and not c.branch.when}

    target = resolve(stale, world)
    message = rows.reach(target)

    assert brought
    assert failed(verdicts(world, judged, message, paths=trail(target))) == brought - kept


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
