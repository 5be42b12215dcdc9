"""What joins the tables."""

from __future__ import annotations

from typing import NamedTuple


class EpisodeKey(NamedTuple):
    """Joins the tables: the folder names below ``OUT``, so that no two episodes share one."""

    run: str
    task: str
    repeat: int
