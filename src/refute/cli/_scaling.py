"""`refute bench scaling`: how success grows with experience."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console

from refute._errors import UserError
from refute.arena import Noise, SimulatedInducer
from refute.cli._learn import REPLIES
from refute.cli._options import (
    RunLimits,
    embedder_option,
    grid_option,
    json_option,
    limit_options,
    model_options,
    print_json,
)
from refute.cli._report import draw_figures
from refute.cli._screen import progress
from refute.llm import Backend, CachedBackend
from refute.report import scaling_view, terminal
from refute.run import SHARES, SIMULATED, GridPoint, RunSettings, Scaling, ScalingResult, open_suite, stop_on_signals
from refute.trace import write_whole

SCALING_FILE = "scaling.json"


def _percent(context: click.Context, option: click.Parameter, given: str) -> tuple[int, ...]:
    try:
        shares = tuple(int(part) for part in given.split(","))
    except ValueError:
        shares = (-1,)
    if not all(0 <= share <= 100 for share in shares):
        raise UserError(f"--shares takes percentages such as {','.join(map(str, SHARES))}, not {given!r}")
    return shares


@click.command("scaling")
@click.argument("suite")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder for all of it.")
@model_options
@grid_option
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@click.option(
    "--shares",
    default=",".join(map(str, SHARES)),
    show_default=True,
    callback=_percent,
    metavar="LIST",
    help="Percent of the training tasks to learn from.",
)
@click.option("--seed", default=0, show_default=True, help="The runs' dice, and which tasks make up a share.")
@click.option("--repeats", default=1, show_default=True, type=click.IntRange(1), help="Episodes a task.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@limit_options
@embedder_option
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Also draw the curve.")
@json_option
def scaling_command(
    *,
    suite: str,
    out: Path,
    model: str,
    base_url: str | None,
    output_mode: str | None,
    points: tuple[GridPoint, ...],
    tasks: str | None,
    shares: tuple[int, ...],
    seed: int,
    repeats: int,
    workers: int,
    limits: RunLimits,
    embedder: str,
    figures: Path | None,
    as_json: bool,
) -> None:
    """Learn from more and more of SUITE's training tasks, and test each library on its test tasks.

    Each library is tested whole and without its failure repairs, paired on the same tasks and seeds. The same command
    continues an interrupted one. At several points of a --grid, each is a curve in a folder of its own.
    """
    simulated = model == SIMULATED
    settings = RunSettings.model_validate(
        {
            "suite": suite,
            "agent": "fcp",
            "model": model,
            "base_url": base_url,
            "output_mode": output_mode,
            "seed": seed,
            "rates": GridPoint().rates if simulated else None,
            "noise": Noise() if simulated else None,
            "embedder": embedder,
            "screenshots": False,
            **limits,
        }
    )

    console = Console(stderr=as_json)
    chosen = open_suite(suite).select(tasks)
    plan = {out / point.name: settings.model_copy(update={"rates": point.rates}) for point in points}
    results: dict[str, ScalingResult] = {}
    for number, (folder, own) in enumerate((plan or {out: settings}).items(), start=1):
        if points:
            console.print(f"[bold]{number} of {len(plan)}[/]  {folder.name}", highlight=False)
        scaling = Scaling(chosen, own, folder, shares=shares, repeats=repeats)
        result = _run(scaling, _inducer(own, folder), workers=workers, console=console)
        write_whole(folder / SCALING_FILE, result.model_dump_json(indent=1))
        if figures is not None:
            draw_figures(scaling_view(result), figures / folder.name if points else figures)
        console.print(terminal(scaling_view(result)))
        console.print(f"Written: {(folder / SCALING_FILE).resolve()}", highlight=False, soft_wrap=True)
        results[folder.name] = result
    if as_json:
        told = {name: result.model_dump(mode="json") for name, result in results.items()}
        print_json({"grid": told} if points else next(iter(told.values())))


def _inducer(settings: RunSettings, folder: Path) -> Callable[[], Backend]:
    """What opens the model that is asked for lessons; its replies are kept in the curve's folder."""

    def backend() -> Backend:
        if settings.simulated:
            return SimulatedInducer()
        model = settings.open_backend()
        return CachedBackend(model, folder / REPLIES, settings={"address": model.address})

    return backend


def _run(scaling: Scaling, backend: Callable[[], Backend], *, workers: int, console: Console) -> ScalingResult:
    with progress(console, scaling.episodes, label="scaling") as show:

        async def work() -> ScalingResult | None:
            with stop_on_signals(lambda: console.print("  Finishing the episodes at work.", style="yellow")) as stop:
                return await scaling.run(backend=backend, workers=workers, stop=stop, on_progress=show)

        try:
            result = asyncio.run(work())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
    if result is None:
        raise KeyboardInterrupt
    return result
