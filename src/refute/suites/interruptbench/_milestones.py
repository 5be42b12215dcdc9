"""Milestones for imported tasks, which the published records do not have: a file of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refute._errors import UserError
from refute.suites.interruptbench._records import Record

EXAMPLE = '{"file": "2update", "task_id": 3, "milestones": ["The search has results.", "A product is open."]}'


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: int | str
    file: str = Field(default="", description="of which file's task; empty = of every file's")
    milestones: tuple[str, ...] = Field(min_length=1)


Milestones = Mapping[tuple[str, str], tuple[str, ...]]
"""By file (empty = any) and task_id: what the page shows when each update is due."""


def read_milestones(path: Path) -> Milestones:
    """Milestones from a JSONL file. Raises `UserError` that names the line and what a line looks like."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a text may hold other ends of a line
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the milestones in {path}: {error}") from error
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = _Row.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            where = ".".join(str(part) for part in problem["loc"]) or "line"
            raise UserError(f"{path}, line {number}: {where}: {problem['msg']}; a line looks like {EXAMPLE}") from error
        if any(not text.strip() for text in row.milestones):
            raise UserError(f"{path}, line {number}: a milestone is empty; say in words what the page shows then")
        key = (row.file, str(row.task_id))
        if key in found:
            raise UserError(f"{path}, line {number}: an earlier line has the milestones of task {row.task_id} already")
        found[key] = row.milestones
    return found


def milestones_of(record: Record, milestones: Milestones) -> tuple[str, ...]:
    """The milestones of a record's updates. Raises `ValueError` that says why there are none."""
    texts = milestones.get((record.file, record.task_id)) or milestones.get(("", record.task_id))
    if texts is None:
        raise ValueError("the milestones file has no line for it")
    if len(texts) != len(record.updates):
        raise ValueError(f"the milestones file has {len(texts)} milestone(s) for {len(record.updates)} update(s)")
    return texts
