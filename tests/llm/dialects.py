"""Each provider's own wire format: how it answers, and how what it was sent is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from .server import Answer, Json, Received


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """What one request cost. `input` holds the cached parts, `output` the reasoning."""

    input: int = 120
    output: int = 30
    cached: int = 100
    written: int = 0
    reasoning: int = 10


TOKENS = Tokens()


class Dialect(Protocol):
    """One provider's protocol."""

    provider: str
    model: str
    """A model that pydantic-ai knows, since it treats those differently from names that it has never heard."""
    variable: str
    """The environment variable of its key."""

    def address(self, origin: str) -> str:
        """The address for ``--base-url``."""
        ...

    def key(self, received: Received) -> str:
        """The key that came with a request."""
        ...

    def told(self, received: Received) -> Sequence[str]:
        """The texts that came with a request: system first, then the turns."""
        ...

    def tool(self, received: Received) -> tuple[str, Json]:
        """Name and schema of the tool that was offered."""
        ...

    def native_schema(self, received: Received) -> Json:
        """The schema that was asked for natively."""
        ...

    def pictures(self, received: Received) -> Sequence[str]:
        """The pictures that came with a request, in base64."""
        ...

    def says(self, text: str, *, thought: str = "", tokens: Tokens | None = TOKENS, cut_off: bool = False) -> Answer:
        """A reply in text, perhaps after a thinking block."""
        ...

    def calls(self, *arguments: str, name: str = "color", tokens: Tokens | None = TOKENS) -> Answer:
        """A reply that calls a tool, once for each of the arguments (JSON)."""
        ...

    def refuses(self, text: str) -> Answer:
        """The model itself will not answer."""
        ...

    def filtered(self) -> Answer:
        """The provider's content filter stopped the reply."""
        ...

    def fails(self, status: int, message: str, *, code: str = "", headers: dict[str, str] | None = None) -> Answer:
        """An error in the provider's usual form."""
        ...

    def too_long(self) -> Answer:
        """The prompt does not fit into the model's context window."""
        ...


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content)


