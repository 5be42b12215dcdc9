"""`refute run`: one goal on any address, with a real model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console

from refute._errors import UserError
from refute.cli._options import json_option, model_options, print_json, screenshots_option
from refute.llm import OutputMode
from refute.report import write_report
from refute.revisions import Ending
from refute.run import SIMULATED, RunSettings, goal_task, run_goal


@click.command()
@click.argument("task")
@click.option("--url", required=True, help="Where to start.")
@click.option(
    "--agent", default="fcp", show_default=True, metavar="A", help="fcp, react, or a variant such as fcp:no-repair."
)
@model_options
@click.option("--max-steps", default=40, show_default=True, type=click.IntRange(1), help="Step budget.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("out/run"),
    show_default=True,
    help="Folder for the trace.",
)
@click.option("--headed", is_flag=True, help="Show the browser.")
@screenshots_option
@json_option
def run(
    *,
    task: str,
    url: str,
    agent: str,
    model: str,
    base_url: str | None,
    output_mode: str | None,
    max_steps: int,
    out: Path,
    headed: bool,
    screenshots: bool,
    as_json: bool,
) -> None:
    """Work on TASK, starting at --url. Exit code 1 when the agent did not get done."""
    if model == SIMULATED:
        raise UserError(
            "the simulated model knows only the bundled sites; give a real --model here, or try `refute demo`"
        )
    settings = RunSettings(
        suite="goal",
        agent=agent,
        model=model,
        base_url=base_url,
        output_mode=OutputMode(output_mode) if output_mode else None,
        screenshots=screenshots,
    )
    console = Console(stderr=as_json)
    result = asyncio.run(
        run_goal(
            goal_task(task, url, max_steps=max_steps),
            settings,
            out,
            headed=headed,
            on_step=lambda step, text: console.print(f"{step:>4}  {text}", highlight=False, markup=False),
        )
    )
    page = write_report(out)
    if as_json:
        print_json(
            {
                "ending": result.ended.ending,
                "message": result.ended.message,
                "steps": result.ended.spent.steps,
                "tokens": result.ended.spent.tokens,
                "folder": str(result.folder),
                "report": str(page),
            }
        )
    else:
        console.print(f"[bold]{result.ended.ending.value.replace('_', ' ')}[/]", highlight=False)
        console.print(result.ended.message, markup=False, highlight=False)
        console.print(f"Report: {page}", highlight=False, soft_wrap=True)
    if result.ended.ending is Ending.HARNESS_ERROR:
        raise click.exceptions.Exit(3)
    if result.ended.ending is not Ending.DONE:
        raise click.exceptions.Exit(1)
