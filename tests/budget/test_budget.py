"""Limits end an episode exactly when they are used up."""

from __future__ import annotations

import time

import pytest

from refute.budget import Budget, Limits, RealClock, VirtualClock


def test_each_limit_is_named_when_it_is_used_up() -> None:
    budget = Budget(Limits(steps=2, requests=3, tokens=100, cost=0.5, seconds=5), started=10.0)
    assert budget.exhausted(14.9) is None
    assert budget.exhausted(15.0) == "seconds"
    budget.request(tokens=60, dollars=0.5)
    assert budget.exhausted(11.0) == "cost"
    budget.request(tokens=40, dollars=0.0, kept=True)
    assert budget.exhausted(11.0) == "tokens", "a kept reply counts as when it was asked"
    budget.request(tokens=1, dollars=0.25)
    assert budget.exhausted(11.0) == "requests"
    budget.step()
    budget.step()
    assert budget.exhausted(11.0) == "steps"
    assert budget.spent(11.0).model_dump() == {
        "steps": 2,
        "requests": 3,
        "tokens": 101,
        "dollars": 0.75,
        "seconds": 1.0,
        "kept_requests": 1,
        "kept_tokens": 40,
        "kept_dollars": 0.0,
    }


def test_the_last_step_may_still_ask_the_model() -> None:
    budget = Budget(Limits(steps=1), started=0.0)
    budget.step()
    assert budget.exhausted(0.0) == "steps"
    assert budget.spent_up(0.0) is None


@pytest.mark.parametrize("known", [0.0, 0.1])
def test_a_cost_with_an_unknown_part_is_unknown_and_not_small(known: float) -> None:
    budget = Budget(Limits(cost=100), started=0.0)
    budget.request(tokens=1, dollars=known)
    assert budget.exhausted(0.0) is None
    budget.request(tokens=1, dollars=None)
    budget.request(tokens=1, dollars=known)
    assert budget.spent(0.0).dollars is None
    assert budget.exhausted(0.0) == "cost"


async def test_a_virtual_clock_counts_waits_without_waiting() -> None:
    clock = VirtualClock()
    before = clock.now()
    await clock.wait(3600)
    assert 3600 <= clock.now() - before < 3660


@pytest.mark.parametrize("clock", [RealClock(), VirtualClock()])
def test_skipped_seconds_are_spent(clock: RealClock) -> None:
    budget = Budget(Limits(seconds=3600), started=clock.now())
    assert budget.exhausted(clock.now()) is None
    clock.skip(3600)
    assert budget.exhausted(clock.now()) == "seconds"


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
def test_a_machine_whose_time_is_set_anew_changes_no_duration(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    wall = time.time
    clock = RealClock()
    assert abs(clock.now() - wall()) < 60
    budget, before = Budget(Limits(seconds=3600), started=clock.now()), clock.now()
    monkeypatch.setattr(time, "time", lambda: wall() + jump)
    after = clock.now()
    assert 0 <= after - before < 3600
    assert budget.exhausted(after) is None
    assert 0 <= budget.spent(after).seconds < 3600
