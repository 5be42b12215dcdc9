"""What a bundled site is: an application that others wrote, in an environment and process of its own.

The harness leases one instance per concurrent episode, resets it before each, and asks its world for the truth.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from refute.arena._fault import Faulty
from refute.browser import Action, Observation
from refute.goals import Constraint, Finding, Reference, Task


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What has been seen up to some moment: the page in front, and every address visited so far, that one included.

    Where a server answered with an error page, the address was not visited.
    """

    observation: Observation
    visited: tuple[str, ...] = ()

    @property
    def here(self) -> str:
        """The address of the page in front; empty where a server answered with an error page."""
        return "" if self.observation.failed else self.observation.url


@dataclass(frozen=True, kw_only=True)
class EndState:
    """Where an episode ended, as validators need it."""

    seen: Seen
    message: str
    """The agent's final message; empty when it never claimed to be done."""
    active: tuple[Constraint, ...]
    """The constraints that count (all revisions applied, true branches)."""


class World(Protocol):
    """A site's truth during one episode. Reads the database; never writes."""

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        """Whether a milestone's or condition's predicate is true now. Raises `UserError` for an unknown name."""
        ...

    def branches(self, task: Task, seen: Seen) -> Mapping[str, bool]:
        """How each condition of `task` really comes out, by condition id."""
        ...

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        """The verdict on one constraint. Raises `UserError` for an unknown validator."""
        ...

    def damage(self, task: Task, end: EndState) -> Sequence[str]:
        """Side effects that no constraint of the task asks for, one line each."""
        ...


class Instance(Faulty, Protocol):
    """A running copy of a site with a database of its own. A reset ends all faults, and forgets their log."""

    origin: str
    """Scheme, host and port, without a trailing slash; always loopback."""

    async def reset(self, seed: int = 0) -> None:
        """Back to a seeded state, without a restart: all that `seed` decides, and nothing of what was done since.

        Equal seeds give equal states. How many different ones there are is the site's choice. Raises `SiteError`.
        """
        ...

    async def keep(self) -> None:
        """Remember the present state, in the place of one that was kept before. Raises `SiteError`."""
        ...

    async def go_back(self) -> None:
        """To the state that was kept last, as `reset` goes back to a seeded one. Raises `SiteError` without one."""
        ...

    async def check(self) -> None:
        """Raise `SiteError`, with what its log says, when it does not answer any more."""
        ...

    def storage_state(self, account: str) -> dict[str, Any]:
        """Browser cookies of a signed-in session of `account` ('' = a visitor), as Playwright's ``storage_state``."""
        ...

    def world(self, account: str = "emma") -> World:
        """The truth about this instance, as far as it is `account`'s business."""
        ...

    async def close(self) -> None:
        """End the process and remove the instance's data."""
        ...


class Oracle(Protocol):
    """Knows the truth and the site; finds the next step from any page. Never an agent under test."""

    def see(self, observation: Observation) -> None:
        """Remember that this page was visited, where somebody else acts. `next_action` does so by itself."""
        ...

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        """The constraints in force for somebody who took in the revisions `taken` (1…) and no others."""
        ...

    def next_action(self, observation: Observation, active: Sequence[Constraint]) -> Action:
        """The next step towards satisfying `active`, or `Done` with the right message, or `Infeasible`."""
        ...

    def distance(self, active: Sequence[Constraint]) -> int:
        """How many procedures remain until `active` is satisfied; 0 = only the final message is missing."""
        ...
