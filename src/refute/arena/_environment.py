"""Environments: each bundled site and each suite lives in a virtual environment of its own, in a cache folder.

Their dependencies never meet refute's. The folder's name holds a hash of what is installed in it, so a changed
requirements file gets a new environment and the old one stays usable for older versions.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from refute._errors import SiteError
from refute.browser import SECRET_VARIABLE

Progress = Callable[[str], None]
"""Takes one line that says what is being done."""

INSTALL_DEADLINE = 900.0
"""Seconds that making one environment may take."""


def quiet(line: str) -> None:
    """The progress callback that shows nothing."""


def sites_folder() -> Path:
    """Where sites are kept: ``$REFUTE_CACHE/sites``, or ``sites`` in the user's cache folder of refute."""
    chosen = os.environ.get("REFUTE_CACHE")
    return (Path(chosen) if chosen else platformdirs.user_cache_path("refute")) / "sites"


@dataclass(frozen=True, kw_only=True)
class Environment:
    """A virtual environment made from requirements files with hashes.

    `requirements` are installed in this order, each before the next, so that the first may hold what builds the
    second; `from_source` names the packages that have no wheel. Without `dependencies` exactly the named packages are
    installed: for one that only brings files.
    """

    name: str
    requirements: tuple[Path, ...]
    from_source: tuple[str, ...] = ()
    dependencies: bool = True

    @property
    def folder(self) -> Path:
        """Where it is, or will be: one folder per content of the requirements and version of Python."""
        digest = hashlib.sha256(f"{sys.version_info[:2]}{self.from_source}".encode())
        if not self.dependencies:
            digest.update(b"no dependencies")
        for path in self.requirements:
            digest.update(path.read_bytes())
        return sites_folder() / f"{self.name}-{digest.hexdigest()[:12]}"

    @property
    def packages(self) -> Path:
        """Where its packages lie."""
        return self.folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def ready(self) -> bool:
        """Whether it was made completely."""
        return (self.folder / "complete").is_file()

    async def make(self, progress: Progress = quiet) -> None:
        """Make it unless it is there; one that was left half-made is made anew. Raises `SiteError`."""
        if self.ready():
            return
        async with locked(self.folder, progress):
            if self.ready():
                return
            shutil.rmtree(self.folder, ignore_errors=True)
            progress(f"{self.name}: making an environment in {self.folder}")
            await self._install(progress)
            (self.folder / "complete").write_text("ok\n", encoding="utf-8")

    async def _install(self, progress: Progress) -> None:
        venv = [sys.executable, "-m", "venv", str(self.folder)]
        await run(venv, what="make an environment (on Debian: apt install python3-venv)", deadline=INSTALL_DEADLINE)
        pip = [str(self.python), "-m", "pip", "install", "--require-hashes", "--no-input", "--no-build-isolation"]
        pip += ["--disable-pip-version-check", "--progress-bar=off", "--only-binary=:all:"]
        pip += [f"--no-binary={name}" for name in self.from_source]
        pip += [] if self.dependencies else ["--no-deps"]

        def show(line: str) -> None:
            if line.startswith(("Collecting", "Installing")):
                progress(f"{self.name}: {line.split(' (from')[0][:100]}")

        for path in self.requirements:
            await run([*pip, "-r", str(path)], what=f"install {path.name}", deadline=INSTALL_DEADLINE, show=show)


@contextlib.asynccontextmanager
async def locked(
    folder: Path, progress: Progress = quiet, *, deadline: float = INSTALL_DEADLINE
) -> AsyncGenerator[None]:
    """Hold the lock that belongs to `folder`, among all processes here. Raises `SiteError` after `deadline` seconds."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    path = folder.with_name(f"{folder.name}.lock")
    until = asyncio.get_running_loop().time() + deadline
    waiting = False
    with path.open("w") as file:
        while not _try_lock(file.fileno()):
            if not waiting:
                progress(f"waiting for another process that prepares {folder.name}")
                waiting = True
            if asyncio.get_running_loop().time() > until:
                raise SiteError(
                    f"{path} stayed locked for {deadline:.0f} s; end the process that holds it and try again"
                )
            await asyncio.sleep(0.2)
        yield


def _try_lock(descriptor: int) -> bool:
    """Take the lock if it is free; it is given back when the file closes, also when the process dies."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def run(
    command: Sequence[str],
    *,
    what: str,
    deadline: float,
    show: Progress = quiet,
    environment: dict[str, str] | None = None,
    cwd: Path | None = None,
) -> None:
    """Run `command` to its end and hand each line it prints to `show`.

    Raises `SiteError` with the last lines when it fails or takes longer than `deadline` seconds; its whole process
    group ends with it, also on cancellation.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=own_environment() if environment is None else environment,
        cwd=cwd,
        start_new_session=True,
    )
    tail: deque[str] = deque(maxlen=15)
    try:
        async with asyncio.timeout(deadline):
            assert process.stdout is not None
            async for raw in process.stdout:
                line = raw.decode(errors="replace").rstrip()
                tail.append(line)
                show(line)
            code = await process.wait()
    except TimeoutError as error:
        raise SiteError(
            f"could not {what} within {deadline:.0f} s; the last lines were:\n" + "\n".join(tail)
        ) from error
    finally:
        end_group(process)
        await process.wait()
    if code != 0:
        raise SiteError(f"could not {what} (exit code {code}); the last lines were:\n" + "\n".join(tail))


def own_environment(**extra: str) -> dict[str, str]:
    """The variables for a process of another environment: ours, without secrets and what would let our packages in."""
    left_out = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    ours = {
        name: value
        for name, value in os.environ.items()
        if name not in left_out and not name.startswith(SECRET_VARIABLE)
    }
    return ours | {"PYTHONNOUSERSITE": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"} | extra


def end_group(process: asyncio.subprocess.Process) -> None:
    """Kill `process` and everything that it started, if it still runs."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
