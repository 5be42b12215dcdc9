"""`refute bench report`: figures, views and pages of runs."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from refute._errors import UserError
from refute.cli._options import json_option, print_json
from refute.metrics import BUCKETS, Cost
from refute.report import (
    VIEWS,
    View,
    ViewOptions,
    latex,
    make_view,
    markdown,
    summary,
    summary_markdown,
    summary_table,
    terminal,
    view_csv,
    view_json,
    write_figures,
    write_report,
)
from refute.tables import read_all

FORMATS = ("table", "md", "latex", "csv", "json")


def _buckets(context: click.Context, option: click.Parameter, given: str | None) -> tuple[int, ...]:
    if given is None:
        return BUCKETS
    try:
        ends = tuple(int(part) for part in given.split(","))
    except ValueError:
        ends = ()
    if not ends or ends[0] < 1 or any(a >= b for a, b in pairwise(ends)):
        raise UserError(f"--buckets {given}: give rising numbers of steps, such as 5,10 (1–5, 6–10, 11 and more)")
    return ends


def _budgets(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Cost, float]:
    budgets: dict[Cost, float] = {}
    for text in given:
        name, _, value = text.partition("=")
        try:
            budget = float(value)
        except ValueError:
            budget = 0.0
        known = next((cost for cost in get_args(Cost) if cost == name), None)
        if known is None or not 0 < budget < inf:
            raise UserError(f"--budget {text}: give one of {', '.join(get_args(Cost))}, =, and a number above 0")
        budgets[known] = budget
    return budgets


@click.command("report")
@click.argument("folders", metavar="RUNS…", nargs=-1, required=True, type=click.Path(path_type=Path, file_okay=False))
@click.option("--view", type=click.Choice(list(VIEWS)), help="A question to be answered by tables and figures.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="Of a view.")
@click.option(
    "--figures",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Draw the view's figures into DIR, as SVG, PNG and PDF.",
)
@click.option(
    "--reference",
    default="",
    metavar="RUN",
    help="Run or agent that others are compared with, and whose steps tell how long a task is.",
)
@click.option("--buckets", callback=_buckets, metavar="N,N", help="Last steps of the task lengths.  [default: 5,10]")
@click.option(
    "--budget",
    "budgets",
    multiple=True,
    callback=_budgets,
    metavar="COST=B",
    help="B for cost efficiency on tokens, seconds or dollars; may be given again. Steps have 100.",
)
@click.option("--published", is_flag=True, help="Also what the papers' authors report, marked as theirs.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the main figures as a Markdown table.")
@json_option
def report_command(
    *,
    folders: tuple[Path, ...],
    view: str | None,
    form: str,
    figures: Path | None,
    reference: str,
    buckets: tuple[int, ...],
    budgets: dict[Cost, float],
    published: bool,
    as_markdown: bool,
    as_json: bool,
) -> None:
    """Report on all runs below RUNS.

    Without --view: the main figures on the terminal, and pages in RUNS/index.html. With --view: its tables in one of
    five forms, and its figures.
    """
    for place in folders:
        if not place.is_dir():
            raise UserError(f"{place} does not exist; `refute bench run … --out {place}` makes it")
    if as_markdown and as_json:
        raise UserError("--markdown and --json cannot be printed at once; choose one")
    if view is not None:
        options = ViewOptions(reference=reference, buckets=buckets, budgets=budgets, published=published)
        made = make_view(view, read_all(folders), options)
        print_view(made, "json" if as_json else "md" if as_markdown else form)
        if figures is not None:
            draw_figures(made, figures)
        return
    if figures is not None or form != "table":
        raise UserError(f"--figures and --format need --view NAME; views: {', '.join(VIEWS)}")
    folder, *others = folders
    if others:
        raise UserError("pages are written for one folder; several are joined by --view NAME only")
    if as_markdown:
        write_report(folder)
        click.echo(summary_markdown(summary(folder)), nl=False)
        return
    show_report(folder, Console(), as_json=as_json)


def print_view(view: View, form: str) -> None:
    """Print a view in one of `FORMATS`."""
    match form:
        case "json":
            print_json(view_json(view))
        case "md":
            click.echo(markdown(view), nl=False)
        case "latex":
            click.echo(latex(view), nl=False)
        case "csv":
            click.echo(view_csv(view), nl=False)
        case _:
            Console().print(terminal(view))


def draw_figures(view: View, folder: Path) -> None:
    """Draw a view's figures, and say on standard error where they are."""
    drawn = write_figures(view, folder)
    what = f"{len(drawn)} files in {folder}" if drawn else f"the view {view.name} has no figure for these runs"
    click.echo(f"Figures: {what}", err=True)


def show_report(out: Path, console: Console, *, as_json: bool = False) -> None:
    """Write the pages, and print the main figures as a table or as one JSON object."""
    page = write_report(out)
    figures = summary(out)
    if as_json:
        print_json(figures)
        return
    console.print(summary_table(figures))
    console.print(f"Report: {page.resolve()}", highlight=False, soft_wrap=True)
