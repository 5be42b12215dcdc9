"""The process of one running site: start it, know that it answers, notice its death, end it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from refute._errors import SiteError
from refute.arena._environment import end_group

STOP_SECONDS = 3.0
"""How long a process may take to end by itself before it is killed."""
PULSE_SECONDS = 10.0
"""How long a running site may take to serve a file."""


class SiteProcess:
    """A site's server.

    It prints its port as the first line on standard output, logs to `log`, and ends when its standard input closes: so
    it cannot outlive the process that started it, however that one ends.
    """

    def __init__(self, name: str, process: asyncio.subprocess.Process, *, port: int, log: Path, pulse: str) -> None:
        self.name = name
        self.origin = f"http://127.0.0.1:{port}"
        self._process = process
        self._log = log
        self._pulse = pulse

    @classmethod
    async def start(
        cls,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        cwd: Path,
        log: Path,
        health: str,
        pulse: str,
        deadline: float,
    ) -> SiteProcess:
        """Start `command` and wait until a GET of the path `health` succeeds.

        `pulse` is a path that a living server answers at once, without its database. Raises `SiteError` when the
        process ends or is not ready within `deadline` seconds.
        """
        with log.open("wb") as file:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=file,
                env=dict(environment),
                cwd=cwd,
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(deadline):
                assert process.stdout is not None
                line = await process.stdout.readline()
                if not line.strip().isdigit():
                    raise SiteError(f"the {name} did not start; its log ends with:\n{tail(log)}")
                site = cls(name, process, port=int(line), log=log, pulse=pulse)
                await site._answers(health)
                return site
        except BaseException as error:
            end_group(process)
            if isinstance(error, TimeoutError):
                raise SiteError(
                    f"the {name} was not ready within {deadline:.0f} s; its log ends with:\n{tail(log)}"
                ) from error
            raise

    @property
    def pid(self) -> int:
        """The server's process id, which is also its process group."""
        return self._process.pid

    async def _answers(self, path: str) -> None:
        """Poll `path` until it answers with status 200."""
        while True:
            self._check_alive()
            with contextlib.suppress(OSError):
                if await _status(self.origin, path) == 200:
                    return
            await asyncio.sleep(0.05)

    async def check(self) -> None:
        """Raise `SiteError`, with the end of the log, when the site does not answer any more."""
        self._check_alive()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(PULSE_SECONDS):
                if await _status(self.origin, self._pulse) == 200:
                    return
        with contextlib.suppress(TimeoutError):  # a process that has just died is known to be dead a moment later
            async with asyncio.timeout(1):
                await self._process.wait()
        self._check_alive()
        raise SiteError(f"the {self.name} does not answer; its log ends with:\n{tail(self._log)}")

    def _check_alive(self) -> None:
        if self._process.returncode is not None:
            raise SiteError(
                f"the {self.name} stopped by itself (exit code {self._process.returncode}); "
                f"its log ends with:\n{tail(self._log)}"
            )

    async def stop(self) -> None:
        """End it: ask first, then kill its process group."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._process.wait()
        except TimeoutError:
            end_group(self._process)
            await self._process.wait()


async def _status(origin: str, path: str) -> int:
    """The status code of one GET. Raises `OSError` when nobody listens."""
    host = origin.removeprefix("http://")
    address, port = host.split(":")
    reader, writer = await asyncio.open_connection(address, int(port))
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        await writer.drain()
        first = (await reader.read()).split(b"\r\n", 1)[0].split()
        return int(first[1]) if len(first) > 1 else 0
    finally:
        writer.close()


def tail(log: Path, lines: int = 15) -> str:
    """The last `lines` lines of a log; empty when there is none."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
