"""Writes the pages: static files that need no server and no network, and no script to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from refute._errors import TraceError, UserError
from refute.report._environment import environment
from refute.report._episode import episode_view
from refute.report._index import PAGE, EpisodeLine, episode_lines, index_view
from refute.tables import Status, Tables, read_tables
from refute.trace import Trace, read_trace


def write_report(out: Path) -> Path:
    """Write ``OUT/index.html`` for all runs below `out`, and an ``index.html`` in each episode's folder.

    Reads traces only, so it can be written again at any time, also while a run goes on. Returns the index. Raises
    `UserError` when there is no run below `out`, or when a page cannot be written.
    """
    tables = read_tables(out)
    lines = episode_lines(tables)
    for number_, line in enumerate(lines):
        before = lines[number_ - 1] if number_ else None
        after = lines[number_ + 1] if number_ + 1 < len(lines) else None
        _write(line.row.folder / PAGE, _episode_page(line, tables, before=before, after=after))
    return _write(out / PAGE, _render("index.html", {**index_view(tables, lines), "title": _title(tables)}))


def _episode_page(line: EpisodeLine, tables: Tables, *, before: EpisodeLine | None, after: EpisodeLine | None) -> str:
    try:
        return _render("episode.html", episode_view(line, tables, _trace(line), before=before, after=after))
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        why = f"the trace holds values that cannot be shown: {error}"
        broken = replace(line, row=replace(line.row, status=Status.UNREADABLE, error=why))
        return _render("episode.html", episode_view(broken, tables, None, before=before, after=after))


def _render(template: str, variables: Mapping[str, Any]) -> str:
    return environment().get_template(template).render(variables)


def _trace(line: EpisodeLine) -> Trace | None:
    if line.row.status is Status.UNREADABLE:
        return None
    try:
        return read_trace(line.row.folder)
    except (TraceError, ValueError, TypeError, RecursionError):
        return None  # It broke after the tables were read; the page shows what those hold.


def _write(path: Path, html: str) -> Path:
    part = path.with_name(f".{path.name}.part")
    try:
        # Lone surrogates can come out of a page's JSON; they have no place in a file.
        part.write_bytes(html.encode("utf-8", errors="replace"))
        part.replace(path)
    except OSError as error:
        raise UserError(
            f"cannot write the report page {path}: {error.strerror}; the traces are kept, "
            "and the report can be written again"
        ) from error
    return path


def _title(tables: Tables) -> str:
    suites = sorted({run.suite for run in tables.runs if run.suite})
    return ", ".join(suites) if suites else tables.out.resolve().name
