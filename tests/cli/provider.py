"""An OpenAI-compatible server on loopback that plays a model which can only look at lamps."""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Json = dict[str, Any]

PLAN: Json = {
    "commitments": [
        {
            "subgoal": "Open the page of the Arbor lamp",
            "confirming": [{"stage": "completion", "statement": 'The heading says "Arbor lamp"'}],
            "falsifying": [{"scope": "execution", "statement": "The page is about kettles"}],
            "confidence": 0.8,
        }
    ]
}


REVISED: Json = {
    "falsified": [{"number": 1, "why": "the price is wanted too"}],
    "plan": [
        {
            "new": {
                "subgoal": "Open the page of the Arbor lamp and read its price",
                "confirming": [{"stage": "completion", "statement": 'The page says "It costs $20"'}],
            }
        }
    ],
}


class LampModel:
    """Answers every role but the repairer, as a tool call or as text, as the request asks; after `delay` seconds."""

    def __init__(self, *, delay: float = 0.0) -> None:
        self.delay = delay
        self.requests: list[Json] = []
        self.keys: list[str | None] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body: Json = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(body)
                time.sleep(model.delay)
                model.keys.append(self.headers.get("authorization"))
                raw = json.dumps(model.reply(body)).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply(self, body: Json) -> Json:
        prompt = "\n".join(str(message["content"]) for message in body["messages"])
        tools: list[Json] = body.get("tools") or []
        answer, fenced = self.answer(prompt)
        message: Json = {"role": "assistant", "content": fenced if "```action" in prompt else json.dumps(answer)}
        if tools:
            call = {"name": tools[0]["function"]["name"], "arguments": json.dumps(answer)}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c", "type": "function", "function": call}],
            }
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "lamp",
            "choices": [choice],
            "usage": usage,
        }

    def answer(self, prompt: str) -> tuple[Json, str]:
        """The answer as an object, and the executor's also in its fenced form."""
        if "You plan" in prompt:
            return PLAN, ""
        if "You read what a user asks" in prompt:
            return {"constraints": [{"text": "The page of the Arbor lamp says its color", "instruction": 1}]}, ""
        if "says that its work is done" in prompt:
            return {"findings": [{"number": 1, "ruling": "met", "quote": "It is white."}]}, ""
        if "You check" in prompt:
            done = "# Arbor lamp" in prompt.rsplit("The page now:", 1)[-1]
            return {"decision": "advance" if done else "continue", "reason": "as the page says"}, ""
        if "user changed the goal" in prompt:
            return REVISED, ""
        if "You operate" in prompt:
            return self.act(prompt)
        if "checkpoint" in prompt:
            reached = "# Lamps" in prompt.rsplit("Checkpoint:", 1)[-1]
            return {"reached": reached, "confidence": 0.9, "evidence": "Lamps" if reached else ""}, ""
        if "changed their mind" in prompt:
            return {"instruction": "What colour is the Arbor lamp, and what is its price?"}, ""
        return {"summary": "The Arbor lamp is white."}, ""

    def act(self, prompt: str) -> tuple[Json, str]:
        page = prompt.rsplit("The page now:", 1)[-1]
        link = re.search(r'\[(\d+)\] link "(Lamps|Arbor lamp)"', page)
        costs = " and costs $20" if "price" in prompt else ""
        action = f"click('{link[1]}')" if link else f"done('The Arbor lamp is white{costs}.')"
        return {"reasoning": "look", "action": action}, f"I look.\n```action\n{action}\n```"
