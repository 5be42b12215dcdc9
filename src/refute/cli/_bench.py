"""`refute bench`: run a suite, and report on runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from refute._errors import UserError
from refute.agents import Library
from refute.arena import FaultKind
from refute.cli._drift import drift_command
from refute.cli._imports import import_options, tell_left_out
from refute.cli._lint import lint_command
from refute.cli._options import (
    cache_option,
    embedder_option,
    fault_option,
    image_scorer_option,
    json_option,
    library_options,
    mistakes_option,
    scorer_option,
    split_option,
)
from refute.cli._report import report_command, show_report
from refute.cli._run_options import RunOptions, run_options
from refute.cli._scaling import scaling_command
from refute.cli._screen import counted, progress
from refute.cli._suites import coverage_command, environment_command, setup_command, solve_command
from refute.llm import price_table
from refute.run import GridPoint, Progress, RunResult, RunSettings, Suite, open_suite, run_suite, stop_on_signals
from refute.suites import Import


@click.group()
def bench() -> None:
    """Run dynamic tasks, and report on the runs."""


@bench.command("run")
@click.argument("suite")
@click.option(
    "--agent", default="fcp", show_default=True, metavar="A", help="fcp, react, or a variant such as fcp:no-repair."
)
@run_options
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for the runs.")
@split_option
@mistakes_option
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@click.option("--seeds", default=1, show_default=True, type=click.IntRange(1), help="Instances of each drawn task.")
@import_options
@fault_option
@click.option("--repeats", default=1, show_default=True, type=click.IntRange(1), help="Episodes a task.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@scorer_option
@image_scorer_option
@library_options
@embedder_option
@cache_option
@click.option("--fresh", is_flag=True, help="Delete what OUT holds of this run, and start anew.")
@json_option
def run_command(
    *,
    suite: str,
    agent: str,
    options: RunOptions,
    out: Path,
    split: str | None,
    mistakes: GridPoint | None,
    tasks: str | None,
    seeds: int,
    imported: Import | None,
    faults: tuple[FaultKind, ...],
    repeats: int,
    workers: int,
    scorer: str,
    image_scorer: str | None,
    library: Library | None,
    embedder: str,
    cache: Path | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Run SUITE (such as arena:shop) into OUT. The same command continues an interrupted run.

    Ctrl-C lets the episodes at work finish and starts no more; a second one ends them at once.
    """
    settings = RunSettings(
        suite=suite,
        agent=agent,
        faults=faults,
        scorer=scorer,
        image_scorer=image_scorer,
        embedder=embedder,
        **options,
    )
    if mistakes is not None:
        settings = settings.model_copy(update={"rates": mistakes.rates})
    console = Console(stderr=as_json)
    chosen = open_suite(settings.suite, seeds=seeds, imported=imported).select(tasks)
    tell_left_out(chosen, console)
    if split is not None:
        chosen = chosen.of_split(split)
    if seeds != 1 and chosen.site is not None:
        raise UserError(f"{chosen.name} has fixed tasks: leave --seeds out; --repeats runs them again")
    if library is not None:
        chosen = chosen.with_library(library)
    run_bench(chosen, settings, out, repeats=repeats, workers=workers, fresh=fresh, cache=cache, console=console)
    show_report(out, console, as_json=as_json)


def run_bench(
    suite: Suite,
    settings: RunSettings,
    out: Path,
    *,
    repeats: int,
    workers: int,
    console: Console,
    fresh: bool = False,
    cache: Path | None = None,
) -> RunResult:
    """Run `suite` with progress on `console`. Raises `KeyboardInterrupt` after a run that was asked to stop."""
    if cache is not None and settings.simulated:
        raise UserError("the simulated model answers from the site's truth and costs nothing: leave --cache out")
    label = f"{settings.agent} on {suite.name}, {settings.model}{'' if not settings.simulated else ' model'}"

    def tell() -> None:
        console.print("  Finishing the episodes at work; Ctrl-C again ends them at once.", style="yellow")

    async def work(show: Callable[[Progress], None]) -> RunResult:
        with stop_on_signals(tell) as stop:
            result = await run_suite(
                suite,
                settings,
                out,
                repeats=repeats,
                workers=workers,
                fresh=fresh,
                stop=stop,
                cache=cache,
                on_progress=show,
            )
        if stop.is_set():
            console.print(
                f"  {counted(result.left, 'episode')} not begun; the same command goes on from here", style="yellow"
            )
            raise asyncio.CancelledError
        return result

    with progress(console, len(suite.tasks) * repeats, label=label) as show:
        try:
            result = asyncio.run(work(show))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
    if result.kept:
        console.print(f"  {result.kept} finished episode(s) of an earlier run were kept", style="dim")
    if not settings.simulated and result.ended:
        console.print(f"  the agents' new requests cost {_cost(result)}", style="dim", highlight=False)
        if kept := sum(end.spent.kept_requests for end in result.ended):
            console.print(f"  {counted(kept, 'reply', 'replies')} came from the cache", style="dim", highlight=False)
    return result


def _cost(result: RunResult) -> str:
    """What the episodes of this command cost together, kept replies left out, and by whose prices."""
    spent = [end.spent for end in result.ended]
    known = [s.dollars - s.kept_dollars for s in spent if s.dollars is not None and s.kept_dollars is not None]
    if len(known) < len(spent):
        return f"an unknown sum: {price_table()} has no price for this model at this address"
    return f"${sum(known):.4f} by the prices of {price_table()}"


bench.add_command(scaling_command)
bench.add_command(setup_command)
bench.add_command(solve_command)
bench.add_command(coverage_command)
bench.add_command(environment_command)
bench.add_command(drift_command)
bench.add_command(lint_command)


bench.add_command(report_command)
