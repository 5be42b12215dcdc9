"""The figures of the demo's folder, worked by hand.

run    task           satisfied  unforced  first failure  steps
fcp    shop-lamp-017  4/4        4/4       none: 2        10
fcp    shop-mug-004   2/3        1/3       2              3     (the towel's revision was never delivered)
fcp    shop-lamp-018  harness error
fcp    shop-mug-005   unfinished
react  shop-mug-004   2/3        1/3       2              3
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from refute import UserError
from refute.report import summary, summary_markdown, summary_table

NAMES = ("n", "score", "score_unforced", "tsr", "mffr", "ce_steps", "css", "simulated", "errors")


def near(**figures: float) -> dict[str, Any]:
    return {name: pytest.approx(value, abs=1e-12) for name, value in figures.items()}


def pick(figures: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    return {name: figures[name] for name in names}


def test_the_figures_of_each_run(demo: Path) -> None:
    fcp, react = summary(demo)["runs"]
    lamp, mug = 1, 2 / 3
    known = near(
        score=(lamp + mug) / 2,
        score_unforced=(lamp + 1 / 3) / 2,
        tsr=1 / 2,
        mffr=2,
        without_failure=1 / 2,
        ce_steps=(lamp * 0.9 + mug * 0.97) / 2,
        steps=6.5,
    )
    assert pick(fcp, known) == known
    assert pick(fcp, dict.fromkeys(("run", "agent", "n", "errors", "unfinished", "forced", "simulated"))) == {
        "run": "fcp",
        "agent": "fcp",
        "n": 2,
        "errors": 1,
        "unfinished": 1,
        "forced": 1,
        "simulated": True,
    }
    assert fcp["css"] == {"0": 1.0, "1": 1.0, "2": 0.0}
    known = near(score=mug, score_unforced=1 / 3, tsr=0, mffr=2, ce_steps=mug * 0.97)
    assert pick(react, known) == known
    assert react["intervals"]["score"] is None


def test_overall_a_task_weighs_the_same_however_many_runs_it_is_in(demo: Path) -> None:
    figures = summary(demo)
    assert (figures["n"], figures["tasks"], figures["episodes"], figures["errors"]) == (3, 2, 5, 1)
    assert figures["score"] == pytest.approx((1 + 2 / 3) / 2, abs=1e-12)
    low, high = figures["intervals"]["score"]
    assert low <= figures["score"] <= high


def test_the_summary_is_json_and_holds_the_promised_keys_everywhere(demo: Path) -> None:
    figures = json.loads(json.dumps(summary(demo), allow_nan=False))
    for part in (figures, *figures["runs"]):
        assert set(NAMES) <= part.keys()


def printed(figures: dict[str, Any]) -> str:
    console = Console(width=140, record=True, file=io.StringIO())
    console.print(summary_table(figures))
    return console.export_text()


def test_the_terminal_table_says_simulated_and_what_was_left_out(demo: Path) -> None:
    text = printed(summary(demo))
    assert "simulated" in text
    assert "1 errors, 1 unfinished" in " ".join(text.split())
    assert "0.833" in text


def test_a_folder_without_runs_is_an_error_for_the_user(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="refute bench run"):
        summary(tmp_path)


def test_a_name_is_neither_markup_nor_a_control_sequence(demo: Path) -> None:
    figures = summary(demo)
    figures["runs"][0]["agent"] = "[/red]\x1b[2J[bold]fcp"
    text = printed(figures)
    assert "[bold]fcp" in text
    assert "\x1b" not in text


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_the_markdown_table_has_a_row_a_run_and_says_simulated(demo: Path) -> None:
    lines = summary_markdown(summary(demo)).splitlines()
    assert lines[0].startswith("**Simulated.** Simulated model:")
    heads, rule, *rows = [cells(line) for line in lines if line.startswith("|")]
    assert len(heads) == len(rule) == len(rows[0]) == len(rows[1])
    fcp = dict(zip(heads, rows[0], strict=True))
    assert (fcp["agent · model"], fcp["Score"], fcp["TSR"]) == ("fcp · simulated", "0.833 [0.67–1.00]", "50.0%")
    assert (fcp["errors"], fcp["unfinished"]) == ("1", "1")
    assert lines[-1].endswith("left out: 1 errors, 1 unfinished.")


def test_a_name_is_no_markdown(demo: Path) -> None:
    figures = summary(demo)
    figures["runs"][0]["agent"] = "a|b\n<img src=x>[x](javascript:y)"
    rows = [cells(line) for line in summary_markdown(figures).splitlines() if line.startswith("|")]
    assert {len(row) for row in rows} == {11}
    assert rows[2][0].startswith(r"a\|b?\<img src=x\>\[x\]\(javascript:y\)")
