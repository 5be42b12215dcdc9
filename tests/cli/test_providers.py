"""Providers from the command line: no key anywhere, limits that are refused or that end an episode."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from .conftest import refute

KEY = "a-secret-of-mine-4711"


class _Echo(BaseHTTPRequestHandler):
    """A page for browsers; for models a server that turns every key down and repeats it in the error."""

    def do_GET(self) -> None:
        self._send(200, "text/html", b"<title>Lamps</title><h1>Lamps</h1>")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        seen = self.headers.get("authorization") or self.headers.get("x-goog-api-key") or ""
        self._send(401, "application/json", json.dumps({"error": {"message": f"invalid key {seen}"}}).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@pytest.fixture(scope="module")
def origin() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai:gpt-6.1-terra", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-5-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-3.8-flash", "GEMINI_API_KEY"),
    ],
)
def test_a_key_is_in_no_file_of_the_run_and_in_no_output(
    tmp_path: Path, origin: str, model: str, variable: str
) -> None:
    ran = refute(
        "run", "Look at a lamp", "--url", f"{origin}/", "--model", model, "--base-url", origin, "--out", str(tmp_path),
        env={variable: KEY},
    )  # fmt: skip
    assert ran.code == 3
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    shown = ran.out + ran.err + "".join(path.read_text(errors="replace") for path in files)
    assert variable in shown, "the error says where to look"
    assert "HTTP 401: invalid key" in " ".join(shown.split())
    assert KEY not in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--model", "anthropic:claude-sonnet-5-5"], ["ANTHROPIC_API_KEY", "--base-url", "vllm serve"]),
        (["--model", "openai-chat:m", "--base-url", "http://u:word@127.0.0.1/v1"], ["user name, password"]),
        (["--model", "openai-chat:m", "--base-url", "http://127.0.0.1:9/v1", "--max-cost", "1"], ["genai-prices"]),
        (["--model", "simulated", "--max-cost", "1"], ["simulated", "--max-cost"]),
        (["--model", "simulated", "--max-tokens", "0"], ["--max-tokens"]),
        (["--model", "simulated", "--max-seconds", "0"], ["--max-seconds"]),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_written(
    tmp_path: Path, arguments: list[str], told: list[str]
) -> None:
    ran = refute("bench", "run", "arena:shop", *arguments, "--out", str(tmp_path / "out"))
    assert ran.code == 2
    for word in told:
        assert word in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "out").exists()
