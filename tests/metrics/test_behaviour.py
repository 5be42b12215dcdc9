"""What agents did on the way, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import (
    Strategy,
    bucket_names,
    by_horizon,
    checking,
    drift_detection,
    horizons,
    module_seconds,
    planning,
    repair_success,
    repairs_per_task,
    strategies,
    strategy,
)
from refute.tables import FaultRow, Status

from .rows import check, key, mistake, outcome, plan, repair, role, tables


def test_planning_counts_first_plans_and_prefers_what_was_retrieved() -> None:
    found = planning(tables("a", "b", "c", plans=(plan("a", 3, 1), plan("b", 2, 0), plan("c", 1, 0, retrieved=2))))
    assert found.covered.value == pytest.approx(2 / 3, abs=1e-12)  # a links one, c was given two
    assert found.linked.value == pytest.approx(1 / 6, abs=1e-12)
    assert found.commitments.value == pytest.approx(2.0, abs=1e-12)


def test_tests_count_alike_and_drift_is_a_share_of_the_slow_ones() -> None:
    rows = (
        check("a", slow=True, drift=True, ms=4),
        check("a", ms=2),
        check("b", slow=True),
        check("b", slow=True),
        check("b", "action"),
    )
    state, action = (checking(tables("a", "b", checks=rows), phase) for phase in ("state", "action"))
    assert (state.tests, action.tests) == (4, 1)
    assert state.slow.value == pytest.approx(3 / 4, abs=1e-12)
    assert state.drift.value == pytest.approx(1 / 3, abs=1e-12)
    assert state.milliseconds.value == pytest.approx(3.0, abs=1e-12)
    assert action.drift.value is None


def test_what_the_harness_lost_is_no_behaviour_of_the_agent() -> None:
    lost = tables("a", status=Status.HARNESS_ERROR, plans=(plan("a", 3, 3),), checks=(check("a"),))
    assert planning(lost).covered.value is None
    assert checking(lost, "state").tests == 0
    assert repairs_per_task(lost).value is None


def test_repairs_per_task_count_tasks_without_one_and_success_only_those_with() -> None:
    rows = (repair("a"), repair("a", "planning"), repair("b"))
    assert repairs_per_task(tables("a", "b", "c", repairs=rows)).value == pytest.approx(1.0, abs=1e-12)
    found = repair_success([outcome("a"), outcome("b", 0.5), outcome("c")], rows)
    assert found.value == pytest.approx(1 / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("scope", "recovery", "named"),
    [
        ("execution", "none", Strategy.LOCAL),
        ("skill", "none", Strategy.SKILL),
        ("planning", "none", Strategy.REPLAN),
        ("planning", "restart", Strategy.BACK),
        ("execution", "last_confirmed", Strategy.BACK),
    ],
)
def test_a_repair_that_goes_back_counts_as_that(scope: str, recovery: str, named: Strategy) -> None:
    assert strategy(repair("a", scope, recovery)) is named


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["execution", "skill", "planning"]),
            st.sampled_from(["none", "last_confirmed", "restart"]),
            st.sampled_from("abc"),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_strategies_share_all_repairs(rows: list[tuple[str, str, str]]) -> None:
    found = strategies(tables("a", "b", "c", repairs=tuple(repair(t, s, r) for s, r, t in rows)))
    assert sum(e.value or 0 for e in found.values()) == pytest.approx(1.0, abs=1e-12)


def test_drift_is_counted_by_episode() -> None:
    mistakes = (
        mistake("seen", 2),
        mistake("unseen", None),
        mistake("wrong-word", None),
        mistake("retried", None, scope="", how="retried"),
    )
    checks = (
        check("seen", slow=True, drift=True),
        check("wrong-word", slow=True, drift=True),
        check("alarm", slow=True, drift=True),
    )
    names = ("seen", "unseen", "wrong-word", "retried", "alarm", "quiet")
    found = drift_detection(tables(*names, mistakes=mistakes, checks=checks))
    # A diagnosis that came when no mistake lasted detects none; a reply that was asked for again is no drift.
    assert (found.tp, found.fn, found.fp, found.tn) == (1, 2, 1, 2)


def test_an_episode_under_a_fault_of_the_site_says_nothing_about_the_model() -> None:
    fault = FaultRow(key=key("a"), id=1, fault="popup", scope="execution", path="/", detail="", started=1)
    assert drift_detection(tables("a", "b", faults=(fault,))).total == 1


def test_time_goes_to_the_module_that_a_role_belongs_to() -> None:
    found = module_seconds(
        tables(
            "a",
            "b",
            roles=(
                role("a", "planner", 4),
                role("a", "verifier", 6),
                role("b", "planner", 2),
                role("b", "new_role", 1),
            ),
            checks=(check("a", ms=500), check("b", ms=1500)),
        )
    )
    assert {name: e.value for name, e in found.items()} == pytest.approx(
        {"planning": 3.0, "slow tester": 3.0, "new_role": 0.5, "fast tester": 1.0}
    )


def test_buckets_follow_the_reference_and_not_the_agent() -> None:
    lengths = horizons([outcome("short", steps=5), outcome("long", steps=10), replace(outcome("long", steps=13))])
    assert lengths == {"short": 5.0, "long": 11.5}
    found = by_horizon([outcome("short", steps=90), outcome("long", steps=1), outcome("unknown")], lengths)
    assert {name: [o.task for o in own] for name, own in found.items()} == {
        "1–5": ["short"],
        "6–10": [],
        "≥ 11": ["long"],
    }
    assert bucket_names((3,)) == ("1–3", "≥ 4")
