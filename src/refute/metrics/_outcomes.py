"""Episodes and their constraints, joined: what every metric reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from refute.revisions import Deliver
from refute.tables import ConstraintRow, EpisodeKey, Tables, TaskKind


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A counted episode with its shares of satisfied constraints, each in [0, 1]."""

    key: EpisodeKey
    kind: TaskKind
    deliver: Deliver = Deliver.DURING
    """Whether its revisions came while the agent worked, never, or upfront (decision 21b)."""
    score: float
    """S_i: satisfied share of the constraints that count (A_i)."""
    score_unforced: float
    """The same, with a forced delivery counted as none (decision 20)."""
    rounds: Mapping[int, float]
    """Satisfied share by round, for the rounds that still have constraints: 0 = initial, k = revision k."""
    undelivered: frozenset[int]
    """Revisions that were never delivered."""
    revisions: int
    """K_i: those that were to come, so none where the run delivers nothing."""
    steps: int
    tokens: int
    calls: int = 0
    """Requests of the agent to its model."""
    model_seconds: float = 0.0
    """What the model took; virtual under a simulated model."""
    seconds: float = 0.0
    """The whole episode, by its clock."""
    dollars: float | None = None
    """None where no price is known."""
    source: str = ""
    """The benchmark that the task comes from, where its record tells."""
    category: str = ""
    template: str = ""

    @property
    def task(self) -> str:
        """The cluster that intervals are drawn over."""
        return self.key.task

    @property
    def success(self) -> bool:
        """Whether every constraint that counts is satisfied."""
        return self.score == 1.0


def outcomes(tables: Tables) -> tuple[Outcome, ...]:
    """The counted episodes. Left out: harness errors, unfinished ones, and those whose truth nobody knows (28b)."""
    active: defaultdict[EpisodeKey, list[ConstraintRow]] = defaultdict(list)
    for row in tables.constraints:
        if row.active:
            active[row.key].append(row)
    undelivered: defaultdict[EpisodeKey, set[int]] = defaultdict(set)
    for delivery in tables.deliveries:
        if delivery.step is None:
            undelivered[delivery.key].add(delivery.revision)
    found: list[Outcome] = []
    for episode in tables.episodes:
        rows = active[episode.key]
        if not (episode.status.counted and episode.judged and rows):
            continue
        by_round: defaultdict[int, list[bool]] = defaultdict(list)
        for row in rows:
            by_round[row.round].append(bool(row.satisfied))
        found.append(
            Outcome(
                key=episode.key,
                kind=episode.kind,
                deliver=episode.deliver,
                score=_share([bool(r.satisfied) for r in rows]),
                score_unforced=_share([bool(r.satisfied) and not r.forced for r in rows]),
                rounds={k: _share(by_round[k]) for k in sorted(by_round)},
                undelivered=frozenset(undelivered[episode.key]),
                revisions=episode.revisions,
                steps=episode.steps,
                tokens=episode.tokens,
                calls=episode.calls,
                model_seconds=episode.model_seconds,
                seconds=episode.seconds,
                dollars=episode.dollars,
                source=episode.source,
                category=episode.category,
                template=episode.template,
            )
        )
    return tuple(found)


def _share(satisfied: list[bool]) -> float:
    return sum(satisfied) / len(satisfied)
