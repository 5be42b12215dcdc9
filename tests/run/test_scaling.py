"""Which training tasks make up a share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.run._scaling import nested_share

names = st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=20)
shares = st.integers(0, 100)


@given(names, shares, shares, st.integers(0, 5))
def test_a_larger_share_holds_every_smaller_one_and_the_order_of_tasks_decides_nothing(
    tasks: list[str], one: int, other: int, seed: int
) -> None:
    small, large = sorted((one, other))
    assert set(nested_share(tasks, small, seed=seed)) <= set(nested_share(tasks, large, seed=seed))
    assert nested_share(tasks, large, seed=seed) == nested_share(tasks[::-1], large, seed=seed)
    assert nested_share(tasks, 100, seed=seed) == tuple(sorted(tasks))
    assert nested_share(tasks, 0, seed=seed) == ()


def test_shares_are_drawn_by_the_seed_and_rounded_up() -> None:
    tasks = [f"task-{n}" for n in range(26)]
    drawn = {nested_share(tasks, 25, seed=seed) for seed in range(5)}
    assert {len(share) for share in drawn} == {7}
    assert len(drawn) == 5
