"""`refute judge`: judge finished episodes from their traces."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from refute._errors import RunStopped, UserError
from refute.arena import JudgeNoise, SimulatedJudge
from refute.budget import Limits
from refute.cli._options import json_option, optional_model_options, print_json
from refute.cli._screen import counted, judge_progress
from refute.judge import STATES, BackendFor, JudgeIdentity, JudgeProgress, JudgeResult, judge_runs
from refute.llm import CachedBackend, MeteredBackend, OutputMode, open_backend
from refute.report import judge_figures, judge_table
from refute.run import SIMULATED
from refute.tables import read_judged, read_tables

REPLIES = "replies"
"""Folder of the kept replies below RUNS, unless ``--cache`` names another one."""

_LEFT_OUT = {
    "harness_error": "ended in a harness error",
    "unfinished": "unfinished",
    "unreadable": "unreadable",
    "unknown_truth": "without recorded truth",
    "at_work": "being judged by another command",
}


@click.command()
@click.argument("runs", type=click.Path(path_type=Path, file_okay=False))
@optional_model_options
@click.option("--name", metavar="N", help="The judge's name; judges stand side by side. Default: model and seed.")
@click.option("--seed", default=0, show_default=True, help="Ask everything anew under another seed.")
@click.option("--tasks", metavar="GLOB", help="Only episodes of tasks whose id matches.")
@click.option("--again", is_flag=True, help="Judge anew what this judge has finished; kept replies cost nothing.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@click.option("--states", default=STATES, show_default=True, type=click.IntRange(1), help="Most pages a claim.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Where replies are kept. Default: RUNS/{REPLIES}.",
)
@click.option("--max-requests", type=click.IntRange(1), metavar="N", help="Requests that this command may make.")
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Tokens that they may use.")
@click.option(
    "--max-cost", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Dollars that they may cost."
)
@click.option("--sensitivity", type=click.FloatRange(0, 1), help="Of the simulated judge: P(satisfied | satisfied).")
@click.option("--specificity", type=click.FloatRange(0, 1), help="Of the simulated judge: P(not | not satisfied).")
@json_option
def judge(
    *,
    runs: Path,
    model: str | None,
    base_url: str | None,
    output_mode: str | None,
    name: str | None,
    seed: int,
    tasks: str | None,
    again: bool,
    workers: int,
    states: int,
    cache: Path | None,
    max_requests: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    sensitivity: float | None,
    specificity: float | None,
    as_json: bool,
) -> None:
    """Judge every finished episode below RUNS from its trace: constraints, conditions, responses to revisions.

    Simulated runs are judged by the simulated judge unless --model names another one. What this judge has finished is
    left alone, so that the same command goes on where it stopped; replies are kept, and nothing is asked twice.
    """
    model = model or _default_model(runs)
    given = {"sensitivity": sensitivity, "specificity": specificity}
    noise = {key: value for key, value in given.items() if value is not None}
    limits = Limits(requests=max_requests, tokens=max_tokens, cost=max_cost)
    if model == SIMULATED:
        if limits != Limits():
            raise UserError("the simulated judge costs nothing: leave --max-requests, --max-tokens, --max-cost out")
        bench = _simulated(name, seed, states, JudgeNoise(**noise))
    else:
        if noise:
            raise UserError("--sensitivity and --specificity are settings of the simulated judge only")
        mode = OutputMode(output_mode) if output_mode else None
        backend = open_backend(model, base_url=base_url, mode=mode, must_be_priced=max_cost is not None)
        metered = MeteredBackend(backend, limits)
        settings = {"address": backend.address}
        kept = CachedBackend(metered, cache or runs / REPLIES, settings=settings, repeat=seed)
        identity = JudgeIdentity(
            name=name or _slug(model, seed),
            model=model,
            address=backend.address,
            mode=backend.mode.value,
            seed=seed,
            states=states,
        )
        bench = _Bench(identity=identity, backend_for=lambda trace: kept, metered=metered)
    console = Console(stderr=as_json)
    result = _run(runs, bench, console, again=again, tasks=tasks, workers=workers)
    _show(runs, bench, result, console, as_json=as_json)


@dataclass(frozen=True, kw_only=True)
class _Bench:
    """Who judges, and with which model."""

    identity: JudgeIdentity
    backend_for: BackendFor
    metered: MeteredBackend | None = None
    """What the requests are counted by; None for the simulated judge."""


def _default_model(runs: Path) -> str:
    """The simulated judge, where every run is simulated. Raises `UserError` where one is not."""
    if all(run.simulated for run in read_tables(runs).runs):
        return SIMULATED
    raise UserError(
        f"{runs} holds runs of a real model: name the model that judges them, such as --model openai-chat:NAME with "
        "--base-url, or --model simulated for the recorded truth with noise (bundled sites only)"
    )


def _slug(model: str, seed: int) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", f"{model}-{seed}").strip("-.")[:80]


def _simulated(name: str | None, seed: int, states: int, noise: JudgeNoise) -> _Bench:
    identity = JudgeIdentity(
        name=name or _slug(SIMULATED, seed),
        model=SIMULATED,
        simulated=True,
        seed=seed,
        states=states,
        settings=noise.model_dump(),
    )
    return _Bench(identity=identity, backend_for=lambda trace: SimulatedJudge.of(trace, noise=noise, seed=seed))


def _run(runs: Path, bench: _Bench, console: Console, *, again: bool, tasks: str | None, workers: int) -> JudgeResult:
    async def work(show: Callable[[JudgeProgress], None]) -> JudgeResult:
        try:
            return await judge_runs(
                runs,
                bench.identity,
                bench.backend_for,
                again=again,
                tasks=tasks,
                workers=workers,
                on_progress=show,
            )
        finally:
            if bench.metered is not None:
                await bench.metered.close()

    what = "the simulated judge" if bench.identity.simulated else bench.identity.model
    with judge_progress(console, f"{what} ({bench.identity.name})") as show:
        return asyncio.run(work(show))


def _show(runs: Path, bench: _Bench, result: JudgeResult, console: Console, *, as_json: bool) -> None:
    """Print what came out. Raises `RunStopped` when an episode could not be judged to its end."""
    tables = read_tables(runs)
    figures = judge_figures(tables, read_judged(tables, judge=bench.identity.name))
    if as_json:
        spent = bench.metered.spent if bench.metered is not None else None
        print_json(
            {
                "judge": bench.identity.name,
                "model": bench.identity.model,
                "judged": len(result.judged),
                "kept": result.kept,
                "left_out": result.left_out,
                "failed": len(result.failed),
                "limit": result.limit,
                "left": result.left,
                "requests": spent.requests if spent else 0,
                "dollars": spent.dollars if spent else None,
                **figures,
            }
        )
    else:
        console.print(judge_table(figures))
        _tell(bench, result, figures, console)
    if result.failed:
        raise RunStopped(
            f"{counted(len(result.failed), 'episode')} could not be judged to the end; the others are kept. "
            "The same command goes on from there."
        )


def _tell(bench: _Bench, result: JudgeResult, figures: dict[str, Any], console: Console) -> None:
    out = ", ".join(f"{count} {_LEFT_OUT[why]}" for why, count in result.left_out.items())
    if out:
        console.print(f"  Not judged: {out}.", style="dim", highlight=False)
    if result.kept:
        console.print(f"  {counted(result.kept, 'finished episode')} kept.", style="dim", highlight=False)
    if bench.metered is not None:
        spent = bench.metered.spent
        price = f", ${spent.dollars:.4f}" if spent.dollars is not None else ""
        requests = f"{counted(spent.requests, 'new request')}, {counted(spent.tokens, 'token')}{price}"
        console.print(f"  {requests}; other replies came from the cache.", style="dim", highlight=False)
    agreed = figures["agreement"]
    if agreed["n"]:
        word = " (simulated)" if figures["simulated"] else ""
        console.print(
            f"  Against the truth, over {counted(agreed['n'], 'constraint')}{word}: "
            f"{_number(agreed['accuracy'])} agree; of “satisfied”, precision {_number(agreed['precision'])}, "
            f"recall {_number(agreed['recall'])}; κ {_number(agreed['kappa'])}.",
            highlight=False,
        )
    if result.limit:
        console.print(
            f"  Stopped at the limit of {result.limit}; {counted(result.left, 'episode')} left. The same command "
            f"goes on from here, and a higher --max-{result.limit} takes it further.",
            style="yellow",
            highlight=False,
        )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
