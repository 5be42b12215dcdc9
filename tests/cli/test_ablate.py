"""`refute bench ablate` on the real shop."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refute import UserError
from refute.agents import AGENT_NAMES
from refute.cli import _ablate
from refute.cli._bench import run_command
from refute.cli._main import cli
from refute.run import RunSettings
from refute.suites import Suite
from refute.trace import EVENTS


def ablate(out: Path, *more: str, model: str = "simulated") -> tuple[dict[str, Any], str]:
    arguments = ["bench", "ablate", "arena:shop", "--model", model, "--out", str(out), "--no-screenshots", "--json"]
    done = CliRunner().invoke(cli, [*arguments, *more], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), done.stderr


def test_variants_meet_the_same_task_and_the_same_command_goes_on(tmp_path: Path) -> None:
    wanted = ("--tasks", "buy-one.yoga-mat", "--variant", "no-testing", "--grid", "0:0.15")
    first, told = ablate(tmp_path, *wanted)
    assert "1 of 2" in told
    sheets = {sheet["name"]: sheet["rows"] for sheet in first["tables"]}
    assert [(row["agent"], row["n"]) for row in sheets["levels"]] == [("fcp", 1), ("fcp:no-testing", 1)]
    [row] = sheets["differences-mistakes-x0-recover-0.15"]
    assert (row["variant"], row["tasks"], row["part"]) == ("fcp:no-testing", 1, "no effect seen")
    assert row["calls"]["value"] < 0  # without tests there are fewer questions
    traces = {path: path.read_bytes() for path in tmp_path.rglob(EVENTS)}
    assert len(traces) == 2
    second, told = ablate(tmp_path, *wanted)
    assert "1 finished episode(s) of an earlier run were kept" in " ".join(told.split())
    assert second == first
    assert {path: path.read_bytes() for path in tmp_path.rglob(EVENTS)} == traces


def test_the_manual_says_what_an_ablation_does_not_take_of_a_run() -> None:
    manual = " ".join((Path(__file__).parents[2] / "docs/cli.md").read_text(encoding="utf-8").split())
    said = re.search(r"`bench ablate` takes .*? and what `bench run` takes except ([^.]*)\.", manual)
    assert said is not None
    run, ablation = ({param.opts[0] for param in command.params} for command in (run_command, _ablate.ablate_command))
    assert set(re.findall(r"--[a-z-]+", said[1])) == run - ablation
    for option in ablation - run:
        assert f"`{option}" in said[0]


def test_a_grid_is_about_simulated_mistakes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a real model makes its own"):
        ablate(tmp_path, "--grid", "1:0.1", "--base-url", "http://127.0.0.1:9/v1", model="openai-chat:none")
    assert not list(tmp_path.iterdir())


def test_by_default_each_agent_lacks_one_part_and_revisions_come_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[RunSettings] = []

    def note(suite: object, settings: RunSettings, folder: Path, **more: object) -> None:
        planned.append(settings)

    monkeypatch.setattr(_ablate, "run_bench", note)
    with pytest.raises(UserError, match="no "):  # nothing was run, so there is nothing to compare
        ablate(tmp_path / "runs", "--trigger", "action_index", "--at", "2", "--at", "5")
    assert [s.agent for s in planned] == ["fcp", *(f"fcp:{part}" for part in _ablate.PARTS)]
    assert {s.agent for s in planned} <= set(AGENT_NAMES)
    assert not {"fcp:lean", "fcp:occam", "fcp:picture"} & {s.agent for s in planned}
    assert {s.at for s in planned} == {(2.0, 5.0)}


def test_a_grid_is_run_whole_and_on_the_split_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[tuple[str, str, set[str]]] = []

    def note(suite: Suite, settings: RunSettings, folder: Path, **more: object) -> None:
        planned.append((folder.name, settings.agent, {task.split for task in suite.tasks}))

    monkeypatch.setattr(_ablate, "run_bench", note)
    grid = ("--grid", "1:0.3", "--grid", "2:0.05", "--grid", "1:0.3")
    with pytest.raises(UserError, match="no "):
        ablate(tmp_path / "runs", "--variant", "no-repair", "--split", "train", *grid)
    points = ("mistakes-x1-recover-0.3", "mistakes-x2-recover-0.05")
    assert planned == [(point, agent, {"train"}) for point in points for agent in ("fcp", "fcp:no-repair")]
