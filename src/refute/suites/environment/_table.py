"""`bench environment`: our browser room against BrowserGym, in one run on this machine."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path

import playwright.async_api as pw

from refute._errors import BrowserError
from refute.browser import BrowserHost, find_chromium
from refute.suites.browsergym import package, prepare
from refute.suites.environment._ours import time_ours, weigh
from refute.suites.environment._pages import write_pages
from refute.suites.environment._rows import EnvironmentTable, Row, Times, compare
from refute.suites.environment._theirs import time_theirs
from refute.suites.miniwob import MiniwobPlace, PageServer, pages_folder

THEIRS = Path(__file__).parent / "theirs.py"
ROWS = ("miniwob", "items", "text", "navigate", "large")
DEADLINE = 1800.0
"""Seconds for one pass of BrowserGym over a row."""
DEADLINES = {"large": 600.0}
"""The same for rows that it may not finish at all: then so much is the least that it takes."""
PLAYWRIGHT = 60.0


async def environment_table(
    *,
    repeats: int = 20,
    rows: tuple[str, ...] = ROWS,
    on_line: Callable[[str], None] = lambda line: None,
    on_rows: Callable[[EnvironmentTable], None] = lambda table: None,
) -> EnvironmentTable:
    """Measure one row after the other, and then memory. Makes BrowserGym's environment if it is not there.

    `on_rows` gets the table so far, first an empty one, and whenever a row is done. Raises `SiteError`, `BrowserError`.
    """
    await prepare("miniwob", on_line)
    program = await _chromium()
    load = round(os.getloadavg()[0], 1)
    async with BrowserHost(loopback_only=True, program=program) as host:
        version = host.version
    done: list[Row] = []

    def table() -> EnvironmentTable:
        return EnvironmentTable(
            machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
            load=(load, round(os.getloadavg()[0], 1)),
            python=platform.python_version(),
            browser=version,
            browsergym="BrowserGym 0.14.3 with Playwright 1.44, the same Chromium",
            rows=tuple(done),
        )

    place = MiniwobPlace(PageServer(pages_folder()))
    with tempfile.TemporaryDirectory(prefix="refute-pages-") as folder:
        write_pages(Path(folder))
        on_rows(table())
        server = PageServer(Path(folder))
        try:
            for name in rows:
                page = f"{server.origin}/{'here' if name == 'navigate' else name}.html"
                done += await _measure(program, place, page, name, repeats=repeats, on_line=on_line)
                on_rows(table())
            on_line("weighing")
            memory = await weigh(program, place)
        finally:
            await server.close()
            await place.close()
    share = round(memory.share, 3)
    return table().model_copy(update={"memory": memory, "memory_share": share, "complete": True})


async def _measure(
    program: Path, place: MiniwobPlace, page: str, name: str, *, repeats: int, on_line: Callable[[str], None]
) -> list[Row]:
    """One page: ours, theirs with its defaults, and, but for the large page, theirs with delay 0."""
    on_line(f"{name}: refute")
    async with BrowserHost(loopback_only=True, program=program) as host:
        ours = await time_ours(host, place, page, name, repeats=repeats)

    async def theirs(delay: float | None) -> Times:
        said = f"{name}: BrowserGym, {'default delay' if delay is None else 'delay 0'}"
        on_line(said)
        settings = {
            "browser": str(program),
            "miniwob": f"{place.origin}/miniwob/",
            "page": page,
            "row": name,
            "repeats": repeats,
            "resets": repeats if name == "miniwob" else 1,
            "delay": delay,
        }
        command = [str(package("miniwob").environment.python), str(THEIRS), json.dumps(settings)]
        deadline = DEADLINES.get(name, DEADLINE)
        return await time_theirs(command, deadline=deadline, on_line=lambda line: on_line(f"{said}: {line}"))

    with_delay = await theirs(None)
    return compare(name, ours, with_delay, await theirs(0.0) if name != "large" else None)


async def _chromium() -> Path:
    """The Chromium that sessions have by default, for both sides."""
    try:
        async with asyncio.timeout(PLAYWRIGHT), pw.async_playwright() as playwright:
            return find_chromium(playwright.chromium.executable_path)
    except TimeoutError:
        raise BrowserError(f"Playwright did not start within {PLAYWRIGHT:g} s") from None
