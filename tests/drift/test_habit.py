"""What somebody makes of a search whose results do not match."""

from __future__ import annotations

from typing import Any, cast

import pytest

from refute.arena import Dice
from refute.browser import Observation
from refute.drift import Kind
from refute.drift._habit import Habit


class Opens:
    title = "Blue Mug"


class Walk:
    """A walker whose next procedure opens a product, and who would then put it into the basket."""

    active = ()
    page = Observation(url="http://site/")

    def remaining(self, delusion: object = None) -> tuple[object, ...]:
        return (delusion,) if delusion else (Opens(),)


class Truth:
    def near_miss(self, active: object, pick: object) -> None:
        return None


@pytest.mark.parametrize(
    ("told", "wrong"), [('results for "mug" hold: Tent; Tent', "Tent"), ('results for "mug" hold: ', None), ("", None)]
)
def test_a_stranger_is_taken_for_the_product_and_where_there_is_none_nothing_is(told: str, wrong: str | None) -> None:
    habit = Habit(Kind.CONTAMINATED_RESULTS, cast("Any", Walk()), cast("Any", Truth()), Dice(seed=0, task="x"))
    made = habit.take_in(cast("Any", None), told)
    assert made == (f"; goes on with {wrong} (it does not match the search)" if wrong else "")
