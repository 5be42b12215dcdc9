"""Writes the pages: static files that need no server and no network; only a list of more than 100 needs a script."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from refute._errors import TraceError, UserError
from refute.report._environment import environment
from refute.report._episode import episode_view
from refute.report._index import PAGE, EpisodeLine, episode_lines, index_view
from refute.report._joined import JOINED, joined
from refute.report._listed import FIRST, listed
from refute.tables import Status, Tables, read_tables, stamp
from refute.trace import EVENTS, Trace, read_trace, write_whole


def write_report(out: Path) -> Path:
    """Write ``OUT/index.html`` for all runs below `out`, ``OUT/views.html`` with every view that has something to show
    (unless there is but one episode, and that of no known truth), and an ``index.html`` in each episode's folder.

    Reads traces only, so it can be written again at any time, also while a run goes on; pages of episodes that show
    what they would show again stay as they are. Returns the index. Raises `UserError` when there is no run below `out`,
    or when a page cannot be written. A kill leaves every page whole: as it was, or as it is to be.
    """
    tables = read_tables(out)
    lines = episode_lines(tables)
    for number_, line in enumerate(lines):
        before = lines[number_ - 1] if number_ else None
        after = lines[number_ + 1] if number_ + 1 < len(lines) else None
        _write_episode(line, tables, before=before, after=after)
    views = any(episode.judged for episode in tables.episodes) or len(lines) > 1
    if views:
        _write(out / JOINED, _render("views.html", {**joined(tables, lines), "title": _title(tables)}))
    index = {
        **index_view(tables, lines),
        "title": _title(tables),
        "first": lines[:FIRST],
        "data": listed(tables, lines) if len(lines) > FIRST else "",
        "views": JOINED if views else "",
    }
    return _write(out / PAGE, _render("index.html", index))


def _write_episode(line: EpisodeLine, tables: Tables, *, before: EpisodeLine | None, after: EpisodeLine | None) -> None:
    path = line.row.folder / PAGE
    mark = _mark(line, tables, before=before, after=after)
    if mark and _begins_with(path, mark):
        return
    page = _episode_page(line, tables, before=before, after=after).removeprefix(_DOCTYPE)
    _write(path, (mark or _DOCTYPE) + page)


_DOCTYPE = "<!doctype html>\n"


def _mark(line: EpisodeLine, tables: Tables, *, before: EpisodeLine | None, after: EpisodeLine | None) -> str:
    """How a page begins that was made from just this: the trace and the program, the run, and the pages beside it.

    Rendering 10,000 pages takes minutes, and most of them never change. Empty for an episode that may still go on.
    """
    made_from = stamp(line.row.folder / EVENTS) if line.row.status.final else None
    if made_from is None:
        return ""
    run = next((r for r in tables.runs if r.run == line.row.key.run), None)
    places = [other and other.href for other in (line, before, after)]
    known = repr((made_from, run and replace(run, folder=Path()), places, line.row.max_steps, line.picture))
    return f"{_DOCTYPE}<!-- {hashlib.sha256(known.encode('utf-8', 'replace')).hexdigest()} -->\n"


def _begins_with(path: Path, mark: str) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(mark)) == mark.encode()
    except OSError:
        return False


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
