"""What views say of judges: their verdicts apart by judge, and WRA by their word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from refute.metrics import Response, responses
from refute.report.views._tables import facts
from refute.report.views._view import Facts
from refute.tables import JudgedRow, Tables

NO_WRA = "no judge has read these runs: `refute judge RUNS`"
"""Why there is no WRA."""


def windows_by_judge(tables: Tables, judged: Iterable[JudgedRow]) -> Mapping[str, tuple[Response, ...]]:
    """For each judge of these episodes its word on every delivered revision; undecided windows are left out.

    `judged` may be about more episodes: by it judges are told apart.
    """
    keys = {episode.key for episode in tables.episodes}
    own = ((name, [row for row in rows if row.key in keys]) for name, rows in by_judge(judged))
    return {name: responses(tables, rows) for name, rows in own if rows}


def by_judge(judged: Iterable[JudgedRow]) -> list[tuple[str, list[JudgedRow]]]:
    """The rows of each judge. Where a name holds verdicts of several models, as folders that were judged apart may,
    each stands for itself."""
    found = tuple(judged)
    models: dict[str, set[str]] = {}
    for row in found:
        models.setdefault(row.judge, set()).update([row.model] if row.model else [])
    rows: dict[str, list[JudgedRow]] = {}
    for row in found:
        name = row.judge if len(models[row.judge]) < 2 else f"{row.judge} ({row.model or 'unreadable'})"
        rows.setdefault(name, []).append(row)
    return sorted(rows.items())


def judged_facts(tables: Tables, judged: Iterable[JudgedRow]) -> Facts:
    """A simulated judge makes its figures simulated, whoever acted."""
    known = facts(tables)
    return replace(known, simulated=known.simulated or any(row.simulated for row in judged))
