"""What the machine offers: Python, memory, disk, open files."""

from __future__ import annotations

import platform
import resource
import sys
from pathlib import Path

import psutil

from refute._readiness import Readiness, State

PART = "machine"
OLDEST, NEWEST = (3, 11), (3, 13)
MEMORY = 1.5 * 1024**3
"""Bytes: Chromium with two pages, and two instances of the shop."""
DISK, LEAST_DISK = 1024**3, 100 * 1024**2
"""Bytes: a site's environment and some runs; a single run with its pictures."""
FILES = 1024
"""Open files that several episodes at a time may need."""


async def machine_readiness() -> list[Readiness]:
    """Python, free memory, the disk below the working folder, and the limit of open files."""
    here = Path.cwd()
    return [
        _python(),
        memory(free=psutil.virtual_memory().available),
        disk(here, free=psutil.disk_usage(str(here)).free),
        _files(),
    ]


def _python() -> Readiness:
    detail = f"{platform.python_version()} ({sys.executable})"
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return Readiness(part=PART, name="Python", state=State.READY, detail=detail)
    return Readiness(
        part=PART,
        name="Python",
        state=State.MISSING,
        detail=detail,
        cure="use Python 3.11, 3.12 or 3.13: make setup PYTHON=/path/to/python3.12",
    )


def memory(*, free: int) -> Readiness:
    """Whether `free` bytes are enough for two episodes at a time."""
    detail = f"{_amount(free)} free of {_amount(psutil.virtual_memory().total)}"
    if free >= MEMORY:
        return Readiness(part=PART, name="memory", state=State.READY, detail=detail)
    return Readiness(
        part=PART,
        name="memory",
        state=State.OPTIONAL,
        detail=f"{detail}; two episodes at a time want {_amount(MEMORY)}",
        cure="close other programs, or run with --workers 1",
    )


def disk(folder: Path, *, free: int) -> Readiness:
    """Whether `free` bytes below `folder` are enough for a site and some runs."""
    detail = f"{_amount(free)} free in {folder}"
    if free >= DISK:
        return Readiness(part=PART, name="disk", state=State.READY, detail=detail)
    return Readiness(
        part=PART,
        name="disk",
        state=State.OPTIONAL if free >= LEAST_DISK else State.MISSING,
        detail=detail,
        cure="free some space, or write elsewhere with --out",
    )


def _files() -> Readiness:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FILES:
        return Readiness(part=PART, name="open files", state=State.READY, detail=f"up to {soft}")
    return Readiness(
        part=PART, name="open files", state=State.OPTIONAL, detail=f"only {soft} at a time", cure=f"ulimit -n {FILES}"
    )


def _amount(size: float) -> str:
    return f"{size / 1024**3:.1f} GB" if size >= 1024**3 else f"{size / 1024**2:.0f} MB"
