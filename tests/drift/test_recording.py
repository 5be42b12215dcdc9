"""The file of a recording: continued after a kill, refused with other settings."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from refute import UserError
from refute._errors import RunStopped, TraceError
from refute.arena import site
from refute.drift import Recorded, Recording, _recording, read_recording, read_times, record

from .making import HEADER, drive, state

ONE = drive([state(1), state(2, "gone   astray", since=0)], name="popup-0")
TWO = drive([state(1)], name="popup-1")


def test_what_was_torn_by_a_kill_is_cut_off_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    Recording.open(path, HEADER).add(ONE)
    with path.open("a", encoding="utf-8") as file:
        file.write(TWO.model_dump_json()[:200])
    assert read_recording(path) == (HEADER, [ONE])
    again = Recording.open(path, HEADER)
    assert again.drives == [ONE]
    again.add(TWO)
    assert read_recording(path) == (HEADER, [ONE, TWO])
    assert ONE.onset == 2
    assert TWO.onset is None


@pytest.mark.parametrize("kept", [0, 1, 40, -1])
def test_a_file_whose_header_was_torn_is_begun_anew(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "states.jsonl"
    path.write_text(f"{HEADER.model_dump_json()}\n"[:kept], encoding="utf-8")
    Recording.open(path, HEADER).add(ONE)
    assert read_recording(path) == (HEADER, [ONE])


def test_what_is_no_torn_header_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    path.write_text("my notes", encoding="utf-8")
    with pytest.raises(UserError, match="no recording"):
        Recording.open(path, HEADER)
    assert path.read_text(encoding="utf-8") == "my notes"


def test_a_disk_that_takes_no_more_is_said_so(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path / "states.jsonl", HEADER)
    recording.path.unlink()
    recording.path.mkdir()
    with pytest.raises(TraceError, match="cannot be written"):
        recording.add(ONE)
    assert recording.drives == []


def test_a_packed_recording_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    Recording.open(path, HEADER).add(ONE)
    packed = tmp_path / "states.jsonl.xz"
    packed.write_bytes(lzma.compress(path.read_bytes()))
    assert read_recording(packed) == read_recording(path)
    packed.write_bytes(b"not packed")
    with pytest.raises(UserError, match="cannot be read"):
        read_recording(packed)


def test_other_settings_are_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    Recording.open(path, HEADER).add(ONE)
    before = path.read_bytes()
    with pytest.raises(UserError, match="other settings"):
        Recording.open(path, HEADER.model_copy(update={"seed": 1}))
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["", "no json\n", '{"version": 99}\n', "[]\n", HEADER.model_dump_json() + "\n{}\n"])
def test_what_is_no_recording_is_said_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "states.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=str(path)):
        read_recording(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_recording(tmp_path / "none.jsonl")


async def test_each_run_of_a_recording_leaves_its_time_beside_it_also_one_that_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stopped(site: object, recording: Recording, slots: object, *, workers: int, show: object) -> None:
        recording.add(TWO if recording.drives else ONE)
        raise RunStopped("the site went down")

    monkeypatch.setattr(_recording, "_record", stopped)
    states, times = tmp_path / "states.jsonl", tmp_path / "states.recorded.jsonl"
    for torn in ('{"drives": ', ""):
        with pytest.raises(RunStopped):
            await record(site("shop"), tmp_path, split="train", per_kind=1, per_calm=0, workers=3)
        with times.open("a", encoding="utf-8") as file:
            file.write(torn)
    assert [(r.drives, r.kept, r.workers) for r in read_times(states)] == [(1, 0, 3), (1, 1, 3)]
    assert all(isinstance(run, Recorded) and run.seconds >= 0 for run in read_times(states))
    assert read_times(tmp_path / "states.jsonl.xz") == read_times(states)
    assert read_times(tmp_path / "other.jsonl") == (), "another recording beside it has times of its own"
