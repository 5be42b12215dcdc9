"""Where the traces of episodes lie."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from refute.trace._recorder import DOWNLOADS, EVENTS, SHOTS

REHEARSALS = "rehearsals"
"""Folder of an episode with the traces of its rehearsals, which belong to no figure."""


def episode_folders(out: Path) -> list[Path]:
    """The folders below `out` (or `out` itself) that hold the trace of an episode, sorted; rehearsals are none."""
    return sorted(folders_with(EVENTS, out))


def folders_with(name: str, out: Path) -> Iterator[Path]:
    """The folders below `out`, or `out` itself, that hold a file `name`; none of an episode's rehearsals, pictures or
    downloads. What cannot be looked into is passed over, and links to folders are not followed."""
    for place, folders, files in os.walk(out):
        inside = (REHEARSALS, SHOTS, DOWNLOADS) if EVENTS in files else (REHEARSALS,)
        folders[:] = [folder for folder in folders if folder not in inside]
        if name in files:
            yield Path(place)
