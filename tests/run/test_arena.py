"""The whole house on the real shop: proofs of the tasks, simulated runs, interruption and continuation."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from refute import UserError
from refute.agents import Planned
from refute.arena import MistakeRates, Noise
from refute.browser import Observed
from refute.goals import MistakeStarted, RevisionKind, TruthStep, TruthVerdict
from refute.llm import ModelCalled
from refute.report import summary, write_report
from refute.revisions import Delivered, Ending, EpisodeEnded, TriggerMode
from refute.run import RunSettings, check_suite, open_suite, read_run, run_suite
from refute.tables import read_tables
from refute.trace import read_trace


def settings(agent: str = "fcp", *, rates: MistakeRates | None = None, **changes: object) -> RunSettings:
    return RunSettings(
        suite="arena:shop", agent=agent, model="simulated", rates=rates or MistakeRates(), noise=Noise()
    ).model_copy(update=changes)


def test_the_suite_has_three_tasks_of_each_kind_and_splits_by_template() -> None:
    tasks = open_suite("arena:shop").tasks
    kinds = [{revision.kind for revision in task.revisions} for task in tasks]
    for kind in (RevisionKind.ADDITIVE, RevisionKind.UNCONDITIONAL, RevisionKind.CONDITIONAL):
        assert sum(kind in found for found in kinds) >= 3
    splits: dict[str, set[str]] = {}
    for task in tasks:
        splits.setdefault(task.template, set()).add(task.split)
    assert all(len(split) == 1 for split in splits.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["buy-one.tripod", "report-facts.desk-lamp", "wish-list.suitcase"])
async def test_a_task_of_each_kind_is_sound(name: str) -> None:
    """One with a condition, an additive one, an override; `make prove` proves them all."""
    result = await check_suite(open_suite("arena:shop").select(name), workers=2)
    assert result.failures == {}
    totals = result.totals
    assert all(passed == made for passed, made in totals.values())
    assert totals["oracle"][1] == 2 + totals["branches"][1] // 2
    assert totals["mutants"][1] >= 10


async def test_without_mistakes_the_agent_satisfies_every_constraint(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("buy-one.[ot]*")
    calm = settings(rates=MistakeRates.none(), noise=Noise.none())
    result = await run_suite(suite, calm, tmp_path, workers=2)
    assert [end.ending for end in result.ended] == [Ending.DONE] * 2
    figures = summary(tmp_path)
    assert (figures["n"], figures["score"], figures["tsr"], figures["errors"], figures["forced"]) == (2, 1.0, 1.0, 0, 0)
    assert figures["simulated"] is True


async def test_a_simulated_run_is_recorded_labelled_and_reported(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("report-facts.rain-jacket")
    busy = settings(rates=MistakeRates(ignored_revision=1.0, wrong_element=0.0, wrong_branch=0.0), seed=3)
    result = await run_suite(suite, busy, tmp_path)
    record = read_run(result.folder)
    assert (record.simulated, record.seed, record.suite, record.run) == (True, 3, "arena:shop", busy.run_id)
    trace = read_trace(result.folder / "report-facts.rain-jacket" / "0")
    assert all(call.simulated for call in trace.of(ModelCalled))
    assert "ignored_revision" in [event.mistake for event in trace.of(MistakeStarted)]
    assert trace.of(Planned)
    assert len(trace.of(TruthStep)) == len(trace.of(Observed))
    verdict = trace.of(TruthVerdict)[0]
    assert set(verdict.findings) == {c.id for c in suite.tasks[0].constraints}
    assert trace.events[-1].kind == "episode_ended"
    page = write_report(tmp_path)
    episode = result.folder / "report-facts.rain-jacket" / "0" / "index.html"
    assert "imulated" in page.read_text()
    assert "imulated" in episode.read_text()


async def test_the_same_seed_gives_the_same_episode(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("wish-list.*")
    runs: list[list[tuple[str, int]]] = []
    for name in ("a", "b"):
        result = await run_suite(suite, settings("react", seed=5), tmp_path / name, workers=1)
        traces = [read_trace(result.folder / task.id / "0") for task in suite.tasks]
        runs.append([(event.kind, event.step) for trace in traces for event in trace.events])
    assert runs[0] == runs[1]


async def test_a_finished_run_is_kept_and_an_unfinished_episode_runs_anew(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("wish-list.*")
    by_predicate = settings("react", trigger=TriggerMode.PREDICATE)
    first = await run_suite(suite, by_predicate, tmp_path)
    assert (first.kept, len(first.ended)) == (0, 2)
    places = [first.folder / task.id / "0" / "events.jsonl" for task in suite.tasks]
    kept = places[0].read_bytes()
    lines = places[1].read_bytes().splitlines(keepends=True)
    places[1].write_bytes(b"".join(lines[:-1])[:-20])
    second = await run_suite(suite, by_predicate, tmp_path)
    assert (second.kept, len(second.ended)) == (1, 1)
    assert places[0].read_bytes() == kept
    assert len(read_tables(tmp_path).episodes) == 2
    assert {event.mode for event in read_trace(places[1].parent).of(Delivered)} <= {TriggerMode.PREDICATE}


async def test_an_unknown_agent_stops_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="fcp:no-repair"):
        await run_suite(open_suite("arena:shop"), settings("fcp:no-brain"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_ctrl_c_finishes_the_episode_at_work_and_the_same_command_continues(tmp_path: Path) -> None:
    command = [
        sys.executable, "-c", "from refute.cli import main; main()", "bench", "run", "arena:shop", "--agent", "react",
        "--model", "simulated", "--tasks", "wish-list.*", "--repeats", "2", "--out", str(tmp_path), "--json",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 200
        while not list(tmp_path.rglob("events.jsonl")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=300)
    finally:
        process.kill()
    finished = _ended(tmp_path)
    assert process.returncode == 130, told
    assert "Ctrl-C again" in told
    assert "kept" in told
    assert len(finished) == len(list(tmp_path.rglob("events.jsonl"))) == 1
    changed = subprocess.run([*command, "--max-steps", "7"], capture_output=True, text=True, timeout=60, check=False)
    assert changed.returncode == 2
    assert re.search(r"max_steps +none +7", changed.stderr)
    again = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert json.loads(again.stdout)["episodes"] == 4
    assert "1 finished episode" in again.stderr
    assert all(path.read_bytes() == before for path, before in finished.items())


def _ended(out: Path) -> dict[Path, bytes]:
    """Traces whose episode is over, with their content."""
    found: dict[Path, bytes] = {}
    for path in out.rglob("events.jsonl"):
        if read_trace(path.parent).of(EpisodeEnded):
            found[path] = path.read_bytes()
    return found
