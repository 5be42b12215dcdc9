"""The folder of a run: which settings continue it, who may work in it, which episodes stay, how tasks are called."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from refute import TraceError, UserError
from refute.arena import MistakeRates
from refute.browser import BrowserHost
from refute.goals import Task, read_task
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.run import GOAL_SUITE, RUN_FILE, Job, RunRecord, RunSettings, claim, finished, run_suite, write_run
from refute.suites import Place, Start, with_instruction
from refute.suites._reward import reward_task
from refute.trace import EVENTS, Recorder

from .tiny import TinySite, suite_of, tiny_settings, tiny_task

HOLD = """
import sys, time
from pathlib import Path
from refute.run import RunSettings, claim
with claim(Path(sys.argv[1]), RunSettings.model_validate_json(sys.argv[2])):
    print("held", flush=True)
    time.sleep(600)
"""


def made(out: Path, settings: RunSettings) -> Path:
    with claim(out, settings) as folder:
        write_run(folder, RunRecord.of(settings, browser="Chromium 1"))
    return folder


def episode(out: Path, task: Task, ending: Ending = Ending.DONE, *, settings: RunSettings | None = None) -> Path:
    job = Job(task=task, repeat=0, settings=settings or tiny_settings())
    with Recorder(job.place(out)) as recorder:
        recorder.record(
            EpisodeStarted(
                run_id=job.settings.run_id, task=task, repeat=0, agent="react", model="m", simulated=True, seed=0
            )
        )
        recorder.record(EpisodeEnded(ending=ending))
    return job.place(out)


# --- which settings continue a run -----------------------------------------------------------------------------------


def test_equal_settings_continue_the_run(tmp_path: Path) -> None:
    folder = made(tmp_path, tiny_settings(max_steps=5))
    record = (folder / RUN_FILE).read_bytes()
    assert made(tmp_path, tiny_settings(max_steps=5)) == folder
    assert (folder / RUN_FILE).read_bytes() == record


def test_changed_settings_are_refused_with_old_and_new_values_and_ways_to_go_on(tmp_path: Path) -> None:
    folder = made(tmp_path, tiny_settings(max_steps=5, rates=MistakeRates()))
    before = {path: path.read_bytes() for path in folder.rglob("*.json*")}
    with (
        pytest.raises(UserError) as refused,
        claim(tmp_path, tiny_settings(max_steps=9, rates=MistakeRates.none(), base_url="http://127.0.0.1:1")),
    ):
        pass
    told = str(refused.value)
    rows = [line.split() for line in told.splitlines()]
    assert ["max_steps", "5", "9"] in rows
    assert ["base_url", "none", "http://127.0.0.1:1"] in rows
    assert any(row[:1] == ["rates.wrong_element"] and row[2] == "0.0" for row in rows)
    assert not any(row[:1] == ["agent"] for row in rows)
    assert "--fresh" in told
    assert f"--out {tmp_path}/" in told
    assert {path: path.read_bytes() for path in folder.rglob("*.json*")} == before


def test_other_agents_models_and_seeds_stand_side_by_side(tmp_path: Path) -> None:
    others = [tiny_settings("fcp"), tiny_settings(seed=1), tiny_settings().model_copy(update={"model": "m"})]
    folders = {made(tmp_path, settings) for settings in (tiny_settings(), *others)}
    assert len(folders) == 4


def test_single_runs_with_other_settings_have_folders_of_their_own() -> None:
    settings = RunSettings(suite=GOAL_SUITE, agent="react", model="m")
    changes = ({"max_steps": 9}, {"max_cost": 1.0}, {"base_url": "http://127.0.0.1:1"})
    ids = {settings.run_id, *(settings.model_copy(update=change).run_id for change in changes)}
    assert len(ids) == 4
    assert settings.model_copy(update={"screenshots": False}).run_id == settings.run_id


def test_fresh_deletes_the_old_run_and_takes_the_new_settings(tmp_path: Path) -> None:
    folder = made(tmp_path, tiny_settings(max_steps=5))
    place = episode(tmp_path, tiny_task("look"))
    with claim(tmp_path, tiny_settings(max_steps=9), fresh=True):
        assert not place.exists()
        assert not (folder / RUN_FILE).exists()


def test_a_setting_that_only_a_newer_version_knows_is_a_change(tmp_path: Path) -> None:
    path = made(tmp_path, tiny_settings()) / RUN_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | {"gravity": 9.81}))
    with pytest.raises(UserError, match=r"gravity +9.81 +unknown to this version"), claim(tmp_path, tiny_settings()):
        pass


def test_a_setting_that_an_older_version_did_not_know_counts_as_its_default(tmp_path: Path) -> None:
    path = made(tmp_path, tiny_settings()) / RUN_FILE
    old = json.loads(path.read_text())
    del old["max_steps"]
    path.write_text(json.dumps(old))
    with claim(tmp_path, tiny_settings()):
        pass
    with pytest.raises(UserError, match="max_steps"), claim(tmp_path, tiny_settings(max_steps=9)):
        pass


@pytest.mark.parametrize("content", [b"", b'{"suite": "ti', b"\xff\xfe", b"[]"])
def test_a_damaged_run_file_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = made(tmp_path, tiny_settings()) / RUN_FILE
    path.write_bytes(content)
    with pytest.raises(UserError, match="--fresh"), claim(tmp_path, tiny_settings()):
        pass
    assert path.read_bytes() == content


# --- who may work in it ----------------------------------------------------------------------------------------------


def test_a_second_process_is_told_which_one_is_at_work_and_a_killed_one_blocks_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path), tiny_settings().model_dump_json(exclude={"simulated"})]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "held"
        with pytest.raises(UserError, match=rf"process {holder.pid} on .*\n.*another --out"):
            made(tmp_path, tiny_settings())
        made(tmp_path, tiny_settings("fcp"))
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait(timeout=30)
    made(tmp_path, tiny_settings())


def test_two_runs_in_one_process_exclude_each_other_too(tmp_path: Path) -> None:
    with claim(tmp_path, tiny_settings()), pytest.raises(UserError, match="at work"):
        made(tmp_path, tiny_settings())


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(TraceError, match="cannot work in"), claim(tmp_path / "file", tiny_settings()):
        pass


# --- which episodes stay ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [Ending.DONE, Ending.INFEASIBLE, Ending.BUDGET])
def test_an_episode_that_ended_by_itself_stays(tmp_path: Path, ending: Ending) -> None:
    assert finished(episode(tmp_path, tiny_task("look"), ending), tiny_task("look"))


def test_a_harness_error_runs_anew(tmp_path: Path) -> None:
    assert not finished(episode(tmp_path, tiny_task("look"), Ending.HARNESS_ERROR), tiny_task("look"))


@pytest.mark.parametrize("cut", [1, 2, 30, 100_000])
def test_a_torn_last_line_means_unfinished(tmp_path: Path, cut: int) -> None:
    place = episode(tmp_path, tiny_task("look"))
    path = place / EVENTS
    path.write_bytes(path.read_bytes()[:-cut])
    assert not finished(place, tiny_task("look"))


def test_an_episode_of_a_task_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    place = episode(tmp_path, tiny_task("look"))
    with pytest.raises(UserError, match="the task look has changed"):
        finished(place, tiny_task("look", start="/2"))


class Drawing:
    """A place that draws the instruction when an episode starts, as suites with rewards do."""

    def __init__(self, place: Place) -> None:
        self.place, self.origin = place, place.origin
        self.check, self.close = place.check, place.close

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        start = await self.place.start(host, task, recorder)
        return replace(start, task=with_instruction(task, "Click the button ONE."))


async def test_a_task_whose_instruction_is_drawn_is_still_the_same_task(tmp_path: Path) -> None:
    task = reward_task(
        name="look", seed=0, benchmark="b", env_id="e", licence="MIT", start_url="__SITE__/", max_steps=10,
        viewport={"width": 640, "height": 480},
    )  # fmt: skip
    tiny = suite_of(TinySite(), task)

    async def launch() -> Place:
        return Drawing(await tiny.launch())

    suite = replace(tiny, launch=launch)
    first = await run_suite(suite, tiny_settings(), tmp_path)
    assert [end.ending for end in first.ended] == [Ending.DONE]
    again = await run_suite(suite, tiny_settings(), tmp_path)
    assert (again.kept, again.ended) == (1, ())
    with pytest.raises(UserError, match="has changed"):
        await run_suite(replace(suite, tasks=(task.model_copy(update={"seed": 1}),)), tiny_settings(), tmp_path)


def test_what_a_newer_refute_wrote_is_never_replaced(tmp_path: Path) -> None:
    place = episode(tmp_path, tiny_task("look"), Ending.HARNESS_ERROR)
    with (place / EVENTS).open("a") as file:
        file.write('{"kind":"episode_ended","v":2,"how":"well"}\n')
    with pytest.raises(UserError, match=r"newer refute.*episode_ended v2"):
        finished(place, tiny_task("look"))


def test_an_unknown_kind_of_this_version_does_not_unfinish_an_episode(tmp_path: Path) -> None:
    place = episode(tmp_path, tiny_task("look"))
    path = place / EVENTS
    path.write_text('{"kind":"from_a_plugin","v":1,"time":1.0,"step":0}\n' + path.read_text())
    assert finished(place, tiny_task("look"))


# --- how tasks name their folders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["../x", "a/b", "/etc", "..", ".", "", ".hidden", "-rf", "a\\b", "a\nb", "a b", "näher", "日本", "x" * 121, "a\0b"],
)
def test_a_task_id_that_is_no_plain_folder_name_is_refused_by_field(tmp_path: Path, name: str) -> None:
    path = tmp_path / "task.json"
    path.write_text(tiny_task("look").model_copy(update={"id": name}).model_dump_json())
    with pytest.raises(UserError, match="  id: "):
        read_task(path)


@pytest.mark.parametrize("name", ["CON", "con", "aux.txt", "Lpt1", "nul.", "a."])
def test_a_task_id_that_some_systems_reserve_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "task.json"
    path.write_text(tiny_task("look").model_copy(update={"id": name}).model_dump_json())
    with pytest.raises(UserError, match="no folder"):
        read_task(path)


@pytest.mark.parametrize("name", ["a", "webarena.123", "x" * 120, "Console", "a..b", "A_b~c-d"])
def test_a_plain_task_id_is_its_folder_and_stays_below_the_run(tmp_path: Path, name: str) -> None:
    job = Job(task=tiny_task(name), repeat=3, settings=tiny_settings())
    assert job.place(tmp_path) == tmp_path / job.settings.run_id / name / "3"
    assert episode(tmp_path, job.task).resolve().is_relative_to((tmp_path / job.settings.run_id).resolve())


def test_model_names_make_plain_folders_that_do_not_collide() -> None:
    names = ["a/b", "a-b", "A/B", "../../etc", "x" * 500, "x" * 501, "日本"]
    ids = {tiny_settings().model_copy(update={"model": name}).run_id for name in names}
    assert len(ids) == len(names)
    assert all(len(one) < 120 and "/" not in one and not one.startswith(".") for one in ids)
