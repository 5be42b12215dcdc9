"""What is true of a task of the shop, whoever works on it: asked of its oracle."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from refute.arena._procedure import Procedure
from refute.arena._site import EndState
from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._procedures import ShopProcedure
from refute.arena.shop._world import ShopWorld
from refute.browser import Observation
from refute.goals import Constraint, Reference

AnyOracle = TypeVar("AnyOracle", bound=ShopOracle)
AnyWorld = TypeVar("AnyWorld", bound=ShopWorld)


class OracleTruth(Generic[AnyOracle, AnyWorld]):
    """The part of a `Truth` that the oracle and the world of either role answer."""

    def __init__(self, oracle: AnyOracle, world: AnyWorld) -> None:
        self._oracle = oracle
        self._world = world

    def see(self, observation: Observation) -> None:
        """Remember that this page was visited."""
        self._oracle.see(observation)

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        """The constraints in force for somebody who took in the revisions `taken`."""
        return self._oracle.active(taken)

    def distance(self, active: Sequence[Constraint]) -> int:
        """How many procedures remain before the report."""
        return self._oracle.distance(active)

    def finished(self, procedure: Procedure) -> bool:
        """Whether it was carried out."""
        return isinstance(procedure, ShopProcedure) and self._oracle.finished(procedure)

    def obstacle(self, procedure: Procedure, active: Sequence[Constraint]) -> str:
        """Why carrying it out to its end now would commit a wrong state for good."""
        return self._oracle.obstacle(procedure, active) if isinstance(procedure, ShopProcedure) else ""

    def satisfied(self, constraint: Constraint, message: str, active: Sequence[Constraint]) -> bool:
        """Whether a constraint would be met if the work ended now with this message; True where nothing decides it."""
        if constraint.validator is None:
            return True
        end = EndState(seen=self._oracle.seen, message=message, active=tuple(active))
        return self._world.validate(constraint, end).satisfied

    def holds(self, predicate: Reference) -> bool:
        """Whether a milestone's predicate is true now."""
        return self._world.holds(predicate, self._oracle.seen)
