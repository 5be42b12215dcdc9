"""What a judge's verdicts come to: the judged score, and the response to revisions (dynarev §5.2, §5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from refute.metrics._estimate import Estimate, estimate
from refute.metrics._response import Response
from refute.tables import ConstraintRow, JudgedRow


def score_judged(judged: Iterable[JudgedRow]) -> Estimate:
    """Mean over tasks of the satisfied share of the constraints that count, by the judge (decision 14).

    Episodes with an undecided constraint are left out: their share is not known.
    """
    return estimate((row.key.task, row.score_judged) for row in judged if row.score_judged is not None)


def responses(judged: Iterable[JudgedRow], constraints: Iterable[ConstraintRow] = ()) -> tuple[Response, ...]:
    """The judge's words on the response to each revision; undecided windows are left out (dynarev §5.2).

    With the `constraints` of the episodes, each is joined with the satisfied share, by the judge, of what its revision
    asks for; without them that share is None.
    """
    rounds = {(row.key, row.id): row.round for row in constraints}
    found: list[Response] = []
    for row in judged:
        for word in row.responses:
            if word.responsive is None:
                continue
            asked = [
                c.satisfied
                for c in row.constraints
                if c.counts and c.satisfied is not None and rounds.get((row.key, c.id)) == word.revision
            ]
            found.append(
                Response(
                    task=row.key.task,
                    responsive=word.responsive,
                    satisfied=sum(asked) / len(asked) if asked else None,
                    adaptation=word.adaptation,
                )
            )
    return tuple(found)
