"""What judges found, as rows beside those of the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from refute._errors import TraceError
from refute.judge import (
    BranchResolved,
    ClaimChecked,
    ConstraintJudged,
    Judgement,
    ResponseJudged,
    Verdict,
    judges_of,
    read_judgement,
)
from refute.tables._keys import EpisodeKey
from refute.tables._tables import Tables


@dataclass(frozen=True, kw_only=True)
class JudgedConstraint:
    """A judge's verdict on one constraint."""

    id: str
    counts: bool
    """Whether it is in force at the end, on the branch that the agent's message reports (decision 24)."""
    satisfied: bool | None
    """None where it is undecided, and where it does not count."""
    why: str
    """``claims``, or the rule that decided: ``undelivered``, ``not_addressed``, ``replaced``, ``other_branch``…"""
    evidence: str = ""
    """What it rests on: the quotes, or why a claim failed. Material from outside."""


@dataclass(frozen=True, kw_only=True)
class JudgedResponse:
    """Whether the agent's next actions respond to one delivered revision."""

    revision: int
    responsive: bool | None
    """None = undecided."""
    adaptation: str
    """``overwrite``, ``additive``, ``unrelated``, or empty where no action followed."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgedRow:
    """One episode as one judge sees it."""

    key: EpisodeKey
    judge: str
    model: str = ""
    simulated: bool = False
    """Whether the judge is the simulated one."""
    score_judged: float | None = None
    """Satisfied share of the constraints that count, in [0, 1]; None while one is undecided."""
    satisfied: int = 0
    undecided: int = 0
    counting: int = 0
    constraints: tuple[JudgedConstraint, ...] = ()
    responses: tuple[JudgedResponse, ...] = ()
    branches: Mapping[str, str] = field(default_factory=dict[str, str])
    """By condition: ``true``, ``false``, ``not_addressed`` or ``undecided``."""
    calls: int = 0
    tokens: int = 0
    """Of all its questions, whether a cache answered them or not."""
    dollars: float | None = None
    error: str = ""
    """Why the judge's file cannot be read; everything else is empty then."""


def read_judged(tables: Tables, *, judge: str | None = None) -> tuple[JudgedRow, ...]:
    """The finished judgings of the episodes in `tables`, of one `judge` or of all.

    A judging of a trace that has changed since is left out, and so is one that is unfinished.
    """
    rows: list[JudgedRow] = []
    for episode in tables.episodes:
        for name in judges_of(episode.folder):
            if judge is not None and name != judge:
                continue
            try:
                judgement = read_judgement(episode.folder, name)
            except TraceError as error:
                why = str(error).replace(f"{episode.folder}/", "")  # a report may travel: no folder of this machine
                rows.append(JudgedRow(key=episode.key, judge=name, error=why))
                continue
            if judgement is not None:
                rows.append(_row(episode.key, name, judgement))
    return tuple(rows)


def _row(key: EpisodeKey, name: str, judgement: Judgement) -> JudgedRow:
    events, end = judgement.events, judgement.ended
    checked = [event for event in events if isinstance(event, ClaimChecked)]
    return JudgedRow(
        key=key,
        judge=name,
        model=judgement.started.model,
        simulated=judgement.started.simulated,
        score_judged=end.score,
        satisfied=end.satisfied,
        undecided=end.undecided,
        counting=end.counting,
        constraints=tuple(
            JudgedConstraint(
                id=event.constraint,
                counts=event.counts,
                satisfied=event.satisfied,
                why=event.why.value,
                evidence=_evidence(claim for claim in checked if claim.constraint == event.constraint),
            )
            for event in events
            if isinstance(event, ConstraintJudged)
        ),
        responses=tuple(
            JudgedResponse(
                revision=event.revision,
                responsive=event.responsive,
                adaptation=event.adaptation.value if event.adaptation else "",
                reason=event.reason,
            )
            for event in events
            if isinstance(event, ResponseJudged)
        ),
        branches={
            event.condition: event.holds.value if event.holds else "undecided"
            for event in events
            if isinstance(event, BranchResolved)
        },
        calls=end.calls,
        tokens=end.usage.total_tokens,
        dollars=end.dollars,
    )


def _evidence(claims: Iterable[ClaimChecked]) -> str:
    return "; ".join(f"{claim.verdict.value}: {_rests_on(claim)}" for claim in claims)


def _rests_on(claim: ClaimChecked) -> str:
    if claim.verdict is not Verdict.VERIFIED:
        return claim.reason
    if claim.quote is not None:
        return f"the message says {claim.quote.text!r}"
    if claim.listed is not None:
        quoted = ", ".join(f"{quote.text!r} at {quote.entry}" for quote in claim.listed.quotes)
        return f"among all actions {quoted}" + (" and nothing against it" if claim.listed.absence else "")
    if not claim.looked:
        return claim.reason
    page = claim.looked[-1]
    quotes = ", ".join(repr(quote.text) for quote in page.quotes)
    return f"after {page.at} actions, {page.url} shows {quotes}"
