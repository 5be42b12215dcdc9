"""A judge against the truth, constraint by constraint: how good is the judge?."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

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
    """Counts over the constraints that both could see; ``satisfied`` is the positive class."""

    both: int
    """Satisfied, both say."""
    neither: int
    """Unsatisfied, both say."""
    judge_only: int
    """Satisfied, only the judge says."""
    truth_only: int
    """Satisfied, only the truth says."""
    other_branch: int
    """Counted by the truth, not by the judge, for the branch that it read from the message: in no rate below."""
    undecided: int
    """The judge gave no usable answer: in no rate below."""
    disagreements: tuple[Disagreement, ...]
    simulated: bool
    """Whether a simulated judge or a simulated run took part."""

    @property
    def n(self) -> int:
        """Constraints on which both have a verdict."""
        return self.both + self.neither + self.judge_only + self.truth_only

    @property
    def accuracy(self) -> float | None:
        """(both + neither) / n; None without constraints."""
        return _ratio(self.both + self.neither, self.n)

    @property
    def precision(self) -> float | None:
        """Share of the judge's "satisfied" that are true: both / (both + judge_only)."""
        return _ratio(self.both, self.both + self.judge_only)

    @property
    def recall(self) -> float | None:
        """Share of the satisfied ones that the judge finds: both / (both + truth_only)."""
        return _ratio(self.both, self.both + self.truth_only)

    @property
    def specificity(self) -> float | None:
        """Share of the unsatisfied ones that the judge calls so: neither / (neither + judge_only)."""
        return _ratio(self.neither, self.neither + self.judge_only)

    @property
    def pairs(self) -> tuple[tuple[bool, bool], ...]:
        """(judge, truth) for each constraint, sorted: what a chance-corrected agreement is computed from."""
        counts = {
            (False, False): self.neither,
            (False, True): self.truth_only,
            (True, False): self.judge_only,
            (True, True): self.both,
        }
        return tuple(pair for pair, count in counts.items() for _ in range(count))


def agreement(tables: Tables, judged: Iterable[JudgedRow]) -> Agreement:
    """Compare `judged` (of one judge, or of several taken together) with the truth of the same episodes.

    Compared are the constraints that count by the truth and were delivered: an undelivered one is unsatisfied by rule
    on both sides, and would only flatter. A constraint of a branch that the judge could not read from the message
    counts as its "unsatisfied" (decision 24).
    """
    rows = tuple(judged)
    simulated = {episode.key: episode.simulated for episode in tables.episodes}
    counts = dict.fromkeys(((True, True), (True, False), (False, True), (False, False)), 0)
    other_branch = undecided = 0
    misses: list[Disagreement] = []
    for row, truth, verdict in _joined(tables, rows):
        if not verdict.counts:
            other_branch += 1
            misses.append(_miss(row, truth, verdict.why, Miss.OTHER_BRANCH))
        elif verdict.satisfied is None:
            undecided += 1
        else:
            counts[verdict.satisfied, bool(truth.satisfied)] += 1
            if verdict.satisfied != truth.satisfied:
                miss = Miss.TOO_KIND if verdict.satisfied else Miss.TOO_STRICT
                misses.append(_miss(row, truth, verdict.evidence or verdict.why, miss))
    return Agreement(
        both=counts[True, True],
        neither=counts[False, False],
        judge_only=counts[True, False],
        truth_only=counts[False, True],
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


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
