"""The shop's task files."""

from __future__ import annotations

from pathlib import Path

from refute.goals import Task, read_tasks

TASKS = Path(__file__).parent / "tasks"


def load_tasks() -> tuple[Task, ...]:
    """Every dynamic task of the shop, sorted by id. Raises `UserError` when a packaged file is broken."""
    return read_tasks(TASKS)
