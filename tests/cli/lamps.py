"""A small web site on loopback, on which there are lamps."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Generator
from contextlib import contextmanager

PAGES = {
    "/": "<title>Start</title><h1>Start</h1><a href='/lamps'>Lamps</a>",
    "/lamps": "<title>Lamps</title><h1>Lamps</h1><a href='/lamp'>Arbor lamp</a>",
    "/lamp": "<title>Arbor</title><h1>Arbor lamp</h1><p>It is white.</p><p>It costs $20.</p>",
}


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in PAGES else 404)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGES.get(self.path, "nothing here").encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@contextmanager
def lamps() -> Generator[str]:
    """Serve it; its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
