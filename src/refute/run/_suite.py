"""Suites by name: where tasks come from and on what ground they run."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from refute._errors import UserError
from refute.arena import SITES, Site, site
from refute.goals import Task


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A named set of tasks on one site."""

    name: str
    tasks: tuple[Task, ...]
    site: Site

    def select(self, glob: str | None) -> Suite:
        """The same suite with the tasks whose id matches `glob`. Raises `UserError` when none does."""
        if glob is None:
            return self
        tasks = tuple(task for task in self.tasks if fnmatch.fnmatchcase(task.id, glob))
        if not tasks:
            raise UserError(
                f"no task of {self.name} matches {glob!r}; it has {', '.join(t.id for t in self.tasks[:8])}, …"
            )
        return Suite(name=self.name, tasks=tasks, site=self.site)


def suite_names() -> tuple[str, ...]:
    """Every suite that this build can run."""
    return tuple(f"arena:{name}" for name in SITES)


def open_suite(name: str) -> Suite:
    """The suite called `name`, such as ``arena:shop``. Raises `UserError` that lists the known ones."""
    if name not in suite_names():
        raise UserError(f"unknown suite {name!r}; known: {', '.join(suite_names())}")
    ground = site(name.removeprefix("arena:"))
    return Suite(name=name, tasks=ground.tasks(), site=ground)
