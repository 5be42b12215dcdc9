"""`refute bench lint`: what is odd about records in InterruptBench's data format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from refute._errors import UserError
from refute.cli._options import json_option, print_json
from refute.cli._screen import clean, counted
from refute.suites.interruptbench import FILES, Linted, Severity, lint, read_records, record_files, webarena_tasks

_STYLES = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.UNSURE: "dim"}
_HEADS = ("file", "task", "line", "update", "severity", "what", "why")


@click.command("lint")
@click.argument("place", metavar="PATH", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--severity",
    type=click.Choice([severity.value for severity in Severity]),
    default=Severity.WARNING.value,
    show_default=True,
    help="Show findings that are at least as sure.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="WebArena-Lite's configuration, to compare final intents with; found by itself in a copy of the repository.",
)
@json_option
def lint_command(*, place: Path, severity: str, config: Path | None, as_json: bool) -> None:
    """Find updates that change nothing or are mislabelled, in a file or folder of InterruptBench's data.

    PATH is a JSON file, a folder of such files, or a copy of the benchmark's repository. The rules compare words: an
    `error` is certain, a `warning` is strong, `unsure` may be a paraphrase.

    \b
    Exit codes: 1 when there is an error, else 0.
    """
    files, found_config = record_files(place)
    if not files:
        raise UserError(f"{place} holds none of {', '.join(f'{name}.json' for name in FILES)}; name a file")
    config = config or found_config
    originals = webarena_tasks(config) if config is not None else None
    found = [lint(path.stem, read_records(path), originals) for path in files]
    shown = list(Severity)[: list(Severity).index(Severity(severity)) + 1]
    if as_json:
        print_json(_json(found, compared=originals is not None))
    else:
        _print(found, shown, Console(), compared=originals is not None)
    if any(finding.severity is Severity.ERROR for one in found for finding in one.findings):
        raise click.exceptions.Exit(1)


def _json(found: Sequence[Linted], *, compared: bool) -> dict[str, Any]:
    return {
        "compared_with_tasks": compared,
        "files": [
            one.model_dump(mode="json", exclude={"findings"}) | {"counts": _counts([one]), "sure": _sure(one)}
            for one in found
        ],
        "findings": [finding.model_dump(mode="json") for one in found for finding in one.findings],
    }


def _counts(found: Iterable[Linted]) -> dict[str, dict[str, int]]:
    """Findings by rule and severity."""
    counts: dict[str, Counter[str]] = {}
    for finding in (finding for one in found for finding in one.findings):
        counts.setdefault(finding.rule.value, Counter())[finding.severity.value] += 1
    return {rule: dict(by) for rule, by in sorted(counts.items())}


def _sure(one: Linted) -> int:
    """Updates with an error or a warning."""
    return len({(f.row, f.update) for f in one.findings if f.update and f.severity is not Severity.UNSURE})


def _print(found: Sequence[Linted], shown: Sequence[Severity], console: Console, *, compared: bool) -> None:
    rows = [finding for one in found for finding in one.findings if finding.severity in shown]
    if rows:
        table = Table(*_HEADS, box=None, header_style="bold", pad_edge=False)
        for f in rows:
            cells = (f.file, f.task_id, str(f.line), str(f.update or ""), f.severity.value, f.rule.value, f.reason)
            table.add_row(*(clean(cell) for cell in cells), style=_STYLES[f.severity])
        console.print(table, markup=False)
    for one in found:
        types = ", ".join(f"{number} {kind}" for kind, number in one.types.items())
        unsure = sum(finding.severity is Severity.UNSURE for finding in one.findings)
        console.print(
            f"{clean(one.file)}: {counted(one.rows, 'row')}, {counted(one.updates, 'update')} ({types}); "
            f"{counted(_sure(one), 'update')} with a warning or an error, {counted(unsure, 'unsure finding')}",
            highlight=False,
            markup=False,
        )
    if not compared:
        console.print("  final intents were not compared with the original tasks: give --config FILE", style="dim")
