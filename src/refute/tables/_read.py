"""A folder of runs into tables."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from refute._errors import TraceError, UserError
from refute.tables._episode import episode_tables
from refute.tables._kept import keep_rows, kept_rows, stamp
from refute.tables._keys import EpisodeKey
from refute.tables._rows import EpisodeRow, RunRow, Status
from refute.tables._tables import Tables
from refute.trace import EVENTS, episode_folders, folders_with, read_trace

RUN = "run.json"


def read_tables(out: Path) -> Tables:
    """Every run below `out` (``OUT/<run-id>/run.json`` and ``OUT/<run-id>/<task>/<repeat>/events.jsonl``) as rows.

    `out` may also be the folder of a single run. A broken trace or ``run.json`` becomes a row with an error, and the
    rest is kept. Raises `UserError` when there is nothing to read.
    """
    if not out.is_dir():
        raise UserError(f"no folder {out}; `refute bench run … --out {out}` makes one")
    folders = sorted(episode_folders(out), key=_by_number)
    runs = set(folders_with(RUN, out)) | {f.parent.parent for f in folders if _depth(f, out) >= 2}
    if not runs:
        raise UserError(
            f"no runs in {out}: neither a {RUN} nor an {EVENTS}; `refute bench run … --out {out}` writes them"
        )
    parts = [_episode(folder, out) for folder in folders if folder.parent.parent in runs]
    episodes = [e for part in parts for e in part.episodes]
    by_run: defaultdict[str, list[EpisodeRow]] = defaultdict(list)
    for episode in episodes:
        by_run[episode.key.run].append(episode)
    rows = [_run(folder, out, by_run[_name(folder, out)]) for folder in runs]
    limits = {r.run: r.max_steps for r in rows}
    return replace(
        Tables.joined(out, parts),
        runs=tuple(sorted(rows, key=lambda r: (r.created, r.run))),
        episodes=tuple(_limited(e, limits[e.key.run]) for e in episodes),
    )


def read_all(folders: Sequence[Path]) -> Tables:
    """The runs below several folders in one set of tables; `out` is the first. One folder is read as it is.

    With several, the name of a folder (and its number where two share it) stands before the names of its runs. Raises
    `UserError` for a folder without runs, or one that is given twice.
    """
    first, *others = folders
    if not others:
        return read_tables(first)
    places = [folder.resolve() for folder in folders]
    if len(set(places)) < len(places):
        raise UserError("a folder is given twice; its episodes would count twice")
    names = [place.name for place in places]
    parts = [
        read_tables(folder).moved(f"{name}/" if names.count(name) == 1 else f"{name}-{number}/")
        for number, (folder, name) in enumerate(zip(folders, names, strict=True), start=1)
    ]
    return Tables.joined(first, parts)


def _limited(episode: EpisodeRow, steps: int | None) -> EpisodeRow:
    return episode if steps is None or steps == episode.max_steps else replace(episode, max_steps=steps)


def _by_number(folder: Path) -> tuple[str, str, int, str]:
    number = int(folder.name) if folder.name.isdecimal() else 0
    return (str(folder.parent.parent), folder.parent.name, number, folder.name)


def _depth(folder: Path, out: Path) -> int:
    return len(folder.relative_to(out).parts)


def _name(run: Path, out: Path) -> str:
    return run.name if run == out else run.relative_to(out).as_posix()


def _episode(folder: Path, out: Path) -> Tables:
    repeat = int(folder.name) if folder.name.isdecimal() else 0
    key = EpisodeKey(_name(folder.parent.parent, out), folder.parent.name, repeat)
    before = stamp(folder / EVENTS)
    rows = kept_rows(folder, key, before, out=out) if before is not None else None
    if rows is not None:
        return rows
    rows = _read(folder, key, out=out)
    # A trace that still grows is not kept: two writes may share one time of change.
    if before is not None and rows.episodes[0].status.final and stamp(folder / EVENTS) == before:
        keep_rows(folder, rows, before)
    return rows


def _read(folder: Path, key: EpisodeKey, *, out: Path) -> Tables:
    try:
        return episode_tables(read_trace(folder), key, out=out)
    except (TraceError, ValueError, TypeError, RecursionError) as error:
        why = _short(error).replace(f"{folder}{os.sep}", "")  # A report may travel: it names no folder of this machine.
        row = EpisodeRow(key=key, folder=folder, status=Status.UNREADABLE, task=key.task, error=why)
        return Tables(out=out, episodes=(row,))


def _run(folder: Path, out: Path, episodes: list[EpisodeRow]) -> RunRow:
    row = RunRow(
        run=_name(folder, out),
        folder=folder,
        agent=_first(e.agent for e in episodes),
        model=_first(e.model for e in episodes),
        seed=next((e.seed for e in episodes if e.seed is not None), None),
        simulated=any(e.simulated for e in episodes),
    )
    try:
        data: Any = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return replace(row, error=f"{RUN} cannot be used: {_short(error)}")
    if not isinstance(data, dict):
        return replace(row, error=f"{RUN} cannot be used: it holds no object")
    settings = cast(dict[str, Any], data)
    seed, steps = settings.get("seed"), settings.get("max_steps")
    return replace(
        row,
        suite=_text(settings, "suite"),
        agent=_text(settings, "agent") or row.agent,
        model=_text(settings, "model") or row.model,
        strategy=_text(settings, "strategy"),
        trigger=_text(settings, "trigger"),
        deliver=_text(settings, "deliver") or row.deliver,
        created=_text(settings, "created"),
        faults=_texts(settings, "faults"),
        seed=seed if isinstance(seed, int) else row.seed,
        simulated=bool(settings.get("simulated")) or row.simulated,
        max_steps=steps if isinstance(steps, int) and steps > 0 else None,
        settings=settings,
    )


def _first(texts: Iterable[str]) -> str:
    return next((text for text in texts if text), "")


def _text(settings: dict[str, Any], name: str) -> str:
    value = settings.get(name)
    return "" if value is None or isinstance(value, dict | list) else str(cast(object, value))


def _texts(settings: dict[str, Any], name: str) -> tuple[str, ...]:
    value = settings.get(name)
    return tuple(str(item) for item in cast(list[object], value)) if isinstance(value, list) else ()


def _short(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if len(text) <= 400 else f"{text[:400]}…"
