"""What is true of a task of the shop, whoever works on it: asked of its oracle."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Generic, TypeVar

from refute.arena._procedure import Procedure
from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._procedures import ShopProcedure
from refute.browser import Observation
from refute.goals import Constraint

AnyOracle = TypeVar("AnyOracle", bound=ShopOracle)


class OracleTruth(Generic[AnyOracle]):
    """The part of a `Truth` that the oracle of either role answers."""

    def __init__(self, oracle: AnyOracle) -> None:
        self._oracle = oracle

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
