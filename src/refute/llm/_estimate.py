"""Estimated usage, where a server reports none. Always marked as such."""

from __future__ import annotations

import json

from refute.llm._model import OutputMode, Reply, Request, Usage

CHARACTERS_PER_TOKEN = 4
PICTURE_TOKENS = 1200
"""About what providers count for a picture of 1280 x 720 pixels."""


def complete_usage(reply: Reply, request: Request, mode: OutputMode) -> Usage:
    """The reported usage, with what is missing estimated from the length of the texts."""
    usage = reply.usage
    missing_input = usage.input_tokens == 0
    missing_output = usage.output_tokens == 0 and reply.text != ""
    if not (missing_input or missing_output):
        return usage
    sent = [request.system, request.user, request.previous_reply, request.problem]
    if mode in (OutputMode.TOOL, OutputMode.NATIVE):
        sent.append(json.dumps(request.output_schema))
    update: dict[str, int | bool] = {"estimated": True}
    if missing_input:
        update["input_tokens"] = _tokens(*sent) + PICTURE_TOKENS * len(request.pictures)
    if missing_output:
        update["output_tokens"] = _tokens(reply.text)
    return usage.model_copy(update=update)


def _tokens(*texts: str) -> int:
    return -(-sum(len(text) for text in texts) // CHARACTERS_PER_TOKEN)
