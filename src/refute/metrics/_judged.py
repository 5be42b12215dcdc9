"""What a judge's verdicts come to: the judged score, and the response to revisions (dynarev §5.2, §5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from refute.metrics._estimate import Estimate, estimate, pooled
from refute.tables import JudgedRow


def score_judged(judged: Iterable[JudgedRow]) -> Estimate:
    """Mean over tasks of the satisfied share of the constraints that count, by the judge (decision 14).

    Episodes with an undecided constraint are left out: their share is not known.
    """
    return estimate((row.key.task, row.score_judged) for row in judged if row.score_judged is not None)


def wra(judged: Iterable[JudgedRow]) -> Estimate:
    """Window response accuracy = responsive windows / delivered revisions, in [0, 1] (dynarev §5.3; decision 17).

    Every window weighs the same; the interval draws whole tasks. Undecided windows are left out.
    """
    return pooled(
        (row.key.task, float(response.responsive))
        for row in judged
        for response in row.responses
        if response.responsive is not None
    )
