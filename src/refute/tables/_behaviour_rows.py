"""Rows about an agent on its way: plan, tests, repairs, roles (fcpagent C.3 to C.6), failures (dynarev §7.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from refute.tables._keys import EpisodeKey


@dataclass(frozen=True, kw_only=True)
class PlanRow:
    """The first plan of an episode."""

    key: EpisodeKey
    commitments: int
    linked: int
    """Those that follow a skill."""
    retrieved: int | None = None
    """Skills that were retrieved for the task; None where the trace does not tell."""

    @property
    def covered(self) -> bool:
        """Whether some skill was there for the task: retrieved, or, where the trace does not tell, linked."""
        return (self.linked if self.retrieved is None else self.retrieved) > 0


@dataclass(frozen=True, kw_only=True)
class CheckRow:
    """One look of the fast tester, and what the slow tester said if it was asked."""

    key: EpisodeKey
    step: int
    phase: str
    """state, action or precondition."""
    route: str
    milliseconds: float = 0.0
    """What the fast test took; 0 where the trace does not tell."""
    slow: bool = False
    """Whether a model was asked."""
    drift: bool = False
    """Whether it diagnosed a contradiction."""
    scope: str = ""
    """The diagnosed scope: execution, skill or planning."""


@dataclass(frozen=True, kw_only=True)
class RepairRow:
    """One repair."""

    key: EpisodeKey
    step: int
    scope: str
    """What it changed: execution, skill or planning."""
    recovery: str
    """How far it went back: none, last_confirmed or restart."""
    diagnosed: str
    """The scope that the diagnosis named."""


@dataclass(frozen=True, kw_only=True)
class RoleRow:
    """What one role of the agent's model cost in one episode."""

    key: EpisodeKey
    role: str
    calls: int
    seconds: float
    tokens: int
    dollars: float | None
    """None where the price of any call is unknown."""


class FailureMode(StrEnum):
    """What went wrong."""

    RESET = "progress discarded by a reset"
    """Pages from before a reset were visited again after it, and the task was not satisfied."""
    ADAPTED = "adapted, not satisfied"
    """The plan changed with the revision, or the goal came nearer right after it, and its constraint is unsatisfied."""
    OVERHEARD = "revision not reacted to"
    """Neither of the two, though both could be seen, and its constraint is unsatisfied."""
    CONDITION = "condition's branch not satisfied"
    """What a delivered condition's real outcome asks for is unsatisfied. Whether the agent came to see what decides it,
    a trace does not tell: the truth knows each condition from the first step on."""
    LOOP = "loop"
    """The same action on the same page, three times."""


@dataclass(frozen=True, kw_only=True)
class FailureRow:
    """One failure of one episode."""

    key: EpisodeKey
    mode: FailureMode
    step: int
    """Where it begins."""
    revision: int | None = None
    detail: str = ""
