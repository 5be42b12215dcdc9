"""Counting, recording and virtual time, whatever the backend."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from refute import LimitReached, ModelError, ModelReplyError
from refute.budget import Limits
from refute.llm import OutputMode, Reply, Request, Usage

from .setup import COLOR, Bench, sky


class Scripted:
    """A backend that replies from a list."""

    name = "scripted"

    def __init__(self, *replies: Reply | ModelError, simulated: bool = True) -> None:
        self.mode = OutputMode.PROMPTED
        self.simulated = simulated
        self.requests: list[Request] = []
        self._replies = list(replies)

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, ModelError):
            raise reply
        return reply

    async def close(self) -> None:
        pass


async def test_a_simulated_latency_passes_on_the_clock_only(bench: Bench) -> None:
    before, real = bench.clock.now(), time.monotonic()
    backend = Scripted(Reply(text="hm", seconds=40), Reply(text='{"color": "blue"}', seconds=60))

    await bench.model(backend).call(COLOR, sky())

    assert bench.clock.now() - before >= 100
    assert time.monotonic() - real < 50
    assert bench.called().seconds == 100
    assert bench.called().simulated


async def test_a_real_latency_is_recorded_but_not_waited_for_again(bench: Bench) -> None:
    before = bench.clock.now()
    await bench.model(Scripted(Reply(text='{"color": "blue"}', seconds=100), simulated=False)).call(COLOR, sky())
    assert bench.clock.now() - before < 100
    assert bench.called().seconds == 100


async def test_a_kept_reply_takes_the_seconds_of_back_then_without_a_wait(bench: Bench) -> None:
    before, real = bench.clock.now(), time.monotonic()
    kept = Reply(text='{"color": "blue"}', seconds=100, cached=True)
    model = bench.model(Scripted(kept, kept, simulated=False), limits=Limits(seconds=90))
    await model.call(COLOR, sky())
    assert bench.clock.now() - before >= 100
    assert time.monotonic() - real < 50
    with pytest.raises(LimitReached) as reached:
        await model.call(COLOR, sky())
    assert reached.value.limit == "seconds"


async def test_the_typed_question_and_each_retry_reach_the_backend(bench: Bench) -> None:
    backend = Scripted(Reply(text="one"), Reply(text="two"), Reply(text='{"color": "blue"}'))
    await bench.model(backend).call(COLOR, sky())
    assert [request.attempt for request in backend.requests] == [0, 1, 2]
    assert [request.previous_reply for request in backend.requests] == ["", "one", "two"]
    assert all(request.input == sky() for request in backend.requests)


async def test_usage_and_price_of_all_attempts_are_summed(bench: Bench) -> None:
    usage = Usage(input_tokens=10, output_tokens=5)
    backend = Scripted(
        Reply(text="hm", usage=usage, dollars=0.25), Reply(text='{"color": "blue"}', usage=usage, dollars=0.5)
    )
    await bench.model(backend).call(COLOR, sky())
    event = bench.called()
    assert (event.usage, event.dollars) == (usage + usage, 0.75)
    assert bench.budget.spent(0).tokens == 30


async def test_a_backend_error_is_recorded_with_what_was_spent_before(bench: Bench) -> None:
    backend = Scripted(Reply(text="hm", usage=Usage(input_tokens=10, output_tokens=5)), ModelError("it broke"))
    with pytest.raises(ModelError, match="it broke"):
        await bench.model(backend).call(COLOR, sky())
    event = bench.called()
    assert (event.ok, event.error, event.attempts, event.usage.input_tokens) == (False, "it broke", 2, 10)


async def test_the_number_of_retries_is_a_setting(bench: Bench) -> None:
    backend = Scripted(Reply(text="hm"))
    with pytest.raises(ModelReplyError, match="in 1 attempts"):
        await bench.model(backend, retries=0).call(COLOR, sky())


async def test_a_price_that_is_partly_unknown_is_unknown(bench: Bench) -> None:
    backend = Scripted(Reply(text="hm", dollars=0.25), Reply(text='{"color": "blue"}'))
    await bench.model(backend).call(COLOR, sky())
    assert bench.called().dollars is None
    assert bench.budget.spent(0).dollars is None


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        (Limits(requests=1), "requests"),
        (Limits(tokens=15), "tokens"),
        (Limits(cost=0.25), "cost"),
        (Limits(seconds=30), "seconds"),
    ],
)
async def test_a_limit_stops_before_the_next_request_and_what_was_spent_is_recorded(
    bench: Bench, limits: Limits, named: str
) -> None:
    usage = Usage(input_tokens=10, output_tokens=5)
    backend = Scripted(Reply(text="hm", usage=usage, dollars=0.25, seconds=40), Reply(text='{"color": "blue"}'))
    with pytest.raises(LimitReached, match=f"--max-{named}") as caught:
        await bench.model(backend, limits=limits).call(COLOR, sky())
    assert caught.value.limit == named
    assert len(backend.requests) == 1
    event = bench.called()
    assert (event.ok, event.attempts, event.usage) == (False, 1, usage)


def test_importing_the_room_loads_no_client_library() -> None:
    script = "import sys, refute.llm; print([m for m in ('pydantic_ai', 'openai', 'httpx2') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == "[]"
