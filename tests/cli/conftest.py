"""The command line as a user calls it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from .lamps import lamps
from .provider import LampModel


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """What ``--json`` printed: exactly one object."""
        value: dict[str, Any] = json.loads(self.out)
        return value


COMMAND = (sys.executable, "-c", "from refute.cli import main; main()")


def refute(*arguments: str, env: Mapping[str, str] | None = None, typed: str = "", timeout: float = 240) -> Ran:
    """Run ``refute ARGUMENTS`` with no key in the environment; `typed` is what it reads."""
    providers = ("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(providers)}
    process = subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**clean, **(env or {})},
        check=False,
    )
    return Ran(code=process.returncode, out=process.stdout, err=process.stderr)


@pytest.fixture
def model() -> Generator[LampModel]:
    with LampModel() as running:
        yield running


@pytest.fixture
def site() -> Generator[str]:
    with lamps() as address:
        yield address
