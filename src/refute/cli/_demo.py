"""`refute demo`: the whole house in one command, without a key."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console

from refute.arena import MistakeRates, Noise, site
from refute.cli._bench import run_bench
from refute.cli._options import json_option, screenshots_option
from refute.cli._report import show_report
from refute.run import SIMULATED, RunSettings, open_suite

WORKERS = 2


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("out/demo"),
    show_default=True,
    help="Folder for the run.",
)
@click.option("--seed", default=0, show_default=True, help="The dice of the simulated model.")
@screenshots_option
@json_option
def demo(*, out: Path, seed: int, screenshots: bool, as_json: bool) -> None:
    """Watch the agent handle goals that change, on a real shop, with the simulated model.

    The simulated model is an oracle plus seeded mistakes: the run shows what the machinery notices, repairs, delivers
    and counts, on one task of each template. It says nothing about how good a language model is.
    """
    console = Console(stderr=as_json)
    settings = RunSettings(
        suite="arena:shop",
        agent="fcp",
        model=SIMULATED,
        seed=seed,
        rates=MistakeRates(),
        noise=Noise(),
        screenshots=screenshots,
    )
    asyncio.run(site("shop").setup(lambda line: console.print(f"  {line}", style="dim", highlight=False)))
    console.print("[bold]refute demo[/]: goals that change while an agent works on them")
    console.print("[yellow]simulated[/] model: an oracle plus seeded mistakes, no language model involved")
    tasks = open_suite(settings.suite).one_each()
    run_bench(tasks, settings, out, repeats=1, workers=WORKERS, fresh=True, console=console)
    show_report(out, console, as_json=as_json)