class Chat:
    """OpenAI's chat completions, which most local servers speak."""

    provider = "openai-chat"
    model = "tiny"
    variable = "OPENAI_API_KEY"

    def address(self, origin: str) -> str:
        return f"{origin}/v1"

    def key(self, received: Received) -> str:
        return received.headers["authorization"].removeprefix("Bearer ")

    def told(self, received: Received) -> Sequence[str]:
        return [_texts(message["content"]) for message in received.body["messages"]]

    def tool(self, received: Received) -> tuple[str, Json]:
        function = received.body["tools"][0]["function"]
        return function["name"], function["parameters"]

    def native_schema(self, received: Received) -> Json:
        return received.body["response_format"]["json_schema"]["schema"]

    def pictures(self, received: Received) -> Sequence[str]:
        parts = received.body["messages"][1]["content"]
        return [part["image_url"]["url"].partition("base64,")[2] for part in parts if part["type"] == "image_url"]

    def says(self, text: str, *, thought: str = "", tokens: Tokens | None = TOKENS, cut_off: bool = False) -> Answer:
        message: Json = {"content": text, **({"reasoning_content": thought} if thought else {})}
        return self._completion(message, tokens, "length" if cut_off else "stop")

    def calls(self, *arguments: str, name: str = "color", tokens: Tokens | None = TOKENS) -> Answer:
        made = [
            {"id": f"t{n}", "type": "function", "function": {"name": name, "arguments": text}}
            for n, text in enumerate(arguments)
        ]
        return self._completion({"content": None, "tool_calls": made}, tokens, "tool_calls")

    def refuses(self, text: str) -> Answer:
        return self._completion({"content": None, "refusal": text}, TOKENS, "stop")

    def filtered(self) -> Answer:
        return self._completion({"content": ""}, TOKENS, "content_filter")

    def fails(self, status: int, message: str, *, code: str = "", headers: dict[str, str] | None = None) -> Answer:
        body = {"error": {"message": message, "type": "error", "code": code}}
        return Answer(status=status, headers=headers or {}, body=body)

    def too_long(self) -> Answer:
        return self.fails(400, "This model has a window of 4096 tokens.", code="context_length_exceeded")

    def _completion(self, message: Json, tokens: Tokens | None, finish: str) -> Answer:
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
        body: Json = {"id": "c1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice]}
        if tokens is not None:
            body["usage"] = {
                "prompt_tokens": tokens.input,
                "completion_tokens": tokens.output,
                "total_tokens": tokens.input + tokens.output,
                "prompt_tokens_details": {"cached_tokens": tokens.cached},
                "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
            }
        return Answer(body=body)


class Responses(Chat):
    """OpenAI's Responses API."""

    provider = "openai"
    model = "gpt-6.1-terra"

    def told(self, received: Received) -> Sequence[str]:
        turns = [_texts(item["content"]) for item in received.body["input"]]
        instructions = received.body.get("instructions")
        return [instructions, *turns] if instructions else turns

    def tool(self, received: Received) -> tuple[str, Json]:
        tool = received.body["tools"][0]
        return tool["name"], tool["parameters"]

    def native_schema(self, received: Received) -> Json:
        return received.body["text"]["format"]["schema"]

    def pictures(self, received: Received) -> Sequence[str]:
        parts = received.body["input"][-1]["content"]
        return [part["image_url"].partition("base64,")[2] for part in parts if part["type"] == "input_image"]

    def says(self, text: str, *, thought: str = "", tokens: Tokens | None = TOKENS, cut_off: bool = False) -> Answer:
        output = [self._message({"type": "output_text", "text": text, "annotations": []})]
        if thought:
            summary = [{"type": "summary_text", "text": thought}]
            output.insert(0, {"type": "reasoning", "id": "r1", "summary": summary})
        return self._response(output, tokens, "max_output_tokens" if cut_off else "")

    def calls(self, *arguments: str, name: str = "color", tokens: Tokens | None = TOKENS) -> Answer:
        made: list[Json] = [
            {
                "type": "function_call",
                "id": f"f{n}",
                "call_id": f"t{n}",
                "name": name,
                "arguments": text,
                "status": "completed",
            }
            for n, text in enumerate(arguments)
        ]
        return self._response(made, tokens)

    def refuses(self, text: str) -> Answer:
        return self._response([self._message({"type": "refusal", "refusal": text})], TOKENS)

    def filtered(self) -> Answer:
        return self._response([], TOKENS, "content_filter")

    def _message(self, content: Json) -> Json:
        return {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [content]}

    def _response(self, output: list[Json], tokens: Tokens | None, incomplete: str = "") -> Answer:
        body: Json = {
            "id": "r1",
            "object": "response",
            "created_at": 1,
            "model": "tiny",
            "status": "incomplete" if incomplete else "completed",
            "incomplete_details": {"reason": incomplete} if incomplete else None,
            "output": output,
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }
        if tokens is not None:
            body["usage"] = {
                "input_tokens": tokens.input,
                "output_tokens": tokens.output,
                "total_tokens": tokens.input + tokens.output,
                "input_tokens_details": {"cached_tokens": tokens.cached},
                "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            }
        return Answer(body=body)


class Messages:
    """Anthropic's messages. Its input tokens leave out what was read from or written to the cache."""

    provider = "anthropic"
    model = "claude-sonnet-5-5"
    variable = "ANTHROPIC_API_KEY"

    def address(self, origin: str) -> str:
        return origin

    def key(self, received: Received) -> str:
        return received.headers["authorization"].removeprefix("Bearer ")

    def told(self, received: Received) -> Sequence[str]:
        turns = [_texts(message["content"]) for message in received.body["messages"]]
        return [_texts(received.body["system"]), *turns]

    def tool(self, received: Received) -> tuple[str, Json]:
        tool = received.body["tools"][0]
        return tool["name"], tool["input_schema"]

    def native_schema(self, received: Received) -> Json:
        return received.body["output_config"]["format"]["schema"]

    def pictures(self, received: Received) -> Sequence[str]:
        parts = received.body["messages"][0]["content"]
        return [part["source"]["data"] for part in parts if part["type"] == "image"]

    def says(self, text: str, *, thought: str = "", tokens: Tokens | None = TOKENS, cut_off: bool = False) -> Answer:
        content = [{"type": "text", "text": text}]
        if thought:
            content.insert(0, {"type": "thinking", "thinking": thought, "signature": "s"})
        return self._message(content, tokens, "max_tokens" if cut_off else "end_turn")

    def calls(self, *arguments: str, name: str = "color", tokens: Tokens | None = TOKENS) -> Answer:
        made: list[Json] = [
            {"type": "tool_use", "id": f"t{n}", "name": name, "input": json.loads(text)}
            for n, text in enumerate(arguments)
        ]
        return self._message(made, tokens, "tool_use")

    def refuses(self, text: str) -> Answer:
        return self._message([{"type": "text", "text": text}], TOKENS, "refusal")

    def filtered(self) -> Answer:
        return self._message([], TOKENS, "refusal")

    def fails(self, status: int, message: str, *, code: str = "", headers: dict[str, str] | None = None) -> Answer:
        body = {"type": "error", "error": {"type": code or "api_error", "message": message}}
        return Answer(status=status, headers=headers or {}, body=body)

    def too_long(self) -> Answer:
        message = "prompt is too long: 210000 tokens > 200000 maximum"
        return self.fails(400, message, code="invalid_request_error")

    def _message(self, content: list[Json], tokens: Tokens | None, stop: str) -> Answer:
        counted = tokens or Tokens(input=0, output=0, cached=0)
        body: Json = {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "tiny",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": counted.input - counted.cached - counted.written,
                "output_tokens": counted.output,
                "cache_read_input_tokens": counted.cached,
                "cache_creation_input_tokens": counted.written,
            },
        }
        return Answer(body=body)


class Gemini:
    """Google's generateContent. Its candidates' tokens leave out the thoughts."""

    provider = "google"
    model = "gemini-3.8-flash"
    variable = "GOOGLE_API_KEY"
    _STATUS: ClassVar = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        500: "INTERNAL",
        503: "UNAVAILABLE",
    }

    def address(self, origin: str) -> str:
        return origin

    def key(self, received: Received) -> str:
        return received.headers["x-goog-api-key"]

    def told(self, received: Received) -> Sequence[str]:
        system = _texts(received.body["systemInstruction"]["parts"])
        return [system, *(_texts(turn["parts"]) for turn in received.body["contents"])]

    def tool(self, received: Received) -> tuple[str, Json]:
        function = received.body["tools"][0]["functionDeclarations"][0]
        return function["name"], function.get("parametersJsonSchema") or function["parameters_json_schema"]

    def native_schema(self, received: Received) -> Json:
        form = received.body["generationConfig"]
        return form.get("responseJsonSchema") or form["response_json_schema"]

    def pictures(self, received: Received) -> Sequence[str]:
        parts = received.body["contents"][0]["parts"]
        coded = [part["inlineData"]["data"] for part in parts if "inlineData" in part]
        return [text.replace("-", "+").replace("_", "/") for text in coded]

    def says(self, text: str, *, thought: str = "", tokens: Tokens | None = TOKENS, cut_off: bool = False) -> Answer:
        parts: list[Json] = [{"text": text}]
        if thought:
            parts.insert(0, {"text": thought, "thought": True})
        return self._content(parts, tokens, "MAX_TOKENS" if cut_off else "STOP")

    def calls(self, *arguments: str, name: str = "color", tokens: Tokens | None = TOKENS) -> Answer:
        parts: list[Json] = [{"functionCall": {"name": name, "args": json.loads(text)}} for text in arguments]
        return self._content(parts, tokens, "STOP")

    def refuses(self, text: str) -> Answer:
        return self._content([{"text": text}], TOKENS, "PROHIBITED_CONTENT")

    def filtered(self) -> Answer:
        body = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": self._usage(TOKENS)}
        return Answer(body=body)

    def fails(self, status: int, message: str, *, code: str = "", headers: dict[str, str] | None = None) -> Answer:
        body = {"error": {"code": status, "message": message, "status": code or self._STATUS.get(status, "UNKNOWN")}}
        return Answer(status=status, headers=headers or {}, body=body)

    def too_long(self) -> Answer:
        message = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."
        return self.fails(400, message, code="INVALID_ARGUMENT")

    def _content(self, parts: list[Json], tokens: Tokens | None, finish: str) -> Answer:
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
        body: Json = {"candidates": [candidate], "modelVersion": "tiny", "responseId": "g1"}
        if tokens is not None:
            body["usageMetadata"] = self._usage(tokens)
        return Answer(body=body)

    def _usage(self, tokens: Tokens) -> Json:
        return {
            "promptTokenCount": tokens.input,
            "candidatesTokenCount": tokens.output - tokens.reasoning,
            "thoughtsTokenCount": tokens.reasoning,
            "cachedContentTokenCount": tokens.cached,
            "totalTokenCount": tokens.input + tokens.output,
        }


DIALECTS: dict[str, Dialect] = {dialect.provider: dialect for dialect in (Chat(), Responses(), Messages(), Gemini())}
