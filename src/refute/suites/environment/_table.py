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
from pydantic import BaseModel, ConfigDict, ValidationError

from refute._errors import BrowserError, SiteError
from refute.arena import end_group, own_environment
from refute.browser import BrowserHost, find_chromium
from refute.suites.browsergym import package, prepare
from refute.suites.environment._ours import Memory, Times, time_ours, weigh
from refute.suites.environment._pages import write_pages
from refute.suites.miniwob import MiniwobPlace, PageServer, pages_folder

THEIRS = Path(__file__).parent / "theirs.py"
ROWS = ("miniwob", "items", "text", "navigate", "large")
DEADLINE = 1800.0
"""Seconds for one pass of BrowserGym."""
PLAYWRIGHT = 60.0


class Row(BaseModel):
    """One comparison; times are medians in milliseconds, ratios theirs by ours.

    `floor` and `stretch` are the targets for `ratio`, `floor_no_delay` and `stretch_no_delay` for `ratio_no_delay`.
    """

    model_config = ConfigDict(frozen=True)

    what: str
    refute: float
    browsergym: float
    browsergym_no_delay: float | None = None
    ratio: float
    ratio_no_delay: float | None = None
    floor: float | None = None
    stretch: float | None = None
    floor_no_delay: float | None = None
    stretch_no_delay: float | None = None
    repeats: int
    repeats_browsergym: int


