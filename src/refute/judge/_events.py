"""What a judge records: every verdict with what it rests on."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.judge._roles import Adaptation, Claim, Holds
from refute.llm import Usage
from refute.trace import Event


class Verdict(StrEnum):
    """How a claim came out. `UNDECIDED`: the model gave no usable answer, and nobody guesses one."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    UNDECIDED = "undecided"


class Why(StrEnum):
    """On what a constraint's verdict rests."""

    CLAIMS = "claims"
    UNDELIVERED = "undelivered"
    """Its revision never reached the agent: unsatisfied (decision 14)."""
    NOT_ADDRESSED = "not_addressed"
    """The final message does not say how its condition came out: unsatisfied (decision 24)."""
    REPLACED = "replaced"
    """A later revision replaces or retracts it: it does not count."""
    OTHER_BRANCH = "other_branch"
    """Its condition came out the other way: it does not count."""
    UNDECIDED = "undecided"
    """The model gave no usable answer about its condition or its claims."""


class Quote(BaseModel):
    """A passage that a verdict rests on. `stands` says whether the code found it there, word for word."""

    model_config = ConfigDict(frozen=True)

    text: str
    stands: bool


class Looked(BaseModel):
    """A page that was looked at for a claim, and what was found on it."""

    model_config = ConfigDict(frozen=True)

    at: int = Field(description="actions before it")
    url: str
    verdict: Verdict
    quotes: tuple[Quote, ...] = ()
    reason: str = ""


class ListQuote(Quote):
    """A passage of the list of actions."""

    entry: int = Field(description="number of the action; 0 = the start")


class Listed(BaseModel):
    """The list of all actions as it was read for a claim."""

    model_config = ConfigDict(frozen=True)

    entries: int = Field(description="of the list, the start included")
    complete: bool = Field(description="whether nothing was left out of it")
    read_to: int = Field(description="number of the last entry that the model says it read")
    absence: bool = Field(description="whether the claim needs that something does not occur")
    quotes: tuple[ListQuote, ...] = ()


class JudgeStarted(Event, kind="judge_started"):
    """A judge began with an episode; what follows up to `judge_ended` is about it."""

    judge: str = Field(description="its name, which is also the file's")
    model: str
    address: str = ""
    mode: str = Field(default="", description="how the model was asked for structure")
    simulated: bool
    seed: int = Field(description="repetition index; dice of the simulated judge")
    trace: str = Field(description="SHA-256 of the trace that was judged")
    refute: str = Field(description="version")
    settings: dict[str, float] = Field(default_factory=dict[str, float])


class BranchResolved(Event, kind="branch_resolved"):
    """What the final message reports of a condition. `holds` is null when the model gave no usable answer."""

    condition: str
    holds: Holds | None
    observed: str = ""
    quote: Quote | None = None
    reason: str = ""


class ClaimsMade(Event, kind="claims_made"):
    """The claims that decide a constraint: from the task's record (`task`) or from the model (`model`)."""

    constraint: str
    source: str
    claims: tuple[Claim, ...]


class ClaimChecked(Event, kind="claim_checked"):
    """A claim was checked against the final message (`quote`), pages (`looked`, in order) or the list of all actions
    (`listed`)."""

    constraint: str
    number: int = Field(ge=1, description="of the claim, in the order of `claims_made`")
    verdict: Verdict
    quote: Quote | None = None
    looked: tuple[Looked, ...] = ()
    listed: Listed | None = None
    reason: str = ""


class ConstraintJudged(Event, kind="constraint_judged"):
    """The verdict on a constraint. `satisfied` is null where it is undecided, and where it does not count."""

    constraint: str
    counts: bool
    satisfied: bool | None
    why: Why


class ResponseJudged(Event, kind="response_judged"):
    """Whether the agent's next actions respond to a delivered revision (dynarev C.3). Null = undecided."""

    revision: int
    window: tuple[int, ...] = Field(description="the steps of the actions that were looked at")
    responsive: bool | None
    actions: tuple[int, ...] = Field(default=(), description="the steps of those that respond")
    adaptation: Adaptation | None = None
    reason: str = ""


class JudgeEnded(Event, kind="judge_ended"):
    """The judge is done with the episode; a file without it after its last `judge_started` is unfinished."""

    satisfied: int
    undecided: int
    counting: int = Field(description="constraints that count")
    score: float | None = Field(description="satisfied / counting; null while a constraint is undecided")
    calls: int = 0
    cached: int = Field(default=0, description="calls whose every reply came from the cache")
    usage: Usage = Usage()
    dollars: float | None = None
