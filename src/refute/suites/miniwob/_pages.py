"""The pages of MiniWoB++ on this machine, and a server for them.

They are served over loopback HTTP rather than opened as files: a page from a server has an origin, and network policies
are written for origins.
"""

from __future__ import annotations

import asyncio
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from refute._errors import SiteError, UserError
from refute.arena import Environment, Progress, quiet

HERE = Path(__file__).parent
LICENCE = "MIT"
ENVIRONMENT = Environment(name="miniwob", requirements=(HERE / "requirements.txt",), dependencies=False)


def pages_folder() -> Path:
    """Where the pages lie: ``miniwob/NAME.html`` and what they load. Raises `UserError` before `prepare_pages`."""
    if not ENVIRONMENT.ready():
        raise UserError("MiniWoB++ is not set up yet; run: refute bench setup miniwob")
    return ENVIRONMENT.packages / "miniwob" / "html"


async def prepare_pages(progress: Progress = quiet) -> None:
    """Install the pages in the cache folder; does nothing when they are there. Raises `SiteError`."""
    await ENVIRONMENT.make(progress)


class PageServer:
    """Serves a folder on a free loopback port, from a thread of its own."""

    def __init__(self, folder: Path) -> None:
        try:
            self._server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        except OSError as error:
            raise SiteError(f"no server for {folder}: {error.strerror}") from error
        self._thread = threading.Thread(target=partial(self._server.serve_forever, 0.05), daemon=True)
        self._thread.start()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    async def close(self) -> None:
        """End the server and its thread."""
        await asyncio.to_thread(self._server.shutdown)
        self._server.server_close()
        await asyncio.to_thread(self._thread.join, 5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up in the middle of a file is no news."""


class _Handler(SimpleHTTPRequestHandler):
    def guess_type(self, path: str | os.PathLike[str]) -> str:
        """The pages are UTF-8 and do not say so: browsers find that out of files, but not of what a server sends."""
        kind = super().guess_type(path)
        return f"{kind}; charset=utf-8" if kind == "text/html" else kind

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Nothing is logged."""
