"""A role, a recorder and a server for the tests of models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from refute.budget import Budget, Limits, VirtualClock
from refute.llm import PROVIDERS, Backend, RoleModel
from refute.trace import Recorder, read_trace

from .dialects import DIALECTS, Dialect
from .server import ModelServer
from .setup import TEMPLATE, Bench

KEY = "a-secret-of-mine-4711"


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


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """No key, no address and no proxy of the machine that the tests run on."""
    for provider in PROVIDERS.values():
        for name in (*provider.keys, provider.address_variable):
            monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(scope="session")
def running_server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def server(running_server: ModelServer) -> ModelServer:
    running_server.answer()
    return running_server


@pytest.fixture(params=list(DIALECTS))
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Recorder(tmp_path) as recorder:
        clock = VirtualClock()

        def model(backend: Backend, retries: int = 2, limits: Limits | None = None) -> RoleModel:
            made.budget = Budget(limits or Limits(), started=clock.now())
            return RoleModel(backend, recorder=recorder, budget=made.budget, clock=clock, retries=retries)

        budget = Budget(Limits(), started=clock.now())
        made = Bench(
            folder=tmp_path, model=model, budget=budget, clock=clock, events=lambda: read_trace(tmp_path).events
        )
        yield made
