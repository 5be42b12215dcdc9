"""What a person who keeps runs on disk relies on: everything readable is read, and nothing broken hides the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from refute import UserError
from refute.agents.fcp._commitment import Diagnosis, Repaired, Scope
from refute.browser import Acted, Note
from refute.budget import Spent
from refute.goals import (
    Branch,
    Condition,
    Constraint,
    Finding,
    Milestone,
    MistakeEnded,
    MistakeStarted,
    RevisionKind,
    Task,
    TaskRevision,
    TruthStep,
    TruthVerdict,
)
from refute.llm import ModelCalled, Usage
from refute.revisions import (
    BrowserReset,
    Delivered,
    Ending,
    EpisodeEnded,
    EpisodeStarted,
    Strategy,
    TriggerAsked,
    TriggerMode,
)
from refute.tables import EpisodeKey, Status, TaskKind, Timing, read_tables
from refute.trace import EVENTS, Event, Recorder


def revision(kind: RevisionKind = RevisionKind.ADDITIVE, **more: object) -> TaskRevision:
    return TaskRevision.model_validate(
        {"text": "And this.", "kind": kind, "milestone": Milestone(text="Seen."), **more}
    )


ADDITIVE = Task(
    id="add-1",
    template="add",
    start_urls=("__SITE__/",),
    initial_instruction="Do it.",
    static_instruction="Do all.",
    revisions=(revision(), revision()),
    constraints=(
        Constraint(id="a", text="a", bound_to=0),
        Constraint(id="b", text="b", bound_to=1),
        Constraint(id="c", text="c", bound_to=2),
    ),
)

CONDITIONAL = ADDITIVE.model_copy(
    update={
        "id": "cond-1",
        "revisions": (
            revision(RevisionKind.CONDITIONAL, targets=("a",), condition=Condition(id="x", text="it rains")),
        ),
        "constraints": (
            Constraint(id="a", text="a", bound_to=0),
            Constraint(id="b", text="b", bound_to=0),
            Constraint(id="wet", text="wet", bound_to=1, branch=Branch(condition="x", when=True)),
            Constraint(id="dry", text="dry", bound_to=1, branch=Branch(condition="x", when=False)),
        ),
    }
)


def delivered(number: int, *, forced: bool = False) -> Delivered:
    return Delivered(
        revision=number, text="And this.", mode=TriggerMode.MILESTONE, strategy=Strategy.APPEND, forced=forced
    )


def acted() -> Acted:
    return Acted(action=Note(text="x"), text="note('x')")


def judged(satisfied: str, task: Task = ADDITIVE, branches: Mapping[str, bool] | None = None) -> TruthVerdict:
    found = {c.id: Finding(satisfied=c.id in satisfied.split(), evidence=f"saw {c.id}") for c in task.constraints}
    return TruthVerdict(findings=found, branches=branches or {})


def write(
    out: Path,
    *events: Event,
    task: Task = ADDITIVE,
    run: str = "r1",
    repeat: int = 0,
    ending: Ending | None = Ending.DONE,
) -> Path:
    folder = out / run / task.id / str(repeat)
    with Recorder(folder, now=iter(float(n) for n in range(100, 10_000, 2)).__next__) as recorder:
        recorder.record(
            EpisodeStarted(run_id=run, task=task, repeat=repeat, agent="fcp", model="m", simulated=True, seed=3)
        )
        for event in events:
            if isinstance(event, Acted):
                recorder.step += 1
            recorder.record(event)
        if ending is not None:
            recorder.record(EpisodeEnded(ending=ending, message="the end", spent=Spent(steps=recorder.step)))
    return folder


def satisfied(out: Path) -> dict[str, bool | None]:
    return {c.id: c.satisfied for c in read_tables(out).constraints if c.active}


def test_an_undelivered_revisions_constraint_is_unsatisfied_even_if_the_validator_likes_it(tmp_path: Path) -> None:
    write(tmp_path, acted(), delivered(1), acted(), judged("a b c"))
    assert satisfied(tmp_path) == {"a": True, "b": True, "c": False}


@pytest.mark.parametrize(("holds", "counting"), [(True, ["b", "wet"]), (False, ["b", "dry"])])
def test_only_the_branch_that_really_holds_counts(tmp_path: Path, holds: bool, counting: Sequence[str]) -> None:
    write(tmp_path, delivered(1), judged("b wet", CONDITIONAL, {"x": holds}), task=CONDITIONAL)
    tables = read_tables(tmp_path)
    assert [c.id for c in tables.constraints if c.active] == counting
    left = {c.id: c.why for c in tables.constraints if not c.active}
    assert left["a"] == "replaced by revision 1"
    assert "it rains" in left["dry" if holds else "wet"]


def test_what_an_undelivered_override_replaces_does_not_count_either(tmp_path: Path) -> None:
    write(tmp_path, judged("a b wet", CONDITIONAL, {"x": True}), task=CONDITIONAL)
    assert satisfied(tmp_path) == {"b": True, "wet": False}


def test_an_episode_without_a_last_event_is_unfinished(tmp_path: Path) -> None:
    write(tmp_path, acted(), acted(), ending=None)
    (episode,) = read_tables(tmp_path).episodes
    assert episode.status is Status.UNFINISHED
    assert (episode.steps, episode.judged) == (2, False)


def test_a_torn_last_line_keeps_what_came_before(tmp_path: Path) -> None:
    folder = write(tmp_path, acted(), delivered(1), ending=None)
    with (folder / EVENTS).open("ab") as file:
        file.write(b'{"kind":"acted","v":1,')
    (episode,) = read_tables(tmp_path).episodes
    assert (episode.status, episode.torn, episode.delivered) == (Status.UNFINISHED, True, 1)


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b'{"kind":"acted"}',
        b"\xff\xfe",
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_a_broken_trace_is_a_row_with_an_error_and_the_others_stay(tmp_path: Path, line: bytes) -> None:
    broken = write(tmp_path, acted(), repeat=0)
    write(tmp_path, acted(), judged("a b c"), repeat=1)
    path = broken / EVENTS
    path.write_bytes(line + b"\n" + path.read_bytes())
    first, second = read_tables(tmp_path).episodes
    assert (first.status, second.status) == (Status.UNREADABLE, Status.DONE)
    assert first.error
    assert first.key == EpisodeKey("r1", "add-1", 0)


def test_an_unknown_kind_of_event_does_no_harm_and_is_counted(tmp_path: Path) -> None:
    folder = write(tmp_path, judged("a"))
    path = folder / EVENTS
    news = b'{"kind":"from_the_future","v":9,"time":null,"step":"?","news":[1]}\n'
    path.write_bytes(news + path.read_bytes())
    row = read_tables(tmp_path).episodes[0]
    assert row.status is Status.DONE
    assert row.unknown == {"from_the_future v9": 1}


def test_runs_below_one_folder_are_joined(tmp_path: Path) -> None:
    for run in ("one", "two"):
        write(tmp_path, judged("a"), run=run)
    (tmp_path / "one" / "run.json").write_text(
        json.dumps({"suite": "arena:shop", "agent": "fcp", "model": "m2", "seed": 5, "created": "2026-11-30", "new": 1})
    )
    tables = read_tables(tmp_path)
    one, two = sorted(tables.runs, key=lambda r: r.run)
    assert (one.suite, one.model, one.seed, one.error, one.settings["new"]) == ("arena:shop", "m2", 5, "", 1)
    assert (two.agent, two.model, two.seed, two.simulated) == ("fcp", "m", 3, True)
    assert "run.json" in two.error
    assert len(tables.run("one").episodes) == 1


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"agent": {"x": 1}, "seed": "seven"}'])
def test_a_broken_run_file_loses_no_episode(tmp_path: Path, content: str) -> None:
    write(tmp_path, judged("a"))
    (tmp_path / "r1" / "run.json").write_text(content)
    tables = read_tables(tmp_path)
    assert tables.runs[0].agent == "fcp"
    assert len(tables.episodes) == 1


def test_a_runs_own_folder_can_be_read_too(tmp_path: Path) -> None:
    write(tmp_path, judged("a"))
    assert read_tables(tmp_path / "r1").episodes[0].key == EpisodeKey("r1", "add-1", 0)


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="refute bench run"):
        read_tables(tmp_path)
    with pytest.raises(UserError, match="refute bench run"):
        read_tables(tmp_path / "nowhere")


def test_repeats_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for repeat in (10, 2, 0):
        write(tmp_path, judged("a"), repeat=repeat)
    assert [e.key.repeat for e in read_tables(tmp_path).episodes] == [0, 2, 10]


def test_an_episode_that_was_run_again_in_the_same_folder_counts_once(tmp_path: Path) -> None:
    write(tmp_path, acted(), acted(), delivered(1), ending=None)
    write(tmp_path, acted(), judged("a"))
    (episode,) = read_tables(tmp_path).episodes
    assert (episode.status, episode.steps, episode.delivered) == (Status.DONE, 1, 0)


def test_a_harness_error_keeps_its_words(tmp_path: Path) -> None:
    write(tmp_path, acted(), ending=Ending.HARNESS_ERROR)
    (episode,) = read_tables(tmp_path).episodes
    assert (episode.error, episode.message, episode.status.error) == ("the end", "", True)


@pytest.mark.parametrize(("second", "dollars"), [(0.5, 0.75), (None, None)])
def test_costs_are_added_up_and_a_sum_with_an_unknown_price_is_unknown(
    tmp_path: Path, second: float | None, dollars: float | None
) -> None:
    calls = [
        ModelCalled(role="r", model="m", usage=Usage(input_tokens=10, output_tokens=n), dollars=price)
        for n, price in ((1, 0.25), (2, second))
    ]
    write(tmp_path, *calls, judged("a"))
    (episode,) = read_tables(tmp_path).episodes
    assert (episode.tokens, episode.dollars) == (23, dollars)
    assert episode.seconds == 8.0  # Five events, two seconds apart.


@pytest.mark.parametrize(
    ("before", "now", "timing"),
    [
        (False, False, Timing.EARLY),
        (False, True, Timing.ALIGNED),
        (True, True, Timing.LATE),
        (True, False, Timing.LATE),
    ],
)
def test_timing_follows_the_milestones_truth(tmp_path: Path, before: bool, now: bool, timing: Timing) -> None:
    steps = (acted(), TruthStep(milestones={1: before}), acted(), TruthStep(milestones={1: now}), delivered(1))
    write(tmp_path, *steps, acted(), acted(), judged("a"))
    first, second = read_tables(tmp_path).deliveries
    assert (first.timing, first.step, first.position) == (timing, 2, 0.5)
    assert (second.timing, second.step) == (None, None)


def test_a_mistake_is_noticed_by_a_repair_while_it_lasts(tmp_path: Path) -> None:
    repaired = Repaired(number=1, scope=Scope.PLANNING, diagnosis=Diagnosis(scope=Scope.PLANNING))
    mistakes = [MistakeStarted(id=n, mistake="wrong_branch", scope="execution") for n in (1, 2, 3)]
    over = [MistakeEnded(id=n, how="recovered") for n in (1, 2)]
    write(tmp_path, mistakes[0], acted(), over[0], mistakes[1], acted(), repaired, over[1], acted(), mistakes[2])
    missed, noticed, open_ = read_tables(tmp_path).mistakes
    assert (missed.noticed, missed.ended) == (None, 1)
    assert (noticed.started, noticed.noticed, noticed.ended, noticed.attributed) == (1, 2, 2, "planning")
    assert (open_.noticed, open_.ended) == (None, None)


def test_a_tasks_kind_is_its_strongest_revision(tmp_path: Path) -> None:
    write(tmp_path, task=CONDITIONAL, run="a")
    write(tmp_path, task=ADDITIVE, run="b")
    write(
        tmp_path,
        task=ADDITIVE.model_copy(update={"revisions": (), "constraints": CONDITIONAL.constraints[:1]}),
        run="c",
    )
    kinds = [e.kind for e in read_tables(tmp_path).episodes]
    assert kinds == [TaskKind.CONDITIONAL, TaskKind.ADDITIVE, TaskKind.STATIC]


def test_the_page_after_a_reset_is_not_the_state_of_the_delivery(tmp_path: Path) -> None:
    asked = TriggerAsked(revision=1, fired=True, reached=True, confidence=0.9)
    write(
        tmp_path,
        TruthStep(milestones={1: False}),
        acted(),
        TruthStep(milestones={1: True}),
        asked,
        delivered(1),
        BrowserReset(),
        TruthStep(milestones={1: False}),
        acted(),
    )
    tables = read_tables(tmp_path)
    assert tables.deliveries[0].timing is Timing.ALIGNED
    (row,) = tables.triggers
    assert (row.step, row.reached, row.confidence, row.holds, row.held_before) == (1, True, 0.9, True, False)


def test_a_turned_down_done_adds_no_state_to_the_timing(tmp_path: Path) -> None:
    steps = (acted(), TruthStep(milestones={1: False}), acted(), TruthStep(milestones={1: True}), acted(), delivered(1))
    write(tmp_path, *steps, judged("a"))
    first, _ = read_tables(tmp_path).deliveries
    assert (first.step, first.timing) == (3, Timing.ALIGNED)


def test_a_runs_own_step_budget_overrides_the_tasks(tmp_path: Path) -> None:
    write(tmp_path, judged("a"))
    assert read_tables(tmp_path).episodes[0].max_steps == 100
    (tmp_path / "r1" / "run.json").write_text('{"max_steps": 30}')
    assert read_tables(tmp_path).episodes[0].max_steps == 30
