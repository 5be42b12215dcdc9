"""Labelled cases, and how well a scorer does on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from refute._errors import UserError
from refute.evidence._scorer import TextScorer
from refute.evidence._verdict import Label, Verdict


class Case(BaseModel):
    """A page, a statement about it, and what a reader says that the page says of it."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    page: str
    evidence: str = Field(min_length=1)
    label: Label


class CaseScores(BaseModel):
    """How a scorer did. `auc`: the chance that a supported statement scores above a contradicted one by support −
    contradiction, ties counting half; 0.5 tells nothing, None = one of the two labels is missing. Its interval is a
    bootstrap over pages, since cases of one page are alike.

    A decided case is `right` if its label is the reader's; an abstention is neither right nor wrong.
    """

    model_config = ConfigDict(frozen=True)

    scorer: str
    cases: int
    auc: float | None
    auc_low: float | None = Field(description="95 % of the AUCs lie from here, if the pages are drawn again")
    auc_high: float | None = Field(description="up to here")
    accepted: int = Field(description="decided as supported")
    rejected: int = Field(description="decided as contradicted")
    abstained: int = Field(description="left open")
    right: int
    wrong: int
    accepted_wrongly: tuple[str, ...] = Field(description="ids")
    rejected_wrongly: tuple[str, ...] = Field(description="ids")
    ms_per_call: float = Field(description="wall time of one page and one statement, the mean")


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a JSONL file; blank lines are passed over. Raises `UserError` that names the line at fault."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read as text: {error}") from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(text.split("\n"), start=1):  # not splitlines: JSON may hold other line breaks
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            said = f"{where}: {first['msg']}" if where else first["msg"]
            raise UserError(f"{path}, line {number}: not a case with id, page, evidence and label ({said})") from error
        if case.id in cases:
            raise UserError(f"{path}, line {number}: the id {case.id!r} was given before")
        cases[case.id] = case
    if not cases:
        raise UserError(f"{path} holds no case")
    return tuple(cases.values())


async def score_cases(cases: Sequence[Case], scorer: TextScorer) -> CaseScores:
    """Score every case by itself. Raises what the scorer raises."""
    verdicts: list[Verdict] = []
    begun = perf_counter()
    for case in cases:
        verdicts += await scorer.score(case.page, [case.evidence])
    took = perf_counter() - begun
    told = list(zip(cases, verdicts, strict=True))
    low, high = _interval(told)
    decided = [(case, verdict) for case, verdict in told if verdict.label is not Label.UNKNOWN]
    accepted = [case for case, verdict in decided if verdict.label is Label.SUPPORTED]
    rejected = [case for case, verdict in decided if verdict.label is Label.CONTRADICTED]
    right = sum(verdict.label is case.label for case, verdict in decided)
    return CaseScores(
        scorer=scorer.name,
        cases=len(cases),
        auc=_auc_of(told),
        auc_low=low,
        auc_high=high,
        accepted=len(accepted),
        rejected=len(rejected),
        abstained=len(cases) - len(decided),
        right=right,
        wrong=len(decided) - right,
        accepted_wrongly=tuple(case.id for case in accepted if case.label is not Label.SUPPORTED),
        rejected_wrongly=tuple(case.id for case in rejected if case.label is not Label.CONTRADICTED),
        ms_per_call=round(1000 * took / len(cases), 3),
    )


_Told = Sequence[tuple[Case, Verdict]]
_DRAWS = 1000


def _auc_of(told: _Told) -> float | None:
    above, below = (
        [verdict.support - verdict.contradiction for case, verdict in told if case.label is label]
        for label in (Label.SUPPORTED, Label.CONTRADICTED)
    )
    return auc(above, below)


def _interval(told: _Told) -> tuple[float | None, float | None]:
    """The 2.5th and 97.5th percentile of the AUC over pages drawn with replacement; always the same draws."""
    by_page: dict[str, list[tuple[Case, Verdict]]] = {}
    for case, verdict in told:
        by_page.setdefault(case.page, []).append((case, verdict))
    pages, dice = list(by_page.values()), np.random.default_rng(0)
    found: list[float] = []
    for _ in range(_DRAWS):
        drawn: list[int] = dice.integers(0, len(pages), len(pages)).tolist()
        value = _auc_of([one for place in drawn for one in pages[place]])
        found += [] if value is None else [value]
    if not found:
        return None, None
    found.sort()
    last = len(found) - 1
    return found[round(0.025 * last)], found[round(0.975 * last)]


def auc(above: Sequence[float], below: Sequence[float]) -> float | None:
    """The share of pairs in which the one of `above` is larger, ties counting half; None without a pair."""
    if not above or not below:
        return None
    gaps = np.subtract.outer(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    wins, ties = int(np.count_nonzero(gaps > 0)), int(np.count_nonzero(gaps == 0))
    return round((wins + 0.5 * ties) / (len(above) * len(below)), 4)
