"""Find a Chromium to drive."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from refute._errors import BrowserMissing

VARIABLE = "REFUTE_BROWSER"
SHELL = "chromium-headless-shell"
"""Debian's name for the Chromium without a user interface."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
INSTALL = (
    "Install one with `playwright install --with-deps chromium` or, on Debian and Ubuntu, `apt-get install chromium`; "
    f"or set {VARIABLE} to the program's path."
)


def find_chromium(
    download: str | None = None, *, window: bool = False, environment: Mapping[str, str] | None = None
) -> Path:
    """The Chromium to start: ``$REFUTE_BROWSER``, then Playwright's own `download`, then well-known names on ``PATH``.

    Unless it is to show a `window`, one that cannot (a *headless shell*) goes before all but the variable: it draws no
    user interface that nobody would see, and so needs about a third less of the processor. Raises `BrowserMissing`,
    which names all that was tried, when none is there or the variable names no program.
    """
    env = os.environ if environment is None else environment
    chosen = env.get(VARIABLE, "")
    if chosen:
        found = shutil.which(chosen, path=env.get("PATH"))
        if found is None:
            raise BrowserMissing(f"{VARIABLE}={chosen!r} is not a program that can be run. {INSTALL}")
        return Path(found)
    shells = () if window else (_downloaded_shell(download), shutil.which(SHELL, path=env.get("PATH")))
    whole = (download, *(shutil.which(name, path=env.get("PATH")) for name in NAMES))
    for program in (*shells, *whole):
        if program and Path(program).exists():
            return Path(program)
    tried = [f"${VARIABLE} (not set)", *([f"Playwright's download ({download})"] if download else [])]
    names = NAMES if window else (SHELL, *NAMES)
    raise BrowserMissing(f"no Chromium was found. Tried {', '.join(tried)}, and on PATH: {', '.join(names)}. {INSTALL}")


def _downloaded_shell(download: str | None) -> str | None:
    """The headless shell that Playwright downloads beside its Chromium, of the same build."""
    for folder in Path(download or "").parents:
        if folder.name.startswith("chromium-"):
            build = folder.name.removeprefix("chromium-")
            shells = folder.parent.glob(f"chromium_headless_shell-{build}/*/*headless*shell*")
            return next(
                (str(path) for path in sorted(shells) if path.stem.replace("-", "_").endswith("headless_shell")), None
            )
    return None
