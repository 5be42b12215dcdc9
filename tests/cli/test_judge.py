"""`refute judge` from the command line, with a real server or without any model."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refute import RunStopped, UserError
from refute.cli._main import cli
from refute.judge import read_judgement
from refute.revisions import Ending

from ..judge.episodes import constraint, revision, shopping, task
from .conftest import refute
from .provider import Json, LampModel


class JudgeModel(LampModel):
    """Makes one simple claim of each constraint, and takes the whole report for its proof; every change is answered."""

    def answer(self, prompt: str) -> tuple[Json, str]:
        if "You write down the checks" in prompt:
            return {"claims": [{"kind": "simple", "subject": "lamp", "assertion": "A price is stated."}]}, ""
        if "against the words of that report" in prompt:
            report = re.search(r"The report:\n> (.*)", prompt)
            return {"verified": report is not None, "quote": report[1] if report else ""}, ""
        return {"responsive": True, "actions": [1], "adaptation": "additive"}, ""


@pytest.fixture
def judge() -> Generator[JudgeModel]:
    with JudgeModel() as running:
        yield running


def write(out: Path, *, simulated: bool = False) -> list[Path]:
    """Two episodes with a revision each, and one that is the harness's fault."""
    folders: list[Path] = []
    for name, told in (("lamp-a", True), ("lamp-b", False)):
        of = task(constraint("told"), constraint("boxed", bound_to=1), revisions=[revision("In a box.")], name=name)
        episode = shopping(out, of, message=f"The {name} costs $20." if told else "", simulated=simulated)
        episode.deliver(1)
        episode.truth(*(["told", "boxed"] if told else []))
        folders.append(episode.end())
    shopping(out, task(constraint(), name="broken"), simulated=simulated).end(Ending.HARNESS_ERROR, "PageCrashed")
    return folders


def run(*arguments: str) -> Result:
    """The command in this process, in a thread of its own, since it brings its own event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(CliRunner().invoke, cli, ["judge", *arguments]).result(timeout=120)


def call(out: Path, judge: LampModel, *more: str) -> dict[str, Any]:
    ran = run(str(out), "--model", "openai-chat:m", "--base-url", judge.url, "--json", *more)
    assert ran.exception is None, ran.exception
    return json.loads(ran.stdout)


def test_a_finished_judging_is_repeated_without_a_single_request(tmp_path: Path, judge: JudgeModel) -> None:
    write(tmp_path)

    first = call(tmp_path, judge)
    made = len(judge.requests)
    again = call(tmp_path, judge, "--again")
    assert call(tmp_path, judge)["kept"] == 2

    assert made > 0
    assert len(judge.requests) == made
    assert (first["requests"], again["requests"]) == (made, 0)
    assert (first["judge"], first["judged"], first["left_out"]) == ("openai-chat-m-0", 2, {"harness_error": 1})
    for figures in (first, again):
        assert figures["score_judged"] == figures["score"] == 0.5
        assert (figures["agreement"]["n"], figures["agreement"]["precision"], figures["undecided"]) == (4, 1.0, 0)
        assert not figures["simulated"]


class OrderJudge(JudgeModel):
    """Asks of the whole course whether nothing else was ordered, and reads the list to its end or not."""

    reads = True

    def answer(self, prompt: str) -> tuple[Json, str]:
        if "You write down the checks" in prompt:
            return {"claims": [{"kind": "trajectory", "subject": "order", "assertion": "One order was placed."}]}, ""
        if "numbered list of everything" in prompt:
            last = int(re.findall(r"^Entry (\d+):$", prompt, re.MULTILINE)[-1])
            quote = {"entry": 2, "text": "new: Order 1: one Arbor Lamp – White, paid $20"}
            read = last if self.reads else last - 1
            return {"read_to": read, "quotes": [quote], "absence": True, "holds": True}, ""
        return super().answer(prompt)


def test_what_was_not_done_is_judged_on_the_list_of_all_actions(tmp_path: Path) -> None:
    write(tmp_path)
    with OrderJudge() as judge:
        assert call(tmp_path, judge)["score_judged"] == 1.0
        judge.reads = False
        assert call(tmp_path, judge, "--name", "hasty", "--seed", "1")["score_judged"] == 0.0


def test_another_seed_asks_anew_and_stands_beside(tmp_path: Path, judge: JudgeModel) -> None:
    folder, _ = write(tmp_path)
    call(tmp_path, judge)
    made = len(judge.requests)
    call(tmp_path, judge, "--seed", "1")
    assert len(judge.requests) == 2 * made
    assert read_judgement(folder, "openai-chat-m-0") is not None
    assert read_judgement(folder, "openai-chat-m-1") is not None


def test_a_limit_stops_in_time_and_the_same_command_goes_on(tmp_path: Path, judge: JudgeModel) -> None:
    write(tmp_path)
    stopped = call(tmp_path, judge, "--max-requests", "2")
    assert (stopped["limit"], stopped["judged"], stopped["left"], len(judge.requests)) == ("requests", 0, 2, 2)
    rest = call(tmp_path, judge)
    assert (rest["limit"], rest["judged"]) == ("", 2)
    assert rest["requests"] == len(judge.requests) - 2
    assert call(tmp_path, judge)["kept"] == 2


def test_simulated_runs_are_judged_by_the_simulated_judge_and_say_so(tmp_path: Path) -> None:
    write(tmp_path, simulated=True)
    ran = refute("judge", str(tmp_path), "--sensitivity", "1", "--specificity", "1")
    assert ran.code == 0, ran.err
    assert ran.out.count("simulated") >= 2
    assert "1.000 agree" in " ".join(ran.out.split())
    assert "Not judged: 1 ended in a harness error" in ran.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], ["a real model", "--model"]),
        (["--model", "simulated", "--max-tokens", "9"], ["costs nothing", "--max-tokens"]),
        (["--model", "openai-chat:m", "--base-url", "http://127.0.0.1:9/v1", "--sensitivity", "1"], ["simulated"]),
        (["--model", "openai-chat:m"], ["OPENAI_API_KEY", "--base-url"]),
        (["--model", "openai-chat:m", "--base-url", "http://127.0.0.1:9/v1", "--max-cost", "1"], ["genai-prices"]),
        (["--model", "simulated", "--name", "a/b"], ["a/b", "judge's name"]),
        (["--model", "simulated", "--tasks", "zebra*"], ["zebra*"]),
    ],
)
def test_what_cannot_work_says_what_to_change(tmp_path: Path, arguments: list[str], told: list[str]) -> None:
    write(tmp_path)
    ran = run(str(tmp_path), *arguments)
    assert isinstance(ran.exception, UserError)
    assert all(word in str(ran.exception) for word in told), ran.exception


class Broken(LampModel):
    """Fails for good."""

    def reply(self, body: Json) -> Json:
        return {"error": {"message": "no such model"}}


def test_a_model_that_fails_ends_it_with_what_was_kept(tmp_path: Path) -> None:
    folders = write(tmp_path)
    with Broken() as broken:
        ran = run(str(tmp_path), "--model", "openai-chat:m", "--base-url", broken.url)
    assert isinstance(ran.exception, RunStopped)
    assert "2 episodes could not be judged" in str(ran.exception)
    assert "no such model" in ran.output
    assert [read_judgement(folder, "openai-chat-m-0") for folder in folders] == [None, None]
