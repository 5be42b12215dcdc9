"""The rows: plain frozen records. Every figure of a report is computed from these and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from refute.revisions import Deliver
from refute.tables._keys import EpisodeKey


class Status(StrEnum):
    """How an episode ended, as its trace tells."""

    DONE = "done"
    INFEASIBLE = "infeasible"
    BUDGET = "budget"
    HARNESS_ERROR = "harness_error"
    UNFINISHED = "unfinished"
    """No last event: still running, or killed. Shown, not counted."""
    UNREADABLE = "unreadable"
    """The trace is broken in the middle. Counted as an error of the harness."""

    @property
    def counted(self) -> bool:
        """Whether the episode enters the means (decision 28b)."""
        return self in (Status.DONE, Status.INFEASIBLE, Status.BUDGET)

    @property
    def final(self) -> bool:
        """Whether the trace can be read and has an end."""
        return self not in (Status.UNFINISHED, Status.UNREADABLE)

    @property
    def error(self) -> bool:
        """Whether the harness failed, and not the agent."""
        return self in (Status.HARNESS_ERROR, Status.UNREADABLE)


class TaskKind(StrEnum):
    """A task's revision type, after the strongest kind among its revisions (dynarev §3.3)."""

    CONDITIONAL = "conditional"
    UNCONDITIONAL = "unconditional"
    RETRACTION = "retraction"
    ADDITIVE = "additive"
    STATIC = "static"


class Timing(StrEnum):
    """When a revision came, against its milestone's truth (decision 28)."""

    EARLY = "early"
    ALIGNED = "aligned"
    LATE = "late"


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run: its settings as ``run.json`` tells, or as the episodes tell where that file is missing."""

    run: str
    """Name of the run's folder, relative to ``OUT``."""
    folder: Path
    suite: str = ""
    agent: str = ""
    model: str = ""
    strategy: str = ""
    trigger: str = ""
    seed: int | None = None
    simulated: bool = False
    created: str = ""
    max_steps: int | None = None
    """The run's own budget of steps, where it overrides the tasks'."""
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Everything that ``run.json`` holds."""
    deliver: str = Deliver.DURING.value
    """Whether revisions come: ``during``, ``never`` or ``upfront`` (decision 21b)."""
    faults: tuple[str, ...] = ()
    """The kinds of faults that the site served."""
    error: str = ""
    """Why ``run.json`` could not be used; empty when it could."""


@dataclass(frozen=True, kw_only=True)
class EpisodeRow:
    """One episode."""

    key: EpisodeKey
    folder: Path
    status: Status
    error: str = ""
    """The harness error, or why the trace cannot be read."""
    message: str = ""
    """The agent's last message."""
    task: str = ""
    title: str = ""
    """The initial instruction."""
    template: str = ""
    split: str = ""
    category: str = ""
    source: str = ""
    """The benchmark that the task comes from; empty where its record does not tell."""
    kind: TaskKind = TaskKind.STATIC
    agent: str = ""
    model: str = ""
    simulated: bool = False
    seed: int | None = None
    judged: bool = False
    """Whether the suite knows the truth about every constraint that counts."""
    steps: int = 0
    max_steps: int = 100
    tokens: int = 0
    """Prompt and completion tokens."""
    seconds: float = 0.0
    """From the first to the last event, by the episode's clock (virtual under a simulated model)."""
    dollars: float | None = None
    """None where no price is known."""
    calls: int = 0
    """Requests of the agent to its model, retries included."""
    kept_calls: int = 0
    """Those of `calls` that kept replies answered: not billed again."""
    kept_tokens: int = 0
    """Those of `tokens` that were theirs."""
    kept_dollars: float | None = 0.0
    """That part of `dollars`; None where no price is known."""
    model_seconds: float = 0.0
    """What the agent's model took; virtual under a simulated model."""
    browser_seconds: float = 0.0
    """What observing and acting took."""
    deliver: Deliver = Deliver.DURING
    """Whether revisions come at all (decision 21b)."""
    revisions: int = 0
    """Those of the task that are to be delivered: none unless they come during the episode."""
    delivered: int = 0
    forced: int = 0
    intercepted: int = 0
    tested: int = 0
    """States and actions that the fast tester looked at."""
    verified: int = 0
    """Those that a model was asked about."""
    repairs: int = 0
    picture: str = ""
    """The last page's picture as the trace names it: relative to `folder`, and to be checked before it is shown."""
    torn: bool = False
    """Whether the last line was cut off."""
    unknown: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many events there are of each kind that this version does not know; they count in no figure."""


@dataclass(frozen=True, kw_only=True)
class ConstraintRow:
    """What became of one constraint of one episode."""

    key: EpisodeKey
    id: str
    text: str
    round: int
    """The instruction that introduces it: 0 = the initial one, k = revision k."""
    active: bool
    """Whether it counts (decision 14): in force after all revisions, on the branch that really holds."""
    why: str = ""
    """For one that does not count: what took it out."""
    satisfied: bool | None = None
    """False where its revision should have come and did not, whatever a validator says (decision 14); None = nobody
    knows."""
    delivered: bool = True
    """Whether the agent was told of it: by a revision, or at once where the run gives the final goal upfront."""
    forced: bool = False
    """Whether its revision was delivered only because the agent claimed to be done (decision 20)."""
    evidence: str = ""


@dataclass(frozen=True, kw_only=True)
class DeliveryRow:
    """One revision of one episode, delivered or not."""

    key: EpisodeKey
    revision: int
    kind: str
    text: str
    milestone: str
    step: int | None = None
    """Actions done when it came; None = never delivered."""
    position: float | None = None
    """`step` as a share of all steps (decision 27)."""
    forced: bool = False
    mode: str = ""
    strategy: str = ""
    digest: str = ""
    confidence: float | None = None
    evidence: str = ""
    """What the trigger saw."""
    timing: Timing | None = None
    """None where the truth was not recorded at that state and the one before."""
    reacted: bool | None = None
    """Whether the plan was rewritten for it, or the oracle's distance fell soon after; None where nobody can say."""


