"""The bundled sites, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from refute._errors import UserError
from refute.agents import Skill
from refute.arena._environment import Progress, quiet
from refute.arena._mutant import Mutant
from refute.arena._simulated_settings import MistakeRates, Noise
from refute.arena._simulated_site import Truth
from refute.arena._site import Instance, Oracle, World
from refute.arena.shop import Shop
from refute.goals import Task
from refute.llm import Backend
from refute.trace import Recorder


class Site(Protocol):
    """An application that can be set up once and launched many times."""

    name: str
    editions: int
    """How many seeded states there are to begin with: seeds that are equal modulo this number give the same one."""

    def ready(self) -> bool:
        """Whether `setup` was done for this version."""
        ...

    async def setup(self, progress: Progress = quiet) -> None:
        """Prepare it on this machine; does nothing when that was done. Raises `SiteError`."""
        ...

    async def build(self, out: Path, progress: Progress = quiet) -> None:
        """Make the seeded state anew and write it to the file `out`. Raises `SiteError`."""
        ...

    async def launch(self) -> Instance:
        """Start an instance of its own. Raises `UserError` before `setup`, `SiteError` when it does not start."""
        ...

    def tasks(self) -> tuple[Task, ...]:
        """The dynamic tasks that run on it."""
        ...

    def skills(self) -> tuple[Skill, ...]:
        """Procedures for agents that reuse skills; some may be stale."""
        ...

    def oracle(self, task: Task, world: World, route: int = 0) -> Oracle:
        """Who knows the way, for one episode of `task`; on route 1 by other pages or in another order."""
        ...

    def truth(self, task: Task, world: World) -> Truth:
        """What the site knows about `task`, as the simulated model's planner is told it."""
        ...

    def mutants(self, task: Task, world: World) -> tuple[Mutant, ...]:
        """Ends of `task` that are wrong in one way each, and one control, for the instance that `world` tells of."""
        ...

    def simulated(
        self,
        task: Task,
        world: World,
        *,
        recorder: Recorder,
        seed: int,
        rates: MistakeRates | None = None,
        noise: Noise | None = None,
    ) -> Backend:
        """The simulated model for one episode of `task`; its mistakes are recorded by `recorder`."""
        ...


SITES: Mapping[str, Callable[[], Site]] = {"shop": Shop}


def site(name: str) -> Site:
    """The bundled site called `name`. Raises `UserError` for an unknown one."""
    if name not in SITES:
        raise UserError(f"there is no site {name!r}; bundled are: {', '.join(sorted(SITES))}")
    return SITES[name]()
