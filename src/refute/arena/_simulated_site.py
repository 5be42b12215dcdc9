"""What a site tells the simulated model: how to read a step (no truth in it), and the truth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from refute.agents import Skill
from refute.arena._procedure import Procedure
from refute.browser import Observation
from refute.goals import Constraint, Reference


@dataclass(frozen=True, kw_only=True)
class Delusion:
    """A result that a plan lets pass although it violates a constraint."""

    right: str
    wrong: str
    violates: str


class Hands(Protocol):
    """All that the executor may use of a site. It holds no truth: a wrong text stays wrong."""

    def read(self, text: str) -> Procedure | None:
        """The procedure that `text` says, or None."""
        ...

    def missing(self, skill: Skill) -> str:
        """The visible name of something that `skill` builds on and that the site does not have; '' = it is fine."""
        ...


class Truth(Protocol):
    """What the site knows. Only planner, reviser, repairer, verifier and trigger may ask it."""

    def see(self, observation: Observation) -> None:
        """Remember that this page was visited."""
        ...

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        """The constraints in force for somebody who took in the revisions `taken` (1…)."""
        ...

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[Procedure]:
        """The procedures that remain, the final report last."""
        ...

    def distance(self, active: Sequence[Constraint]) -> int:
        """How many procedures remain before the report."""
        ...

    def finished(self, procedure: Procedure) -> bool:
        """Whether it was carried out."""
        ...

    def obstacle(self, procedure: Procedure, active: Sequence[Constraint]) -> str:
        """Why carrying it out to its end now would commit a wrong state for good; empty when it would not."""
        ...

    def commits(self, proposed: str) -> bool:
        """Whether a proposed action, as it reads, does something that cannot be undone."""
        ...

    def undoes(self, procedure: Procedure, earlier: Procedure) -> bool:
        """Whether `procedure` takes back what `earlier` did."""
        ...

    def near_miss(self, active: Sequence[Constraint], pick: Callable[[Sequence[str]], str]) -> Delusion | None:
        """A plausible result that violates a constraint, or None; `pick` chooses one of several names."""
        ...

    def skills(self, procedure: Procedure, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        """Names of the offered skill that fits `procedure`, and of one that would fit but is stale."""
        ...

    def satisfied(self, constraint: Constraint, message: str, active: Sequence[Constraint]) -> bool:
        """Whether one of the constraints in force would be met if the work ended now with this message."""
        ...

    def holds(self, predicate: Reference) -> bool:
        """Whether a milestone's predicate is true now."""
        ...
