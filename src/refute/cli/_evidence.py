"""`refute evidence`: the scorers of the fast tester by themselves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from refute.cli._options import json_option, print_json, scorer_option
from refute.cli._screen import clean
from refute.evidence import CaseScores, open_scorer, read_cases, score_cases


@click.group()
def evidence() -> None:
    """Look at the scorers that say how far a page supports a statement."""


@evidence.command("score")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@scorer_option
@json_option
def score_command(*, file: Path, scorer: str, as_json: bool) -> None:
    """Score the labelled cases of FILE: one JSON object a line with id, page, evidence and label (supported,
    contradicted or unknown).

    AUC is taken over supported against contradicted cases, by support − contradiction; 0.5 = no better than chance.
    """
    scores = asyncio.run(score_cases(read_cases(file), open_scorer(scorer)))
    if as_json:
        print_json(scores.model_dump(mode="json"))
        return
    Console().print(_table(scores))


def _table(scores: CaseScores) -> Table:
    table = Table(title=f"{clean(scores.scorer)} on {scores.cases} cases", show_header=False)
    interval = "none" if scores.auc is None else f"{scores.auc:.3f} [{scores.auc_low:.2f}, {scores.auc_high:.2f}]"
    table.add_row("AUC, supported against contradicted", interval)
    wrong = len(scores.accepted_wrongly)
    table.add_row("accepted", f"{scores.accepted}, {wrong} of them wrongly")
    wrong = len(scores.rejected_wrongly)
    table.add_row("rejected", f"{scores.rejected}, {wrong} of them wrongly")
    table.add_row("abstained", str(scores.abstained))
    table.add_row("a call takes", f"{scores.ms_per_call:.1f} ms")
    return table
