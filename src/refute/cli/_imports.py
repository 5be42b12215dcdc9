"""Options of imported suites."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from rich.console import Console

from refute.cli._screen import clean, counted
from refute.suites import DATA, Import, Suite

F = TypeVar("F", bound=Callable[..., Any])


def import_options(command: F) -> F:
    """``--data``, ``--milestones``, ``--on``, ``--strict``.

    The command takes them as one argument ``imported: Import | None``: None where none of them is given.
    """

    @wraps(command)
    def collected(**arguments: Any) -> object:
        data, milestones, on, strict = (arguments.pop(name) for name in ("data", "milestones", "on", "strict"))
        chosen = Import(data=data, milestones=milestones, strict=strict, **({"on": on} if on is not None else {}))
        return command(**arguments, imported=None if chosen == Import() else chosen)

    wrapped = cast("F", collected)
    for option in (
        click.option("--strict", is_flag=True, help="For interruptbench: a row that makes no task is an error."),
        click.option(
            "--on",
            metavar="SUITE",
            help=f"For interruptbench: the suite whose tasks the records were made from.  [default: {Import().on}]",
        ),
        click.option(
            "--milestones",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="For interruptbench: JSONL with the milestones of each task, for revisions that come by what the "
            "agent has achieved.",
        ),
        click.option(
            "--data",
            type=click.Path(path_type=Path, file_okay=False),
            help=f"For interruptbench: folder of its data, a copy of its repository (or {DATA}).",
        ),
    ):
        wrapped = option(wrapped)
    return wrapped


SHOWN = 5
"""Rows that are named before a run; `--strict` names all."""


def tell_left_out(suite: Suite, console: Console) -> None:
    """Say which rows of a suite's source make no task."""
    if not suite.left_out:
        return
    console.print(f"  {suite.name}: {counted(len(suite.left_out), 'row')} without a task", style="yellow")
    for line in suite.left_out[:SHOWN]:
        console.print(f"    {clean(line)}", style="yellow", markup=False, highlight=False, soft_wrap=True)
    if len(suite.left_out) > SHOWN:
        console.print(f"    … and {len(suite.left_out) - SHOWN} more: --strict names them all", style="yellow")
