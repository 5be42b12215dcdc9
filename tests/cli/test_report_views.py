"""`refute bench report --view` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refute import UserError
from refute.browser import Done
from refute.cli._main import cli
from refute.goals import Constraint, Finding, Task, TruthVerdict
from refute.revisions import Ending, EpisodeEnded, EpisodeStarted
from refute.trace import Recorder


def write(out: Path, agent: str, *, satisfied: bool = True) -> Path:
    """A run of one episode of a task without revisions."""
    task = Task(
        id="mug",
        template="basket",
        start_urls=("http://127.0.0.1/",),
        initial_instruction="Buy a mug.",
        static_instruction="Buy a mug.",
        constraints=(Constraint(id="mug", text="A mug is bought", bound_to=0),),
    )
    (out / agent).mkdir(parents=True)
    run = {"suite": "arena:shop", "agent": agent, "model": "simulated", "simulated": True, "seed": 3}
    (out / agent / "run.json").write_text(json.dumps(run))
    with Recorder(out / agent / "mug" / "0", now=lambda: 1.0) as recorder:
        recorder.record(
            EpisodeStarted(run_id=agent, task=task, repeat=0, agent=agent, model="simulated", simulated=True, seed=3)
        )
        recorder.record(TruthVerdict(findings={"mug": Finding(satisfied=satisfied)}))
        recorder.record(EpisodeEnded(ending=Ending.DONE, message=Done(message="done").message))
    return out


def ask(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["bench", "report", *map(str, arguments)], catch_exceptions=False)


def test_a_view_is_printed_in_each_form_and_writes_no_page(tmp_path: Path) -> None:
    out = write(write(tmp_path / "out", "fcp"), "react", satisfied=False)
    assert "Score, success and efficiency  simulated" in ask(out, "--view", "main").stdout
    assert ask(out, "--view", "main", "--format", "md").stdout.startswith("## How good the runs are")
    assert r"\begin{tabular}" in ask(out, "--view", "main", "--format", "latex").stdout
    assert ask(out, "--view", "main", "--format", "csv").stdout.splitlines()[1].startswith("run,n,score,score_low")
    data = json.loads(ask(out, "--view", "main", "--json").stdout)
    assert [row["tsr"]["value"] for row in data["tables"][0]["rows"]] == [1.0, 0.0]
    assert not (out / "index.html").exists()


def test_several_folders_are_joined_under_their_names(tmp_path: Path) -> None:
    first, second = write(tmp_path / "first", "fcp"), write(tmp_path / "second", "fcp", satisfied=False)
    data = json.loads(ask(first, second, "--view", "main", "--format", "json").stdout)
    assert [row["run"] for row in data["tables"][0]["rows"]] == [
        "fcp · first",
        "fcp · second",
    ]
    assert data["episodes"] == 2
    with pytest.raises(UserError, match="given twice"):
        ask(first, first, "--view", "main")


def test_figures_are_drawn_beside_the_tables(tmp_path: Path) -> None:
    out = write(tmp_path / "out", "fcp")
    done = ask(out, "--view", "thresholds", "--format", "csv", "--figures", tmp_path / "figures")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {"thresholds-thresholds.svg", "thresholds-thresholds.png", "thresholds-thresholds.pdf"}
    assert "3 files" in done.stderr
    assert "files" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--buckets", "5,5"), "rising numbers"),
        (("--buckets", "a"), "rising numbers"),
        (("--budget", "steps"), "a number above 0"),
        (("--budget", "tokens=-1"), "a number above 0"),
        (("--budget", "apples=3"), "tokens"),
        (("--figures", "x"), "need --view"),
        (("--format", "csv"), "need --view"),
    ],
)
def test_what_cannot_work_is_said(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    out = write(tmp_path / "out", "fcp")
    with pytest.raises(UserError, match=message):
        ask(out, *arguments)
