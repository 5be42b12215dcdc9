"""The hybrid scorer: the rules decide, words and meaning find lines for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from refute.evidence import EMBEDDERS, HybridScorer, Label, lexical, minilm, open_embedder, open_scorer, read_cases
from refute.evidence._select import closest_lines

CASES = read_cases(Path(__file__).parent / "other_cases.jsonl")[::6]
PAGE = """# Checkout
The parcel leaves our warehouse on Monday.
The basket is empty.
Pay with a card or on delivery.
Read our terms.
"""


class Counting:
    """MiniLM, noting the texts that it is asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return minilm().embed(texts)


async def test_it_never_decides_what_the_rules_leave_open() -> None:
    hybrid = open_scorer("hybrid")
    for case in CASES:
        (verdict,) = await hybrid.score(case.page, [case.evidence])
        rules = lexical(case.page, case.evidence)
        assert (verdict.label, verdict.contradiction) == (rules.label, rules.contradiction)
        assert rules.support <= verdict.support <= max(rules.support, 0.05)


async def test_an_open_statement_gets_the_lines_on_its_subject() -> None:
    (verdict,) = await HybridScorer(minilm).score(PAGE, ["The parcel is shipped at the start of the week"])
    assert verdict.label is Label.UNKNOWN
    assert verdict.lines[0] == "The parcel leaves our warehouse on Monday."
    assert 0 < verdict.support <= 0.05


async def test_the_model_is_opened_only_for_what_is_open() -> None:
    opened: list[Counting] = []

    def embedder() -> Counting:
        opened.append(Counting())
        return opened[-1]

    scorer = HybridScorer(embedder)
    await scorer.score(PAGE, ["The basket is empty"])
    assert not opened
    verdicts = await scorer.score(PAGE, ["The basket is empty", "The parcel is late"])
    assert [v.label for v in verdicts] == [Label.SUPPORTED, Label.UNKNOWN]
    assert "The basket is empty" not in opened[0].asked


async def test_a_long_page_costs_a_few_lines() -> None:
    counting = Counting()
    page = "\n".join(f"Parcel {n} was weighed" for n in range(300))
    await HybridScorer(lambda: counting).score(page, ["The parcel is late", "The parcel is heavy"])
    assert len(counting.asked) <= 2 + 2 * 4


async def test_an_empty_page_has_no_lines() -> None:
    assert [v.lines for v in await HybridScorer(minilm).score("", ["The parcel is late"])] == [()]


def test_closest_lines_keep_the_order_of_the_page() -> None:
    lines = closest_lines(PAGE, "the parcel is delivered with a card", most=3)
    assert lines == tuple(line for line in PAGE.splitlines() if line in lines)
    assert "The parcel leaves our warehouse on Monday." in lines
    assert "Pay with a card or on delivery." in lines


@pytest.mark.parametrize("most", [1, 3, 50])
def test_closest_lines_are_as_many_as_asked_for_or_all(most: int) -> None:
    assert len(closest_lines(PAGE, "parcel", most=most)) == min(most, 5)


def test_minilm_is_among_the_embedders() -> None:
    assert "minilm" in EMBEDDERS
    assert open_embedder("minilm") is minilm()
