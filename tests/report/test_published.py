"""The papers' own figures, as data: they add up to what the papers say of them."""

from __future__ import annotations

import pytest

from refute.metrics import Confusion, relative_gain, weighted_mean
from refute.report._published import published

DOMAINS = ("Shopping", "Admin", "GitLab", "Reddit", "Map", "Cross")


def weights() -> dict[str, int]:
    split = published("fcpagent", "table7")
    return {domain: int(split.value("test", domain)) for domain in DOMAINS}


def test_the_split_adds_up() -> None:
    split = published("fcpagent", "table7")
    for row in ("train", "test"):
        assert sum(split.value(row, domain) for domain in DOMAINS) == split.value(row, "Total")


@pytest.mark.parametrize(
    ("agent", "mean"),
    [
        ("FCPAgent", 65.3),
        ("ColorBrowserAgent", 57.4),
        ("WALT", 49.7),
        ("WebDART", 46.1),
        ("AgentOccam", 47.5),
        ("AWM", 37.3),
        ("ReAct", 26.2),
    ],
)
def test_the_means_of_table_2_are_weighted_by_the_test_split(agent: str, mean: float) -> None:
    table = published("fcpagent", "table2")
    found = weighted_mean({domain: table.value(agent, domain) for domain in DOMAINS}, weights())
    assert round(found, 1) == mean == table.value(agent, "Avg.")


def test_the_relative_gains_of_table_2_follow_from_its_rows() -> None:
    table = published("fcpagent", "table2")
    for column in (*DOMAINS, "Avg."):
        ours = max(table.value(a, column) for a in table.rows if a not in ("FCPAgent", "relative improvement"))
        gain = 100 * relative_gain(table.value("FCPAgent", column), ours)
        assert round(gain, 1) == table.value("relative improvement", column)
    assert round(100 * relative_gain(65.3, 57.4), 1) == 13.8


def test_table_10_gives_the_rates_of_its_text() -> None:
    table = published("fcpagent", "table10")
    tp, fn, fp, tn = (int(table.value("FCPAgent", c)) for c in table.columns)
    found = Confusion(tp=tp, fn=fn, fp=fp, tn=tn)
    rates = [round(100 * (r or 0), 1) for r in (found.precision, found.recall, found.f1, found.accuracy)]
    assert rates == [83.3, 76.9, 80.0, 83.3]


def test_shares_add_up_to_a_whole() -> None:
    for name in ("figure10", "figure11"):
        assert sum(v or 0 for (v,) in published("fcpagent", name).rows.values()) == pytest.approx(100.0)
    assert sum(v or 0 for v in published("dynarev", "table5").rows["all"]) == pytest.approx(100.0)


def test_what_a_paper_does_not_state_is_not_made_up() -> None:
    with pytest.raises(ValueError, match="no figure for Gemini, TSR"):
        published("dynarev", "table2").value("Gemini", "TSR")
