"""`refute arena`: prepare, build, serve and check the bundled sites."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from refute.arena import SITES, site
from refute.cli._options import json_option, print_json
from refute.cli._screen import check_progress, clean, counted
from refute.run import PROOFS, CheckResult, check_suite, open_suite

_SITE = click.argument("name", metavar="[SITE]", default="shop", type=click.Choice(list(SITES)))


@click.group()
def arena() -> None:
    """The bundled sites: real applications, each in an environment and process of its own."""


@arena.command()
@_SITE
@json_option
def setup(*, name: str, as_json: bool) -> None:
    """Make SITE's environment in the cache folder (once; needs the package index)."""
    console = Console(stderr=as_json)
    asyncio.run(site(name).setup(lambda line: console.print(f"  {line}", style="dim", highlight=False)))
    if as_json:
        print_json({"site": name, "ready": site(name).ready()})
        return
    console.print(f"{name}: ready")


@arena.command()
@_SITE
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to write it; default: SITE-seed.zip."
)
@json_option
def build(*, name: str, out: Path | None, as_json: bool) -> None:
    """Build SITE's seeded state anew: equal rows every time."""
    console = Console(stderr=as_json)
    path = out or Path(f"{name}-seed.zip")
    asyncio.run(site(name).build(path, lambda line: console.print(f"  {line}", style="dim", highlight=False)))
    if as_json:
        print_json({"site": name, "path": str(path)})
        return
    console.print(f"{name}: seeded state written to {path}", soft_wrap=True)


@arena.command()
@_SITE
@json_option
def serve(*, name: str, as_json: bool) -> None:
    """Serve a fresh copy of SITE on loopback until Ctrl-C."""

    async def keep() -> None:
        instance = await site(name).launch()
        try:
            if as_json:
                print_json({"site": name, "origin": instance.origin})
            else:
                click.echo(f"{name}: {instance.origin}/  (Ctrl-C ends it and forgets all changes)")
            await asyncio.Event().wait()
        finally:
            await instance.close()

    try:
        asyncio.run(keep())
    except KeyboardInterrupt:
        click.echo("ended", err=True)


@arena.command()
@click.option("--suite", default="arena:shop", show_default=True, help="Whose tasks to check.")
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(1, 32), help="Proofs at a time.")
@json_option
def check(*, suite: str, tasks: str | None, workers: int, as_json: bool) -> None:
    """Prove the tasks: an oracle satisfies everything on two routes and under every branch, doing nothing satisfies
    nothing that needs action, an oracle that ignores revision k fails exactly what k introduced or changed, every
    wrong end is noticed, and each milestone comes true once, at the same stage.

    Exit code 1 when a proof of a task fails.
    """
    console = Console(stderr=as_json)
    chosen = open_suite(suite).select(tasks)
    with check_progress(console, f"proofs of {chosen.name}") as show:
        result = asyncio.run(check_suite(chosen, workers=workers, on_progress=show))
    if as_json:
        print_json(result.model_dump())
    else:
        _print_check(console, result)
    if result.failures:
        raise click.exceptions.Exit(1)


def _print_check(console: Console, result: CheckResult) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("task", "oracle", "branches", "no-op", "ignored", "mutants", "milestones"):
        table.add_column(name, justify="left" if name == "task" else "right")
    for one in result.tasks:
        table.add_row(one.task, *(_cell(*CheckResult.counted((one,), name)) for name in PROOFS))
    totals = (f"{passed}/{made}" for passed, made in (result.totals[name] for name in PROOFS))
    table.add_section()
    table.add_row(f"{len(result.tasks)} tasks", *totals, style="bold")
    console.print(table)
    for task, problems in result.failures.items():
        console.print(f"{task}", style="red", highlight=False)
        for problem in problems:
            console.print(f"  {clean(problem)}", markup=False, highlight=False)
    sound = len(result.tasks) - len(result.failures)
    console.print(f"{sound} of {counted(len(result.tasks), 'task')} sound, {result.seconds['clock']:.0f} s")


def _cell(passed: int, made: int) -> Text:
    if not made:
        return Text("–", style="dim")
    return Text(f"{passed}/{made}", style="green" if passed == made else "red")
