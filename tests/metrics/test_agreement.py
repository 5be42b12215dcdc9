"""Agreement of raters, detectors and tests against worked examples and laws."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import Confusion, difference, holm, kappa, mcnemar

untimed = settings(deadline=None, max_examples=80)


def test_kappa_and_its_interval_match_a_textbook() -> None:
    """Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, 3rd ed. (2003), section 18.1, table 18.1:
    100 diagnoses, agreement 0.89 where chance gives 0.66; kappa .68, interval from .51 to .85.

    The book goes on with kappa rounded to .68, hence one unit of its second digit.
    """
    found = kappa([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    assert found.agreement == pytest.approx(0.89, abs=1e-12)
    assert found.value == pytest.approx((0.89 - 0.66) / (1 - 0.66), abs=1e-12)
    assert round(found.value or 0, 2) == 0.68
    assert found.low == pytest.approx(0.51, abs=0.006)
    assert found.high == pytest.approx(0.85, abs=0.006)


def test_kappa_matches_the_printed_output_of_a_statistics_package() -> None:
    """SAS prints for this table: kappa 0.4842, 95 % limits 0.2137 and 0.7547 (quoted in statsmodels' tests)."""
    found = kappa([[0, 4, 1], [0, 8, 0], [0, 1, 5]])
    assert (found.value, found.low, found.high) == (
        pytest.approx(0.4842, abs=5e-5),
        pytest.approx(0.2137, abs=5e-5),
        pytest.approx(0.7547, abs=5e-5),
    )


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 30), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


@untimed
@given(tables())
def test_kappa_lies_in_its_interval_and_ignores_who_is_first(table: list[list[int]]) -> None:
    found, turned = kappa(table), kappa([list(column) for column in zip(*table, strict=True)])
    assert found.cases == sum(map(sum, table))
    if found.value is None or found.low is None or found.high is None or turned.value is None:
        assert found.value is turned.value is None
        return
    assert -1 - 1e-12 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1
    assert turned.value == pytest.approx(found.value, abs=1e-12)


def test_raters_who_always_agree_have_kappa_1_and_a_table_must_be_square() -> None:
    assert kappa([[4, 0], [0, 6]]).value == pytest.approx(1.0, abs=1e-12)
    assert kappa([[5, 0], [0, 0]]).value is None
    with pytest.raises(ValueError, match="square"):
        kappa([[1, 2], [3]])


def test_the_counts_of_a_detector_give_the_published_rates() -> None:
    """fcpagent, table 10."""
    found = Confusion(tp=10, fn=3, fp=2, tn=15)
    rates = [round(100 * (rate or 0), 1) for rate in (found.precision, found.recall, found.f1, found.accuracy)]
    assert rates == [83.3, 76.9, 80.0, 83.3]


@untimed
@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_counts_add_up_and_f1_is_the_harmonic_mean(pairs: list[tuple[bool, bool]]) -> None:
    found = Confusion.of(pairs)
    assert found.total == len(pairs)
    if found.precision and found.recall and found.f1:
        assert found.f1 == pytest.approx(2 / (1 / found.precision + 1 / found.recall), abs=1e-12)
    if not pairs:
        assert (found.precision, found.recall, found.f1, found.accuracy) == (None, None, None, None)


def test_holm_by_hand() -> None:
    """Four tests: 4 × 0.01, then 3 × 0.02, then 2 × 0.03, and the last stays above them."""
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx((0.06, 0.04, 0.5, 0.06))
    assert holm([]) == ()


@untimed
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_the_value_and_bonferroni(values: list[float]) -> None:
    adjusted = holm(values)
    for value, new in zip(values, adjusted, strict=True):
        assert value <= new <= min(1.0, len(values) * value) + 1e-12
    order = sorted(range(len(values)), key=lambda n: values[n])
    assert [adjusted[n] for n in order] == sorted(adjusted)


@untimed
@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_symmetric_and_a_chance(won: int, lost: int) -> None:
    assert mcnemar(won, lost) == mcnemar(lost, won)
    assert 0 < mcnemar(won, lost) <= 1
    assert mcnemar(won, won) == 1.0


def test_a_difference_averages_the_pairs_of_a_task_first() -> None:
    found = difference([("a", 0.0, 1.0), ("a", 0.0, 0.0), ("b", 1.0, 0.0)])
    assert found.value == pytest.approx((0.5 - 1.0) / 2, abs=1e-12)
    assert found.tasks == 2
