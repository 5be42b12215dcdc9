"""How early drift is noticed: worked by hand, and what must hold whatever the states are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import (
    DriftCost,
    DriftState,
    Verifier,
    asked,
    by_coin,
    delays,
    escalated_on_track,
    false_alarms,
    mean_delay,
    noticed_within,
    quality,
    saved,
)

few = settings(max_examples=25)
"""Each example draws thousands of resamples."""


def on(drive: str, *escalated: int) -> list[DriftState]:
    return [DriftState(drive=drive, since=None, escalated=bool(e)) for e in escalated]


def off(drive: str, *escalated: int, pages: str = "") -> list[DriftState]:
    shown = pages or "abcdefghij"
    return [DriftState(drive=drive, since=n, escalated=bool(e), page=shown[n]) for n, e in enumerate(escalated)]


SEEN = [*on("one", 0, 1, 0, 0), *off("one", 0, 1, 0, 1), *on("two", 0, 0), *off("two", 0, 0, 0)]


def test_a_drift_is_noticed_with_the_first_escalation_after_its_onset() -> None:
    assert [noticed_within(SEEN, d).value for d in range(4)] == [0.0, 0.5, 0.5, 0.5]
    assert delays(SEEN, most=3) == (0.0, 0.5, 0.0, 0.0)
    assert mean_delay(delays(SEEN)) == 1.0
    assert mean_delay(delays(off("two", 0, 0))) is None


def test_a_verifier_notices_by_chance_at_each_look() -> None:
    half = Verifier(sensitivity=0.5, specificity=0.9)
    found = off("one", 1, 1, 0, 1)
    assert noticed_within(found, 3, half).value == pytest.approx(1 - 0.5**3)
    assert delays(found, half, most=3) == pytest.approx((0.5, 0.25, 0.0, 0.125))


def test_looking_again_at_an_equal_page_helps_nothing_when_the_error_persists() -> None:
    stubborn = Verifier(sensitivity=0.5, persistent=True)
    assert noticed_within(off("one", 1, 1, 1, pages="aaa"), 2, stubborn).value == 0.5
    assert noticed_within(off("one", 1, 1, 1, pages="aba"), 2, stubborn).value == 0.75


def test_false_alarms_are_what_the_verifier_objects_to_on_the_track() -> None:
    assert escalated_on_track(SEEN).value == pytest.approx(1 / 6)
    assert false_alarms(SEEN).value == pytest.approx(100 / 6)
    assert false_alarms(SEEN, Verifier(sensitivity=0.9, specificity=0.9)).value == pytest.approx(10 / 6)


def test_quality_is_weighted_to_the_prevalence() -> None:
    rare = quality(SEEN, prevalence=0.1)
    recall, alarms = 2 / 7, 1 / 6
    assert rare.recall.value == pytest.approx(recall)
    assert rare.precision.value == pytest.approx(0.1 * recall / (0.1 * recall + 0.9 * alarms))
    assert asked(SEEN, prevalence=0.1).value == pytest.approx(0.1 * recall + 0.9 * alarms)


def test_what_has_no_value_has_none() -> None:
    silent = [*on("one", 0, 0), *off("one", 0, 0)]
    assert quality(silent, prevalence=0.5).precision.value is None
    assert quality(silent, prevalence=0.5).recall.value == 0.0
    assert quality(on("one", 1), prevalence=0.5).recall.value is None
    assert noticed_within(on("one", 1), 2).value is None
    assert delays([]) == ()


def test_what_is_saved_is_the_part_of_the_full_cost_that_is_not_spent() -> None:
    costs = [
        DriftCost(drive="one", since=None, spent=1.0, full=4.0),
        DriftCost(drive="one", since=None, spent=1.0, full=2.0),
        DriftCost(drive="one", since=0, spent=2.0, full=2.0),
    ]
    assert saved(costs, prevalence=0.0).value == pytest.approx(1 - 2 / 6)
    assert saved(costs, prevalence=1.0).value == 0.0
    assert saved(costs, prevalence=0.5).value == pytest.approx(1 - (0.5 * 1 + 0.5 * 2) / (0.5 * 3 + 0.5 * 2))


@st.composite
def some_states(draw: st.DrawFn) -> list[DriftState]:
    """Up to six drives, each with some states on track and then some off it."""
    found: list[DriftState] = []
    for n in range(draw(st.integers(1, 6))):
        found += on(f"d{n}", *draw(st.lists(st.integers(0, 1), min_size=1, max_size=6)))
        pages = draw(st.text("abc", min_size=7, max_size=7))
        found += off(f"d{n}", *draw(st.lists(st.integers(0, 1), min_size=1, max_size=7)), pages=pages)
    return found


verifiers = st.builds(Verifier, sensitivity=st.floats(0, 1), specificity=st.floats(0, 1), persistent=st.booleans())


@few
@given(some_states(), verifiers)
def test_waiting_longer_and_a_better_verifier_never_notice_less(found: list[DriftState], verifier: Verifier) -> None:
    better = replace(verifier, sensitivity=(1 + verifier.sensitivity) / 2)
    last = 0.0
    for steps in range(7):
        now = noticed_within(found, steps, verifier).value or 0.0
        assert now >= last - 1e-12
        assert (noticed_within(found, steps, better).value or 0.0) >= now - 1e-12
        last = now


@few
@given(some_states(), verifiers)
def test_a_persistent_error_never_notices_more(found: list[DriftState], verifier: Verifier) -> None:
    free, bound = (replace(verifier, persistent=p) for p in (False, True))
    assert (noticed_within(found, 4, bound).value or 0.0) <= (noticed_within(found, 4, free).value or 0.0) + 1e-12


@few
@given(some_states(), verifiers)
def test_delays_add_up_to_what_is_noticed(found: list[DriftState], verifier: Verifier) -> None:
    spread = delays(found, verifier, most=6)
    assert sum(spread) == pytest.approx(noticed_within(found, 6, verifier).value)
    delay = mean_delay(spread)
    assert delay is None or -1e-9 <= delay <= 6 + 1e-9


@few
@given(some_states())
def test_at_the_prevalence_of_the_states_themselves_quality_is_plain_counting(found: list[DriftState]) -> None:
    hits = sum(s.escalated for s in found if s.since is not None)
    alarms = sum(s.escalated for s in found if s.since is None)
    drifted = sum(s.since is not None for s in found)
    counted = quality(found, prevalence=drifted / len(found))
    assert counted.recall.value == pytest.approx(hits / drifted)
    if hits + alarms:
        assert counted.precision.value == pytest.approx(hits / (hits + alarms))
        assert counted.f1.value == pytest.approx(2 * hits / (hits + alarms + drifted))


@few
@given(some_states())
def test_more_states_of_the_same_drives_make_no_interval_narrower(found: list[DriftState]) -> None:
    once, twice = (quality(states, prevalence=0.5).recall for states in (found, [*found, *found]))
    bounds = [(e.low or 0.0, e.high or 0.0) for e in (once, twice)]
    assert bounds[1] == pytest.approx(bounds[0])


@given(st.floats(0, 1), st.integers(0, 6))
def test_a_coin_is_a_verifier_that_sees_each_state_alike(share: float, steps: int) -> None:
    always = off("one", *[1] * 7)
    assert by_coin(share, steps) == pytest.approx(noticed_within(always, steps, Verifier(sensitivity=share)).value)
