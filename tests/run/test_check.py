"""Proofs of tasks: what is wrong with a task is found and said. Sound tasks are proven by `refute arena check`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from refute import SiteError
from refute.arena import EndState, Instance, Mutant, MutantKind, Seen, Work
from refute.arena.shop import Shop, ShopWorld, load_tasks
from refute.cli._main import cli
from refute.goals import Constraint, Finding, Reference, Task, TruthStep
from refute.run import CheckProgress, CheckResult, Proof, check_suite
from refute.run.check._branches import check_branches, other_editions
from refute.run.check._ends import Ends
from refute.run.check._judge import brought, ignored_problem, noop_problem
from refute.run.check._milestones import check_milestones
from refute.suites import arena_suite
from refute.trace import Recorder, Trace, read_trace

TASKS = {task.id: task for task in load_tasks()}


class LaxWorld(ShopWorld):
    """Takes any colour for the right one, and forgets that something was on a wish list once another thing is."""

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        if constraint.id == "black-tent":
            return Finding(satisfied=bool(self.done().wishlist), evidence="looks black to me")
        return super().validate(constraint, end)

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        if predicate.name == "item_on_wish_list":
            return len(self.done().wishlist) == len(self.baseline.wishlist) + 1
        return super().holds(predicate, seen)


def broken_task() -> Task:
    """Two things to save: the second revision changes nothing, and its condition is true in every state of the shop."""
    task = TASKS["wish-list.tent"].model_dump()
    task["id"] = "wish-list.broken"
    task["revisions"] = [
        *task["revisions"],
        {
            "text": "If it costs more than a dollar, take one that costs more than two.",
            "kind": "override_conditional",
            "targets": ["nothing-ordered"],
            "milestone": {"text": "A bag was saved.", "predicate": {"name": "results_seen", "args": {"kind": "Tent"}}},
            "condition": {
                "id": "dear",
                "text": "It costs more than a dollar.",
                "threshold": 1,
                "inclusive": False,
                "predicate": {"name": "best_match", "args": {"kind": "Tent", "attr": "price", "above": 1}},
            },
        },
    ]
    task["constraints"] = [
        *task["constraints"],
        {
            "id": "above-two",
            "text": "The tent costs more than two dollars.",
            "bound_to": 3,
            "branch": {"condition": "dear", "when": True},
            "validator": {"name": "item", "args": {"slot": "tent", "min_price": 2}},
        },
    ]
    return Task.model_validate(task)


async def test_whatever_is_wrong_with_a_task_is_reported_in_words() -> None:
    suite = replace(
        arena_suite(Shop(world=lambda db, origin, account: LaxWorld(db, origin, account=account))),
        tasks=(broken_task(),),
    )
    said: list[CheckProgress] = []
    result = await check_suite(suite, workers=2, on_progress=said.append)
    (task,) = result.tasks
    problems = "\n".join(task.problems)
    assert "not noticed: wrong_item" in problems
    assert "not color Black" in problems
    assert "ignoring revision 3 fails nothing instead of above-two" in problems
    assert "milestone 2 was true and goes back to false" in problems
    assert "condition 'dear' comes out true in every state of the site" in problems
    assert "its other branch was never proven" in problems
    assert [proof.problem for proof in task.oracle] == ["", ""], "it can be done all the same"
    assert task.mutants.made > task.mutants.caught > 0
    assert (said[-1].done, said[-1].of) == (len(said), len(said))
    figures = json.loads(json.dumps(result.model_dump()))
    assert figures["totals"]["tasks"] == [0, 1]
    assert set(figures["failures"]) == {"wish-list.broken"}
    assert figures["seconds"]["clock"] > 0


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_doing_nothing_must_satisfy_nothing_that_needs_action() -> None:
    active = TASKS["wish-list.tent"].active(0, {})
    assert noop_problem(active, [c.id for c in active if c.action]) == ""
    assert noop_problem(active, ["tent-saved"]) == "doing nothing satisfies halden-tent"


def test_an_override_that_leaves_things_as_they_are_brings_nothing() -> None:
    task = TASKS["report-facts.rain-jacket"]
    by_id = {c.id: c for c in task.constraints}
    assert not brought(task, 1, by_id["still-green"])
    assert brought(task, 1, by_id["black-instead"])
    other = by_id["still-green"].model_copy(update={"validator": Reference(name="item", args={"color": "Red"})})
    assert brought(task, 1, other), "what only the false branch asks for is new"


def test_ignoring_a_revision_fails_just_what_it_brought() -> None:
    task = TASKS["wish-list.tent"]
    active = task.judged({})
    assert ignored_problem(task, 1, active, ["black-tent"], []) == ""
    assert ignored_problem(task, 1, active, [], []) == "ignoring revision 1 fails nothing instead of black-tent"
    assert "instead of" in ignored_problem(task, 1, active, ["black-tent", "tent-saved"], [])


def test_an_overheard_retraction_has_to_show() -> None:
    record = TASKS["wish-list.tent"].model_dump()
    record["revisions"] = [{**record["revisions"][0], "kind": "retraction", "targets": ["nothing-ordered"]}]
    record["constraints"] = [c for c in record["constraints"] if c["bound_to"] == 0]
    task = Task.model_validate(record)
    active = task.judged({})
    assert "goes unnoticed" in ignored_problem(task, 1, active, [], [])
    assert ignored_problem(task, 1, active, [], ["1 x a tent ordered, which nobody asked for"]) == ""
    assert ignored_problem(task, 1, active, ["halden-tent"], []) == ""


# --- ends of mutants -------------------------------------------------------------------------------------------------


class Notebook:
    """A site that only writes down what is done to it."""

    def __init__(self) -> None:
        self.state: tuple[str, ...] = ()
        self.kept: tuple[str, ...] = ()
        self.log: list[str] = []

    async def reset(self, seed: int = 0) -> None:
        self.state = (f"seed {seed}",)
        self.log.append("reset")

    async def keep(self) -> None:
        self.kept = self.state

    async def go_back(self) -> None:
        self.state = self.kept
        self.log.append("back")

    def work(self, name: str) -> Work:
        async def do(instance: Instance) -> None:
            self.state += (name,)
            self.log.append(name)

        return do


async def test_what_mutants_begin_with_is_done_once_and_none_sees_what_another_did() -> None:
    site = Notebook()
    works = {name: site.work(name) for name in ("right", "wrong", "stray", "vote")}
    asked = (("right", "stray"), ("right",), ("wrong",), ("right", "vote"), ("right",))
    mutants = [
        Mutant(kind=MutantKind.DAMAGE, detail="", works=tuple(works[name] for name in names), message="")
        for names in asked
    ]
    ends = Ends(cast("Instance", site), 2, mutants)
    assert sorted(map(mutants.index, ends.mutants)) == sorted(map(mutants.index, mutants))
    names = {work: name for name, work in works.items()}
    for mutant in ends.mutants:
        await ends.bring_about(mutant)
        assert site.state == ("seed 2", *(names[work] for work in mutant.works))
    assert [site.log.count(name) for name in ("right", "reset")] == [1, 2]


async def test_after_a_work_that_fails_the_next_end_begins_anew() -> None:
    site = Notebook()
    right, stray = site.work("right"), site.work("stray")

    async def fail(instance: Instance) -> None:
        site.state += ("half",)
        raise SiteError("no")

    ends = Ends(
        cast("Instance", site),
        0,
        [
            Mutant(kind=MutantKind.DAMAGE, detail="", works=works, message="")
            for works in ((right,), (right, fail), (right, stray), (fail,))
        ],
    )
    for mutant in ends.mutants:
        if fail in mutant.works:
            with pytest.raises(SiteError):
                await ends.bring_about(mutant)
        else:
            await ends.bring_about(mutant)
            assert "half" not in site.state


# --- milestones ------------------------------------------------------------------------------------------------------


def episode(folder: Path, *steps: tuple[Mapping[int, bool], int]) -> Trace:
    with Recorder(folder) as recorder:
        for milestones, distance in steps:
            recorder.record(TruthStep(milestones=milestones, conditions={}, distance=distance))
    return read_trace(folder)


def compare(folder: Path, **episodes: Sequence[tuple[Mapping[int, bool], int]]) -> str:
    task = TASKS["wish-list.tent"]
    traces = {name.replace("_", "-"): episode(folder / name, *steps) for name, steps in episodes.items()}
    return check_milestones(task, traces).problem


NONE, ONE, BOTH = {1: False, 2: False}, {1: True, 2: False}, {1: True, 2: True}


def test_a_milestone_that_comes_at_the_same_stage_on_both_routes_is_one(tmp_path: Path) -> None:
    way = [(NONE, 3), (ONE, 2), (ONE, 1), (BOTH, 0)]
    longer = [(NONE, 3), (NONE, 3), (ONE, 3), (BOTH, 1)]
    assert compare(tmp_path, oracle=way, other_way=longer) == ""


def test_a_milestone_that_goes_back_to_false_is_none(tmp_path: Path) -> None:
    problem = compare(tmp_path, oracle=[(ONE, 2), (BOTH, 1), (ONE, 1)], other_way=[(ONE, 2), (BOTH, 1)])
    assert problem == "milestone 2 was true and goes back to false (oracle)"


def test_milestones_in_another_order_or_at_another_stage_are_told(tmp_path: Path) -> None:
    way = [(NONE, 5), (ONE, 4), (BOTH, 1)]
    problem = compare(tmp_path / "a", oracle=way, other_way=[(NONE, 5), ({1: False, 2: True}, 4), (BOTH, 1)])
    assert "milestone 1 comes in place 1 (oracle) or 2 (other-way)" in problem
    problem = compare(tmp_path / "b", oracle=way, other_way=[(NONE, 5), (ONE, 1), (BOTH, 0)])
    assert problem == "milestone 1 comes with 4 procedures left (oracle) or 1 (other-way)"


def test_in_another_state_of_the_site_a_milestone_may_come_at_another_stage(tmp_path: Path) -> None:
    way = [(ONE, 4), (BOTH, 1)]
    assert compare(tmp_path, oracle=way, other_way=way, edition_1=[(ONE, 9), (BOTH, 5)]) == ""


# --- branches --------------------------------------------------------------------------------------------------------


def conditional() -> Task:
    return TASKS["buy-one.tripod"]


def test_the_fewest_states_that_turn_every_condition_are_chosen() -> None:
    task = conditional().model_copy(update={"seed": 0})
    assert other_editions(task, [{"few-reviews": True}, {"few-reviews": True}, {"few-reviews": False}]) == (2,)
    assert other_editions(task, [{"few-reviews": True}] * 3) == ()
    assert other_editions(TASKS["wish-list.tent"], [{}, {}, {}]) == ()


def test_a_branch_counts_as_proven_only_where_the_oracle_satisfied_everything() -> None:
    task = conditional()
    own, other = Proof(name="oracle", seed=0), Proof(name="edition-2", seed=2)
    proofs = [(own, {"few-reviews": True}), (other, {"few-reviews": False})]
    found = check_branches(task, proofs, editions=3)["few-reviews"]
    assert (dict(found.proven), found.problem) == ({"true": 0, "false": 2}, "")
    failed = [(own, {"few-reviews": True}), (other.model_copy(update={"problem": "x"}), {"few-reviews": False})]
    assert dict(check_branches(task, failed, editions=3)["few-reviews"].proven) == {"true": 0}
    alone = check_branches(task, proofs[:1], editions=3)["few-reviews"]
    assert "comes out true in every state" in alone.problem
    assert check_branches(task, proofs[:1], editions=1)["few-reviews"].problem == "", "it cannot be asked for"


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_shows_what_failed_and_exits_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    async def checked(suite: object, **more: Any) -> CheckResult:
        return CheckResult.model_validate(_sample())

    monkeypatch.setattr("refute.cli._arena.check_suite", checked)
    shown = CliRunner().invoke(cli, ["arena", "check"])
    assert shown.exit_code == 1
    assert "[mutants] not noticed: wrong_item: a red one" in shown.output
    assert "0 of 1 task sound" in shown.output
    told = CliRunner().invoke(cli, ["arena", "check", "--json"])
    figures = json.loads(told.stdout)
    assert told.exit_code == 1
    assert figures["totals"]["mutants"] == [1, 2]
    assert figures["tasks"][0]["mutants"]["missed"] == ["wrong_item: a red one"]


def _sample() -> dict[str, Any]:
    mutants: dict[str, Any] = {
        "made": 2,
        "caught": 1,
        "kinds": {MutantKind.WRONG_ITEM: 2},
        "missed": ["wrong_item: a red one"],
    }
    oracle = [{"name": "oracle", "steps": 9}, {"name": "other-way", "steps": 12}]
    task: dict[str, Any] = {
        "task": "wish-list.tent",
        "oracle": oracle,
        "editions": [],
        "branches": {},
        "noop": {"name": "noop"},
        "ignored": [],
        "mutants": mutants,
        "milestones": {"stages": {}},
    }
    return {"suite": "arena:shop", "tasks": [task], "seconds": {"clock": 1.0}}
