"""`refute run`: the real agent, the real browser, and a model behind real HTTP."""

import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from refute.agents import CommitmentStatus, Planned, Status
from refute.browser import Acted
from refute.llm import ModelCalled
from refute.revisions import Delivered, EpisodeEnded, GoalSet, Strategy, TriggerAsked, TriggerMode
from refute.trace import read_trace

from .conftest import COMMAND, refute
from .provider import LampModel

GOAL = "What colour is the Arbor lamp?"


@pytest.mark.parametrize(
    ("agent", "mode", "conclusion", "code"),
    [
        ("fcp", "tool", "confirmed", 0),
        ("fcp", "fenced", "confirmed", 0),
        ("react", "prompted", "unconfirmed", 4),
    ],
)
def test_a_goal_is_reached_with_a_model_over_http(
    tmp_path: Path, site: str, model: LampModel, agent: str, mode: str, conclusion: str, code: int
) -> None:
    ran = refute(
        "run", GOAL, "--url", site, "--agent", agent, "--model", "openai-chat:lamp",
        "--base-url", model.url, "--output-mode", mode, "--out", str(tmp_path), "--json",
        env={"OPENAI_API_KEY": "sk-very-secret"},
    )  # fmt: skip
    assert ran.code == code, ran.err
    assert (ran.json["conclusion"], ran.json["message"]) == (conclusion, "The Arbor lamp is white.")
    assert ran.json["steps"] == 3
    assert ran.json["url"] == f"{site}lamp"
    assert model.keys[0] == "Bearer sk-very-secret"
    trace = read_trace(Path(ran.json["folder"]))
    calls = trace.of(ModelCalled)
    assert ran.json["tokens"] == 120 * len(calls)
    assert not any(call.simulated for call in calls)
    confirmed = [event.number for event in trace.of(CommitmentStatus) if event.status is Status.CONFIRMED]
    assert [step["number"] for step in ran.json["confirmed"]] == confirmed
    assert ran.json["unconfirmed"] == []
    if agent == "fcp":
        assert trace.of(Planned)[0].reason == "start"
        assert ran.json["confirmed"][0]["subgoal"] == "Open the page of the Arbor lamp"
    page = Path(ran.json["report"]).read_text()
    assert "Simulated model" not in page


def test_a_revision_reaches_the_agent_before_the_action_after_its_step(
    tmp_path: Path, site: str, model: LampModel
) -> None:
    ran = refute(
        "run", GOAL, "--url", site, "--model", "openai-chat:lamp", "--base-url", model.url, "--out", str(tmp_path),
        "--revise-after", "1", "Also tell me its price.",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (folder,) = [path.parent for path in tmp_path.rglob("events.jsonl")]
    trace = read_trace(folder)
    (delivered,) = trace.of(Delivered)
    assert (delivered.step, delivered.mode, delivered.forced) == (1, TriggerMode.STEP, False)
    assert [asked.fired for asked in trace.of(TriggerAsked)] == [False, True]
    order = [type(event).__name__ for event in trace.events if isinstance(event, Acted | Delivered)]
    assert order == ["Acted", "Delivered", "Acted", "Acted"]
    assert trace.of(GoalSet)[-1].goal.instructions == (GOAL, "Also tell me its price.")
    out = ran.out.splitlines()
    assert "\x1b" not in ran.out, "not a terminal: plain lines"
    assert any("revised: Also tell me its price." in line for line in out)
    assert any(re.match(r" +1  click\(.*Lamps", line) for line in out)
    assert "The Arbor lamp is white and costs $20." in ran.out
    assert "confirmed every step of its plan" in ran.out
    assert f"Report: {folder / 'index.html'}" in ran.out


def test_a_revision_waits_for_its_milestone_and_is_merged(tmp_path: Path, site: str, model: LampModel) -> None:
    ran = refute(
        "run", GOAL, "--url", site, "--model", "openai-chat:lamp", "--base-url", model.url, "--out", str(tmp_path),
        "--revise-at", "The lamps are listed.", "Also tell me its price.", "--strategy", "rewrite", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    trace = read_trace(Path(ran.json["folder"]))
    (delivered,) = trace.of(Delivered)
    assert (delivered.step, delivered.mode, delivered.strategy) == (1, TriggerMode.MILESTONE, Strategy.REWRITE)
    assert trace.of(GoalSet)[-1].goal.instructions == ("What colour is the Arbor lamp, and what is its price?",)
    assert ran.json["message"] == "The Arbor lamp is white and costs $20."


def test_what_is_typed_meanwhile_changes_the_goal(tmp_path: Path, site: str, model: LampModel) -> None:
    ran = refute(
        "run", GOAL, "--url", site, "--model", "openai-chat:lamp", "--base-url", model.url, "--out", str(tmp_path),
        "--live", typed="Also tell me its price.\n\n",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    (folder,) = [path.parent for path in tmp_path.rglob("events.jsonl")]
    (delivered,) = read_trace(folder).of(Delivered)
    assert (delivered.step, delivered.mode, delivered.text) == (0, TriggerMode.LIVE, "Also tell me its price.")
    assert "revised: Also tell me its price." in ran.out
    assert "The Arbor lamp is white and costs $20." in ran.out


def test_revisions_of_two_kinds_are_refused(tmp_path: Path, site: str, model: LampModel) -> None:
    ran = refute(
        "run", GOAL, "--url", site, "--model", "openai-chat:lamp", "--base-url", model.url, "--out", str(tmp_path),
        "--revise-at", "The lamps are listed.", "In red.", "--revise-after", "1", "In blue.",
    )  # fmt: skip
    assert ran.code == 2
    assert "one kind" in ran.err
    assert not model.requests


def test_ctrl_c_on_a_terminal_leaves_a_readable_trace_and_a_report(tmp_path: Path, site: str) -> None:
    with LampModel(delay=2.0) as model:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, "run", GOAL, "--url", site, "--model", "openai-chat:lamp", "--base-url", model.url, "--out",
             str(tmp_path)],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
        )  # fmt: skip
        os.close(theirs)
        screen = _read_until(ours, "click(", process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the browser's processes get it too
        screen += _read_until(ours, "Report:", process)
        assert process.wait(timeout=60) == 130
        os.close(ours)
    for shown in ("step 1 of 40", "commitment", "last test", "model calls", "interrupted"):
        assert shown in screen, screen
    assert "Traceback" not in screen
    (folder,) = [path.parent for path in tmp_path.rglob("events.jsonl")]
    trace = read_trace(folder)
    assert trace.of(Acted)
    assert not trace.of(EpisodeEnded)
    assert (folder / "index.html").is_file()


def _read_until(terminal: int, text: str, process: subprocess.Popen[bytes]) -> str:
    """What the terminal shows until `text` has been seen."""
    seen = b""
    until = time.monotonic() + 120
    while text.encode() not in seen:
        assert time.monotonic() < until, seen.decode()
        try:
            seen += os.read(terminal, 65536)
        except OSError as error:  # the other end is closed
            raise AssertionError(f"ended with {process.wait()}: {seen.decode()}") from error
    return seen.decode(errors="replace")
