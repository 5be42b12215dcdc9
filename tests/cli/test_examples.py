"""Every example runs as its docstring says: real Chromium, the bundled shop, a model behind real HTTP."""

import subprocess
import sys
from pathlib import Path

import pytest

from .provider import LampModel

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TESTED = ("run_a_goal.py", "watch_events.py", "revise_mid_run.py", "read_a_trace.py", "run_a_suite.py")


def run(name: str, *arguments: str, cwd: Path) -> str:
    """What the example prints."""
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        timeout=400,
        cwd=cwd,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_no_example_is_left_out() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(TESTED)


def test_run_a_goal_and_read_its_trace(tmp_path: Path, site: str, model: LampModel) -> None:
    shown = run("run_a_goal.py", site, "openai-chat:lamp", model.url, cwd=tmp_path)
    assert "confirmed: The Arbor lamp is white." in shown
    assert "confirmed      Open the page of the Arbor lamp" in shown
    (folder,) = [path.parent for path in tmp_path.rglob("events.jsonl")]
    assert str(folder.relative_to(tmp_path)) in shown
    story = run("read_a_trace.py", str(folder), cwd=tmp_path)
    assert "fcp with openai-chat:lamp: What colour is the Arbor lamp?" in story
    assert "done: The Arbor lamp is white." in story
    assert "3 × acted" in story


def test_watch_events(tmp_path: Path, site: str, model: LampModel) -> None:
    shown = run("watch_events.py", site, "openai-chat:lamp", model.url, cwd=tmp_path)
    assert "step 1: click(" in shown
    assert shown.index("commitment 1 is active") < shown.index("commitment 1 is confirmed")


def test_revise_mid_run(tmp_path: Path, site: str, model: LampModel) -> None:
    shown = run("revise_mid_run.py", site, "openai-chat:lamp", model.url, cwd=tmp_path)
    assert "step 1, plan by revision for goal version 1:" in shown
    assert "Open the page of the Arbor lamp and read its price" in shown
    assert "confirmed: The Arbor lamp is white and costs $20." in shown


@pytest.mark.slow
def test_run_a_suite(tmp_path: Path) -> None:
    shown = run("run_a_suite.py", "wish-list.tent", cwd=tmp_path)
    assert "1 episodes, simulated model: True" in shown
    assert "score " in shown
    assert (tmp_path / "out" / "example" / "index.html").is_file()
