"""`refute bench setup`: what a suite needs on this machine."""

from __future__ import annotations

import asyncio
import fnmatch
import tempfile
from pathlib import Path

import click
from rich.console import Console

from refute._errors import UserError
from refute.cli._options import json_option, print_json
from refute.cli._screen import clean
from refute.run import solve_suite
from refute.suites import open_suite, prepare_suite
from refute.suites.browsergym import PACKAGES
from refute.suites.environment import ROWS, EnvironmentTable, environment_table
from refute.suites.miniwob import NAMES, miniwob_coverage
from refute.trace import write_whole


@click.command("setup")
@click.argument("suite")
@json_option
def setup_command(*, suite: str, as_json: bool) -> None:
    """Prepare SUITE (such as miniwob) in the cache folder: once; needs the package index."""
    _prepare(suite, as_json=as_json)


@click.group()
def browsergym() -> None:
    """BrowserGym's task packages: each runs in an environment and a process of its own."""


@browsergym.command("setup")
@click.argument("name", default="miniwob", type=click.Choice(list(PACKAGES)))
@json_option
def browsergym_setup(*, name: str, as_json: bool) -> None:
    """Make the environment of the package NAME in the cache folder: once; needs the package index."""
    _prepare(f"browsergym:{name}", as_json=as_json)


def _prepare(suite: str, *, as_json: bool) -> None:
    console = Console(stderr=as_json)
    asyncio.run(prepare_suite(suite, lambda line: console.print(f"  {line}", style="dim", highlight=False)))
    if as_json:
        print_json({"suite": suite, "ready": True})
        return
    console.print(f"{suite}: ready", highlight=False)


@click.command("solve")
@click.argument("suite", default="miniwob")
@click.option("--tasks", metavar="GLOB", help="Only tasks whose id matches.")
@click.option("--seeds", default=5, show_default=True, type=click.IntRange(1), help="Instances of each task.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1, 32), help="Episodes at a time.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Keep the traces in this folder.")
@json_option
def solve_command(*, suite: str, tasks: str | None, seeds: int, workers: int, out: Path | None, as_json: bool) -> None:
    """Prove that tasks of SUITE can be solved by what agents see and do, with written solutions.

    Exit code 1 when a solution fails.
    """
    console = Console(stderr=as_json)
    chosen = open_suite(suite, seeds=seeds).select(tasks)
    with tempfile.TemporaryDirectory(prefix="refute-solve-") as scratch:
        result = asyncio.run(
            solve_suite(
                chosen,
                out or Path(scratch),
                workers=workers,
                on_line=lambda line: console.print(f"  {clean(line)}", highlight=False, markup=False),
            )
        )
    if as_json:
        print_json(result.model_dump())
    else:
        console.print(result.text(), highlight=False, markup=False)
    if result.failures:
        raise click.exceptions.Exit(1)


@click.command("coverage")
@click.argument("suite", default="miniwob", type=click.Choice(["miniwob"]))
@click.option("--tasks", metavar="GLOB", help="Only tasks whose name matches.")
@json_option
def coverage_command(*, suite: str, tasks: str | None, as_json: bool) -> None:
    """Look for interactive elements in SUITE that our observation cannot name, at the start and after a click.

    Exit code 1 when there is one.
    """
    console = Console(stderr=as_json)
    names = [name for name in NAMES if fnmatch.fnmatchcase(name, tasks or "*")]
    if not names:
        raise UserError(f"no task of {suite} matches {tasks!r}; it has {', '.join(NAMES[:8])}, …")
    result = asyncio.run(miniwob_coverage(names, on_line=lambda line: console.print(f"  {line}", style="dim")))
    if as_json:
        print_json(result.model_dump())
    else:
        console.print(result.text(), highlight=False, markup=False)
    if result.unreachable:
        raise click.exceptions.Exit(1)


@click.command("environment")
@click.option("--repeats", default=20, show_default=True, type=click.IntRange(2), help="Repeats a median.")
@click.option("--rows", multiple=True, type=click.Choice(ROWS), help="Only these pages; may be given several times.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the table in FILE, empty at first, written anew after every row: an interrupted run leaves its rows.",
)
@json_option
def environment_command(*, repeats: int, rows: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Time and weigh the browser room against BrowserGym, in one run on this machine."""
    console = Console(stderr=True)

    def keep(table: EnvironmentTable) -> None:
        if out is not None:
            write_whole(out, table.model_dump_json(indent=2) + "\n")

    def tell(table: EnvironmentTable) -> None:
        keep(table)
        if table.rows:
            console.print(table.text(), highlight=False, markup=False, soft_wrap=True)

    table = asyncio.run(
        environment_table(
            repeats=repeats,
            rows=rows or ROWS,
            on_line=lambda line: console.print(f"  {line}", style="dim", highlight=False, markup=False),
            on_rows=tell,
        )
    )
    keep(table)
    if as_json:
        print_json(table.model_dump())
    else:
        click.echo(table.text())