@dataclass(frozen=True, kw_only=True)
class MistakeRow:
    """One mistake of the simulated model, and whether the agent noticed it."""

    key: EpisodeKey
    id: int
    mistake: str
    scope: str
    detail: str
    started: int
    """Step at its onset."""
    ended: int | None = None
    """None = it lasted to the end."""
    how: str = ""
    noticed: int | None = None
    """Step of the first repair while it lasted; None = never."""
    attributed: str = ""
    """The scope that this repair's diagnosis names."""


@dataclass(frozen=True, kw_only=True)
class FaultRow:
    """One fault that the site served because the run asked for it."""

    key: EpisodeKey
    id: int
    fault: str
    scope: str
    path: str
    """The request that it began with."""
    detail: str
    started: int
    """Step at its onset."""
    ended: int | None = None
    """None = it lasted to the end."""


@dataclass(frozen=True, kw_only=True)
class TriggerRow:
    """One look of the trigger at a state, for the revision that is next."""

    key: EpisodeKey
    revision: int
    step: int
    fired: bool
    reached: bool | None
    """What a model said; None where none was asked, or the trace does not tell."""
    confidence: float
    """How sure it was of that answer, yes or no, in [0, 1]."""
    holds: bool | None
    """Whether the milestone is reached by the truth; None where nobody knows."""
    held_before: bool | None
    """Whether it was at the state before; False before the first."""
    plausibility: float | None = None
    """What a cheap score gave the milestone there, in [0, 1]; None where the trace does not tell."""
    threshold: float | None = None
    """The plausibility from which on the model was asked; None for a trigger that always asks."""
    last: bool = False
    """Whether the agent claimed to be done, so that the revision would be forced otherwise."""
