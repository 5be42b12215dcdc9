"""The trigger's word against the milestones' truth, worked by hand, and for any looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.metrics import Deliverance, deliverance, reliability
from refute.tables import EpisodeKey, TriggerRow


def look(
    *, reached: bool | None, confidence: float, holds: bool | None, before: bool = False, fired: bool = True
) -> TriggerRow:
    return TriggerRow(
        key=EpisodeKey("run", "lamp", 0),
        revision=1,
        step=1,
        fired=fired,
        reached=reached,
        confidence=confidence,
        holds=holds,
        held_before=before,
    )


def test_the_example_of_the_docs() -> None:
    found = reliability(
        [
            look(reached=True, confidence=0.9, holds=True),
            look(reached=True, confidence=0.9, holds=False),
            look(reached=False, confidence=0.8, holds=False),
        ]
    )
    assert [(each.low, each.asked, each.held.value) for each in found.bins] == [(0.2, 1, 0.0), (0.9, 2, 0.5)]
    assert [each.said for each in found.bins] == pytest.approx([0.2, 0.9])
    assert found.brier.value == pytest.approx(0.86 / 3)
    assert found.error == pytest.approx(1 / 3)


def test_a_sure_no_is_a_small_probability_and_lands_in_its_bin() -> None:
    found = reliability([look(reached=False, confidence=0.9, holds=False)])
    assert [each.low for each in found.bins] == [0.1]
    assert reliability([look(reached=False, confidence=1.0, holds=False)]).brier.value == 0


def test_looks_without_a_model_or_a_truth_count_nowhere() -> None:
    rows = [look(reached=None, confidence=1.0, holds=True), look(reached=True, confidence=1.0, holds=None)]
    assert reliability(rows).asked == 0
    assert reliability(rows).error is None
    assert deliverance(rows) == Deliverance(now_only=0, both=0, before_only=0, neither=0)


def test_deliveries_by_what_held_there_and_before() -> None:
    rows = [look(reached=True, confidence=0.8, holds=h, before=b) for h in (True, False) for b in (True, False)]
    rows.append(look(reached=True, confidence=0.3, holds=True, fired=False))
    assert deliverance(rows) == Deliverance(now_only=1, both=1, before_only=1, neither=1)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.booleans())))
def test_every_look_is_in_one_bin(looks: list[tuple[bool, float, bool]]) -> None:
    found = reliability(look(reached=r, confidence=c, holds=h) for r, c, h in looks)
    assert found.asked == len(looks)
    assert all(each.low <= each.said + 1e-6 and each.said <= each.low + 0.1 + 1e-6 for each in found.bins)
