"""What a suite is: tasks, and places where their episodes begin. `run` sees no more of it than this."""

from __future__ import annotations

import fnmatch
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from refute._errors import UserError
from refute.agents import Library
from refute.arena import Faulty, Oracle, Site, World
from refute.browser import BrowserHost, Done, Infeasible, Session
from refute.goals import Task
from refute.revisions import TriggerMode
from refute.trace import Recorder

Look = Callable[[Done | Infeasible | None], Awaitable[bool]]
"""Brings a world up to date where the truth lies in the page; called after each observation and, with how the agent
ended it, at the end. Returns True when the suite itself has ended the episode."""


async def nothing_new(ended: Done | Infeasible | None) -> bool:
    """The look of a world that reads the truth by itself, and never ends an episode."""
    return False


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What a suite knows about one episode."""

    world: World
    oracle: Oracle | None = None
    look: Look = nothing_new
    faulty: Faulty | None = None
    """Serves faults, where the site can; to be told which before the first page is opened."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """An episode about to begin.

    `task` is the task as it reads now: some suites draw the instruction when the page is there. `start_url` is where
    the agent begins; empty = the session is there already. `reopen` opens another session that begins as the first one
    did, with its cookies and nothing that came later; None = this suite cannot. It raises a `BrowserError`.
    """

    task: Task
    session: Session
    ground: Ground
    start_url: str = ""
    reopen: Callable[[], Awaitable[Session]] | None = None


class Place(Protocol):
    """Where one episode at a time runs: a running site, a server of pages, a child process."""

    @property
    def origin(self) -> str:
        """Scheme, host and port, without a trailing slash; empty where there is no one address."""
        ...

    async def start(self, host: BrowserHost, task: Task, recorder: Recorder) -> Start:
        """A fresh start of `task`; what is recorded later goes to `recorder`. Raises `SiteError`, `BrowserError`."""
        ...

    async def check(self) -> None:
        """Raise `SiteError` when what runs here is gone: an agent would take it for a broken page."""
        ...

    async def close(self) -> None:
        """End what runs."""
        ...


@dataclass(frozen=True, kw_only=True)
class Suite:
    """A named set of tasks, and how to get a place for them.

    `launch` raises `UserError` before the suite was set up on this machine. `site` is the bundled site underneath, if
    there is one: it brings an oracle, skills and a simulated model. `loopback_only`: no page reaches another machine.
    """

    name: str
    tasks: tuple[Task, ...]
    launch: Callable[[], Awaitable[Place]]
    site: Site | None = None
    loopback_only: bool = True
    unusable: Mapping[TriggerMode, str] = field(default_factory=dict[TriggerMode, str])
    """Triggers that its tasks cannot be run with, and what to tell who tries."""
    left_out: tuple[str, ...] = ()
    """What the source of its tasks holds and no task could be made of, each with why."""
    learned: Library | None = None
    """The library that agents recall from, instead of the hand-written skills of the suite."""

    def with_library(self, library: Library) -> Suite:
        """The same suite for agents that recall from `library` and nothing else: any library, from any suite."""
        return replace(self, learned=library)

    def of_split(self, split: str) -> Suite:
        """The same suite with the tasks of one split. Raises `UserError` when it has none."""
        tasks = tuple(task for task in self.tasks if task.split == split)
        if not tasks:
            raise UserError(f"{self.name} has no tasks of the split {split!r}")
        return replace(self, tasks=tasks)

    def select(self, glob: str | None) -> Suite:
        """The same suite with the tasks whose id matches `glob`. Raises `UserError` when none does."""
        if glob is None:
            return self
        tasks = tuple(task for task in self.tasks if fnmatch.fnmatchcase(task.id, glob))
        if not tasks:
            raise UserError(
                f"no task of {self.name} matches {glob!r}; it has {', '.join(t.id for t in self.tasks[:8])}, …"
            )
        return replace(self, tasks=tasks)

    def one_each(self) -> Suite:
        """The same suite with the first task of each template: to look around in minutes."""
        first = {task.template: task for task in reversed(self.tasks)}
        return replace(self, tasks=tuple(task for task in self.tasks if first[task.template] is task))

    @property
    def library(self) -> Library:
        """What agents recall from: the library that was given, else the suite's hand-written skills."""
        if self.learned is not None:
            return self.learned
        return Library(skills=self.site.skills()) if self.site is not None else Library()

    def known(self) -> Site:
        """The bundled site underneath. Raises `UserError` where there is none: no oracle, no simulated model."""
        if self.site is None:
            raise UserError(
                f"{self.name} has neither a simulated model nor proofs: those are known for arena:… suites; "
                "give --model openai-chat:NAME"
            )
        return self.site
