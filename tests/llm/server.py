"""A chat server on loopback that answers from a script, one entry a request; the last entry repeats."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

Json = dict[str, Any]

USAGE: Json = {
    "prompt_tokens": 120,
    "completion_tokens": 30,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 100},
    "completion_tokens_details": {"reasoning_tokens": 10},
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server sends: a status, a JSON body or raw text, headers; `hold` keeps it back until the server ends."""

    body: Json | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    hold: bool = False


def completion(message: Json, *, usage: Json | None = USAGE, finish: str = "stop") -> Answer:
    """A chat completion with this message."""
    body: Json = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}],
    }
    return Answer(body=body if usage is None else {**body, "usage": usage})


def says(text: str, *, usage: Json | None = USAGE) -> Answer:
    """A reply in plain text."""
    return completion({"content": text}, usage=usage)


def calls(arguments: str, *, name: str = "color") -> Answer:
    """A reply that calls a tool."""
    call = {"id": "t1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return completion({"content": None, "tool_calls": [call]}, finish="tool_calls")


def fails(status: int, message: str, *, headers: Mapping[str, str] | None = None, code: str = "") -> Answer:
    """An error in the provider's usual form."""
    return Answer(
        status=status, headers=headers or {}, body={"error": {"message": message, "type": "error", "code": code}}
    )


class ChatServer:
    """Serves ``/v1/chat/completions``; `requests` holds the bodies that came in, `keys` the authorisation headers."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.requests: list[Json] = []
        self.keys: list[str] = []
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.02), daemon=True)

    @property
    def url(self) -> str:
        """The address to give as base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, *script: Answer) -> None:
        """Set the script."""
        self.script = list(script)

    def told(self) -> Sequence[str]:
        """The texts of the last request's messages."""
        return [str(cast(Json, message).get("content")) for message in self.requests[-1]["messages"]]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, _type: type[BaseException] | None, _value: object, _trace: TracebackType | None) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def take(self, body: Json, key: str) -> Answer:
        """Note a request and choose its answer."""
        self.requests.append(body)
        self.keys.append(key)
        return self.script[min(len(self.requests), len(self.script)) - 1]

    def _handler(self) -> Callable[..., BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = owner.take(body, self.headers.get("Authorization", ""))
                if answer.hold:
                    owner._ended.wait(timeout=30)
                    return
                data = (answer.body if isinstance(answer.body, str) else json.dumps(answer.body)).encode()
                self.send_response(answer.status)
                kind = "text/html" if isinstance(answer.body, str) else "application/json"
                for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler
