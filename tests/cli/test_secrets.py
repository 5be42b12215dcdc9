"""`refute run` with secrets and a policy: what was typed is in no file of the run, and in no prompt."""

from __future__ import annotations

import re
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from refute.browser import Acted, Cause, Observed
from refute.trace import read_trace

from .conftest import refute
from .provider import LampModel

PASSWORD = "Zw8-kestrel-lantern"


class Account:
    """A site that says a password again in every way it knows."""

    def __init__(self) -> None:
        self.passwords: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                password = parse_qs(urlsplit(self.path).query).get("password", [""])[0]
                if password:
                    site.passwords.append(password)
                body = f"""<title>Hello {password}</title><h1>Account</h1><p>You typed {password}</p>
                    <form><label>Password <input name=password type=password></label><button>Log in</button></form>
                    <a href="http://elsewhere.localhost:1/{password}">More</a><input aria-label=Copy value="{password}">
                    <script>if ({"true" if password else "false"}) {{ console.error('{password}'); alert('{password}');
                    throw new Error('{password}') }}</script>"""
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Clerk(LampModel):
    """Types the password, sends it, follows the link out, and reports."""

    def answer(self, prompt: str) -> tuple[Any, str]:
        number = {name: int(n) for n, name in re.findall(r'\[(\d+)\] (?:textbox|button|link) "(\w+[ \w]*)"', prompt)}
        moves = (
            f"fill('{number.get('Password', 0)}', '<secret:PASSWORD>')",
            f"click('{number.get('Log in', 0)}')",
            f"click('{number.get('More', 0)}')",
            "done('Logged in.')",
        )
        action = moves[min(len(self.requests) - 1, len(moves) - 1)]
        return {"reasoning": "", "action": action}, f"```action\n{action}\n```"


@pytest.fixture
def account() -> Generator[Account]:
    site = Account()
    yield site
    site.server.shutdown()
    site.server.server_close()


def test_a_secret_is_typed_and_is_nowhere_in_the_run(tmp_path: Path, account: Account) -> None:
    with Clerk() as model:
        ran = refute(
            "run", "Log in with the password <secret:PASSWORD>.", "--url", account.url, "--agent", "react", "--model",
            "openai-chat:clerk", "--base-url", model.url, "--output-mode", "fenced", "--out", str(tmp_path), "--json",
            env={"REFUTE_SECRET_PASSWORD": PASSWORD, "OPENAI_API_KEY": "sk-x"},
        )  # fmt: skip
        prompts = str(model.requests)
    assert account.passwords == [PASSWORD], ran.err
    trace = read_trace(Path(ran.json["folder"]))
    assert "Hello <secret:PASSWORD>" in [page.title for page in trace.of(Observed)]
    assert [event.outcome.cause for event in trace.of(Acted)] == [None, None, Cause.BLOCKED, None]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix == ".html" for path in files)
    for text in (ran.out, ran.err, prompts, *(path.read_bytes().decode(errors="replace") for path in files)):
        assert PASSWORD.lower() not in text.lower()
        assert PASSWORD[:8].lower() not in text.lower()
    assert "<secret:PASSWORD>" in prompts


def test_a_task_that_names_no_secret_of_ours_is_refused_at_once(tmp_path: Path, account: Account) -> None:
    with Clerk() as model:
        ran = refute(
            "run", "Log in with <secret:OTHER>.", "--url", account.url, "--model", "openai-chat:clerk",
            "--base-url", model.url, "--out", str(tmp_path), env={"REFUTE_SECRET_PASSWORD": PASSWORD},
        )  # fmt: skip
        assert model.requests == []
    assert ran.code == 2
    assert "REFUTE_SECRET_OTHER" in ran.err
    assert PASSWORD not in ran.err
