"""`refute bench ablate`: the agent's variants on the same tasks and dice, compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from refute._errors import UserError
from refute.agents import AGENT_NAMES, Library
from refute.arena import Noise
from refute.cli._bench import run_bench
from refute.cli._options import (
    RunLimits,
    delivery_options,
    json_option,
    library_options,
    limit_options,
    model_options,
    print_json,
    screenshots_option,
)
from refute.cli._report import draw_figures
from refute.llm import OutputMode
from refute.report import ViewOptions, make_view, terminal, view_json
from refute.revisions import Deliver, Strategy, TriggerMode
from refute.run import SIMULATED, GridPoint, RunSettings, open_suite
from refute.tables import read_tables

BASELINE = "fcp"
PARTS = (
    "no-falsifiable-plan",
    "no-testing",
    "no-repair",
    "slow-only",
    "no-confirming",
    "no-falsifying",
    "no-state-test",
    "no-action-test",
    "no-local-repair",
    "no-replan",
    "no-failure-library",
    "no-final-check",
)
"""The ablations that run when none is chosen. Other variants add a part or take another way, and run when asked for."""
_CHOICES = tuple(name.partition(":")[2] for name in AGENT_NAMES if name.startswith(f"{BASELINE}:"))
WORKERS = 2


def _points(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> tuple[GridPoint, ...]:
    return tuple(dict.fromkeys(GridPoint.parse(text) for text in given))


@click.command("ablate")
@click.argument("suite")
@model_options
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the runs.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice(_CHOICES),
    help=f"A variant to compare; may be given again. Default: each that lacks a part ({', '.join(PARTS)}).",
)
@click.option(
    "--grid",
    "points",
    multiple=True,
    callback=_points,
    metavar="SCALE:RECOVER",
    help="Simulated model: a factor on all mistakes, and the chance to find back alone; may be given again.",
)
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@click.option("--seed", default=0, show_default=True, help="The runs' dice, the same for every variant.")
@delivery_options
@click.option("--repeats", default=1, show_default=True, type=click.IntRange(1), help="Episodes a task.")
@click.option("--workers", default=WORKERS, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@click.option("--max-steps", type=click.IntRange(1), help="Instead of each task's own step budget.")
@limit_options
@library_options
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Also draw figures.")
@screenshots_option
@json_option
def ablate_command(
    *,
    suite: str,
    model: str,
    base_url: str | None,
    output_mode: str | None,
    out: Path,
    variants: tuple[str, ...],
    points: tuple[GridPoint, ...],
    tasks: str | None,
    seed: int,
    deliver: str,
    trigger: str,
    at: tuple[float, ...],
    strategy: str,
    repeats: int,
    workers: int,
    max_steps: int | None,
    limits: RunLimits,
    library: Library | None,
    figures: Path | None,
    screenshots: bool,
    as_json: bool,
) -> None:
    """Run fcp and its variants on the same tasks of SUITE, and print what each part is worth.

    Every variant meets the same tasks and the same dice, so differences are paired by task. The same command goes on
    where an interrupted one stopped.
    """
    simulated = model == SIMULATED
    if points and not simulated:
        raise UserError("--grid is about the simulated model's mistakes; a real model makes its own: leave it out")
    console = Console(stderr=as_json)
    chosen = open_suite(suite).select(tasks)
    if library is not None:
        chosen = chosen.with_library(library)
    agents = (BASELINE, *(f"{BASELINE}:{name}" for name in dict.fromkeys(variants or PARTS)))
    base = RunSettings(
        suite=suite,
        agent=BASELINE,
        model=model,
        base_url=base_url,
        output_mode=OutputMode(output_mode) if output_mode else None,
        deliver=Deliver(deliver),
        trigger=TriggerMode(trigger),
        at=at,
        strategy=Strategy(strategy),
        seed=seed,
        max_steps=max_steps,
        noise=Noise() if simulated else None,
        **limits,
        screenshots=screenshots,
    )
    plan = _plan(base, agents, points or ((GridPoint(),) if simulated else ()), out)
    for number, (settings, folder) in enumerate(plan, start=1):
        console.print(f"[bold]{number} of {len(plan)}[/]  {folder.name if points else ''}", highlight=False)
        run_bench(chosen, settings, folder, repeats=repeats, workers=workers, console=console)
    view = make_view("ablation", read_tables(out), ViewOptions(reference=BASELINE))
    if as_json:
        print_json(view_json(view))
    else:
        console.print(terminal(view))
    if figures is not None:
        draw_figures(view, figures)


def _plan(
    base: RunSettings, agents: Sequence[str], points: Sequence[GridPoint], out: Path
) -> list[tuple[RunSettings, Path]]:
    """The runs in order: all agents at the first point, then at the next. Each point has a folder of its own, since
    runs of one folder share their rates (decision 40)."""
    if not points:
        return [(base.model_copy(update={"agent": agent}), out) for agent in agents]
    return [
        (base.model_copy(update={"agent": agent, "rates": point.rates}), out / point.name)
        for point in points
        for agent in agents
    ]
