"""`refute run`: the real agent, the real browser, and a model behind real HTTP."""

import http.server
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from refute.agents import CommitmentStatus, Planned, Status
from refute.llm import ModelCalled
from refute.trace import read_trace

from .conftest import refute
from .provider import LampModel

PAGES = {
    "/": "<title>Start</title><h1>Start</h1><a href='/lamps'>Lamps</a>",
    "/lamps": "<title>Lamps</title><h1>Lamps</h1><a href='/lamp'>Arbor lamp</a>",
    "/lamp": "<title>Arbor</title><h1>Arbor lamp</h1><p>It is white.</p>",
}


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in PAGES else 404)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGES.get(self.path, "nothing here").encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@pytest.fixture
def site() -> Generator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(("agent", "mode"), [("fcp", "tool"), ("fcp", "fenced"), ("react", "prompted")])
def test_a_goal_is_reached_with_a_model_over_http(
    tmp_path: Path, site: str, model: LampModel, agent: str, mode: str
) -> None:
    ran = refute(
        "run", "What colour is the Arbor lamp?", "--url", site, "--agent", agent, "--model", "openai-chat:lamp",
        "--base-url", model.url, "--output-mode", mode, "--out", str(tmp_path), "--json",
        env={"OPENAI_API_KEY": "sk-very-secret"},
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert (ran.json["ending"], ran.json["message"]) == ("done", "The Arbor lamp is white.")
    assert ran.json["steps"] == 3
    assert model.keys[0] == "Bearer sk-very-secret"
    trace = read_trace(Path(ran.json["folder"]))
    calls = trace.of(ModelCalled)
    assert ran.json["tokens"] == 120 * len(calls)
    assert not any(call.simulated for call in calls)
    if agent == "fcp":
        assert trace.of(Planned)[0].reason == "start"
        confirmed = [event for event in trace.of(CommitmentStatus) if event.status is Status.CONFIRMED]
        assert confirmed
        assert "white" in confirmed[0].summary
    page = Path(ran.json["report"]).read_text()
    assert "Simulated model" not in page
