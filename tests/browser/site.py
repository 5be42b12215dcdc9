"""Small pages served over loopback, and ways to look at them."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from refute.browser import Element, Observation, Session


@dataclass
class Page:
    """What a path is answered with."""

    body: str = ""
    status: int = 200
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict[str, str])
    repeat: int = 1
    """How often the body is sent, slowly when more than once."""


class Site:
    """A web server of one test run; `log` holds host and path of every request that arrived, `posts` those of POST."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.log: list[tuple[str, str]] = []
        self.posts: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                site.log.append((self.headers["Host"].rpartition(":")[0], self.path))
                if self.command == "POST":
                    site.posts.append(self.path)
                page = site.pages.get(self.path) or site.pages.get(path, Page(body="<h1>Not found</h1>", status=404))
                time.sleep(page.delay)
                self.send_response(page.status)
                for name, value in ({"Content-Type": "text/html; charset=utf-8"} | page.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                with suppress(ConnectionError):
                    for _ in range(page.repeat):
                        self.wfile.write(page.body.encode())
                        time.sleep(0.001 if page.repeat > 1 else 0)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"] or 0))
                self.do_GET()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002, the base class says so
                pass  # the log is kept above

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))  # bound, but not listening: connections are refused
        self.unused_port: int = self._closed.getsockname()[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def serve(self, body: str, path: str = "/", *, delay: float = 0.0, **headers: str) -> str:
        """Serve `body` at `path`; the address."""
        html = f"<!doctype html><title>Test</title><body>{body}"
        self.pages[path] = Page(body=html, delay=delay, headers={k.replace("_", "-"): v for k, v in headers.items()})
        return self.url(path)

    def raw(self, body: str, path: str, **headers: str) -> str:
        """Serve `body` as it is; the address."""
        self.pages[path] = Page(body=body, headers={k.replace("_", "-"): v for k, v in headers.items()})
        return self.url(path)

    def redirect(self, path: str, to: str) -> None:
        """Answer `path` with the way to `to`."""
        self.pages[path] = Page(status=302, headers={"Location": to})

    def clear(self) -> None:
        self.pages.clear()
        self.log.clear()
        self.posts.clear()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._closed.close()


def named(observation: Observation, name: str) -> Element:
    """The only element with this name."""
    (element,) = [e for e in observation.elements if e.name == name]
    return element


async def see(session: Session, url: str) -> Observation:
    """Open `url` and look."""
    await session.goto(url)
    return await session.observe()
