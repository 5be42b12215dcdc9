"""Reacting to a revision, apart from satisfying it (dynarev §5.2, §5.3, table 4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refute.metrics._estimate import Estimate, pooled
from refute.metrics._quality import LAST_ROUND, round_name


@dataclass(frozen=True, kw_only=True)
class Response:
    """A judge's word on one delivered revision."""

    task: str
    responsive: bool
    """Whether the actions in the window advance the revised goal."""
    satisfied: float | None
    """Share of the revision's constraints that are satisfied at the end, in [0, 1]; None where it has none."""
    adaptation: str = ""
    """overwrite, additive or unrelated."""
    revision: int = 0
    """Its number in the task, from 1 on; 0 = not told."""


def wra(responses: Iterable[Response]) -> Estimate:
    """WRA = responsive windows / delivered revisions, each revision alike (dynarev §5.3; decision 17)."""
    return pooled((r.task, float(r.responsive)) for r in responses)


def wra_by_round(responses: Iterable[Response]) -> Mapping[str, Estimate]:
    """WRA of each round that has a window, each revision alike (dynarev H).

    Keys ``"1"``, ``"2"``, ``"3"`` and ``"4+"``, which pools all later rounds as `css` does.
    """
    rounds: defaultdict[int, list[Response]] = defaultdict(list)
    for response in responses:
        rounds[min(response.revision, LAST_ROUND)].append(response)
    return {round_name(k): wra(rounds[k]) for k in sorted(rounds) if k}


def satisfaction_by_response(responses: Iterable[Response]) -> Mapping[bool, Estimate]:
    """Mean satisfied share of a revision's constraints, by whether the agent reacted to it (dynarev table 4)."""
    found = list(responses)
    return {
        reacted: pooled((r.task, r.satisfied) for r in found if r.responsive is reacted and r.satisfied is not None)
        for reacted in (True, False)
    }
