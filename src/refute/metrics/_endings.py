"""How episodes ended, each counted once."""

from __future__ import annotations

from dataclasses import dataclass

from refute.metrics._outcomes import outcomes
from refute.tables import Status, Tables


@dataclass(frozen=True, kw_only=True)
class Endings:
    """Numbers of episodes; they add up to all of them."""

    satisfied: int
    """Every constraint that counts is satisfied, however the episode ended."""
    unsatisfied: int
    """The agent said that it was done, and some constraint is not satisfied."""
    infeasible: int
    """The agent gave up, and some constraint is not satisfied."""
    budget: int
    """The budget was used up, and some constraint is not satisfied."""
    unjudged: int
    """Finished, but nobody knows the truth about every constraint that counts."""
    errors: int
    """Harness errors and unreadable traces: no failure of the agent (decision 28b)."""
    unfinished: int
    """Killed, or still running."""


def endings(tables: Tables) -> Endings:
    """How the episodes in `tables` ended."""
    success = {o.key: o.success for o in outcomes(tables)}
    failed = [e.status for e in tables.episodes if success.get(e.key) is False]
    return Endings(
        satisfied=sum(success.values()),
        unsatisfied=failed.count(Status.DONE),
        infeasible=failed.count(Status.INFEASIBLE),
        budget=failed.count(Status.BUDGET),
        unjudged=sum(e.status.counted and e.key not in success for e in tables.episodes),
        errors=sum(e.status.error for e in tables.episodes),
        unfinished=sum(e.status is Status.UNFINISHED for e in tables.episodes),
    )
