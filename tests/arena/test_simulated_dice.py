"""Dice: the same for the same question in the same state, whoever asks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.arena._simulated_dice import Dice, state_of
from refute.browser import Observation


class TestDice:
    @given(st.integers(), st.text(max_size=9), st.text(max_size=9), st.integers(min_value=0, max_value=5))
    def test_the_same_question_in_the_same_state_gets_the_same_answer(
        self, seed: int, question: str, state: str, attempt: int
    ) -> None:
        first, second = (Dice(seed=seed, task="t").roll(question, state, attempt) for _ in range(2))
        assert first == second
        assert 0 <= first < 1

    def test_everything_that_counts_changes_the_roll(self) -> None:
        rolls = {
            Dice(seed=s, task=t).roll(q, d, a)
            for s in (0, 1)
            for t in ("a", "b")
            for q in ("x", "y")
            for d in ("1", "2")
            for a in (0, 1)
        }
        assert len(rolls) == 32

    def test_rolls_are_spread_evenly_and_independent_of_each_other(self) -> None:
        dice = Dice(seed=3, task="t")
        pairs = [(dice.roll("a", str(n)), dice.roll("b", str(n))) for n in range(4000)]
        assert abs(sum(a for a, _ in pairs) / len(pairs) - 0.5) < 0.02
        both = sum(a < 0.3 and b < 0.3 for a, b in pairs) / len(pairs)
        assert abs(both - 0.09) < 0.02

    def test_a_state_is_what_is_seen_and_not_which_port_or_element_number(self) -> None:
        one = Observation(url="http://127.0.0.1:8000/basket/", text='[3] link "Home"')
        same = Observation(url="http://127.0.0.1:9000/basket/", text='[77] link "Home"')
        assert state_of(one) == state_of(same)
        assert state_of(one) != state_of(one.model_copy(update={"scroll_y": 300}))
