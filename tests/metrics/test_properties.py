"""What must hold whatever the episodes are."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import Outcome, ccs, ce, css, cts, estimate, mffr, score, score_unforced, share_without_failure, tsr
from refute.tables import EpisodeKey, TaskKind

untimed = settings(deadline=None, max_examples=60)


@st.composite
def outcome(draw: st.DrawFn) -> Outcome:
    """An episode with up to six revisions and up to four constraints a round."""
    revisions = draw(st.integers(0, 6))
    sizes = {k: draw(st.integers(0 if k else 1, 4)) for k in range(revisions + 1)}
    undelivered = draw(st.frozensets(st.integers(1, revisions))) if revisions else frozenset[int]()
    forced = draw(st.frozensets(st.integers(1, revisions))) - undelivered if revisions else frozenset[int]()
    met = {k: 0 if k in undelivered else draw(st.integers(0, n)) for k, n in sizes.items()}
    total = sum(sizes.values())
    steps = draw(st.integers(0, 130))
    return Outcome(
        key=EpisodeKey("run", draw(st.sampled_from("abcdefg")), draw(st.integers(0, 3))),
        kind=TaskKind.ADDITIVE,
        score=sum(met.values()) / total,
        score_unforced=sum(n for k, n in met.items() if k not in forced) / total,
        rounds={k: met[k] / n for k, n in sizes.items() if n},
        undelivered=undelivered,
        revisions=revisions,
        steps=steps,
        tokens=steps * 700,
    )


some = st.lists(outcome(), min_size=1, max_size=25)


@untimed
@given(some, st.sampled_from([1.0, 37.5, 100.0, 1000.0]))
def test_cost_efficiency_is_the_normalised_area_under_ccs(found: list[Outcome], budget: float) -> None:
    efficiency = ce(found, budget=budget).value
    assert efficiency is not None
    assert abs(efficiency - ccs(found).area(budget)) < 1e-12


@untimed
@given(some)
def test_curves_rise_to_the_plain_means_and_cts_stays_below_ccs(found: list[Outcome]) -> None:
    whole, part = cts(found), ccs(found)
    last = 0.0
    for budget in range(131):
        assert whole.at(budget) <= part.at(budget) + 1e-12
        assert part.at(budget) >= last
        last = part.at(budget)
    mean, success = score(found).value, tsr(found).value
    assert mean is not None
    assert success is not None
    assert abs(part.at(130) - mean) < 1e-12
    assert abs(whole.at(130) - success) < 1e-12


@untimed
@given(some)
def test_every_share_lies_in_its_interval_and_in_0_to_1(found: list[Outcome]) -> None:
    figures = [
        score(found),
        score_unforced(found),
        tsr(found),
        ce(found),
        share_without_failure(found),
        *css(found).values(),
    ]
    for figure in figures:
        if figure.value is None:
            continue
        assert 0 <= figure.value <= 1 + 1e-12
        if figure.low is not None and figure.high is not None:
            assert -1e-12 <= figure.low <= figure.high <= 1 + 1e-12


@untimed
@given(some)
def test_success_never_exceeds_score_and_forced_deliveries_never_lower_it(found: list[Outcome]) -> None:
    mean, success, unforced = score(found).value, tsr(found).value, score_unforced(found).value
    assert mean is not None
    assert success is not None
    assert unforced is not None
    assert success <= mean + 1e-12
    assert unforced <= mean + 1e-12


@untimed
@given(some)
def test_the_settings_of_mffr_are_ordered(found: list[Outcome]) -> None:
    later, sooner = mffr(found).value, mffr(found, no_failure="K").value
    assert (later is None) == (sooner is None)
    if later is not None and sooner is not None:
        assert 1 - 1e-12 <= sooner <= later <= 7 + 1e-12


@untimed
@given(some)
def test_neither_order_nor_run_changes_a_figure(found: list[Outcome]) -> None:
    turned = [replace(o, key=o.key._replace(run="other")) for o in reversed(found)]
    first, second = score(found), score(turned)
    assert first.value is not None
    assert second.value is not None
    assert abs(first.value - second.value) < 1e-12
    assert first.tasks == second.tasks


@untimed
@given(some)
def test_the_same_episodes_give_the_same_interval(found: list[Outcome]) -> None:
    assert score(found) == score(list(found))


@untimed
@given(st.floats(0, 1), st.integers(2, 12), st.integers(1, 4))
def test_equal_tasks_have_an_interval_of_no_width(value: float, tasks: int, repeats: int) -> None:
    figure = estimate([(str(t), value) for t in range(tasks) for _ in range(repeats)])
    assert figure.low is not None
    assert figure.high is not None
    assert abs(figure.high - figure.low) < 1e-9
    assert figure.value is not None
    assert abs(figure.value - value) < 1e-9


@untimed
@given(st.lists(st.booleans(), min_size=4, max_size=12), st.integers(1, 5))
def test_more_repeats_of_the_same_tasks_promise_no_more_certainty(wins: list[bool], repeats: int) -> None:
    once = estimate([(str(n), float(w)) for n, w in enumerate(wins)])
    often = estimate([(str(n), float(w)) for n, w in enumerate(wins) for _ in range(repeats)])
    assert (once.low, once.high, once.value) == (often.low, often.high, often.value)
