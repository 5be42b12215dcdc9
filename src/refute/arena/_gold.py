"""Gold: the seeded states of a site, shipped as one small archive, unpacked once, copied per instance."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import time
import zipfile
from pathlib import Path

from refute._errors import SiteError
from refute.arena._environment import locked, sites_folder

RESET_SECONDS = 10.0
"""How long a database may stay busy before a reset gives up."""
_FIRST_CHANGE = 946_684_800
"""Unix time (the year 2000) from which the files of a gold are numbered, a second each."""


def pack(folder: Path, archive: Path) -> None:
    """Write every file below `folder` into `archive`, in order and without times, so that equal files pack equally."""
    part = archive.with_suffix(".part")
    with zipfile.ZipFile(part, "w", compression=zipfile.ZIP_LZMA) as out:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            out.writestr(entry, path.read_bytes(), compress_type=zipfile.ZIP_LZMA)
    part.replace(archive)


def unpacked(name: str, archive: Path) -> Path:
    """Where `archive` is, or will be, unpacked: one folder per content."""
    return sites_folder() / f"{name}-gold-{hashlib.sha256(archive.read_bytes()).hexdigest()[:12]}"


async def unpack(name: str, archive: Path) -> Path:
    """Unpack `archive` unless that was done before; returns the folder. Never half-done: it appears by a rename.

    Each file gets a time of change that no other one has, so that `restore_files` tells them apart by it.
    """
    folder = unpacked(name, archive)
    if folder.is_dir():
        return folder
    async with locked(folder):
        if not folder.is_dir():
            part = folder.with_name(f"{folder.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            try:
                with zipfile.ZipFile(archive) as source:
                    for number, name in enumerate(source.namelist()):
                        os.utime(source.extract(name, part), (_FIRST_CHANGE + number, _FIRST_CHANGE + number))
            except (zipfile.BadZipFile, OSError) as error:
                raise SiteError(f"cannot unpack {archive}: {error}; install refute again") from error
            part.rename(folder)
    return folder


def restore_database(gold: Path, live: Path) -> None:
    """Write every page of `gold` into the open database `live`, under its lock, with SQLite's online backup.

    Connections that servers hold stay valid and see the new state. Raises `SiteError`.
    """
    until = time.monotonic() + RESET_SECONDS

    def watch(status: int, remaining: int, total: int) -> None:
        if time.monotonic() > until:
            raise SiteError(f"the database {live.name} stayed busy for {RESET_SECONDS:.0f} s and was not reset")

    source = sqlite3.connect(f"file:{gold}?mode=ro", uri=True)
    target = sqlite3.connect(live, timeout=RESET_SECONDS)
    try:
        target.execute("PRAGMA synchronous=OFF")  # the copy is made anew at each reset: no need to wait for the disk
        source.backup(target, progress=watch, sleep=0.01)
    except sqlite3.Error as error:
        raise SiteError(f"the database {live.name} was not reset: {error}") from error
    finally:
        target.close()
        source.close()


def restore_files(gold: Path, live: Path) -> None:
    """Make the files below `live` those below `gold`: put back what is missing or changed, then remove what is new.

    Without a folder `gold` nothing is left below `live`.
    """
    wanted, found = _stamps(gold), _stamps(live)
    for name, stamp in wanted.items():
        if found.get(name) != stamp:
            target = live / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(gold / name, target)
    for name in found.keys() - wanted.keys():
        (live / name).unlink()


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change of each file below `folder`, by relative path; empty when there is no such folder."""
    found: dict[str, tuple[int, int]] = {}
    open_folders = [""] if folder.is_dir() else []
    while open_folders:  # several times faster than `rglob`: a reset looks at every picture
        below = open_folders.pop()
        with os.scandir(folder / below) as entries:
            for entry in entries:
                name = f"{below}{entry.name}"
                if entry.is_dir():
                    open_folders.append(f"{name}/")
                else:
                    stat = entry.stat()
                    found[name] = stat.st_size, stat.st_mtime_ns
    return found
