"""Suites by name."""

from __future__ import annotations

from refute._errors import UserError
from refute.arena import SITES, Progress, quiet, site
from refute.suites._arena import arena_suite
from refute.suites._suite import Suite
from refute.suites.browsergym import PACKAGES, browsergym_suite, prepare
from refute.suites.interruptbench import FILES, Import, interruptbench_suite
from refute.suites.interruptbench import KIND as INTERRUPTBENCH
from refute.suites.miniwob import miniwob_suite, pages_folder, prepare_pages


def suite_names() -> tuple[str, ...]:
    """Every suite that this build knows; what each needs is said when it is opened."""
    return (
        *(f"arena:{name}" for name in SITES),
        "miniwob",
        *(f"browsergym:{name}" for name in PACKAGES),
        *(f"{INTERRUPTBENCH}:{name}" for name in FILES),
    )


def open_suite(name: str, *, seeds: int = 1, imported: Import | None = None) -> Suite:
    """The suite called `name`, such as ``arena:shop``; `seeds` instances of each task where the suite draws them.

    ``interruptbench:FILE`` is imported as `imported` says, from any file in the format, not only the published ones.
    Raises `UserError` for an unknown one (the known are listed), for MiniWoB++ before it is set up, for a BrowserGym
    package that is not set up or lacks a server or a key, and for an import without data or with `seeds`.
    """
    kind, _, rest = name.partition(":")
    if kind == INTERRUPTBENCH and rest:
        if seeds != 1:
            raise UserError(f"{name} has the tasks that its records name: leave --seeds out; --repeats runs them again")
        return interruptbench_suite(rest, imported or Import(), open_suite=open_suite)
    if imported is not None:
        raise UserError(f"{name} imports nothing: {INTERRUPTBENCH}:… suites do")
    _known(name)
    if kind == "browsergym":
        return browsergym_suite(rest, seeds=seeds)
    if kind == "miniwob":
        pages_folder()  # raises before the suite was set up
        return miniwob_suite(seeds=seeds)
    return arena_suite(site(rest))


async def prepare_suite(name: str, progress: Progress = quiet) -> None:
    """Do once what a suite needs on this machine. Raises `UserError` for an unknown one, or `SiteError`."""
    _known(name)
    kind, _, rest = name.partition(":")
    if kind == INTERRUPTBENCH:
        raise UserError(f"{name} needs no set-up but that of the suite it runs on: refute browsergym setup webarena")
    if kind == "browsergym":
        await prepare(rest, progress)
    elif kind == "miniwob":
        await prepare_pages(progress)
    else:
        await site(rest).setup(progress)


def _known(name: str) -> None:
    if name not in suite_names():
        raise UserError(f"unknown suite {name!r}; known: {', '.join(suite_names())}")
