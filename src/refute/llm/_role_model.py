"""The model in use: renders a role, calls a backend, reads the reply, and counts what it cost."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from refute._errors import LimitReached, ModelError, ModelRefused, ModelReplyError
from refute.budget import Budget, Clock
from refute.llm._estimate import complete_usage
from refute.llm._model import Backend, ModelCalled, OutputMode, Reply, Request, Usage
from refute.llm._parse import UnusableReply, read_reply, schema_of
from refute.llm._role import I, O, Role
from refute.trace import Recorder


class RoleModel:
    """The `Model` of one episode.

    A reply that cannot be read is asked for again, at most `retries` times, with the problem told to the model; errors
    of the backend pass through. Every call leaves one `ModelCalled` event, also when it fails. A simulated backend's
    latency goes to the clock, a real one's has passed already. Before each request the episode's limits are looked at.
    """

    def __init__(self, backend: Backend, *, recorder: Recorder, budget: Budget, clock: Clock, retries: int = 2) -> None:
        self.backend = backend
        self._recorder = recorder
        self._budget = budget
        self._clock = clock
        self._retries = retries

    async def call(self, role: Role[I, O], value: I) -> O:
        """The typed answer.

        Raises `ModelReplyError` after the bounded retries, other `ModelError`s at once, and `LimitReached` instead of
        a request that the episode's limits do not allow.
        """
        tally = _Tally()
        try:
            answer = await self._ask(role, value, tally)
        except (ModelError, LimitReached) as error:
            if tally.attempts:
                self._record(role.name, tally, error=str(error))
            raise
        self._record(role.name, tally)
        return answer

    async def _ask(self, role: Role[I, O], value: I, tally: _Tally) -> O:
        request = self._request(role, value)
        for attempt in range(self._retries + 1):
            reply = await self._complete(request, tally)
            try:
                return read_reply(reply, role, self.backend.mode)
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
        limit = self._budget.spent_up(started)
        if limit is not None:
            raise LimitReached(limit)
        tally.attempts += 1
        try:
            reply = await self.backend.complete(request)
        except ModelError:
            if not self.backend.simulated:
                tally.seconds += max(0.0, self._clock.now() - started)
            raise
        usage = complete_usage(reply, request, self.backend.mode)
        tally.add(reply, usage)
        self._budget.request(tokens=usage.total_tokens, dollars=reply.dollars, kept=reply.cached)
        if self.backend.simulated:
            await self._clock.wait(reply.seconds)
        elif reply.cached:
            self._clock.skip(reply.seconds)  # an episode takes as long as when it was asked, and ends where it ended
        if reply.refusal:
            raise ModelRefused(
                f"{self.backend.name} would not answer for the role {request.role!r}: {reply.refusal}. "
                "Word the task differently, or use another model."
            )
        return reply

    def _request(self, role: Role[I, O], value: I) -> Request:
        system, user = role.render(value)
        schema = schema_of(role.output)
        form = _form(role.fenced is not None, role.fence_help, schema, self.backend.mode)
        system = f"{system}\n\n{form}".strip() if form else system
        shown = tuple(role.pictures(value))
        return Request(role=role.name, system=system, user=user, output_schema=schema, input=value, pictures=shown)

    def _record(self, role: str, tally: _Tally, *, error: str = "") -> None:
        event = ModelCalled(
            role=role,
            model=self.backend.name,
            simulated=self.backend.simulated,
            attempts=tally.attempts,
            cached=tally.cached,
            usage=tally.usage,
            seconds=round(tally.seconds, 6),
            dollars=tally.dollars,
            prices=tally.prices,
            ok=not error,
            error=error,
            reply=tally.reply,
        )
        self._recorder.record(event)


@dataclass
class _Tally:
    """What the attempts of one call cost together."""

    attempts: int = 0
    cached: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    replies: int = 0
    dollars: float | None = None
    prices: str = ""
    reply: str = ""

    def add(self, reply: Reply, usage: Usage) -> None:
        self.usage = self.usage + usage
        self.cached += reply.cached
        self.seconds += reply.seconds
        self.reply = reply.text
        # A sum with an unknown part is unknown.
        before = self.dollars if self.replies else 0.0
        self.replies += 1
        self.dollars = None if before is None or reply.dollars is None else before + reply.dollars
        self.prices = reply.prices if self.dollars is not None else ""


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
