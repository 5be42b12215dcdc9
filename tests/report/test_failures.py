"""Signs of failure in traces, and the view that says where to look."""

from __future__ import annotations

from pathlib import Path

from refute.agents import Planned
from refute.browser import Click, Done, Goto
from refute.goals import Constraint, TruthStep
from refute.report import make_view, view_json
from refute.revisions import Ending
from refute.tables import FailureMode, FailureRow, read_tables

from .scenes import Scene, commitment, lamp_task, mug_task, settings


def found(out: Path) -> dict[FailureMode, FailureRow]:
    settings(out, "fcp", agent="fcp")
    return {row.mode: row for row in read_tables(out).failures}


def write_lamp(
    out: Path, *satisfied: str, rewritten: bool, blind: bool = False, task: str = "shop-lamp-017", known: bool = True
) -> None:
    """A conditional revision comes after one step; as the shop writes it, every step tells how its condition stands."""
    s = Scene(out, lamp_task(task))
    s.see("Shop", "/")
    decided = {"few-reviews": True}
    s.record(TruthStep(milestones={1: False}, conditions=decided, distance=4))
    s.act(Goto(url="http://x/lamps"), "goto('http://x/lamps')")
    s.see("Lamps", "/lamps")
    s.deliver()
    if rewritten:
        s.record(Planned(reason="revision", goal_version=1, commitments=(commitment(1, "Decide"),), active=1))
    for step in (2, 3):
        s.act(Click(target=step), f"click('{step}')", "link")
        s.see(f"Lamp {step}", f"/lamp/{step}")
        s.record(TruthStep(milestones={1: True}, conditions=decided, distance=None if blind else 4))
    s.act(Done(message="Ordered."), "done('Ordered.')")
    if known:
        s.judge(dict.fromkeys(satisfied, "seen"), branches=decided)
    s.end(Ending.DONE, "Ordered.", delivered=1)


def test_a_plan_that_changed_and_a_goal_that_was_missed(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", "one", "oak", "still-cheap", rewritten=True)
    rows = found(tmp_path)
    assert set(rows) == {FailureMode.ADAPTED, FailureMode.CONDITION}
    assert (rows[FailureMode.ADAPTED].step, rows[FailureMode.ADAPTED].revision) == (1, 1)
    assert (rows[FailureMode.CONDITION].step, rows[FailureMode.CONDITION].detail) == (
        1,
        "the other branch was carried out",
    )


def test_a_revision_that_nothing_followed(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", rewritten=False)
    rows = found(tmp_path)
    assert set(rows) == {FailureMode.OVERHEARD, FailureMode.CONDITION}
    assert rows[FailureMode.CONDITION].detail == "neither branch was carried out"


def test_what_is_satisfied_is_no_failure(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", "one", "oak", "rated", rewritten=False)
    assert found(tmp_path) == {}


def test_a_loop_is_told_once_where_it_begins(tmp_path: Path) -> None:
    s = Scene(tmp_path, mug_task())
    for _ in range(5):
        for page in ("/a", "/b"):
            s.see("Page", page)
            s.act(Click(target=1), "click('1')", f'link "to {page}"')
    s.judge({"mug": "yes", "two": "yes", "towel": "yes"})
    s.end(Ending.BUDGET)
    row = found(tmp_path)[FailureMode.LOOP]
    assert row.step == 5  # the third time on the first page
    assert row.detail == "click('1') link \"to /a\", and 1 more"


def test_the_view_counts_episodes_and_says_where_to_look(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", rewritten=True)
    settings(tmp_path, "fcp", agent="fcp")
    sheets = {s["name"]: s["rows"] for s in view_json(make_view("failures", read_tables(tmp_path)))["tables"]}
    shares = {row["failure"]: (row["n"], row["share"]["value"]) for row in sheets["failures"]}
    assert (shares["adapted, not satisfied"], shares["loop"]) == ((1, 1.0), (1, 0.0))
    assert {(r["task"], r["step"], r["failure"]) for r in sheets["places"]} == {
        ("shop-lamp-017", 1, "adapted, not satisfied"),
        ("shop-lamp-017", 1, "condition's branch not satisfied"),
    }


def test_nobody_says_that_nothing_was_done_where_nothing_could_be_seen(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", rewritten=False, blind=True)
    assert set(found(tmp_path)) == {FailureMode.CONDITION}
    assert [d.reacted for d in read_tables(tmp_path).deliveries] == [None]


def test_a_constraint_of_no_branch_says_nothing_of_the_condition(tmp_path: Path) -> None:
    both = Constraint(id="told", text="The message names the lamp", bound_to=1)
    s = Scene(tmp_path, lamp_task(constraints=(*lamp_task().constraints, both)))
    s.see("Shop", "/")
    s.deliver()
    s.judge(dict.fromkeys(("lamp", "one", "oak", "rated"), "seen"), branches={"few-reviews": True})
    s.end(Ending.DONE, "Ordered.", delivered=1)
    assert FailureMode.CONDITION not in found(tmp_path)


def test_shares_are_of_the_episodes_in_which_a_failure_could_be_seen(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", rewritten=True, task="lamp-1")
    write_lamp(tmp_path, "lamp", "one", "oak", "rated", rewritten=False, task="lamp-2")
    write_lamp(tmp_path, rewritten=False, known=False, task="lamp-3")  # unknown truth is no satisfied constraint
    write_lamp(tmp_path, "lamp", rewritten=False, blind=True, task="lamp-4")
    settings(tmp_path, "fcp", agent="fcp")
    sheets = {s["name"]: s["rows"] for s in view_json(make_view("failures", read_tables(tmp_path)))["tables"]}
    rows = {row["failure"]: row for row in sheets["failures"]}
    told = {name: (row["n"], row["share"]["value"]) for name, row in rows.items()}
    assert told == {
        "progress discarded by a reset": (0, None),
        "adapted, not satisfied": (2, 0.5),
        "revision not reacted to": (2, 0.0),
        "condition's branch not satisfied": (3, 2 / 3),
        "loop": (4, 0.0),
    }
