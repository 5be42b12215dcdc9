"""What one judge found in a folder of runs, as figures and as a terminal table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from refute.metrics import (
    Agreement,
    Estimate,
    Kappa,
    agreement,
    coverage,
    outcomes,
    responses,
    score,
    score_judged,
    wra,
)
from refute.tables import JudgedRow, Tables


def judge_figures(tables: Tables, rows: Sequence[JudgedRow]) -> dict[str, Any]:
    """The main figures of one judge's verdicts on the episodes of `tables`, overall and by run. Plain values only."""
    by_truth = agreement(tables, rows)
    names = sorted({row.key.run for row in rows})
    return {
        **_figures(tables, rows),
        "agreement": _agreement(by_truth),
        "disagreements": [
            {
                "run": miss.key.run,
                "task": miss.key.task,
                "repeat": miss.key.repeat,
                "constraint": miss.constraint,
                "miss": miss.miss.value,
                "judged_on": miss.judged_on,
                "true_on": miss.true_on,
            }
            for miss in by_truth.disagreements
        ],
        "runs": [
            {"run": name, **_figures(tables.run(name), [row for row in rows if row.key.run == name])} for name in names
        ],
    }


def _figures(tables: Tables, rows: Sequence[JudgedRow]) -> dict[str, Any]:
    judged, answered = score_judged(rows), wra(responses(tables, rows))
    keys = {row.key for row in rows}
    truth = score(outcomes(tables.only(keys)))
    covered = coverage(tables, rows)
    return {
        "episodes": len(rows),
        "score_judged": judged.value,
        "score": truth.value,
        "wra": answered.value,
        "undecided": sum(row.undecided for row in rows),
        "unscored": covered.unscored,
        "undecided_windows": covered.undecided_windows,
        "unreadable": covered.unreadable,
        "intervals": {name: _interval(found) for name, found in (("score_judged", judged), ("wra", answered))},
        "calls": sum(row.calls for row in rows),
        "tokens": sum(row.tokens for row in rows),
        "simulated": tables.simulated or any(row.simulated for row in rows),
    }


def _interval(found: Estimate | Kappa) -> tuple[float, float] | None:
    return (found.low, found.high) if found.low is not None and found.high is not None else None


def _agreement(found: Agreement) -> dict[str, Any]:
    return {
        "n": found.confusion.total,
        "accuracy": found.confusion.accuracy,
        "precision": found.confusion.precision,
        "recall": found.confusion.recall,
        "specificity": found.specificity,
        "kappa": found.kappa.value,
        "kappa_interval": _interval(found.kappa),
        "other_branch": found.other_branch,
        "undecided": found.undecided,
    }


def judge_table(figures: dict[str, Any]) -> Table:
    """One row a run."""
    title = "Judged" + (" (simulated)" if figures["simulated"] else "")
    table = Table(title=title, title_justify="left")
    table.add_column("Run")
    columns = ("Episodes", "Without a score", "Unreadable", "Score, judged", "Score, truth", "WRA", "Undecided")
    for column in columns:
        table.add_column(column, justify="right")
    for run in figures["runs"]:
        table.add_row(
            escape(run["run"]),
            *(str(run[name]) for name in ("episodes", "unscored", "unreadable")),
            *(_number(run[name]) for name in ("score_judged", "score", "wra")),
            str(run["undecided"]),
        )
    return table


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
