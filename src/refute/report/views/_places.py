"""The episodes of comparable runs by what they are paired by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from refute._errors import UserError
from refute.metrics import Outcome, outcomes
from refute.tables import RunRow, Tables

Place = tuple[str, int | None, int]
"""What two runs are paired by: task, seed, repeat."""


def by_place(
    tables: Tables, runs: Iterable[RunRow], side: Callable[[RunRow], str]
) -> Mapping[str, Mapping[Place, Outcome]]:
    """The counted episodes of each side of a comparison. Raises `UserError` where a side has an episode twice."""
    sides: dict[str, dict[Place, Outcome]] = {}
    for run in runs:
        own = sides.setdefault(side(run), {})
        for outcome in outcomes(tables.run(run.run)):
            place = (outcome.task, run.seed, outcome.key.repeat)
            if place in own:
                raise UserError(
                    f"{own[place].key.run} and {run.run} are the same run of {run.agent} (task {outcome.task}, seed "
                    f"{run.seed}): an episode would be compared twice; report on one of them"
                )
            own[place] = outcome
    return sides
