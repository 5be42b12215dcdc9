"""Every task of the shop's staff against the seeded database of its edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.arena.conftest import ORIGIN, Rows, failed, seen, verdicts
from tests.arena.staff import Desk

from refute.arena import EndState, MutantKind
from refute.arena.shop import EDITIONS, load_tasks
from refute.arena.shop.dashboard import StaffOracle, StaffWorld, staff_mutants
from refute.arena.shop.dashboard._simulated import StaffTruth
from refute.arena.shop.dashboard._target import resolve_staff
from refute.arena.shop.dashboard._world import parted
from refute.goals import Constraint, RevisionKind, Task

TASKS = tuple(task for task in load_tasks() if task.account == "admin")
REVISED = [(task, k) for task in TASKS for k in range(1, len(task.revisions) + 1)]


class Edition:
    """A copy of the seeded rows of a task's edition, its truth, and a pen."""

    def __init__(self, folder: Path, gold: Path) -> None:
        self.rows = Rows(folder / "db.sqlite3", gold)
        self.world = StaffWorld(self.rows.path, ORIGIN)
        self.desk = Desk(self.rows)

    def reach(self, constraints: Sequence[Constraint]) -> str:
        """Write the state that satisfies `constraints`; returns the final message."""
        return self.desk.reach(resolve_staff(parted(constraints)[0], self.world.case()))

    def close(self) -> None:
        self.rows.close()


@pytest.fixture
def edition(task: Task, editions: tuple[Path, ...], tmp_path: Path) -> Iterator[Edition]:
    with closing(Edition(tmp_path, editions[task.seed % EDITIONS])) as made:
        yield made


@pytest.fixture(scope="session")
def worlds(editions: tuple[Path, ...]) -> tuple[StaffWorld, ...]:
    """The truth about each edition as seeded; nobody writes there."""
    return tuple(StaffWorld(path, ORIGIN) for path in editions)


@pytest.fixture
def seeded(task: Task, worlds: tuple[StaffWorld, ...]) -> StaffWorld:
    return worlds[task.seed % EDITIONS]


def test_there_are_staff_tasks_of_every_kind_and_template() -> None:
    kinds = {revision.kind for task in TASKS for revision in task.revisions}
    assert kinds == set(RevisionKind)
    assert len(TASKS) >= 12
    assert len({task.template for task in TASKS}) >= 5
    assert {task.seed % EDITIONS for task in TASKS} == set(range(EDITIONS))


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_staff_task_is_ready_to_run(task: Task, seeded: StaffWorld) -> None:
    assert task.start_urls == ("__SITE__/dashboard/",)
    assert 1 <= len(task.revisions) <= 4
    start = seen("/dashboard/")
    for revision in task.revisions:
        assert revision.milestone.predicate is not None
        assert not seeded.holds(revision.milestone.predicate, start)
    assert len({str(revision.milestone.predicate) for revision in task.revisions}) == len(task.revisions)
    for condition in task.conditions.values():
        assert condition.predicate is not None
        args = condition.predicate.args
        assert condition.threshold == args.get("below", args.get("above"))
        assert condition.inclusive == args.get("inclusive", False)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_nothing_counts_as_done_at_the_start(task: Task, seeded: StaffWorld) -> None:
    active = task.judged(seeded.branches(task, seen("/dashboard/")))
    end = EndState(seen=seen("/dashboard/"), message="", active=active)
    for constraint in active:
        assert seeded.validate(constraint, end).satisfied is not constraint.action, constraint.id
    assert not seeded.damage(task, end)


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_what_is_asked_in_the_end_satisfies_everything_and_leaves_nothing_to_do(task: Task, edition: Edition) -> None:
    world = edition.world
    active = task.judged(world.branches(task, seen("/dashboard/")))
    oracle = StaffOracle(task, world)
    assert oracle.distance(active) > 0
    message = edition.reach(active)
    assert not failed(verdicts(world, active, message))
    assert not world.damage(task, EndState(seen=seen(), message=message, active=active))
    left = {type(p).__name__ for p in oracle.remaining(active)}
    assert left <= {"OpenGood", "OpenOrder", "ListOrders", "ListReviews"}


@pytest.mark.parametrize(("task", "k"), REVISED, ids=lambda v: getattr(v, "id", v))
def test_ignoring_a_revision_fails_exactly_what_it_brought(task: Task, k: int, edition: Edition) -> None:
    true = edition.world.branches(task, seen("/dashboard/"))
    judged = task.judged(true)
    brought = {c.id for c in judged if c.bound_to == k}
    replaced = task.revisions[k - 1].targets
    later = {t for n, r in enumerate(task.revisions, start=1) if n != k for t in r.targets}
    stale = [c for c in judged if c.bound_to != k] + [
        c for c in task.constraints if c.id in replaced and c.id not in later
    ]
    condition = task.revisions[k - 1].condition
    held = condition is None or true[condition.id]

    message = edition.reach(stale)

    assert brought
    assert failed(verdicts(edition.world, judged, message)) == (brought if held else set())


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.id)
def test_a_staff_task_has_one_control_and_mutants_of_several_kinds(task: Task, seeded: StaffWorld) -> None:
    mutants = staff_mutants(task, seeded)
    assert [m.kind for m in mutants].count(MutantKind.CONTROL) == 1
    assert len(mutants) >= 8
    assert len({m.kind for m in mutants}) >= 3


@pytest.mark.parametrize(
    "task", [t for t in TASKS if t.template in ("moderate-reviews", "reprice")], ids=lambda t: t.id
)
def test_a_near_miss_puts_another_thing_into_the_plan(task: Task, seeded: StaffWorld) -> None:
    active = task.judged(seeded.branches(task, seen("/dashboard/")))
    truth = StaffTruth(task, seeded)
    missed = truth.near_miss(active, lambda names: names[0])
    assert missed is not None
    right, wrong = (" ".join(p.sentence() for p in truth.plan(active, delusion)) for delusion in (None, missed))
    assert missed.wrong in wrong
    assert missed.wrong not in right
    assert missed.violates


def test_conditions_come_out_both_ways_and_differ_between_editions(worlds: tuple[StaffWorld, ...]) -> None:
    outcomes = {
        (task.id, name): [world.branches(task, seen("/dashboard/"))[name] for world in worlds]
        for task in TASKS
        for name in task.conditions
    }
    own = [found[task.seed % EDITIONS] for task in TASKS for (i, _), found in outcomes.items() if i == task.id]
    assert set(own) == {True, False}
    assert sum(len(set(found)) > 1 for found in outcomes.values()) >= 3
