"""`refute bench ablate` on the real shop."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refute import UserError
from refute.cli._main import cli
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


def test_a_grid_is_about_simulated_mistakes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a real model makes its own"):
        ablate(tmp_path, "--grid", "1:0.1", "--base-url", "http://127.0.0.1:9/v1", model="openai-chat:none")
    assert not list(tmp_path.iterdir())
