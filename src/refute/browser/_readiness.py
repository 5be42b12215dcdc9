"""Whether a Chromium is here, and whether it starts."""

from __future__ import annotations

import os
from pathlib import Path

import playwright.async_api as pw

from refute._errors import BrowserError, BrowserMissing
from refute._readiness import Readiness, State
from refute.browser._deadline import within
from refute.browser._find import INSTALL, VARIABLE, find_chromium
from refute.browser._host import START, BrowserHost


async def browser_readiness() -> list[Readiness]:
    """Find the Chromium that a run would use, start it, and ask the page walker in it for an answer."""
    try:
        program, how = await _found()
        async with BrowserHost(program=program) as host:
            version = host.version
    except BrowserMissing as error:
        return _missing(str(error).removesuffix(INSTALL).strip(), INSTALL)
    except BrowserError as error:
        return _missing(str(error), f"choose another with {VARIABLE}, or: playwright install --with-deps chromium")
    sandbox = "; without its sandbox, since you are root" if os.geteuid() == 0 else ""
    detail = f"{version} starts ({program}, {how}){sandbox}"
    return [Readiness(part="browser", name="Chromium", state=State.READY, detail=detail)]


async def _found() -> tuple[Path, str]:
    playwright = await within(START, pw.async_playwright().start(), what="Playwright")
    try:
        download = playwright.chromium.executable_path
    finally:
        await within(START, playwright.stop(), what="closing Playwright")
    program = find_chromium(download)
    if os.environ.get(VARIABLE):
        return program, f"by ${VARIABLE}"
    ours = program.is_relative_to(Path(download).parents[2])  # <where it keeps all>/chromium-BUILD/<platform>/<program>
    return program, "Playwright's download" if ours else "found on PATH"


def _missing(detail: str, cure: str) -> list[Readiness]:
    return [Readiness(part="browser", name="Chromium", state=State.MISSING, detail=detail, cure=cure)]
