"""What a judge's verdicts come to: the judged score, and the responses to revisions (dynarev §5.2, §5.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._response import Response
from refute.tables import JudgedRow, Tables


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """How far a judge's figures reach, and what they leave out."""

    scored: int
    """Episodes with a judged score."""
    unscored: int
    """Episodes without one: a constraint is undecided, or none counts."""
    unreadable: int
    """Files of the judge that cannot be read."""
    unjudged: int
    """Episodes that count, and of which the judge has no finished verdict."""
    undecided_windows: int
    """Revisions of which the judge could not say whether they were answered."""


def coverage(tables: Tables, judged: Iterable[JudgedRow]) -> Coverage:
    """What of the episodes in `tables` the verdicts `judged` of one judge are about."""
    rows = tuple(judged)
    seen = {row.key for row in rows}
    scored = sum(row.score_judged is not None for row in rows)
    unreadable = sum(bool(row.error) for row in rows)
    return Coverage(
        scored=scored,
        unscored=len(rows) - scored - unreadable,
        unreadable=unreadable,
        unjudged=sum(episode.status.counted and episode.key not in seen for episode in tables.episodes),
        undecided_windows=sum(window.responsive is None for row in rows for window in row.responses),
    )


def score_judged(judged: Iterable[JudgedRow]) -> Estimate:
    """Mean over tasks of the satisfied share of the constraints that count, by the judge (decision 14).

    Episodes with an undecided constraint are left out: their share is not known.
    """
    return estimate((row.key.task, row.score_judged) for row in judged if row.score_judged is not None)


def responses(tables: Tables, judged: Iterable[JudgedRow]) -> tuple[Response, ...]:
    """The judge's word on each delivered revision of `judged`, for `wra` and `satisfaction_by_response`.

    Undecided windows are left out. `Response.satisfied` is by the judge too: the share of the revision's constraints
    that count; None while one of them is undecided, or where there is none.
    """
    rounds = {(row.key, row.id): row.round for row in tables.constraints}
    found: list[Response] = []
    for row in judged:
        for window in row.responses:
            if window.responsive is None:
                continue
            verdicts = [
                verdict.satisfied
                for verdict in row.constraints
                if verdict.counts and rounds.get((row.key, verdict.id)) == window.revision
            ]
            found.append(
                Response(
                    task=row.key.task,
                    responsive=window.responsive,
                    satisfied=None if None in verdicts or not verdicts else verdicts.count(True) / len(verdicts),
                    adaptation=window.adaptation,
                    revision=window.revision,
                )
            )
    return tuple(found)
