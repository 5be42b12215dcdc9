"""A server on loopback that answers from a script, one entry a request; the last entry repeats."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server sends: a status, a JSON body or raw text, headers.

    `hold` keeps it back until the server ends; `cut` resets the connection in the middle of the body.
    """

    body: Json | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hold: bool = False
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request as it came in. Header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Json


class ModelServer:
    """Serves every path; `received` holds what came in."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.received: list[Received] = []
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.02), daemon=True)

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, *script: Answer) -> None:
        """Set the script and forget what came in."""
        self.script = list(script)
        self.received.clear()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, _type: type[BaseException] | None, _value: object, _trace: TracebackType | None) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def take(self, received: Received) -> Answer:
        """Note a request and choose its answer."""
        self.received.append(received)
        return self.script[min(len(self.received), len(self.script)) - 1]

    def wait_for_the_end(self) -> None:
        """Keep silent until the server ends."""
        self._ended.wait(timeout=30)

    def _handler(self) -> Callable[..., BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = owner.take(Received(path=self.path, headers=headers, body=body))
                if answer.hold:
                    owner.wait_for_the_end()
                    return
                data = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
                self.send_response(answer.status)
                kind = "text/html" if isinstance(answer.body, str) else "application/json"
                for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if answer.cut else data)
                if answer.cut:
                    self.wfile.flush()
                    # With a linger time of 0 closing sends a reset instead of a polite end.
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()
                    self.close_connection = True

            def finish(self) -> None:
                if not self.wfile.closed and self.connection.fileno() >= 0:
                    super().finish()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler
