"""Plans, tests, repairs and roles, as traces tell of them."""

from __future__ import annotations

from pathlib import Path

from refute.agents import (
    Commitment,
    Decision,
    Diagnosis,
    Planned,
    Recovery,
    Repaired,
    Retrieved,
    Route,
    Scope,
    Tested,
    Verified,
)
from refute.agents.memory import Found
from refute.goals import Constraint, Task
from refute.llm import ModelCalled, Usage
from refute.revisions import MILESTONE_TRIGGER, Ending, EpisodeEnded, EpisodeStarted
from refute.tables import Tables, read_all, read_tables
from refute.trace import Event, Recorder

TASK = Task(
    id="mug",
    template="mug",
    start_urls=("__SITE__/",),
    initial_instruction="Buy a mug.",
    static_instruction="Buy a mug.",
    constraints=(Constraint(id="mug", text="a mug", bound_to=0),),
)
STARTED = EpisodeStarted(run_id="run", task=TASK, repeat=0, agent="fcp", model="m", simulated=True, seed=0)
WRONG = Diagnosis(scope=Scope.PLANNING, pattern="no mugs here")


def read(out: Path, *events: Event) -> Tables:
    """A trace of these events."""
    with Recorder(out / "run" / "mug" / "0", now=lambda: 1.0) as recorder:
        recorder.record(STARTED)
        for event in events:
            recorder.record(event)
        recorder.record(EpisodeEnded(ending=Ending.DONE))
    return read_tables(out)


def planned(*skills: str | None) -> Planned:
    commitments = tuple(Commitment(number=n, subgoal="go", skill=skill) for n, skill in enumerate(skills, start=1))
    return Planned(reason="start", goal_version=0, commitments=commitments, active=1)


def look(phase: str = "state", route: Route = Route.VERIFY) -> Tested:
    return Tested(phase=phase, number=1, route=route, reason="mixed", milliseconds=2.5)


def answer(phase: str, decision: Decision) -> Verified:
    diagnosis = WRONG if decision is Decision.REPAIR else None
    return Verified(phase=phase, number=1, route=Route.VERIFY, decision=decision, diagnosis=diagnosis)


def test_only_the_first_plan_counts_and_links_stand_in_for_retrieval(tmp_path: Path) -> None:
    [row] = read(tmp_path, planned("search", None, "check out"), planned(None)).plans
    assert (row.commitments, row.linked, row.retrieved, row.covered) == (3, 2, None, True)


def test_where_the_trace_tells_what_was_retrieved_that_counts(tmp_path: Path) -> None:
    found = (Found(name="search", score=0.9), Found(name="along", expanded=True))
    [row] = read(
        tmp_path,
        Retrieved(what="skills", occasion="start", library=9, found=found),
        Retrieved(what="failures", occasion="start", library=4, found=found),
        Retrieved(what="skills", occasion="repair", library=9, found=found),
        planned(None),
    ).plans
    assert (row.retrieved, row.covered) == (1, True)


def test_a_library_in_which_nothing_was_close_covers_no_task(tmp_path: Path) -> None:
    [row] = read(tmp_path, Retrieved(what="skills", occasion="start", library=9), planned("by heart")).plans
    assert (row.retrieved, row.covered) == (0, False)


def test_an_answer_belongs_to_the_last_test_of_its_phase(tmp_path: Path) -> None:
    rows = read(
        tmp_path,
        look("state", Route.CONTINUE),
        look("state"),
        answer("state", Decision.ADVANCE),
        look("precondition"),
        look("action", Route.RISK),
        answer("precondition", Decision.REPAIR),
        answer("action", Decision.REPAIR),
        answer("action", Decision.CONTINUE),  # about no test that is open: nothing to count it to
    ).checks
    assert [(r.phase, r.slow, r.drift, r.scope) for r in rows] == [
        ("state", False, False, ""),
        ("state", True, False, ""),
        ("precondition", True, True, "planning"),
        ("action", True, True, "planning"),
    ]
    assert {r.milliseconds for r in rows} == {2.5}


def test_repairs_and_roles_leave_the_harness_out(tmp_path: Path) -> None:
    def call(role: str, seconds: float) -> ModelCalled:
        return ModelCalled(
            role=role,
            model="m",
            attempts=2,
            seconds=seconds,
            usage=Usage(input_tokens=9, output_tokens=1),
            dollars=seconds / 4,
        )

    tables = read(
        tmp_path,
        call("verifier", 2.0),
        call("verifier", 3.0),
        call(MILESTONE_TRIGGER.name, 50.0),
        Repaired(number=1, scope=Scope.SKILL, recovery=Recovery.RESTART, diagnosis=WRONG),
    )
    [role], [repair], [episode] = tables.roles, tables.repairs, tables.episodes
    assert (role.role, role.calls, role.seconds, role.tokens, role.dollars) == ("verifier", 4, 5.0, 20, 1.25)
    assert (repair.scope, repair.recovery, repair.diagnosed) == ("skill", "restart", "planning")
    assert (episode.calls, episode.model_seconds, episode.tokens, episode.dollars) == (4, 5.0, 20, 1.25)


def test_several_folders_keep_their_rows_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        read(tmp_path / name, planned("search"), look())
    tables = read_all([tmp_path / "a", tmp_path / "b"])
    assert [r.run for r in tables.runs] == ["a/run", "b/run"]
    assert {p.key.run for p in tables.plans} == {c.key.run for c in tables.checks} == {"a/run", "b/run"}
    assert len(tables.run("b/run").checks) == 1


def test_the_rows_of_a_run_and_of_an_episode_are_those_with_their_key(tmp_path: Path) -> None:
    for name in ("a", "b"):
        read(tmp_path / name, planned("search"), look())
    tables = read_all([tmp_path / "a", tmp_path / "b"])
    [first, second] = [e.key for e in tables.episodes]
    assert tables.episode(second) == tables.only({second})
    assert tables.run(first.run).checks == tables.only({first}).checks
    assert tables.run("nothing").episodes == tables.episode(first._replace(repeat=7)).episodes == ()
