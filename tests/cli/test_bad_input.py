"""What a mistaken command tells its user: one screen, what to change, nothing lost."""

from pathlib import Path

import pytest

from refute.revisions import Ending, EpisodeEnded
from refute.trace import read_trace

from .conftest import refute
from .provider import LampModel

OUT = "out-of-test"
MODEL = ("--model", "openai-chat:m", "--base-url", "http://127.0.0.1:9/v1")
UPLOAD = ("--upload", __file__)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["bench", "run", "arena:shoe", "--model", "simulated"], ["arena:shoe", "arena:shop"]),
        (["bench", "run", "arena:shop", "--model", "simulated", "--agent", "fcp:x"], ["fcp:x", "fcp:no-repair"]),
        (["bench", "run", "arena:shop", "--model", "simulated", "--tasks", "zebra*"], ["zebra*", "buy-one"]),
        (["bench", "run", "arena:shop", "--model", "gpt"], ["gpt", "openai-chat:"]),
        (["bench", "run", "arena:shop", "--model", "openai-chat:m"], ["OPENAI_API_KEY", "--base-url"]),
        (["run", "Look", "--url", "http://127.0.0.1:9/", "--model", "simulated"], ["simulated", "refute demo"]),
        (["run", "Look", "--url", "http://127.0.0.1:9/"], ["no model is named", "anthropic:NAME", "--base-url"]),
        (["bench", "run", "arena:shop"], ["no model is named", "simulated", "OPENAI_API_KEY"]),
        (["run", "Look", "--url", "no address", *MODEL], ["no address", "http://"]),
        (["run", "Look", "--url", "shop.example/lamps", *MODEL], ["did you mean https://shop.example/lamps"]),
        (["run", "Look", "--url", "http://:80/", *MODEL], ["http://:80/", "address"]),
        (["run", "Look", "--url", "http://127.0.0.1:9/", *MODEL, "--revise-after", "90", "x"], ["90", "0 and 39"]),
        (["run", "Look", "--url", "http://127.0.0.1:9/", *MODEL, "--revise-after", "1", " "], ["empty"]),
        (["run", "Look", "--url", "http://127.0.0.1:9/", *MODEL, *UPLOAD, *UPLOAD], ["two files to upload", "rename"]),
        (["bench", "run", "arena:shop", "--model", "simulated", "--seeds", "5"], ["fixed tasks", "--repeats"]),
        (["run", "  ", "--url", "http://127.0.0.1:9/", "--model", "openai-chat:m"], ["empty"]),
    ],
)  # fmt: skip
def test_an_impossible_request_says_what_to_change(tmp_path: Path, arguments: list[str], told: list[str]) -> None:
    ran = refute(*arguments, "--out", str(tmp_path / OUT))
    assert ran.code == 2
    for word in told:
        assert word in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) <= 20
    assert not ran.out
    assert not list(tmp_path.rglob("events.jsonl"))


@pytest.mark.parametrize("arguments", [["bench", "report", "nowhere"], ["arena", "setup", "moon"], ["bench", "run"]])
def test_a_wrong_word_is_an_error_of_usage(arguments: list[str]) -> None:
    ran = refute(*arguments)
    assert ran.code == 2
    assert "Traceback" not in ran.err


def test_a_folder_without_runs_says_so(tmp_path: Path) -> None:
    ran = refute("bench", "report", str(tmp_path))
    assert ran.code == 2
    assert "no runs" in ran.err


def test_an_unreachable_address_is_a_harness_error_with_its_trace_kept(tmp_path: Path, model: LampModel) -> None:
    ran = refute(
        "run", "Look at a lamp", "--url", "http://127.0.0.1:9/", "--model", "openai-chat:lamp",
        "--base-url", model.url, "--out", str(tmp_path), "--json",
    )  # fmt: skip
    assert ran.code == 3
    assert ran.json["conclusion"] == "harness_error"
    assert "127.0.0.1:9" in ran.json["message"]
    assert read_trace(Path(ran.json["folder"])).of(EpisodeEnded)[-1].ending is Ending.HARNESS_ERROR
    assert Path(ran.json["report"]).is_file()


def test_a_silent_provider_is_a_harness_error_that_names_no_key(tmp_path: Path) -> None:
    ran = refute(
        "run", "Look at a lamp", "--url", "http://127.0.0.1:9/", "--model", "openai-chat:lamp",
        "--base-url", "http://127.0.0.1:9/v1", "--out", str(tmp_path), env={"OPENAI_API_KEY": "sk-very-secret"},
    )  # fmt: skip
    assert ran.code == 3
    written = "".join(path.read_text() for path in tmp_path.rglob("*.json*")) + ran.out + ran.err
    assert "very-secret" not in written


def test_a_missing_browser_says_how_to_get_one_and_leaves_nothing(tmp_path: Path) -> None:
    ran = refute(
        "run", "Look", "--url", "http://127.0.0.1:9/", *MODEL, "--out", str(tmp_path),
        env={"REFUTE_BROWSER": "/nowhere/chromium"},
    )  # fmt: skip
    assert ran.code == 2
    for word in ("/nowhere/chromium", "playwright install", "apt-get install chromium"):
        assert word in ran.err
    assert list(tmp_path.iterdir()) == []


def test_help_lists_every_command() -> None:
    ran = refute("--help")
    assert ran.code == 0
    for command in ("demo", "doctor", "run", "bench", "arena"):
        assert command in ran.out
