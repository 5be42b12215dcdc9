"""`refute doctor`: what it finds on this machine and on broken ones, and that it never shows a key."""

import json
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refute import SiteError
from refute._readiness import Readiness, State
from refute.cli import _doctor, _machine
from refute.cli._main import cli
from refute.llm import PROVIDERS, models_readiness
from refute.run import suite_names

from .provider import LampModel

KEYS = {name: "" for provider in PROVIDERS.values() for name in (*provider.keys, provider.address_variable)}


def doctor(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(cli, ["doctor", *arguments], env={**KEYS, **environment})


def lines(result: Result) -> dict[str, Readiness]:
    return {line["name"]: Readiness.model_validate(line) for line in json.loads(result.stdout)["checks"]}


def test_a_machine_that_runs_the_demo_is_ready() -> None:
    result = doctor("--json", OPENAI_API_KEY="sk-very-secret")
    assert result.exit_code == 0, result.stdout
    found = lines(result)
    assert json.loads(result.stdout)["ready"] is True
    for name in ("Python", "memory", "disk", "open files", "Chromium", "shop", "cache", *suite_names(), *PROVIDERS):
        assert name in found
    assert "Chromium 1" in found["Chromium"].detail
    assert found["openai"].detail == "key in $OPENAI_API_KEY"
    assert found["google"].state is State.OPTIONAL
    assert "tasks of" in found["arena:shop"].detail
    assert "very-secret" not in result.output
    assert all(line.cure for line in found.values() if line.state is not State.READY)


def test_what_several_suites_of_a_kind_lack_is_said_once() -> None:
    said = doctor(INTERRUPTBENCH_DATA="").stdout
    assert said.count("the data of InterruptBench") == 1
    assert "! interruptbench:…" in said


def test_a_bare_machine_is_told_every_command_that_mends_it(tmp_path: Path) -> None:
    result = doctor(REFUTE_BROWSER="/nowhere/chromium", REFUTE_CACHE=str(tmp_path))
    assert result.exit_code == 1
    for words in (
        "✗ Chromium",
        "playwright install --with-deps chromium",
        "✗ shop",
        "→ refute arena setup shop",
        "! arena:shop",
        "! miniwob",
        "refute bench setup miniwob",
        "! openai-chat",
        "→ export OPENAI_API_KEY=",
        "2 things missing",
    ):
        assert words in result.output


def test_a_program_that_is_no_browser_is_found_out(tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    program.chmod(0o755)
    result = doctor("--json", REFUTE_BROWSER=str(program))
    assert result.exit_code == 1
    assert "does not start" in lines(result)["Chromium"].detail
    assert "REFUTE_BROWSER" in lines(result)["Chromium"].cure


async def test_a_probe_asks_the_model_itself(model: LampModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    answered = (await models_readiness("openai-chat:lamp", base_url=model.url, probe=True))[-1]
    assert answered.state is State.READY
    assert "answers (" in answered.detail
    assert "120 tokens" in answered.detail
    assert len(model.requests) == 1
    unasked = (await models_readiness("openai-chat:lamp", base_url=model.url))[-1]
    assert unasked.state is State.READY
    assert len(model.requests) == 1, "without --probe nothing is sent"


async def test_a_server_that_does_not_answer_is_missing(model: LampModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refute.llm._readiness.PROBE_DEADLINE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        waited = (await models_readiness("openai-chat:lamp", base_url=url, probe=True))[-1]
    assert waited.state is State.MISSING
    assert "no answer within" in waited.detail


def test_a_probe_needs_to_know_whom_to_ask() -> None:
    result = doctor("--probe")
    assert isinstance(result.exception, Exception)
    assert "--model" in str(result.exception)


async def test_a_model_without_a_key_lists_the_ways_to_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    line = (await models_readiness("anthropic:claude", probe=True))[-1]
    assert line.state is State.MISSING
    assert "ANTHROPIC_API_KEY" in line.cure


async def test_a_room_that_cannot_look_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken() -> Sequence[Readiness]:
        raise SiteError("the cache is on fire")

    found = await _doctor.look({"sites": broken, "machine": _machine.machine_readiness})
    assert [line.part for line in found][:2] == ["sites", "machine"]
    assert found[0].state is State.MISSING
    assert "on fire" in found[0].detail


def test_little_memory_and_disk_are_said_with_a_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert _machine.memory(free=200 * 1024**2).state is State.OPTIONAL
    assert "--workers 1" in _machine.memory(free=200 * 1024**2).cure
    assert _machine.memory(free=8 * 1024**3).state is State.READY
    assert _machine.disk(tmp_path, free=500 * 1024**2).state is State.OPTIONAL
    assert _machine.disk(tmp_path, free=1024).state is State.MISSING
