"""A server for the odd pages, and one session that walks through them."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from refute.browser import Action, BrowserHost, Observation, Outcome, Session

PAGES = Path(__file__).parent / "pages"
HOPS = 4


class Handler(BaseHTTPRequestHandler):
    """Serves `pages`, a download, a slow answer, and a chain of redirects of every kind."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/slow":
            time.sleep(0.7)
            self._answer(b"slow but sure", content="text/plain")
        elif path == "/report.csv":
            self._answer(b"a,b\n1,2\n", content="text/csv", Content_Disposition='attachment; filename="report.csv"')
        elif path.startswith("/hop/"):
            self._hop(int(path.rpartition("/")[2]))
        elif (PAGES / path.removeprefix("/")).is_file():
            self._answer((PAGES / path.removeprefix("/")).read_bytes())
        else:
            self._answer(b"nothing here", status=404)

    def _hop(self, number: int) -> None:
        further = f"/hop/{number + 1}" if number < HOPS else "/arrived.html"
        if number == 2:
            self._answer(f"<script>location.href = '{further}'</script>".encode())
        elif number == 3:
            self._answer(f"<meta http-equiv=refresh content='0;url={further}'>".encode())
        else:
            self._answer(b"", status=302, Location=further)

    def _answer(self, body: bytes, *, status: int = 200, content: str = "text/html", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, the base class says so
        pass  # quiet


def find(page: Observation, role: str, name: str) -> int:
    """The number of the only element with this role and name."""
    found = [e.id for e in page.elements if (e.role, e.name) == (role, name)]
    assert len(found) == 1, f'{len(found)} elements are {role} "{name}" on:\n{page.text}'
    return found[0]


class Walk:
    """A session on one of the pages; `page` is what was seen last."""

    def __init__(self, session: Session, origin: str) -> None:
        self.session = session
        self.origin = origin
        self.page = Observation(url="")

    async def open(self, name: str) -> Observation:
        """Go to a page."""
        await self.session.goto(f"{self.origin}/{name}.html")
        self.page = await self.session.observe()
        return self.page

    async def do(self, action: Action) -> Outcome:
        """Act and look; the action has to succeed."""
        outcome, self.page = await self.session.step(action)
        assert outcome.ok, f"{action!r}: {outcome!r} on:\n{self.page.text}"
        return outcome

    def find(self, role: str, name: str) -> int:
        """As `find`, on the page seen last."""
        return find(self.page, role, name)

    @property
    def text(self) -> str:
        """What was seen last."""
        return self.page.text


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
async def walk(host: BrowserHost, origin: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Walk]:
    letter = tmp_path_factory.mktemp("files") / "letter.txt"
    letter.write_text("a letter")
    async with await host.session(uploads=[letter]) as session:
        yield Walk(session, origin)
