"""Where the traces of episodes lie."""

from __future__ import annotations

from pathlib import Path

from refute.trace._recorder import EVENTS

REHEARSALS = "rehearsals"
"""Folder of an episode with the traces of its rehearsals, which belong to no figure."""


def episode_folders(out: Path) -> list[Path]:
    """The folders below `out` (or `out` itself) that hold the trace of an episode, sorted; rehearsals are none."""
    folders = (path.parent for path in out.rglob(EVENTS))
    return sorted(folder for folder in folders if REHEARSALS not in folder.relative_to(out).parts)
