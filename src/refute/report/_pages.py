"""Writes the pages: static files that need no server and no network; only a list of more than 100 needs a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from refute._errors import TraceError, UserError
from refute.report._environment import environment
from refute.report._episode import episode_view
from refute.report._index import PAGE, EpisodeLine, episode_lines, index_view
from refute.report._joined import JOINED, joined
from refute.report._listed import FIRST, listed
from refute.report._made_from import DOCTYPE, Sources, begins_with, mark
from refute.tables import Status, Tables, read_tables, stamp
from refute.trace import EVENTS, Trace, read_trace, write_whole


def write_report(out: Path) -> Path:
    """Write ``OUT/index.html`` for all runs below `out`, ``OUT/views.html`` with every view that has something to show
    (unless there is but one episode, and that of no known truth), and an ``index.html`` in each episode's folder.

    Reads traces only, so it can be written again at any time, also while a run goes on; pages that would be the same
    again, but for the index, stay as they are. Returns the index. Raises `UserError` when there is no run below `out`,
    or when a page cannot be written. A kill leaves every page whole: as it was, or as it is to be.
    """
    sources = Sources.of(out)
    tables = read_tables(out)
    lines = episode_lines(tables)
    for number_, line in enumerate(lines):
        before = lines[number_ - 1] if number_ else None
        after = lines[number_ + 1] if number_ + 1 < len(lines) else None
        _write_episode(line, tables, sources, before=before, after=after)
    views = any(episode.judged for episode in tables.episodes) or len(lines) > 1
    index = {
        **index_view(tables, lines),
        "title": _title(tables),
        "first": lines[:FIRST],
        "data": listed(tables, lines) if len(lines) > FIRST else "",
        "views": JOINED if views else "",
    }
    path = _write(out / PAGE, _render("index.html", index))
    if views:
        _write_views(tables, lines, sources)
    return path


def _write_episode(
    line: EpisodeLine, tables: Tables, sources: Sources, *, before: EpisodeLine | None, after: EpisodeLine | None
) -> None:
    """Rendering 10,000 pages takes minutes, and most of them never change. An episode that may still go on has a page
    without a mark, and so has one whose trace changed after its rows were read."""
    path, trace = line.row.folder / PAGE, line.row.folder / EVENTS
    made_from = sources.traces.get(line.row.folder) if line.row.status.final else None
    run = next((r for r in tables.runs if r.run == line.row.key.run), None)
    places = [other and other.href for other in (line, before, after)]
    start = mark(made_from, run and replace(run, folder=Path()), places, line.row.max_steps, line.picture)
    if made_from and begins_with(path, start):
        return
    page = _episode_page(line, tables, before=before, after=after).removeprefix(DOCTYPE)
    _write(path, (start if made_from and stamp(trace) == made_from else DOCTYPE) + page)


def _write_views(tables: Tables, lines: Sequence[EpisodeLine], sources: Sources) -> None:
    """Drawing all figures of many episodes takes long, and most reports change none of them. A page that lacks its
    figures has no mark, nor has one of files that changed after they were read."""
    path = tables.out / JOINED
    runs = [replace(run, folder=Path()) for run in tables.runs]
    start = sources.mark(tables.out, runs, [(line.row.key, line.href) for line in lines], _title(tables))
    if begins_with(path, start):
        return
    shown = joined(tables, lines)
    page = _render("views.html", {**shown, "title": _title(tables)}).removeprefix(DOCTYPE)
    whole = not shown["undrawn"] and Sources.of(tables.out) == sources
    _write(path, (start if whole else DOCTYPE) + page)


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
    try:
        write_whole(path, html, durable=False)
    except TraceError as error:
        raise UserError(f"{error}; the traces are kept, and the report can be written again") from error
    return path


def _title(tables: Tables) -> str:
    suites = sorted({run.suite for run in tables.runs if run.suite})
    return ", ".join(suites) if suites else tables.out.resolve().name
