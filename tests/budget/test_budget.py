"""Limits end an episode exactly when they are used up."""

from refute.budget import Budget, Limits, VirtualClock


def test_each_limit_is_named_when_it_is_used_up() -> None:
    budget = Budget(Limits(steps=2, tokens=100, seconds=5), started=10.0)
    assert budget.exhausted(14.9) is None
    assert budget.exhausted(15.0) == "seconds"
    budget.tokens(100)
    assert budget.exhausted(11.0) == "tokens"
    budget.step()
    budget.step()
    assert budget.exhausted(11.0) == "steps"
    assert budget.spent(11.0).model_dump() == {"steps": 2, "tokens": 100, "seconds": 1.0}


async def test_a_virtual_clock_counts_waits_without_waiting() -> None:
    clock = VirtualClock()
    before = clock.now()
    await clock.wait(3600)
    assert 3600 <= clock.now() - before < 3660
