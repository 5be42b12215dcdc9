"""The simulated judge sees the recorded truth through its noise, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from refute.arena import JudgeNoise, SimulatedJudge
from refute.browser import Acted, Click, Done, Observed, Outcome
from refute.goals import (
    Branch,
    Condition,
    Constraint,
    Finding,
    Milestone,
    MistakeStarted,
    Reference,
    RevisionKind,
    Task,
    TaskRevision,
    TruthVerdict,
)
from refute.judge import JudgeIdentity, judge_runs
from refute.metrics import Agreement, agreement, responses, score_judged, wra
from refute.revisions import Delivered, Ending, EpisodeEnded, EpisodeStarted, Strategy, TriggerMode
from refute.tables import JudgedRow, read_judged, read_tables
from refute.trace import Recorder, read_trace


def lamp_task(name: str) -> Task:
    """Two constraints at the start, one by message; a condition with two branches after the revision."""

    def constraint(name: str, validator: str, bound_to: int = 0, when: bool | None = None) -> Constraint:
        branch = None if when is None else Branch(condition="few", when=when)
        return Constraint(id=name, text=name, bound_to=bound_to, branch=branch, validator=Reference(name=validator))

    return Task(
        id=name,
        template="lamp",
        start_urls=("__SITE__/",),
        initial_instruction="Order a lamp.",
        static_instruction="Order a lamp.",
        revisions=(
            TaskRevision(
                text="With few reviews, a dear one.",
                kind=RevisionKind.CONDITIONAL,
                milestone=Milestone(text="Lamps were seen."),
                condition=Condition(id="few", text="It has few reviews."),
            ),
        ),
        constraints=(
            constraint("ordered", "ordered"),
            constraint("told", "message_states"),
            constraint("cheap", "item", 1, False),
            constraint("dear", "item", 1, True),
        ),
    )


def write(out: Path, count: int, *, truth: bool = True) -> None:
    """Episodes of which every other one satisfies everything, and every third overhears its revision."""
    for n in range(count):
        task = lamp_task(f"lamp-{n:03}")
        with Recorder(out / "run" / task.id / "0") as recorder:
            recorder.record(
                EpisodeStarted(
                    run_id="run", task=task, repeat=0, agent="react", model="simulated", simulated=True, seed=0
                )
            )
            recorder.record(Observed(url="http://127.0.0.1/", title="Lamps", text="# Lamps"))
            revision = task.revisions[0].text
            recorder.record(Delivered(revision=1, text=revision, mode=TriggerMode.PREDICATE, strategy=Strategy.APPEND))
            if n % 3 == 0:
                detail = f"revision 1: {revision}"
                recorder.record(MistakeStarted(id=1, mistake="ignored_revision", scope="planning", detail=detail))
            recorder.step = 1
            recorder.record(Acted(action=Click(target=1), text="click('1')", outcome=Outcome()))
            recorder.record(Observed(url="http://127.0.0.1/1/", title="Order 1", text="# Thank you"))
            recorder.step = 2
            recorder.record(Acted(action=Done(message="2 reviews."), text="done('2 reviews.')", outcome=Outcome()))
            if truth:
                findings = {c.id: Finding(satisfied=n % 2 == 0) for c in task.constraints}
                recorder.record(TruthVerdict(findings=findings, branches={"few": True}))
            recorder.record(EpisodeEnded(ending=Ending.DONE, message="2 reviews.", delivered=1))


async def judge(
    out: Path, noise: JudgeNoise, *, seed: int = 0, name: str = "s"
) -> tuple[tuple[JudgedRow, ...], Agreement]:
    identity = JudgeIdentity(name=name, model="simulated", simulated=True, seed=seed)
    await judge_runs(out, identity, lambda trace: SimulatedJudge.of(trace, noise=noise, seed=seed))
    tables = read_tables(out)
    rows = read_judged(tables, judge=name)
    return rows, agreement(tables, rows)


async def test_without_noise_judge_and_truth_agree_about_everything(tmp_path: Path) -> None:
    write(tmp_path, 12)
    rows, found = await judge(tmp_path, JudgeNoise.none())
    assert (found.confusion.total, found.confusion.accuracy, found.kappa.value) == (36, 1.0, 1.0)
    assert (found.other_branch, found.undecided, found.disagreements) == (0, 0, ())
    assert score_judged(rows).value == 0.5
    assert [row.responses[0].responsive for row in rows] == [n % 3 != 0 for n in range(12)]
    assert wra(responses(read_tables(tmp_path), rows)).value == pytest.approx(8 / 12)
    assert {row.branches["few"] for row in rows} == {"true"}


async def test_sensitivity_and_specificity_are_what_is_measured(tmp_path: Path) -> None:
    """Over 99 constraints of each kind; the bounds are four standard deviations wide."""
    write(tmp_path, 66)
    noise = JudgeNoise.none().model_copy(update={"sensitivity": 0.8, "specificity": 0.7})
    _, found = await judge(tmp_path, noise)
    assert found.confusion.total == 66 * 3
    assert found.confusion.recall == pytest.approx(0.8, abs=0.16)
    assert found.specificity == pytest.approx(0.7, abs=0.19)
    assert len(found.disagreements) == found.confusion.fp + found.confusion.fn
    assert found.simulated


async def test_a_judge_that_misreads_conditions_counts_other_constraints(tmp_path: Path) -> None:
    write(tmp_path, 6)
    _, found = await judge(tmp_path, JudgeNoise.none().model_copy(update={"branch_accuracy": 0.0}))
    assert (found.confusion.total, found.other_branch) == (12, 6)
    _, silent = await judge(tmp_path, JudgeNoise.none().model_copy(update={"branch_reported": 0.0}), name="silent")
    assert (silent.confusion.total, silent.confusion.fn, silent.other_branch) == (18, 3, 0)


async def test_the_same_judge_says_the_same_and_another_seed_may_not(tmp_path: Path) -> None:
    write(tmp_path, 10)
    first, _ = await judge(tmp_path, JudgeNoise())
    again, _ = await judge(tmp_path, JudgeNoise())
    other, _ = await judge(tmp_path, JudgeNoise(), seed=1, name="other")
    assert [row.constraints for row in first] == [row.constraints for row in again]
    assert [row.constraints for row in first] != [row.constraints for row in other]
    assert all(row.simulated for row in first)


async def test_without_recorded_truth_it_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, 1, truth=False)
    assert SimulatedJudge.of(read_trace(tmp_path / "run" / "lamp-000" / "0")) is None
    result = await judge_runs(
        tmp_path, JudgeIdentity(name="s", model="simulated", simulated=True), lambda trace: SimulatedJudge.of(trace)
    )
    assert (result.judged, result.left_out) == ((), {"unknown_truth": 1})