class EnvironmentTable(BaseModel):
    """What `refute bench environment --json` prints."""

    model_config = ConfigDict(frozen=True)

    machine: str
    load: tuple[float, float]
    """The machine's load (one minute) before and after the run; with others at work, only ratios mean something."""
    python: str
    browser: str
    browsergym: str
    rows: tuple[Row, ...]
    memory: Memory
    memory_share: float
    """Memory of an episode in a shared browser by one with its own; the target is at most 0.6."""

    def text(self) -> str:
        """A table in Markdown."""
        lines = [
            "| what | refute, ms | BrowserGym, ms | delay 0, ms | ratio | ratio to delay 0 | floor / stretch |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in self.rows:
            target = f"{row.floor:g}x / {row.stretch:g}x" if row.floor and row.stretch else "-"
            bare = f"{row.browsergym_no_delay:g}" if row.browsergym_no_delay is not None else "-"
            ratio = f"{row.ratio_no_delay:.1f}x" if row.ratio_no_delay is not None else "-"
            lines.append(
                f"| {row.what} | {row.refute:g} | {row.browsergym:g} | {bare} | {row.ratio:.1f}x | {ratio} | {target} |"
            )
        lines.append(
            f"\nMemory an episode, four in one browser: {self.memory.one_browser:g} MB; in four browsers: "
            f"{self.memory.four_browsers:g} MB; share {self.memory_share:.2f} (target 0.6)"
        )
        lines.append(f"{self.machine}; load {self.load[0]:g} to {self.load[1]:g}; {self.browser}; {self.browsergym}")
        return "\n".join(lines)


async def environment_table(
    *, repeats: int = 20, rows: tuple[str, ...] = ROWS, on_line: Callable[[str], None] = lambda line: None
) -> EnvironmentTable:
    """Measure everything. Makes BrowserGym's environment if it is not there. Raises `SiteError`, `BrowserError`."""
    await prepare("miniwob", on_line)
    program = await _chromium()
    load = os.getloadavg()[0]
    place = MiniwobPlace(PageServer(pages_folder()))
    with tempfile.TemporaryDirectory(prefix="refute-pages-") as folder:
        write_pages(Path(folder))
        server = PageServer(Path(folder))
        pages = {name: f"{server.origin}/{'here' if name == 'navigate' else name}.html" for name in rows}
        try:
            on_line("timing refute")
            ours = await time_ours(program, place, pages, list(rows), repeats=repeats)
            on_line("timing BrowserGym with its default delay")
            theirs = await _theirs(program, place, pages, list(rows), repeats=repeats, delay=None)
            on_line("timing BrowserGym with delay 0")
            small = [row for row in rows if row != "large"]
            bare = await _theirs(program, place, pages, small, repeats=repeats, delay=0.0)
            on_line("weighing")
            memory = await weigh(program, place)
        finally:
            await server.close()
            await place.close()
    async with BrowserHost(loopback_only=True, program=program) as host:
        version = host.version
    return EnvironmentTable(
        machine=f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
        load=(round(load, 1), round(os.getloadavg()[0], 1)),
        python=platform.python_version(),
        browser=version,
        browsergym="BrowserGym 0.14.3 with Playwright 1.44, the same Chromium",
        rows=tuple(compare(ours, theirs, bare)),
        memory=memory,
        memory_share=round(memory.share, 3),
    )


_TARGETS = {"miniwob": (7.0, 10.0), "items": (10.0, 20.0), "text": (10.0, 20.0)}


def compare(ours: dict[str, Times], theirs: dict[str, Times], bare: dict[str, Times]) -> list[Row]:
    """The rows: a step for each page, the reset on MiniWoB++, the observation of the large page."""
    rows: list[Row] = []
    for name, mine in ours.items():
        other, plain = theirs[name], bare.get(name)
        if mine.step is not None and other.step is not None:
            floor, stretch = _TARGETS.get(name, (None, None))
            rows.append(
                _row(
                    f"click, observe, screenshot: {name}",
                    (mine.step, other.step, plain.step if plain else None),
                    (floor, stretch, 3.0 if floor else None, 5.0 if floor else None),
                    (mine.repeats, other.repeats),
                )
            )
        if name == "miniwob" and mine.reset is not None and other.reset is not None:
            times = (mine.reset, other.reset, plain.reset if plain else None)
            rows.append(_row("reset: miniwob", times, (4.5, 8.0, None, None), (mine.resets, other.resets)))
        if mine.observe is not None and other.observe is not None:
            times = (mine.observe, other.observe, None)
            targets = (100.0, 100.0, None, None)
            rows.append(_row("observe 30,000 elements", times, targets, (mine.repeats, other.repeats)))
    return rows


def _row(
    what: str,
    times: tuple[float, float, float | None],
    targets: tuple[float | None, float | None, float | None, float | None],
    repeats: tuple[int, int],
) -> Row:
    mine, other, plain = times
    return Row(
        what=what,
        refute=mine,
        browsergym=other,
        browsergym_no_delay=plain,
        ratio=round(other / mine, 2),
        ratio_no_delay=round(plain / mine, 2) if plain is not None else None,
        floor=targets[0],
        stretch=targets[1],
        floor_no_delay=targets[2],
        stretch_no_delay=targets[3],
        repeats=repeats[0],
        repeats_browsergym=repeats[1],
    )


async def _chromium() -> Path:
    """The Chromium that sessions have by default, for both sides."""
    try:
        async with asyncio.timeout(PLAYWRIGHT), pw.async_playwright() as playwright:
            return find_chromium(playwright.chromium.executable_path)
    except TimeoutError:
        raise BrowserError(f"Playwright did not start within {PLAYWRIGHT:g} s") from None


async def _theirs(
    program: Path, place: MiniwobPlace, pages: dict[str, str], rows: list[str], *, repeats: int, delay: float | None
) -> dict[str, Times]:
    settings = {
        "browser": str(program),
        "miniwob": f"{place.origin}/miniwob/",
        "pages": pages,
        "rows": rows,
        "repeats": repeats,
        "resets": {"miniwob": repeats},
        "delay": delay,
    }
    python = package("miniwob").environment.python
    process = await asyncio.create_subprocess_exec(
        str(python),
        str(THEIRS),
        json.dumps(settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=own_environment(),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(DEADLINE):
            out, errors = await process.communicate()
    except TimeoutError:
        raise SiteError(f"BrowserGym was not timed within {DEADLINE:g} s; try fewer --repeats") from None
    finally:
        end_group(process)
    try:
        answer = json.loads(out.splitlines()[-1])
        return {name: Times.model_validate(times) for name, times in answer.items()}
    except (IndexError, ValueError, ValidationError) as error:
        tail = errors.decode(errors="replace").splitlines()[-6:]
        raise SiteError("BrowserGym could not be timed; its last lines were:\n" + "\n".join(tail)) from error
