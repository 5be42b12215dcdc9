"""The figures of the drift bench: by author of the commitments, and by routing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from refute.metrics import Estimate, Quality, Verifier

SIMULATED = (
    "simulated: drifts are planted in the bundled site, the executor and the verifier are simulated; the figures are "
    "the fast tester's on real pages, not a language model's"
)
WITHIN = 2
"""Steps after the onset by which a drift should be noticed."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """The drifts of one kind or scope."""

    drives: int
    within: Estimate
    """Share noticed within `WITHIN` steps."""
    escalated: Estimate
    """Share of its off-track states that ask the model."""
    first: Mapping[str, int]
    """What escalated the first state that was, by `Why`; `never` where none was."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One point of a curve."""

    shift: float
    """What all thresholds are moved by."""
    patience: int
    """Quiet states in a row that may go on without a check."""
    on_track: float | None
    """Share of on-track states that ask the model."""
    within: float | None
    """Share of drifts noticed within `WITHIN` steps."""
    coin: float | None
    """What a coin notices that asks the model as often, whatever it sees."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The fast tester with a verifier of some quality behind it."""

    verifier: Verifier
    within: Estimate
    delay: float | None
    """Mean steps from onset to notice, of the drifts that were noticed."""
    false_alarms: Estimate
    """Per 100 on-track states."""
    quality: Mapping[str, Quality]
    """By prevalence."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """One routing on one author's commitments."""

    on_track: Estimate
    off_track: Estimate
    completing: float | None
    """Share of on-track states at which a commitment is complete: these have to ask, or it is never confirmed…"""
    under_way: Estimate
    """…and, of all others, the share that asks."""
    false_alarms: Estimate
    """Per 100 on-track states, where each escalation counts as one."""
    asked: Mapping[str, Estimate]
    """Share of states that need the model, by prevalence."""
    within: tuple[Estimate, ...]
    """Share of drifts noticed within 0, 1, 2, … steps."""
    coin: float | None
    delays: tuple[float, ...]
    delay: float | None
    quality: Mapping[str, Quality]
    kinds: Mapping[str, Group]
    scopes: Mapping[str, Group]
    pages_only: Estimate
    """`within` without revised goals, which no page shows and which the agent's reviser is told of anyway."""
    why: Mapping[str, Mapping[str, int]]
    """What escalated states, on track and off track."""
    falsified_on_track: Estimate
    """Share of on-track states without a rule at which a falsifier reaches its threshold…"""
    falsified_off_track: Estimate
    """…and of off-track states."""
    starts_asked: int
    """Commitments of which a precondition asked the model when they started; the calls count, no state is escalated."""
    verified: tuple[Judged, ...]
    calls_avoided: Mapping[str, Estimate]
    seconds_avoided: Mapping[str, Estimate]
    """Against a model that verifies every state and every high-impact action, by prevalence; seconds are simulated."""
    curve: tuple[Point, ...]
    """Over the shift of all thresholds."""
    patience: tuple[Point, ...]
    """Over the number of quiet states that may go on: how much the periodic check alone notices, and what it costs."""


@dataclass(frozen=True, kw_only=True)
class DriftResult:
    """What `refute bench drift --json` prints."""

    simulated: str
    site: str
    seed: int
    split: str
    scorer: str
    """What weighed the evidence."""
    drives: int
    drifts: int
    wanted: Mapping[str, int]
    """Drives that the recording was asked for, by kind of drift or calm…"""
    present: Mapping[str, int]
    """…and those that it holds: fewer where it was stopped, or where a kind found no occasion."""
    on_track: int
    """States on track that are scored…"""
    off_track: int
    """…and off it, of all drives."""
    surplus: int
    """On-track states beyond the number of those off it: replayed, not scored."""
    authors: Mapping[str, Mapping[str, Figures]]
    """By author of the commitments (`readers`, `procedures`), then by the name of the settings."""
    tasks: Mapping[str, int]
    """By author: tasks with a plan of theirs."""

    def as_json(self) -> dict[str, Any]:
        """Everything, for ``json.dumps``."""
        return asdict(self)
