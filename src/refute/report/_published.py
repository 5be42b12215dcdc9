"""What the papers' authors report: data files with their source, shown only when asked for, and never as ours."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

_FOLDER = Path(__file__).with_name("published")

Paper = Literal["fcpagent", "dynarev"]


class PublishedTable(BaseModel):
    """A table of a paper, or what its text tells of a figure. Null = the paper's text does not state it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    """Where it stands, what it is, and its unit."""
    columns: tuple[str, ...]
    rows: dict[str, tuple[float | None, ...]]

    def value(self, row: str, column: str) -> float:
        """One figure. Raises `KeyError` or `ValueError` when it is not stated."""
        found = self.rows[row][self.columns.index(column)]
        if found is None:
            raise ValueError(f"{self.source}: no figure for {row}, {column}")
        return found


class _PublishedPaper(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    title: str
    tables: dict[str, PublishedTable]


def published(paper: Paper, table: str) -> PublishedTable:
    """A table by its number: ``published("fcpagent", "table2")``. Raises `KeyError` for one that is not there."""
    return _read(paper).tables[table]


@cache
def _read(paper: Paper) -> _PublishedPaper:
    return _PublishedPaper.model_validate_json((_FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
