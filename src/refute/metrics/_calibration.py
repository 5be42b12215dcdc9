"""A judge against the truth, constraint by constraint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from refute.metrics._agreement import Confusion, Kappa, kappa
from refute.tables import ConstraintRow, EpisodeKey, JudgedConstraint, JudgedRow, Tables


class Miss(StrEnum):
    """How a judge and the truth differ about one constraint."""

    TOO_KIND = "too_kind"
    """The judge says satisfied, and it is not."""
    TOO_STRICT = "too_strict"
    """The judge says unsatisfied, and it is satisfied."""
    OTHER_BRANCH = "other_branch"
    """The judge does not count it, having read the condition's outcome differently; the truth does."""


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """One constraint that a judge and the truth see differently, with the grounds of both."""

    key: EpisodeKey
    judge: str
    constraint: str
    text: str
    miss: Miss
    judged_on: str
    true_on: str


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """A judge's word on the constraints that the truth knows; "satisfied" is what is to be detected."""

    confusion: Confusion
    """Over the constraints on which both have a verdict."""
    other_branch: int
    """Counted by the truth, not by the judge, for the branch that it read from the message: not in `confusion`."""
    undecided: int
    """The judge gave no usable answer: not in `confusion`."""
    disagreements: tuple[Disagreement, ...]
    simulated: bool
    """Whether a simulated judge or a simulated run took part."""

    @property
    def specificity(self) -> float | None:
        """Share of the unsatisfied ones that the judge calls so: TN / (TN + FP)."""
        found = self.confusion
        return found.tn / (found.tn + found.fp) if found.tn + found.fp else None

    @property
    def kappa(self) -> Kappa:
        """Cohen's kappa of judge and truth."""
        found = self.confusion
        return kappa([[found.tp, found.fp], [found.fn, found.tn]])


def agreement(tables: Tables, judged: Iterable[JudgedRow]) -> Agreement:
    """Compare `judged` (of one judge, or of several taken together) with the truth of the same episodes.

    Compared are the constraints that count by the truth and were delivered: an undelivered one is unsatisfied by rule
    on both sides, and would only flatter. A constraint of a branch that the judge could not read from the message
    counts as its "unsatisfied" (decision 24).
    """
    rows = tuple(judged)
    simulated = {episode.key: episode.simulated for episode in tables.episodes}
    pairs: list[tuple[bool, bool]] = []
    other_branch = undecided = 0
    misses: list[Disagreement] = []
    for row, truth, verdict in _joined(tables, rows):
        if not verdict.counts:
            other_branch += 1
            misses.append(_miss(row, truth, verdict.why, Miss.OTHER_BRANCH))
        elif verdict.satisfied is None:
            undecided += 1
        else:
            pairs.append((bool(truth.satisfied), verdict.satisfied))
            if verdict.satisfied != truth.satisfied:
                miss = Miss.TOO_KIND if verdict.satisfied else Miss.TOO_STRICT
                misses.append(_miss(row, truth, verdict.evidence or verdict.why, miss))
    return Agreement(
        confusion=Confusion.of(pairs),
        other_branch=other_branch,
        undecided=undecided,
        disagreements=tuple(misses),
        simulated=any(row.simulated or simulated.get(row.key, False) for row in rows),
    )


def _joined(tables: Tables, judged: Iterable[JudgedRow]) -> Iterable[tuple[JudgedRow, ConstraintRow, JudgedConstraint]]:
    truths: dict[EpisodeKey, list[ConstraintRow]] = {}
    for row in tables.constraints:
        if row.active and row.delivered and row.satisfied is not None:
            truths.setdefault(row.key, []).append(row)
    for row in judged:
        verdicts = {verdict.id: verdict for verdict in row.constraints}
        for truth in truths.get(row.key, ()):
            if truth.id in verdicts:
                yield row, truth, verdicts[truth.id]


def _miss(row: JudgedRow, truth: ConstraintRow, judged_on: str, miss: Miss) -> Disagreement:
    return Disagreement(
        key=row.key,
        judge=row.judge,
        constraint=truth.id,
        text=truth.text,
        miss=miss,
        judged_on=judged_on,
        true_on=truth.evidence,
    )
