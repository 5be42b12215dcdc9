"""The bounds: the same tasks without a word about their revisions, and with the final goal from the start."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from refute import UserError
from refute.arena import MistakeRates, Noise
from refute.browser import Observation
from refute.goals import TruthStep
from refute.judge import EpisodeRecord
from refute.metrics import outcomes
from refute.report import make_view
from refute.revisions import (
    Deliver,
    Delivered,
    EpisodeStarted,
    GoalSet,
    PredicateTrigger,
    Schedule,
    Screen,
    Strategy,
    TriggerMode,
)
from refute.run import RUN_FILE, Job, RunRecord, RunSettings, open_suite, run_jobs, run_suite, write_run
from refute.tables import read_all, read_tables
from refute.trace import Recorder, read_trace

TASK = "report-facts.bookshelf"


def settings(deliver: Deliver, **changes: object) -> RunSettings:
    calm = RunSettings(
        suite="arena:shop",
        agent="react",
        model="simulated",
        deliver=deliver,
        rates=MistakeRates.none(),
        noise=Noise.none(),
        screenshots=False,
    )
    return calm.model_copy(update=changes)


async def test_a_run_from_before_there_was_the_setting_is_continued_under_its_old_name(tmp_path: Path) -> None:
    during = settings(Deliver.DURING)
    old = tmp_path / "react-simulated-milestone-append-seed0-eb6280f4"
    write_run(old, RunRecord.of(during, browser="Chromium 1"))
    record = json.loads((old / RUN_FILE).read_text())
    for later in ("deliver", "at", "screen"):
        del record[later]
    (old / RUN_FILE).write_text(json.dumps(record))
    nothing_left = replace(open_suite("arena:shop"), tasks=())
    assert (await run_suite(nothing_left, during, tmp_path)).folder == old
    with pytest.raises(UserError, match="noise"):
        await run_suite(nothing_left, settings(Deliver.DURING, noise=Noise()), tmp_path)


def test_each_way_of_delivery_is_a_run_of_its_own() -> None:
    names = {settings(deliver).run_id for deliver in Deliver}
    assert len(names) == 3
    assert settings(Deliver.NEVER).run_id.startswith("react-simulated-never-seed0-")


@pytest.mark.parametrize(
    ("option", "change"),
    [
        ("trigger", {"trigger": TriggerMode.PREDICATE}),
        ("at", {"at": (2.0,)}),
        ("strategy", {"strategy": Strategy.RESET}),
        ("trigger-scorer", {"screen": Screen(scorer="nli")}),
        ("ask-from", {"screen": Screen(threshold=0.9)}),
        ("ask-after", {"screen": Screen(patience=9)}),
    ],
    ids=str,
)
@pytest.mark.parametrize("deliver", [Deliver.NEVER, Deliver.UPFRONT])
async def test_how_to_deliver_is_refused_where_nothing_is_delivered(
    deliver: Deliver, option: str, change: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=f"leave --{option} out|--{option} counts"):
        await run_suite(open_suite("arena:shop"), settings(deliver, **change), tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"trigger": TriggerMode.PREDICATE},
        {"trigger": TriggerMode.ACTION_INDEX, "at": (2.0,)},
        {"trigger": TriggerMode.FRACTION},
    ],
    ids=str,
)
async def test_a_scorer_of_milestones_is_refused_where_none_is_scored(
    change: dict[str, object], tmp_path: Path
) -> None:
    chosen = settings(Deliver.DURING, screen=Screen(scorer="nli"), **change)
    with pytest.raises(UserError, match="--trigger-scorer scores milestones"):
        await run_suite(open_suite("arena:shop"), chosen, tmp_path)


async def test_more_repeats_than_a_seed_has_dice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="another --seed"):
        await run_suite(open_suite("arena:shop"), settings(Deliver.DURING), tmp_path, repeats=1001)


async def test_a_schedule_that_delivers_nothing_tells_the_right_goal(tmp_path: Path) -> None:
    (task,) = open_suite("arena:shop").select(TASK).tasks
    trigger = PredicateTrigger(lambda predicate: True)
    for deliver, text, told in (
        (Deliver.NEVER, task.initial_instruction, 0),
        (Deliver.UPFRONT, task.static_instruction, len(task.revisions)),
    ):
        with Recorder(tmp_path / deliver) as recorder:
            schedule = Schedule(task, trigger=trigger, strategy=Strategy.APPEND, recorder=recorder, deliver=deliver)
            assert schedule.goal.instructions == (text,)
            assert await schedule.due(Observation(url="http://127.0.0.1/")) is None
            assert (schedule.pending, schedule.delivered, schedule.told) == (False, 0, told)


async def test_the_bounds_of_a_task_of_the_shop(tmp_path: Path) -> None:
    """Who never hears of a revision misses what it asks for; who knows all from the start meets all of it."""
    suite = open_suite("arena:shop").select(TASK)
    (task,) = suite.tasks
    jobs = [Job(task=task, repeat=0, settings=settings(deliver)) for deliver in Deliver]
    await run_jobs(suite, jobs, tmp_path, workers=1)
    tables = read_tables(tmp_path)
    by_way = {o.deliver: o for o in outcomes(tables)}
    assert by_way[Deliver.DURING].score == by_way[Deliver.UPFRONT].score == 1.0
    assert by_way[Deliver.NEVER].score < 1.0
    assert by_way[Deliver.UPFRONT].revisions == by_way[Deliver.NEVER].revisions == 0
    for deliver, outcome in by_way.items():
        trace = read_trace(tmp_path / outcome.key.run / TASK / "0")
        (started,) = trace.of(EpisodeStarted)
        assert started.deliver is deliver
        assert trace.of(GoalSet)[0].goal.instructions == (started.first_instruction,)
        assert bool(trace.of(Delivered)) is (deliver is Deliver.DURING)
        assert trace.of(TruthStep)[-1].distance == 0
        record = EpisodeRecord.of(trace)
        assert record.instructions[0].text == started.first_instruction
        assert bool(record.delivered) is (deliver is not Deliver.NEVER)
        assert not any(record.missed(c.bound_to) for c in started.task.constraints), "nothing came too late to count"
        assert all(record.states_since(c.bound_to) for c in started.task.constraints)
    static = make_view("static-dynamic", tables).sheets[0]
    assert [row[2] for row in static.rows] == [1], "the run with the final goal is the static one, the other is none"


async def test_a_conditional_task_and_its_static_twin_are_a_pair_on_the_same_shop(tmp_path: Path) -> None:
    """Both are measured by the branch that holds in that shop, in one run folder each."""
    suite = open_suite("arena:shop").select("buy-one.tripod")
    folders = [tmp_path / deliver for deliver in (Deliver.DURING, Deliver.UPFRONT)]
    for deliver, folder in zip((Deliver.DURING, Deliver.UPFRONT), folders, strict=True):
        await run_suite(suite, settings(deliver), folder)
    tables = read_all(folders)
    (row,) = make_view("static-dynamic", tables).sheets[0].rows
    assert (row[2], row[-3:]) == (1, (0.0, 0.0, 1.0)), "both satisfy everything, so that nothing changes"
    counting = [{c.id for c in tables.episode(e.key).constraints if c.active} for e in tables.episodes]
    assert counting[0] == counting[1]
    assert len({"still-black", "white-instead"} & counting[0]) == 1
