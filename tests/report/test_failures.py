"""Signs of failure in traces, and the view that says where to look."""

from __future__ import annotations

from pathlib import Path

from refute.agents import Planned
from refute.browser import Click, Done, Goto
from refute.goals import TruthStep
from refute.report import make_view, view_json
from refute.revisions import Ending
from refute.tables import FailureMode, FailureRow, read_tables

from .scenes import Scene, commitment, lamp_task, mug_task, settings


def found(out: Path) -> dict[FailureMode, FailureRow]:
    settings(out, "fcp", agent="fcp")
    return {row.mode: row for row in read_tables(out).failures}


def write_lamp(out: Path, *satisfied: str, rewritten: bool) -> None:
    """A conditional revision comes after one step; the condition is decided two steps later, and holds."""
    s = Scene(out, lamp_task())
    s.see("Shop", "/")
    s.record(TruthStep(milestones={1: False}, distance=4))
    s.act(Goto(url="http://x/lamps"), "goto('http://x/lamps')")
    s.see("Lamps", "/lamps")
    s.deliver()
    if rewritten:
        s.record(Planned(reason="revision", goal_version=1, commitments=(commitment(1, "Decide"),), active=1))
    for step in (2, 3):
        s.act(Click(target=step), f"click('{step}')", "link")
        s.see(f"Lamp {step}", f"/lamp/{step}")
        s.record(TruthStep(milestones={1: True}, conditions={"few-reviews": True} if step == 3 else {}, distance=4))
    s.act(Done(message="Ordered."), "done('Ordered.')")
    s.judge(dict.fromkeys(satisfied, "seen"), branches={"few-reviews": True})
    s.end(Ending.DONE, "Ordered.", delivered=1)


def test_a_plan_that_changed_and_a_goal_that_was_missed(tmp_path: Path) -> None:
    write_lamp(tmp_path, "lamp", "one", "oak", "still-cheap", rewritten=True)
    rows = found(tmp_path)
    assert set(rows) == {FailureMode.ADAPTED, FailureMode.CONDITION}
    assert (rows[FailureMode.ADAPTED].step, rows[FailureMode.ADAPTED].revision) == (1, 1)
    assert (rows[FailureMode.CONDITION].step, rows[FailureMode.CONDITION].detail) == (
        3,
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
    [row] = sheets["failures"]
    assert (row["n"], row["adapted"]["value"], row["loop"]["value"]) == (1, 1.0, 0.0)
    assert {(r["task"], r["step"], r["failure"]) for r in sheets["places"]} == {
        ("shop-lamp-017", 1, "adapted, not satisfied"),
        ("shop-lamp-017", 3, "condition decided, not acted on"),
    }
