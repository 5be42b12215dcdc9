"""The child process that holds BrowserGym: questions and answers as JSON lines, each with a deadline."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from refute._errors import SiteError
from refute.arena import end_group, own_environment
from refute.suites.browsergym._packages import Package

CHILD = Path(__file__).parent / "child.py"
START_DEADLINE = 120.0
"""Seconds until the packages are imported; some load a lot."""
LONGEST_LINE = 16 * 1024 * 1024


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Ready(_Answer):
    """The child has imported the package."""

    ready: bool


class Listed(_Answer):
    """The package's tasks."""

    tasks: list[str]


class Begun(_Answer):
    """A task is set up. `images`: how many parts of the goal are pictures, which agents here do not get."""

    goal: str
    images: int = 0
    info: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class Validated(_Answer):
    """The task's verdict."""

    reward: float
    done: bool
    message: str | None = ""
    info: dict[str, JsonValue] | None = None


class Nothing(_Answer):
    """The request was carried out."""


class _Failed(_Answer):
    error: str


A = TypeVar("A", bound=_Answer)


class BrowserGymProcess:
    """A running child. Every failure is a `SiteError`, with the child's last lines when it is gone."""

    def __init__(self, package: Package, process: asyncio.subprocess.Process) -> None:
        self._package = package
        self._process = process
        self._tail: deque[str] = deque(maxlen=15)
        self._reading = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(cls, package: Package, **environment: str) -> BrowserGymProcess:
        """Start the child in the package's environment. Raises `SiteError`."""
        process = await asyncio.create_subprocess_exec(
            str(package.environment.python),
            str(CHILD),
            package.name,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=own_environment(**environment),
            start_new_session=True,
            limit=LONGEST_LINE,
        )
        child = cls(package, process)
        try:
            await child._answer(Ready, what="starting", seconds=START_DEADLINE)
        except BaseException:
            await child.close()
            raise
        return child

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def check(self) -> None:
        """Raise `SiteError` when the child has ended."""
        if self._process.returncode is not None:
            last = "\n".join(self._tail) or "(it said nothing)"
            raise SiteError(f"browsergym:{self._package.name} has ended; its last lines were:\n{last}")

    async def ask(self, answer: type[A], do: str, *, seconds: float, **arguments: object) -> A:
        """Have the child do something. Raises `SiteError` when it fails, is gone, or takes longer than `seconds`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}).encode() + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise await self._gone(do) from error
        return await self._answer(answer, what=do, seconds=seconds)

    async def _answer(self, answer: type[A], *, what: str, seconds: float) -> A:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                line = await self._process.stdout.readline()
        except TimeoutError:
            end_group(self._process)  # a late answer would be taken for the next one
            raise SiteError(
                f"browsergym:{self._package.name} did not finish {what!r} within {seconds:g} s and was ended; "
                "the run goes on with a new one"
            ) from None
        if not line:
            raise await self._gone(what)
        try:
            return answer.model_validate_json(line)
        except ValidationError as error:
            try:
                reason = _Failed.model_validate_json(line).error
            except ValidationError:
                reason = f"it answered {line[:200]!r}"
            raise SiteError(f"browsergym:{self._package.name} could not {what}: {reason}") from error

    async def _gone(self, what: str) -> SiteError:
        await asyncio.wait([self._reading], timeout=2)
        with suppress(TimeoutError):  # its pipes close a moment before its end is noticed
            await asyncio.wait_for(self._process.wait(), 2)
        last = "\n".join(self._tail) or "(it said nothing)"
        return SiteError(f"browsergym:{self._package.name} ended during {what!r}; its last lines were:\n{last}")

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        try:
            async for raw in self._process.stderr:
                self._tail.append(raw.decode(errors="replace").rstrip()[:300])
        except ValueError:
            self._tail.append("(a line that is too long to read)")

    async def close(self) -> None:
        """End the child and what it started; may be called twice."""
        end_group(self._process)
        await self._process.wait()
        self._reading.cancel()
        await asyncio.wait([self._reading])

    @property
    def alive(self) -> bool:
        """Whether the child still runs."""
        return self._process.returncode is None


def as_chat(message: str | None, *, infeasible: bool = False) -> list[dict[str, Any]]:
    """The chat as BrowserGym's validators expect it: empty, or the agent's last message."""
    if message is None:
        return []
    return [{"role": "infeasible" if infeasible else "assistant", "message": message}]
