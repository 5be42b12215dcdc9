"""A few drives in the real shop, and the command that scores them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from refute.arena import Instance, site
from refute.browser import BrowserHost
from refute.cli._main import cli
from refute.drift import Calm, Drive, Kind, Recording, drift_tasks
from refute.drift._drive import Errand, drive

from .making import HEADER

TASK = "buy-one.yoga-mat"


async def made(kind: Kind | Calm, instance: Instance, host: BrowserHost) -> Drive:
    task = next(t for t in drift_tasks(site("shop"), "test") if t.id == TASK)
    found = await drive(Errand(id=f"{kind}-0", kind=kind, task=task, seed=3), site("shop"), instance, host)
    assert found is not None
    return found


@pytest.fixture(scope="session")
async def drives() -> dict[Kind | Calm, Drive]:
    shop = site("shop")
    await shop.setup()
    instance = await shop.launch()
    try:
        async with BrowserHost(loopback_only=True) as host:
            kinds = (Kind.POPUP, Kind.OLD_LAYOUT, Kind.GOAL_REVISED, Calm.CLOSED_POPUP)
            return {kind: await made(kind, instance, host) for kind in kinds}
    finally:
        await instance.close()


def test_a_drive_is_on_track_up_to_its_onset_and_off_it_from_there_on(drives: dict[Kind | Calm, Drive]) -> None:
    for kind in Kind.POPUP, Kind.OLD_LAYOUT, Kind.GOAL_REVISED:
        one = drives[kind]
        assert one.onset is not None
        assert [s.label for s in one.states] == ["on" if s.number < one.onset else "off" for s in one.states]
        assert [s.since for s in one.states[one.onset - 1 :]] == list(range(len(one.states) - one.onset + 1))
        assert len(one.states) - one.onset >= 2


def test_what_was_caused_shows_on_the_pages_that_were_recorded(drives: dict[Kind | Calm, Drive]) -> None:
    popup = drives[Kind.POPUP]
    assert popup.onset is not None
    before, there = popup.states[popup.onset - 2], popup.states[popup.onset - 1]
    assert "No, thanks" not in before.page.text
    assert "No, thanks" in there.page.text
    old = drives[Kind.OLD_LAYOUT]
    assert old.onset is not None
    assert all(s.finished == old.states[old.onset - 1].finished for s in old.states[old.onset :])
    assert drives[Kind.GOAL_REVISED].revisions


def test_a_popup_that_is_closed_at_once_leaves_the_drive_on_track(drives: dict[Kind | Calm, Drive]) -> None:
    calm = drives[Calm.CLOSED_POPUP]
    assert calm.onset is None
    assert [s.label for s in calm.states].count("passing") == 1
    assert calm.states[-1].finished == len(calm.route)


def test_nothing_recorded_tells_where_the_site_ran(drives: dict[Kind | Calm, Drive]) -> None:
    assert all("127.0.0.1" not in drive.model_dump_json() for drive in drives.values())


def test_the_command_scores_a_recording(drives: dict[Kind | Calm, Drive], tmp_path: Path) -> None:
    recording = Recording.open(tmp_path / "states.jsonl", HEADER)
    for one in drives.values():
        recording.add(one)
    curve = tmp_path / "curve.svg"
    arguments = ["bench", "drift", "--states", str(recording.path), "--figure", str(curve), "--json"]
    ran = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    result = json.loads(ran.stdout)
    assert (result["drives"], result["drifts"]) == (4, 3)
    scored = result["on_track"] + result["off_track"]
    assert scored + result["surplus"] + 1 == sum(len(one.states) for one in drives.values())
    paper = result["authors"]["procedures"]["paper"]
    assert paper["kinds"]["popup"]["within"]["value"] == 1.0
    assert "simulated" in result["simulated"]
    assert curve.read_text().startswith("<svg")
