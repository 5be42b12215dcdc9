"""Rows kept beside a trace make reports fast, and never wrong."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from refute.agents import Planned
from refute.browser import Observed
from refute.budget import Spent
from refute.goals import Constraint, Finding, Goal, Task, TruthStep, TruthVerdict
from refute.llm import ModelCalled, Usage
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted, GoalSet
from refute.tables import Tables, _read, read_tables
from refute.tables._kept import KEPT, program
from refute.trace import EVENTS, Recorder

TASK = Task(
    id="lamp",
    template="lamp",
    start_urls=("__SITE__/",),
    initial_instruction="Order a lamp — “the green one”.",
    static_instruction="Order a lamp.",
    constraints=(Constraint(id="a", text="It is green", bound_to=0), Constraint(id="b", text="One", bound_to=0)),
)


def write(out: Path, *, task: str = "lamp", satisfied: bool = True, ended: bool = True) -> Path:
    folder = out / "run" / task / "0"
    with Recorder(folder) as recorder:
        recorder.record(
            EpisodeStarted(run_id="run", task=TASK, repeat=0, agent="fcp", model="m", simulated=False, seed=3)
        )
        recorder.record(GoalSet(goal=Goal(instructions=(TASK.initial_instruction,))))
        recorder.record(Planned(reason="start", goal_version=0, commitments=(), active=None))
        recorder.record(Observed(url="http://127.0.0.1/", text="A page", digest="d"))
        recorder.record(TruthStep(distance=1))
        recorder.record(ModelCalled(role="executor", model="m", usage=Usage(input_tokens=7), seconds=0.1 + 0.2))
        recorder.record(TruthVerdict(findings={c.id: Finding(satisfied=satisfied) for c in TASK.constraints}))
        if ended:
            recorder.record(EpisodeEnded(ending=Ending.DONE, spent=Spent(steps=2, tokens=7)))
    return folder


def satisfied(tables: Tables) -> set[bool | None]:
    return {row.satisfied for row in tables.constraints}


def never(folder: Path) -> None:
    raise AssertionError(f"the trace in {folder} is read again")


def test_a_second_report_reads_no_trace_and_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    first = read_tables(tmp_path)
    monkeypatch.setattr(_read, "read_trace", never)
    assert read_tables(tmp_path) == first
    assert first.episodes[0].model_seconds == 0.1 + 0.2


def test_kept_rows_follow_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "old")
    before = read_tables(tmp_path / "old")
    (tmp_path / "old" / "run").rename(tmp_path / "moved")
    monkeypatch.setattr(_read, "read_trace", never)
    after = read_tables(tmp_path)
    (episode,) = after.episodes
    assert (episode.key.run, episode.folder) == ("moved", tmp_path / "moved" / "lamp" / "0")
    assert {row.key for row in (*after.constraints, *after.roles)} == {episode.key}
    assert satisfied(after) == satisfied(before)


def test_rows_of_a_trace_that_changed_are_not_used(tmp_path: Path) -> None:
    folder = write(tmp_path)
    assert satisfied(read_tables(tmp_path)) == {True}
    (folder / EVENTS).unlink()
    write(tmp_path, satisfied=False)
    assert satisfied(read_tables(tmp_path)) == {False}


def test_rows_of_another_program_are_not_used(tmp_path: Path) -> None:
    kept = write(tmp_path) / KEPT
    read_tables(tmp_path)
    kept.write_text(kept.read_text().replace('"satisfied":true', '"satisfied":false').replace(program(), "0" * 32))
    assert satisfied(read_tables(tmp_path)) == {True}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"stamp":null,"rows":{}}', "\x00" * 40])
def test_a_kept_file_that_is_none_is_made_anew(tmp_path: Path, text: str) -> None:
    kept = write(tmp_path) / KEPT
    first, good = read_tables(tmp_path), kept.read_text()
    kept.write_text(text)
    assert read_tables(tmp_path) == first
    assert kept.read_text() == good


def test_nothing_is_kept_of_an_episode_that_goes_on_or_is_broken(tmp_path: Path) -> None:
    going = write(tmp_path, task="going", ended=False)
    broken = write(tmp_path, task="broken")
    (broken / EVENTS).write_bytes(b"{}\n" + (broken / EVENTS).read_bytes())
    read_tables(tmp_path)
    assert not (going / KEPT).exists()
    assert not (broken / KEPT).exists()


def test_a_folder_that_takes_no_file_is_read_all_the_same(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / KEPT).mkdir()  # also for the superuser, whom no permission stops
    (folder / KEPT / "in the way").touch()
    assert satisfied(read_tables(tmp_path)) == {True}
    assert sorted(path.name for path in folder.iterdir()) == [EVENTS, "shots", KEPT]


def test_nothing_is_kept_of_a_trace_with_events_that_another_room_may_know(tmp_path: Path) -> None:
    folder = write(tmp_path)
    dreamt = (folder / EVENTS).read_text().splitlines()[2].replace('"kind":"planned"', '"kind":"dreamt"')
    with (folder / EVENTS).open("a") as file:
        file.write(dreamt + "\n")
    (episode,) = read_tables(tmp_path).episodes
    assert episode.unknown
    assert not (folder / KEPT).exists()


def test_a_number_too_large_to_be_one_is_kept_as_it_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = write(tmp_path) / EVENTS
    trace.write_text(trace.read_text().replace(f"{0.1 + 0.2}", "1e999"))
    first = read_tables(tmp_path)
    assert first.episodes[0].model_seconds == inf
    monkeypatch.setattr(_read, "read_trace", never)
    assert read_tables(tmp_path) == first
