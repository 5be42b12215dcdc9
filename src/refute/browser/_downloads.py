"""Downloads, kept in a folder of the episode under names of our own making, and the files that may be uploaded."""

from __future__ import annotations

import asyncio
import hashlib
import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import playwright.async_api as pw

from refute._errors import BrowserTimeout, UserError
from refute.browser._deadline import within
from refute.browser._events import Events
from refute.browser._outcome import SavedFile

LARGEST = 50_000_000
"""Bytes of one download; a larger one is cut off and not kept."""
MOST = 50
"""Downloads of one session that are kept."""
LOOK = 0.2
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_name(suggested: str) -> str:
    """A file name made of what a page suggests: letters, digits and ``.-_ ()``, no path, at most 100 characters."""
    name = re.split(r"[/\\]", suggested)[-1]
    name = re.sub(r"[^\w.\-() ]", "_", name).strip(" .")
    stem, dot, suffix = name.rpartition(".")
    name = f"{stem[:80]}.{suffix[:19]}" if dot and stem else name[:100]
    return f"_{name}" if not name or RESERVED.fullmatch(name) else name


class Downloads:
    """What the pages of one session let it save. `folder` None = a folder that lives as long as the session.

    `uploads`: files of the task that the agent may upload, by name; what it downloaded it may upload too. Raises
    `UserError` when two of them share a name, or one is no file.
    """

    def __init__(
        self, events: Events, *, folder: Path | None, uploads: Iterable[Path], seconds: float, largest: int
    ) -> None:
        self._events = events
        self._seconds = seconds
        self._largest = largest
        self._own = tempfile.TemporaryDirectory(prefix="refute-") if folder is None else None
        self._folder = folder if folder is not None else Path(self._own.name if self._own else "")
        self._files = uploads_by_name(uploads)
        self._underway: set[asyncio.Task[None]] = set()
        self.saved: list[SavedFile] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files that can be uploaded."""
        return tuple(self._files)

    def file(self, name: str) -> Path | None:
        """The file with this name, or None: names are looked up, never joined to a path."""
        return self._files.get(name)

    def begin(self, download: pw.Download) -> None:
        """A page offers `download`."""
        task = asyncio.ensure_future(self._keep(download))
        self._underway.add(task)
        task.add_done_callback(self._underway.discard)

    async def rest(self, seconds: float) -> None:
        """Let downloads end, for `seconds` at most."""
        if self._underway:
            await asyncio.wait(set(self._underway), timeout=seconds)

    async def close(self) -> None:
        """Give up what is under way, and remove the folder unless it was given."""
        for task in set(self._underway):
            task.cancel()
        await asyncio.gather(*self._underway, return_exceptions=True)
        if self._own is not None:
            self._own.cleanup()

    async def _keep(self, download: pw.Download) -> None:
        name = safe_name(self._events.shown(download.suggested_filename))
        if len(self.saved) >= MOST:
            self._events.note("download", f"{name}: not kept, there are {MOST} already")
            await _give_up(download)
            return
        too_large = asyncio.Event()
        watch = asyncio.ensure_future(self._watch(download, too_large))
        try:
            path = Path(await within(self._seconds, download.path(), what=f"the download {name}"))
            self._save(path, name)
        except BrowserTimeout:
            self._events.note("download", f"{name}: not kept, it took longer than {self._seconds:g} s")
            await _give_up(download)
        except (pw.Error, OSError) as error:
            reason = self._too_large if too_large.is_set() else str(error).splitlines()[0]
            self._events.note("download", f"{name}: not kept, {reason}")
        finally:
            watch.cancel()

    @property
    def _too_large(self) -> str:
        return f"it is larger than {self._largest:,} bytes"

    def _save(self, path: Path, name: str) -> None:
        size = path.stat().st_size
        if size > self._largest:
            path.unlink()
            self._events.note("download", f"{name}: not kept, {self._too_large}")
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        name = self._free(name)
        content = path.read_bytes()
        path.unlink()
        (self._folder / name).write_bytes(content)
        file = SavedFile(name=name, size=size, sha256=hashlib.sha256(content).hexdigest())
        self.saved.append(file)
        self._files[name] = self._folder / name
        self._events.note("download", f"{name}: saved, {size:,} bytes, sha256 {file.sha256[:12]}…", file=file)

    def _free(self, name: str) -> str:
        stem, dot, suffix = name.rpartition(".")
        stem, suffix = (stem, dot + suffix) if dot else (name, "")
        number = 1
        while name in self._files or (self._folder / name).exists():
            number += 1
            name = f"{stem} ({number}){suffix}"
        return name

    async def _watch(self, download: pw.Download, too_large: asyncio.Event) -> None:
        """Cut the download off when it grows too large; returns only then."""
        places = _places(download)
        while True:
            await asyncio.sleep(LOOK)
            for path in places:
                with suppress(OSError):
                    if path.stat().st_size > self._largest:
                        too_large.set()
                        await _give_up(download)
                        return


def _places(download: pw.Download) -> tuple[Path, ...]:
    """Where Chromium writes a running download: Playwright knows it from the start, but tells only at the end."""
    inner: Any = getattr(download, "_impl_obj", None)
    initial: Any = getattr(getattr(inner, "_artifact", None), "_initializer", None) or {}
    place = str(initial.get("absolutePath", ""))
    return (Path(place), Path(f"{place}.crdownload")) if place else ()


async def _give_up(download: pw.Download) -> None:
    with suppress(pw.Error, BrowserTimeout):
        await within(5, download.cancel(), what="cancelling a download")


def uploads_by_name(uploads: Iterable[Path]) -> dict[str, Path]:
    """The files to upload, by name. Raises `UserError` when two share a name, or one is no file."""
    files: dict[str, Path] = {}
    for path in uploads:
        if not path.is_file():
            raise UserError(f"{path} is to be uploaded, but it is no file")
        if path.name in files:
            raise UserError(f"two files to upload are called {path.name}; rename one")
        files[path.name] = path.resolve()
    return files
