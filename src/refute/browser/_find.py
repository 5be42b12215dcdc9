"""Find a Chromium to drive."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from refute._errors import BrowserMissing

VARIABLE = "REFUTE_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
INSTALL = (
    "Install one with `playwright install --with-deps chromium` or, on Debian and Ubuntu, `apt-get install chromium`; "
    f"or set {VARIABLE} to the program's path."
)


def find_chromium(download: str | None = None, *, environment: Mapping[str, str] | None = None) -> Path:
    """The Chromium to start: ``$REFUTE_BROWSER``, then Playwright's own `download`, then well-known names on ``PATH``.

    Raises `BrowserMissing`, which names all that was tried, when none is there or the variable names no program.
    """
    env = os.environ if environment is None else environment
    chosen = env.get(VARIABLE, "")
    if chosen:
        found = shutil.which(chosen, path=env.get("PATH"))
        if found is None:
            raise BrowserMissing(f"{VARIABLE}={chosen!r} is not a program that can be run. {INSTALL}")
        return Path(found)
    if download and Path(download).exists():
        return Path(download)
    for name in NAMES:
        found = shutil.which(name, path=env.get("PATH"))
        if found is not None:
            return Path(found)
    tried = [f"${VARIABLE} (not set)", *([f"Playwright's download ({download})"] if download else [])]
    raise BrowserMissing(f"no Chromium was found. Tried {', '.join(tried)}, and on PATH: {', '.join(NAMES)}. {INSTALL}")
