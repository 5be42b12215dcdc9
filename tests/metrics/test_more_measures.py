"""Thresholds, positions, static against dynamic, responses, costs of other kinds, and published arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import (
    THRESHOLDS,
    Response,
    ccs,
    ce,
    positions,
    ranges,
    reaching,
    relative_gain,
    satisfaction_by_response,
    static_dynamic,
    tsr,
    weighted_mean,
    wra,
    wra_by_round,
)
from refute.metrics import Cost as CostKind

from .rows import delivery, outcome

untimed = settings(deadline=None, max_examples=60)
scores = st.lists(st.integers(0, 12).map(lambda n: n / 12), min_size=1, max_size=20)


@untimed
@given(scores)
def test_fewer_tasks_reach_a_higher_threshold_and_the_last_is_tsr(values: list[float]) -> None:
    found = [outcome(f"t{n}", value) for n, value in enumerate(values)]
    curve = [reaching(found)[t].value or 0.0 for t in THRESHOLDS]
    assert curve == sorted(curve, reverse=True)
    assert curve[-1] == tsr(found).value
    assert reaching(found, [0.0])[0.0].value == 1.0


def test_a_score_that_misses_a_threshold_by_rounding_reaches_it() -> None:
    assert reaching([outcome("a", 0.1 + 0.2)], [0.3])[0.3].value == 1.0
    assert reaching([outcome("a", 1 - 0.7)], [0.3])[0.3].value == 1.0


costs = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.floats(0, 1), st.floats(0, 5e6), st.floats(0, 900), st.floats(0, 3)),
    min_size=1,
    max_size=20,
)


@untimed
@given(costs, st.sampled_from(["tokens", "seconds", "dollars"]), st.floats(0.01, 1e6))
def test_cost_efficiency_is_the_normalised_area_under_ccs_for_every_cost(
    rows: list[tuple[str, float, float, float, float]], cost: CostKind, budget: float
) -> None:
    found = [outcome(t, s, tokens=int(n), seconds=sec, dollars=usd) for t, s, n, sec, usd in rows]
    efficiency = ce(found, cost=cost, budget=budget).value
    assert efficiency is not None
    assert abs(efficiency - ccs(found, cost=cost).area(budget)) < 1e-12


@pytest.mark.parametrize("cost", ["tokens", "seconds", "dollars"])
def test_no_budget_is_made_up(cost: CostKind) -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        ce([outcome("a")], cost=cost)


def test_an_episode_without_a_price_is_no_free_one() -> None:
    found = [outcome("a", 1.0, dollars=1.0), outcome("b", 1.0)]
    assert ce(found, cost="dollars", budget=2.0).value == pytest.approx(0.5, abs=1e-12)
    assert ccs(found, cost="dollars").at(0.5) == 0.0


def test_positions_leave_forced_deliveries_out() -> None:
    rows = [delivery("a", "r", 0.2), delivery("b", "r", 0.6), delivery("c", "r", 1.0, forced=True)]
    found = positions([*rows, delivery("d", "r", None)])
    assert found.values == (0.2, 0.6)
    assert found.mean.value == pytest.approx(0.4, abs=1e-12)
    assert found.spread == pytest.approx(0.2, abs=1e-12)


def test_ranges_are_between_agents_and_a_task_is_wide_by_its_widest_revision() -> None:
    rows = [
        delivery("a", "one", 0.1),
        delivery("a", "two", 0.5),
        delivery("a", "one", 0.80, revision=2),
        delivery("a", "two", 0.85, revision=2),
        delivery("b", "one", 0.30),
        delivery("b", "two", 0.40),
        delivery("c", "one", 0.9),
    ]
    found = ranges(rows, {"one": "fcp", "two": "react"})
    assert found.ranges == pytest.approx({("a", 1): 0.4, ("a", 2): 0.05, ("b", 1): 0.1})
    assert found.mean.value == pytest.approx((0.4 + 0.05 + 0.1) / 3, abs=1e-12)
    assert found.wide.value == pytest.approx(1 / 2, abs=1e-12)
    assert ranges(rows, {"one": "fcp", "two": "fcp"}).ranges == {}


@untimed
@given(scores)
def test_static_and_dynamic_pairs_improve_get_worse_or_stay(values: list[float]) -> None:
    static = [outcome(f"t{n}", value, steps=10) for n, value in enumerate(values)]
    dynamic = [outcome(f"t{n}", value, steps=14) for n, value in enumerate(reversed(values))]
    found = static_dynamic(static, dynamic)
    assert found.improved + found.worse + found.same == found.pairs == len(values)
    assert found.steps.value == pytest.approx(4.0, abs=1e-12)
    back = static_dynamic(dynamic, static)
    assert (back.improved, back.worse) == (found.worse, found.improved)


def test_reacting_is_counted_by_revision_and_set_against_satisfying() -> None:
    found = [
        Response(task="a", responsive=True, satisfied=1.0),
        Response(task="a", responsive=True, satisfied=0.0),
        Response(task="b", responsive=False, satisfied=0.5),
        Response(task="b", responsive=True, satisfied=None),
    ]
    assert wra(found).value == pytest.approx(3 / 4, abs=1e-12)
    by = satisfaction_by_response(found)
    assert (by[True].value, by[False].value) == (pytest.approx(0.5), pytest.approx(0.5))
    assert wra([]).value is None


def test_responses_are_counted_by_round_and_late_rounds_together() -> None:
    found = [
        Response(task=task, responsive=responsive, satisfied=None, revision=revision)
        for task, revision, responsive in (
            ("a", 1, True),
            ("b", 1, False),
            ("a", 4, True),
            ("a", 5, True),
            ("b", 7, False),
        )
    ]
    rounds = {k: e.value for k, e in wra_by_round(found).items()}
    assert rounds == {"1": pytest.approx(1 / 2), "4+": pytest.approx(2 / 3)}


def test_a_weighted_mean_needs_weights() -> None:
    assert weighted_mean({"a": 10.0, "b": 20.0}, {"a": 3, "b": 1, "c": 9}) == pytest.approx(12.5)
    assert relative_gain(65.3, 57.4) == pytest.approx(0.1376, abs=1e-4)
    with pytest.raises(KeyError):
        weighted_mean({"a": 1.0}, {})
    with pytest.raises(ValueError, match="at least one task"):
        weighted_mean({"a": 1.0}, {"a": 0})
