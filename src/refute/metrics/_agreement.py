"""How well two raters, or a detector and the truth, agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

_Z = 1.959963984540054
"""97.5 % point of the normal distribution."""


@dataclass(frozen=True, kw_only=True)
class Confusion:
    """Counts of a detector's answers against the truth (fcpagent table 10)."""

    tp: int = 0
    fn: int = 0
    fp: int = 0
    tn: int = 0

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Confusion:
        """From pairs of (true, detected)."""
        found = list(pairs)
        return cls(
            tp=found.count((True, True)),
            fn=found.count((True, False)),
            fp=found.count((False, True)),
            tn=found.count((False, False)),
        )

    @property
    def total(self) -> int:
        """All cases."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def precision(self) -> float | None:
        """TP / (TP + FP); None when nothing was detected."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """TP / (TP + FN); None when there was nothing to detect."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        """2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float | None:
        """(TP + TN) / all."""
        return _ratio(self.tp + self.tn, self.total)


@dataclass(frozen=True, kw_only=True)
class Kappa:
    """Agreement of two raters beyond chance."""

    value: float | None
    """Cohen's kappa in [-1, 1]; None without cases, or where chance alone agrees always."""
    low: float | None
    high: float | None
    """95 % interval from the large-sample standard error, cut to [-1, 1]."""
    agreement: float | None
    """Share of equal ratings."""
    cases: int


def kappa(table: Sequence[Sequence[int]]) -> Kappa:
    """Cohen's kappa of a square table of counts, the first rater's categories in rows, the second's in columns.

    kappa = (p_o - p_e) / (1 - p_e), p_o = sum_i p_ii, p_e = sum_i p_i. p_.i (Cohen, Educational and Psychological
    Measurement 20, 1960). The standard error is that of Fleiss, Cohen and Everitt (Psychological Bulletin 72, 1969):

        sqrt(A + B - C) / ((1 - p_e) sqrt(n)),
        A = sum_i p_ii (1 - (p_i. + p_.i)(1 - kappa))^2,
        B = (1 - kappa)^2 sum_{i != j} p_ij (p_.i + p_j.)^2,
        C = (kappa - p_e (1 - kappa))^2

    Raises `ValueError` for a table that is not square.
    """
    size = len(table)
    if any(len(row) != size for row in table):
        raise ValueError("kappa needs a square table: both raters choose among the same categories")
    n = sum(map(sum, table))
    if not n:
        return Kappa(value=None, low=None, high=None, agreement=None, cases=0)
    p = [[count / n for count in row] for row in table]
    rows, columns = [sum(row) for row in p], [sum(row[j] for row in p) for j in range(size)]
    observed = sum(p[i][i] for i in range(size))
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    if 1 - chance < 1e-12:
        return Kappa(value=None, low=None, high=None, agreement=observed, cases=n)
    value = (observed - chance) / (1 - chance)
    a = sum(p[i][i] * (1 - (rows[i] + columns[i]) * (1 - value)) ** 2 for i in range(size))
    others = sum(p[i][j] * (columns[i] + rows[j]) ** 2 for i in range(size) for j in range(size) if i != j)
    c = (value - chance * (1 - value)) ** 2
    error = sqrt(max(0.0, a + (1 - value) ** 2 * others - c)) / ((1 - chance) * sqrt(n))
    return Kappa(
        value=value,
        low=max(-1.0, value - _Z * error),
        high=min(1.0, value + _Z * error),
        agreement=observed,
        cases=n,
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
