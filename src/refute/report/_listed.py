"""The list of episodes as data: a script draws the lines that are looked at, so that any number opens at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from refute.report._index import PAGE, EpisodeLine, link
from refute.tables import Status, Tables, TaskKind
from refute.trace import SHOTS

FIRST = 100
"""Lines that stand in the page itself; where there are more, all of them are data."""
TITLES = 1_000_000
"""Characters of all instructions together; where they are longer, each is cut to its share."""
LONGEST = 160
_GROUPS = ("met", "unmet", "unjudged", "error", "open")
_KINDS = tuple(TaskKind)
_ENDS = tuple(Status)


def listed(tables: Tables, lines: Sequence[EpisodeLine]) -> Markup:
    """JSON for a script element: `runs` (addresses), `tasks` (name and instruction), the words of what is numbered, and
    in `rows` for each episode what index.js names there, in that order."""
    bases = [link(tables.out, run.folder) for run in tables.runs]
    pairs = dict.fromkeys((line.row.task, line.row.title) for line in lines)
    letters = min(LONGEST, TITLES // max(1, len(pairs)))
    numbers = {pair: number for number, pair in enumerate(pairs)}
    data = {
        "runs": bases,
        "tasks": [(task, f"{title[:letters]}…" if len(title) > letters else title) for task, title in pairs],
        "groups": _GROUPS,
        "kinds": _KINDS,
        "ends": _ENDS,
        "rows": [_row(line, numbers[line.row.task, line.row.title], bases[line.run]) for line in lines],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Inside a script element nothing is unescaped, so that no letter may begin a tag or a comment.
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))  # noqa: S704


def _row(line: EpisodeLine, task: int, base: str) -> tuple[Any, ...]:
    row = line.row
    usual = f"{base}/{quote(row.task, safe='')}/{row.key.repeat}/"
    folder = line.href.removesuffix(PAGE)
    shots = f"{folder}{SHOTS}/"
    return (
        task,
        row.key.repeat,
        line.run,
        _GROUPS.index(line.group),
        _KINDS.index(row.kind),
        "".join(tone for tone, _ in line.pips),
        row.delivered,
        row.revisions,
        row.forced,
        row.steps,
        row.max_steps,
        row.repairs,
        row.tokens,
        _ENDS.index(row.status),
        line.picture.removeprefix(shots) if line.picture.startswith(shots) else "",
        "" if folder == usual else folder,
    )
