"""`refute learn` and `refute library`, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from refute import UserError
from refute.agents.memory import Library, Skill, load_library, save_library
from refute.cli import _scaling
from refute.cli._main import cli
from refute.run import RunSettings, ScalingResult
from refute.suites import Suite

from .stories import repair, tell


def refute(*arguments: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)
    if isinstance(result.exception, UserError | click.ClickException):
        raise result.exception
    assert (result.return_value or 0) == code, result.output
    return result.stdout


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """A library from one success and one repaired failure."""
    tell(tmp_path / "runs", "a.won")
    tell(tmp_path / "runs", "b.lost", won=False, repaired=[repair("The list holds \x1b[31mkettles\x1b[0m.")])
    refute("learn", tmp_path / "runs", "--out", tmp_path / "library")
    return tmp_path / "library"


def test_learning_from_simulated_runs_needs_no_model_and_says_simulated(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.won")
    tell(tmp_path / "runs", "h.test", split="test")
    told: dict[str, Any] = json.loads(refute("learn", tmp_path / "runs", "--out", tmp_path / "library", "--json"))
    assert (told["skills"], told["successes"], told["troubles"], told["calls"]) == (1, 1, 0, 1)
    assert (told["simulated"], told["model"]) == (True, "simulated")
    assert told["skipped"] == {"not of the training split": 1}
    assert told["problems"] == []
    before = (tmp_path / "library" / "skills.jsonl").read_bytes()
    refute("learn", tmp_path / "runs", "--out", tmp_path / "library")
    assert (tmp_path / "library" / "skills.jsonl").read_bytes() == before
    with pytest.raises(UserError, match="costs nothing"):
        refute("learn", tmp_path / "runs", "--out", tmp_path / "library", "--max-cost", "1")


def test_learning_from_real_runs_asks_which_model_and_never_takes_the_simulated_one_unasked(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "a.won", simulated=False)
    with pytest.raises(UserError, match="no model is named"):
        refute("learn", tmp_path / "runs", "--out", tmp_path / "library")
    assert not (tmp_path / "library").exists()


def test_where_there_is_nothing_to_learn_from_the_message_says_why(tmp_path: Path) -> None:
    tell(tmp_path / "runs", "h.test", split="test")
    with pytest.raises(UserError, match="--split all"):
        refute("learn", tmp_path / "runs", "--out", tmp_path / "library")
    assert "1 skill" in refute("learn", tmp_path / "runs", "--out", tmp_path / "library", "--split", "all")
    assert "of the test split" in refute("library", "check", tmp_path / "library", code=1)


def test_a_library_is_shown_as_a_table_as_records_and_as_json_without_control_codes(learned: Path) -> None:
    table = refute("library", "show", learned)
    assert "simulated" in table
    assert "\x1b" not in table
    found = load_library(learned)
    assert "Add to basket" in refute("library", "show", learned, found.skills[0].name)
    record = refute("library", "show", learned, found.failures[0].id)
    assert "Open Mugs." in record
    assert "\x1b" not in record
    told = json.loads(refute("library", "show", learned, "--json"))
    assert [f["id"] for f in told["failures"]] == [found.failures[0].id]
    assert told["digest"] == found.digest
    with pytest.raises(UserError, match="no record 'nobody'"):
        refute("library", "show", learned, "nobody")


def test_a_sound_library_passes_and_a_defect_ends_with_code_1(learned: Path) -> None:
    assert "all sound" in refute("library", "check", learned)
    found = load_library(learned)
    save_library(Library(skills=(*found.skills, Skill(name="bad", applicability="x", steps=("click('3')",)))), learned)
    told = json.loads(refute("library", "check", learned, "--json", code=1))
    assert [p["record"] for p in told["problems"]] == ["skill bad"]


def test_the_difference_of_two_libraries(learned: Path, tmp_path: Path) -> None:
    found = load_library(learned)
    save_library(Library(skills=(*found.skills, Skill(name="more", steps=("Do it.",)))), tmp_path / "other")
    told = json.loads(refute("library", "diff", learned, tmp_path / "other", "--json"))
    assert told["added"] == ["skill more"]
    assert told["removed"] == [f"failure {found.failures[0].id}"]
    assert "+ skill more" in refute("library", "diff", learned, tmp_path / "other")
    assert "no difference" in refute("library", "diff", learned, learned)


def test_only_the_tasks_that_are_asked_for_are_learned_from(tmp_path: Path) -> None:
    for task in ("a.won", "b.won", "c.other"):
        tell(tmp_path / "runs", task)
    command = ("learn", tmp_path / "runs", "--json", "--out")
    assert json.loads(refute(*command, tmp_path / "some", "--tasks", "*.won", "--tasks", "none"))["successes"] == 2
    with pytest.raises(UserError, match="nothing to learn from"):
        refute(*command, tmp_path / "none", "--tasks", "?.lost")


def test_a_run_with_a_library_that_is_none_ends_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = ("bench", "run", "arena:shop", "--model", "simulated", "--out", tmp_path / "out")
    with pytest.raises(UserError, match="is no library"):
        refute(*run, "--library", tmp_path / "empty")
    with pytest.raises(UserError, match="unknown embedder 'bert'; known: minilm, bge-m3"):
        refute(*run, "--embedder", "bert")
    with pytest.raises(UserError, match="name it with --library"):
        refute(*run, "--library-site", "shop")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("shares", ["0,lots", "120", "-5", ""])
def test_shares_that_are_no_percentages_are_refused(tmp_path: Path, shares: str) -> None:
    scaling = ("bench", "scaling", "arena:shop", "--model", "simulated", "--out", tmp_path / "out")
    with pytest.raises(UserError, match="percentages such as 0,25"):
        refute(*scaling, f"--shares={shares}")
    with pytest.raises(UserError, match="no tasks of the split"):
        refute(*scaling, "--tasks", "buy-one.*")
    assert not (tmp_path / "out").exists()


def test_a_curve_at_each_point_of_a_grid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str, float]] = []

    class Curve:
        episodes = 0

        def __init__(self, suite: Suite, settings: RunSettings, out: Path, **more: object) -> None:
            assert settings.rates is not None
            begun.append((out.name, settings.rates.recover))

        async def run(self, **more: object) -> ScalingResult:
            return ScalingResult(
                suite="arena:shop", model="simulated", simulated=True, seed=0, repeats=1, test_tasks=1, points=()
            )

    monkeypatch.setattr(_scaling, "Scaling", Curve)
    command = ("bench", "scaling", "arena:shop", "--model", "simulated", "--out", tmp_path, "--json")
    told = json.loads(refute(*command, "--grid", "1:0.3", "--grid", "2:0.05"))
    assert begun == [("mistakes-x1-recover-0.3", 0.3), ("mistakes-x2-recover-0.05", 0.05)]
    assert set(told["grid"]) == {name for name, _ in begun}
    assert all((tmp_path / name / "scaling.json").exists() for name, _ in begun)
    assert json.loads(refute(*command))["points"] == [], "without a grid, one curve in the folder itself"
