"""A role, a recorder and a server for the tests of models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from refute.budget import Budget, Limits, VirtualClock
from refute.llm import Backend, RoleModel
from refute.trace import Recorder, read_trace

from .server import ChatServer
from .setup import TEMPLATE, Bench


@pytest.fixture(scope="session", autouse=True)
def _templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """A package with the template of the test's role, as a room has its own."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "colorquestions" / "templates").mkdir(parents=True)
    (folder / "colorquestions" / "__init__.py").write_text("")
    (folder / "colorquestions" / "templates" / "color.jinja").write_text(TEMPLATE)
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ChatServer() as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Recorder(tmp_path) as recorder:
        clock = VirtualClock()
        budget = Budget(Limits(), started=clock.now())

        def model(backend: Backend, retries: int = 2) -> RoleModel:
            return RoleModel(backend, recorder=recorder, budget=budget, clock=clock, retries=retries)

        yield Bench(model=model, budget=budget, clock=clock, events=lambda: read_trace(tmp_path).events)
