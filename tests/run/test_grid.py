"""Points of a grid of simulated mistakes."""

from __future__ import annotations

import pytest

from refute import UserError
from refute.arena import MistakeRates
from refute.run import GridPoint


def test_a_point_scales_every_mistake_and_sets_the_recovery() -> None:
    point, rates = GridPoint.parse("2:0.05"), MistakeRates()
    assert point.name == "mistakes-x2-recover-0.05"
    assert point.rates.wrong_branch == 2 * rates.wrong_branch
    assert point.rates.recover == 0.05
    assert point.rates.unparsable == rates.unparsable
    assert GridPoint().rates == rates
    assert max(GridPoint.parse("50:1").rates.model_dump().values()) == 1.0


@pytest.mark.parametrize("text", ["", "2", "2:", "2:1.5", "-1:0.1", "a:b", "1:0.1:3"])
def test_what_is_no_point_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="SCALE:RECOVER"):
        GridPoint.parse(text)
