"""Task files: one TOML file per task, or one JSON object a line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from refute._errors import UserError
from refute.goals._task import Task


def read_task(path: Path) -> Task:
    """Read one task file (``.toml`` or ``.json``). Raises `UserError` that names the file, the field and the cure."""
    try:
        raw = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read the task file {path}: {error}") from error
    return _parse(raw, path)


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """Read every task file below `folder`, sorted by id. Raises `UserError` also when two tasks share an id."""
    paths: Iterable[Path] = sorted([*folder.rglob("*.toml"), *folder.rglob("*.json")])
    tasks: dict[str, Task] = {}
    for path in paths:
        task = read_task(path)
        key = task.id.casefold()  # each has a folder of that name, and some file systems know no case
        if key in tasks:
            raise UserError(f"{path}: another task in {folder} already has the id {tasks[key].id!r}")
        tasks[key] = task
    if not tasks:
        raise UserError(f"no task files (*.toml, *.json) in {folder}")
    return tuple(sorted(tasks.values(), key=lambda task: task.id))


def _parse(raw: str, path: Path) -> Task:
    try:
        if path.suffix == ".toml":
            return Task.model_validate(tomllib.loads(raw))
        return Task.model_validate_json(raw)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}") from error
    except ValidationError as error:
        lines = [f"{path} is not a task:"]
        for problem in error.errors()[:8]:
            where = ".".join(str(part) for part in problem["loc"]) or "task"
            lines.append(f"  {where}: {problem['msg'].removeprefix('Value error, ')}")
        raise UserError("\n".join(lines)) from error
