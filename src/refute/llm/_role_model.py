"""The model in use: renders a role, calls a backend, reads the reply, and counts what it cost."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from refute._errors import ModelError, ModelReplyError
from refute.budget import Budget, Clock
from refute.llm._model import Backend, ModelCalled, OutputMode, Reply, Request, Usage
from refute.llm._parse import UnusableReply, parse_reply, schema_of
from refute.llm._role import I, O, Role
from refute.trace import Recorder

CHARACTERS_PER_TOKEN = 4
"""For estimates only, where a backend reports no usage; the usage is then marked as estimated."""


class RoleModel:
    """The `Model` of one episode.

    A reply that cannot be read is asked for again, at most `retries` times, with the problem told to the model; errors
    of the backend pass through. Every call leaves one `ModelCalled` event, also when it fails. A simulated backend's
    latency goes to the clock, a real one's has passed already.
    """

    def __init__(self, backend: Backend, *, recorder: Recorder, budget: Budget, clock: Clock, retries: int = 2) -> None:
        self.backend = backend
        self._recorder = recorder
        self._budget = budget
        self._clock = clock
        self._retries = retries

    async def call(self, role: Role[I, O], value: I) -> O:
        """The typed answer. Raises `ModelReplyError` after the bounded retries, other `ModelError`s at once."""
        tally = _Tally()
        try:
            answer = await self._ask(role, value, tally)
        except ModelError as error:
            self._record(role.name, tally, error=str(error))
            raise
        self._record(role.name, tally)
        return answer

    async def _ask(self, role: Role[I, O], value: I, tally: _Tally) -> O:
        request = self._request(role, value)
        for attempt in range(self._retries + 1):
            reply = await self._complete(request, tally)
            try:
                return parse_reply(reply.text, role, self.backend.mode)
            except UnusableReply as error:
                retry = {"attempt": attempt + 1, "previous_reply": reply.text, "problem": str(error)}
                request = request.model_copy(update=retry)
        raise ModelReplyError(
            f"{self.backend.name} gave no usable reply for the role {role.name!r} in {tally.attempts} attempts; "
            f"last problem: {request.problem}. The last reply is in the trace. "
            "Try another output mode, or a model that is better at structured output.",
            raw=tally.reply,
        )

    async def _complete(self, request: Request, tally: _Tally) -> Reply:
        started = self._clock.now()
        tally.attempts += 1
        try:
            reply = await self.backend.complete(request)
        except ModelError:
            if not self.backend.simulated:
                tally.seconds += max(0.0, self._clock.now() - started)
            raise
        usage = _complete_usage(reply, request, self.backend.mode)
        tally.add(reply, usage)
        self._budget.tokens(usage.input_tokens + usage.output_tokens)
        if self.backend.simulated:
            await self._clock.wait(reply.seconds)
        return reply

    def _request(self, role: Role[I, O], value: I) -> Request:
        system, user = role.render(value)
        schema = schema_of(role.output)
        form = _form(role.fenced is not None, role.fence_help, schema, self.backend.mode)
        system = f"{system}\n\n{form}".strip() if form else system
        return Request(role=role.name, system=system, user=user, output_schema=schema, input=value)

    def _record(self, role: str, tally: _Tally, *, error: str = "") -> None:
        event = ModelCalled(
            role=role,
            model=self.backend.name,
            simulated=self.backend.simulated,
            attempts=tally.attempts,
            usage=tally.usage,
            seconds=round(tally.seconds, 6),
            dollars=tally.dollars,
            ok=not error,
            error=error,
            reply=tally.reply,
        )
        self._recorder.record(event)


@dataclass
class _Tally:
    """What the attempts of one call cost together."""

    attempts: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    dollars: float | None = None
    reply: str = ""

    def add(self, reply: Reply, usage: Usage) -> None:
        self.usage = self.usage + usage
        self.seconds += reply.seconds
        self.reply = reply.text
        if reply.dollars is not None:
            self.dollars = (self.dollars or 0.0) + reply.dollars


def _form(has_fence_reader: bool, fence_help: str, schema: dict[str, object], mode: OutputMode) -> str:
    """How the reply should look, for the modes in which the provider is not told by other means."""
    if mode is OutputMode.FENCED and has_fence_reader:
        return fence_help
    shown = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    if mode is OutputMode.FENCED:
        return f"Reply with one JSON object in a ```json fence. It must fit this JSON schema:\n{shown}"
    if mode is OutputMode.PROMPTED:
        return f"Reply with one JSON object and nothing else. It must fit this JSON schema:\n{shown}"
    return ""


def _complete_usage(reply: Reply, request: Request, mode: OutputMode) -> Usage:
    """The reported usage, with what is missing estimated from the length of the texts."""
    usage = reply.usage
    missing_input = usage.input_tokens == 0
    missing_output = usage.output_tokens == 0 and reply.text != ""
    if not (missing_input or missing_output):
        return usage
    sent = [request.system, request.user, request.previous_reply, request.problem]
    if mode in (OutputMode.TOOL, OutputMode.NATIVE):
        sent.append(json.dumps(request.output_schema))
    update = {"estimated": True}
    update |= {"input_tokens": _estimate(*sent)} if missing_input else {}
    update |= {"output_tokens": _estimate(reply.text)} if missing_output else {}
    return usage.model_copy(update=update)


def _estimate(*texts: str) -> int:
    return -(-sum(len(text) for text in texts) // CHARACTERS_PER_TOKEN)
