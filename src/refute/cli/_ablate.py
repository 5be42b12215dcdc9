"""`refute bench ablate`: the agent's variants on the same tasks and dice, compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from refute.agents import AGENT_NAMES, Library
from refute.cli._bench import run_bench
from refute.cli._imports import import_options, tell_left_out
from refute.cli._options import cache_option, grid_option, json_option, library_options, print_json, split_option
from refute.cli._report import draw_figures
from refute.cli._run_options import RunOptions, run_options
from refute.report import ViewOptions, make_view, terminal, view_json
from refute.run import GridPoint, RunSettings, open_suite
from refute.suites import Import
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


@click.command("ablate")
@click.argument("suite")
@run_options
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the runs.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice(_CHOICES),
    help=f"A variant to compare; may be given again. Default: each that lacks a part ({', '.join(PARTS)}).",
)
@grid_option
@split_option
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@import_options
@click.option("--repeats", default=1, show_default=True, type=click.IntRange(1), help="Episodes a task.")
@click.option("--workers", default=WORKERS, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@library_options
@cache_option
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Also draw figures.")
@json_option
def ablate_command(
    *,
    suite: str,
    options: RunOptions,
    out: Path,
    variants: tuple[str, ...],
    points: tuple[GridPoint, ...],
    split: str | None,
    tasks: str | None,
    imported: Import | None,
    repeats: int,
    workers: int,
    library: Library | None,
    cache: Path | None,
    figures: Path | None,
    as_json: bool,
) -> None:
    """Run fcp and its variants on the same tasks of SUITE, and print what each part is worth.

    Every variant meets the same tasks and the same dice, so differences are paired by task. The same command goes on
    where an interrupted one stopped.
    """
    base = RunSettings(suite=suite, agent=BASELINE, **options)
    console = Console(stderr=as_json)
    chosen = open_suite(suite, imported=imported).select(tasks)
    tell_left_out(chosen, console)
    if split is not None:
        chosen = chosen.of_split(split)
    if library is not None:
        chosen = chosen.with_library(library)
    agents = (BASELINE, *(f"{BASELINE}:{name}" for name in dict.fromkeys(variants or PARTS)))
    plan = _plan(base, agents, points or ((GridPoint(),) if base.simulated else ()), out)
    for number, (settings, folder) in enumerate(plan, start=1):
        where = f", {folder.name}" if points else ""
        console.print(f"[bold]{number} of {len(plan)}[/]  {settings.agent}{where}", highlight=False)
        run_bench(chosen, settings, folder, repeats=repeats, workers=workers, cache=cache, console=console)
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
