"""InterruptBench's six files as dynamic tasks: converted, and run where the original tasks run."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from refute import UserError
from refute._errors import SiteError
from refute.arena import MistakeRates, Noise
from refute.browser import BrowserHost, Click
from refute.goals import RevisionKind
from refute.metrics import outcomes
from refute.revisions import Deliver, Delivered, GoalSet, TriggerMode
from refute.run import Job, RunSettings, run_jobs, run_suite
from refute.suites import Import, RewardWorld, Suite, open_suite
from refute.suites.browsergym import PACKAGES
from refute.suites.browsergym._process import CHILD
from refute.suites.interruptbench import (
    FILES,
    Reading,
    RowProblem,
    Trouble,
    UpdateType,
    import_records,
    read_milestones,
    read_records,
    webarena_tasks,
)
from refute.tables import read_tables
from refute.trace import Recorder, read_trace

from .interrupts import GOAL, ROWS, configuration, row, write

# ---- converting --------------------------------------------------------------------------------------------------


def lite(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "test_webarena_lite.raw.json"
    path.write_text(json.dumps(rows or [configuration()]))
    return path


def read(folder: Path, file: str) -> Reading:
    return read_records(write(folder, file, [ROWS[file]]))


@pytest.mark.parametrize("file", FILES)
def test_updates_become_revisions_of_their_kind(file: str, tmp_path: Path) -> None:
    (made,) = import_records(read(tmp_path, file).records, webarena_tasks(lite(tmp_path)), None)
    assert not isinstance(made, RowProblem)
    task, original = made
    kinds = {
        UpdateType.ADDITION: RevisionKind.ADDITIVE,
        UpdateType.MODIFICATION: RevisionKind.UNCONDITIONAL,
        UpdateType.RETRACTION: RevisionKind.RETRACTION,
    }
    record = read(tmp_path, file).records[0]
    assert [r.kind for r in task.revisions] == [kinds[u.type] for u in record.updates]
    assert [r.text for r in task.revisions] == ROWS[file]["updates"]
    assert (task.id, task.category) == (f"{file}.0", file)
    assert (task.initial_instruction, task.static_instruction) == (record.initial, GOAL)
    (counting,) = task.judged({})
    assert (counting.id, counting.bound_to, counting.text) == ("goal", len(task.revisions), GOAL)
    assert (task.env_id, task.sites, task.max_steps) == ("browsergym/webarena.700", ("shopping",), 50)
    assert task.evaluators == original.evaluators == (configuration(),)


def test_a_record_whose_goal_is_not_the_tasks_is_left_out(tmp_path: Path) -> None:
    rows = [row(0), row(1, intent="Show me all kettles"), row(2)]
    originals = webarena_tasks(lite(tmp_path, configuration(0), configuration(1)))
    made = list(import_records(read_records(write(tmp_path, "1update", rows)).records, originals, None))
    assert [m.trouble for m in made if isinstance(m, RowProblem)] == [Trouble.OTHER_INTENT, Trouble.NO_TASK]


def test_records_whose_tasks_would_have_one_id_make_one_task(tmp_path: Path) -> None:
    (original,) = webarena_tasks(lite(tmp_path)).values()
    records = read_records(write(tmp_path, "1update", [row("a/b"), row("a-b"), row("a.b")])).records
    made = list(import_records(records, {r.task_id: original for r in records}, None))
    assert [m.trouble if isinstance(m, RowProblem) else m[0].id for m in made] == [
        "1update.a-b",
        Trouble.DUPLICATE,
        "1update.a.b",
    ]


def test_a_milestone_may_hold_any_sign(tmp_path: Path) -> None:
    path = tmp_path / "milestones.jsonl"
    text = "The page says\u2028Sale\u0085."
    path.write_bytes(f'{{"task_id": 0, "milestones": ["{text}"]}}\r\n\r\n'.encode())
    assert read_milestones(path) == {("", "0"): (text,)}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"task_id": 0}', "line 1: milestones"),
        ('{"task_id": 0, "milestones": ["a"]}\n{"task_id": 0, "milestones": ["b"]}', "line 2: an earlier line"),
        ('{"task_id": 0, "milestones": [" "]}', "line 1: a milestone is empty"),
        ("nothing", "line 1: .*a line looks like"),
    ],
)
def test_a_bad_line_of_milestones_is_named(lines: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "milestones.jsonl"
    path.write_text(lines)
    with pytest.raises(UserError, match=message):
        read_milestones(path)


def test_a_configuration_that_is_none_names_the_field(tmp_path: Path) -> None:
    broken = configuration()
    del broken["old_task_id"]
    with pytest.raises(UserError, match=r"no configuration of WebArena-Lite: 0\.old_task_id"):
        webarena_tasks(lite(tmp_path, broken))


def test_a_configuration_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(json.dumps([configuration(intent="Café")], ensure_ascii=False).encode("latin-1"))
    with pytest.raises(UserError, match=r"cannot read .*latin\.json"):
        webarena_tasks(path)


def test_a_configuration_gets_the_addresses_of_the_servers() -> None:
    urls = {"shopping": "http://127.0.0.1:7770", "shopping_admin": "http://127.0.0.1:7780/admin"}
    with_addresses = runpy.run_path(str(CHILD))["with_addresses"]
    config = configuration(start_url="__SHOPPING_ADMIN__/a |AND| __SHOPPING__/b")
    assert with_addresses(config, urls)["start_url"] == "http://127.0.0.1:7780/admin/a |AND| http://127.0.0.1:7770/b"


# ---- opening -----------------------------------------------------------------------------------------------------


def test_what_is_missing_is_said_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTERRUPTBENCH_DATA", raising=False)
    for variable in PACKAGES["webarena"].needs:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UserError, match="give --data FOLDER"):
        open_suite("interruptbench:1update")
    monkeypatch.setenv("INTERRUPTBENCH_DATA", str(tmp_path))
    with pytest.raises(UserError, match=r"1update\.json is not in"):
        open_suite("interruptbench:1update")
    raw = tmp_path / "Eval/interrupt_config/raw"
    raw.mkdir(parents=True)
    write(raw, "1update", [row()])
    with pytest.raises(UserError, match=r"test_webarena_lite\.raw\.json is not in"):
        open_suite("interruptbench:1update")
    (tmp_path / "Eval/config_files/wa").mkdir(parents=True)
    lite(tmp_path / "Eval/config_files/wa")
    with pytest.raises(UserError, match="WA_SHOPPING: address of the shop"):
        open_suite("interruptbench:1update")


def test_seeds_are_of_no_use_to_records() -> None:
    with pytest.raises(UserError, match="leave --seeds out"):
        open_suite("interruptbench:1update", seeds=2)


TASK = "report-facts.ring-light"


def imported(folder: Path, *, milestones: bool = False, more: tuple[Any, ...] = ()) -> Suite:
    """A task of the shop in the format: its goal told bit by bit."""
    (task,) = open_suite("arena:shop").select(TASK).tasks
    rows = [
        row(
            TASK,
            intent=task.static_instruction,
            transformed_initial_intent=task.initial_instruction,
            updates=[t.text],
        )
        for t in task.revisions
    ]
    write(folder, "1update", [*rows, *more])
    due = folder / "milestones.jsonl"
    due.write_text(json.dumps({"task_id": TASK, "milestones": ["The ring light's page is open."]}))
    chosen = Import(data=folder, on="arena:shop", milestones=due if milestones else None)
    return open_suite("interruptbench:1update", imported=chosen)


def settings(**changes: Any) -> RunSettings:
    calm = RunSettings(
        suite="interruptbench:1update",
        agent="react",
        model="simulated",
        trigger=TriggerMode.FRACTION,
        rates=MistakeRates.none(),
        noise=Noise.none(),
        screenshots=False,
    )
    return calm.model_copy(update=changes)


async def test_milestone_delivery_needs_milestones(tmp_path: Path) -> None:
    for trigger in (TriggerMode.MILESTONE, TriggerMode.HYBRID):
        with pytest.raises(UserError, match="--milestones FILE"):
            await run_suite(imported(tmp_path), settings(trigger=trigger), tmp_path / "out")
    with pytest.raises(UserError, match="no predicates"):
        await run_suite(imported(tmp_path, milestones=True), settings(trigger=TriggerMode.PREDICATE), tmp_path / "out")
    assert imported(tmp_path, milestones=True).tasks[0].revisions[0].milestone.text == "The ring light's page is open."


def test_rows_without_a_task_are_told_or_refused(tmp_path: Path) -> None:
    suite = imported(tmp_path, more=(row("no-such-task"), row(updates=[])))
    assert [task.id for task in suite.tasks] == [f"1update.{TASK}"]
    assert len(suite.left_out) == 2
    with pytest.raises(UserError, match=r"2 row\(s\) of 1update make no task"):
        open_suite("interruptbench:1update", imported=Import(data=tmp_path, on="arena:shop", strict=True))


@pytest.mark.usefixtures("miniwob")
async def test_a_reward_is_the_truth_at_the_end_and_ends_nothing(host: BrowserHost, tmp_path: Path) -> None:
    goal = "Click the button."
    update = {"transformed_initial_intent": "Look at the page.", "updates": [goal]}
    write(
        tmp_path, "1update", [row("click-test.0", intent=goal, **update), row("click-test-2.0", intent=goal, **update)]
    )
    suite = open_suite("interruptbench:1update", imported=Import(data=tmp_path, on="miniwob"))
    right, wrong = suite.tasks
    place = await suite.launch()
    with pytest.raises(SiteError, match=r"the record's is 'Click the button\.'"):
        await place.start(host, wrong, Recorder(tmp_path / "wrong"))
    start = await place.start(host, right, Recorder(tmp_path / "right"))
    assert start.task == right
    assert isinstance(start.ground.world, RewardWorld)
    (button,) = (e for e in (await start.session.observe()).elements if e.role == "button")
    await start.session.step(Click(target=button.id))
    assert await start.ground.look(None) is False, "the page says that it is over; updates may be still to come"
    last = start.ground.world.last
    assert last is not None
    assert (last.reward, last.done) == (1.0, True)
    await start.session.close()
    await place.close()


async def test_an_imported_task_runs_at_a_fraction_at_a_milestone_and_within_its_bounds(tmp_path: Path) -> None:
    suite = imported(tmp_path, milestones=True)
    ways = (
        settings(at=(0.5,)),
        settings(trigger=TriggerMode.MILESTONE),
        *(settings(trigger=TriggerMode.MILESTONE, deliver=d) for d in (Deliver.NEVER, Deliver.UPFRONT)),
    )
    out = tmp_path / "out"
    await run_jobs(suite, [Job(task=suite.tasks[0], repeat=0, settings=way) for way in ways], out, workers=1)
    tables = read_tables(out)
    found = {run.run: outcomes(tables.run(run.run))[0] for run in tables.runs}
    fraction, milestone, never, upfront = (found[way.run_id] for way in ways)
    assert fraction.score == milestone.score == upfront.score == 1.0
    assert never.score < 1.0
    task = suite.tasks[0]
    for way in ways[:2]:
        trace = read_trace(out / way.run_id / task.id / "0")
        (came,) = trace.of(Delivered)
        assert (came.text, came.mode) == (task.revisions[0].text, way.trigger)
        # no site knows the truth of a milestone in words, so the simulated model never sees it reached
        assert came.forced is (way.trigger is TriggerMode.MILESTONE)
        assert trace.of(GoalSet)[-1].goal.instructions == (task.initial_instruction, task.revisions[0].text)
