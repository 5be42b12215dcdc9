"""From a reply's text to a role's typed output. Nothing in a reply is executed, and nothing is guessed.

Form is forgiven, content is not: prose around the JSON, a fence, a trailing comma, a bare line break in a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from refute.llm._model import OutputMode, Reply
from refute.llm._role import O, Role

_THOUGHT = re.compile(r"\A\s*(?!\{).*</think(?:ing)?>", re.DOTALL)
"""Thinking that a server did not keep apart from the reply; its opening tag is often part of the prompt."""
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_SHOWN_PROBLEMS = 5
_LONGEST_SCAN = 200_000
"""Characters of a reply that are searched for an object; a reply beyond it is no answer to any role."""
_MEANT_AS_OBJECT = re.compile(r"\{\s*[\"\']")
_UNREADABLE_BRACES = 30
"""So many braces that open nothing readable are skipped before giving up: keeps the search linear in the text."""


class UnusableReply(ValueError):
    """The reply cannot be read; the message is worded for the model, so that it can do better."""


def read_reply(reply: Reply, role: Role[Any, O], mode: OutputMode) -> O:
    """The role's output that `reply` holds. Raises `UnusableReply` with the problem."""
    if reply.unusable:
        raise UnusableReply(reply.unusable)
    return parse_reply(reply.text, role, mode)


def parse_reply(text: str, role: Role[Any, O], mode: OutputMode) -> O:
    """The role's output that `text` holds. Raises `UnusableReply` with the problem.

    Where several objects in it would be an answer, they must say the same: choosing one of them would be a guess.
    """
    text = _THOUGHT.sub("", text)
    if not text.strip():
        raise UnusableReply("the reply was empty")
    if mode is OutputMode.FENCED and role.fenced is not None:
        try:
            return role.fenced(text)
        except ValidationError as error:
            raise UnusableReply(_worded(error)) from error
        except ValueError as error:
            raise UnusableReply(str(error) or "the reply is not in the form that was asked for") from error
    return _from_json(text, role.output)


def _from_json(text: str, output: type[O]) -> O:
    problem = ""
    answers: list[O] = []
    for candidate in _objects(text):
        try:
            answer = output.model_validate(candidate)
        except ValidationError as error:
            problem = problem or _worded(error)
            continue
        if answer not in answers:
            answers.append(answer)
    if len(answers) > 1:
        raise UnusableReply(f"the reply holds {len(answers)} different answers; give exactly one")
    if not answers:
        raise UnusableReply(problem or "no complete JSON object was found in the reply")
    return answers[0]


def _worded(error: ValidationError) -> str:
    """The problems of a validation, one line each, without the library's links."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(str(part) for part in p['loc']) or 'the object'}: {p['msg']}" for p in problems]
    more = len(lines) - _SHOWN_PROBLEMS
    return "\n".join(lines[:_SHOWN_PROBLEMS] + ([f"and {more} more problems"] if more > 0 else []))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects in `text`, the likeliest first: the whole of it, then fences, then objects amid prose."""
    text = text[:_LONGEST_SCAN]
    pieces = [text, *(match[1] for match in _FENCE.finditer(text))]
    for piece in pieces:
        found = _decoded(piece)
        if found is not None:
            yield found
    start, unreadable = text.find("{"), 0
    while start >= 0 and unreadable < _UNREADABLE_BRACES:
        end = _closing(text, start)
        found = _decoded(text[start:end]) if end else None
        if found is not None:
            yield found
        unreadable += found is None
        # What stands inside an object is no answer, be it whole or cut off; other braces may be part of the prose.
        inside = found is not None or _MEANT_AS_OBJECT.match(text, start) is not None
        start = text.find("{", (end or len(text)) if inside else start + 1)


def _decoded(piece: str) -> dict[str, Any] | None:
    for attempt in (piece, _without_trailing_commas(piece)):
        try:
            # `strict=False` admits a bare line break inside a string, a frequent slip of small models.
            value: object = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None
    return None


_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)


def _without_trailing_commas(piece: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: "" if match[0] == "," else match[0], piece)


def _closing(text: str, start: int) -> int | None:
    """Where the object that opens at `start` ends (exclusive), or None when it never does."""
    depth = 0
    for match in _STRING_OR_BRACE.finditer(text, start):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def schema_of(output: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema that a model is shown for `output`."""
    return output.model_json_schema()
