"""The typed questions of a judge. Wording lies in ``refute/judge/templates``.

Identifiers (`constraint`, `condition`, `revision`) are for backends that do not read prose; no template shows them.
The docstrings and descriptions of outputs reach the model through their schemas, and are worded for it. Grounds come
before verdicts in them, so that a model which thinks while it writes looks first.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from refute.llm import Role


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Instruction(_Frozen):
    """What the user said: 0 = at the start, k = as the k-th revision."""

    number: int
    text: str


class State(_Frozen):
    """A page as the agent saw it after `step` actions."""

    step: int
    url: str
    title: str
    text: str
    events: tuple[str, ...] = ()
    more_above: bool | None = Field(default=None, description="whether the page goes on out of sight; null = unknown")
    more_below: bool | None = None


class WindowAction(_Frozen):
    """One action of a window (number 1…), and the page that it led to; `url` is empty where it led to none."""

    number: int
    step: int
    text: str
    target: str = ""
    problem: str = Field(default="", description="why it failed; empty when it did not")
    url: str = ""
    title: str = ""
    seen: tuple[str, ...] = Field(default=(), description="lines that stood newly on that page")


class Entry(_Frozen):
    """What is known of the `number`-th action (0 = the start): what was done, what came of it, what was new then."""

    number: int
    lines: tuple[str, ...]


# ---- claims ----------------------------------------------------------------------------------------------------------


class ClaimInput(_Frozen):
    """Which checks decide this constraint?"""

    constraint: str
    text: str
    bound_to: int = Field(description="number of the instruction that introduces or changes it")
    condition: str = Field(default="", description="the condition it depends on, and how that came out")
    siblings: tuple[str, ...] = Field(default=(), description="the other constraints that are in force")
    instructions: tuple[Instruction, ...]
    sections: tuple[str, ...] = Field(description="the agent's last message in parts; numbered from 1 in the prompt")
    day: date


class Claim(_Frozen):
    """One check: a simple one is decided by the final message, a page one by a page that was seen, a trajectory one by
    the list of all actions."""

    kind: Literal["simple", "page", "trajectory"]
    subject: str = Field(min_length=1, description="what the claim is about, named as the message or the page names it")
    assertion: str = Field(min_length=1, description="one sentence that is true or false, complete in itself")
    section: int | None = Field(
        default=None, description="simple claims about an item of a list: number of the message's part with that list"
    )


class ClaimOutput(_Frozen):
    """The checks; the constraint is satisfied if and only if all of them hold."""

    claims: tuple[Claim, ...] = Field(min_length=1, max_length=40)


class SimpleInput(_Frozen):
    """Does the final message bear out this claim? `message` is the part of it that may be used."""

    constraint: str
    subject: str
    assertion: str
    message: str
    day: date


class SimpleOutput(_Frozen):
    """The finding."""

    reason: str = Field(default="", description="one sentence")
    quote: str = Field(default="", description="the words of the message that show it, copied exactly; empty if none")
    verified: bool


class WebInput(_Frozen):
    """Does this page bear out the claim?"""

    constraint: str
    subject: str
    assertion: str
    state: State
    final: bool = Field(description="whether the work ended on this page")
    day: date


class WebOutput(_Frozen):
    """The finding. Both parts are about this one page."""

    reason: str = Field(default="", description="one sentence")
    subject_quotes: tuple[str, ...] = Field(
        default=(), max_length=5, description="lines, title or address that show the subject, copied exactly"
    )
    subject_present: bool
    assertion_quotes: tuple[str, ...] = Field(
        default=(), max_length=5, description="lines, title or address that show the assertion, copied exactly"
    )
    assertion_holds: bool


class TrajectoryInput(_Frozen):
    """Does the list of all actions bear out the claim?"""

    constraint: str
    subject: str
    assertion: str
    entries: tuple[Entry, ...] = Field(min_length=1)
    complete: bool = Field(description="whether the list shows all that was new on pages")
    instructions: tuple[Instruction, ...]
    day: date


class EntryQuote(_Frozen):
    """Words of an entry of the list."""

    entry: int = Field(description="its number")
    text: str = Field(description="one line of it, or a part of one, copied exactly")


class TrajectoryOutput(_Frozen):
    """The finding."""

    reason: str = Field(default="", description="one sentence")
    read_to: int = Field(description="number of the last entry that was read")
    quotes: tuple[EntryQuote, ...] = Field(
        default=(),
        max_length=30,
        description="what shows it; for what was not done, what comes closest to it",
    )
    absence: bool = Field(description="whether the claim also needs that something does not occur in the list")
    holds: bool


# ---- branches --------------------------------------------------------------------------------------------------------


class Holds(StrEnum):
    """What the final message says of a condition."""

    TRUE = "true"
    FALSE = "false"
    NOT_ADDRESSED = "not_addressed"


class BranchInput(_Frozen):
    """What does the final message report about this condition?"""

    condition: str
    text: str
    threshold: float | None = None
    inclusive: bool | None = None
    revision: str = Field(description="the revision that states it")
    message: str
    day: date


class BranchOutput(_Frozen):
    """The finding."""

    reason: str = Field(default="", description="one sentence")
    quote: str = Field(default="", description="the passage that reports it, copied exactly; it contains `observed`")
    observed: str = Field(default="", description="the observed value or fact, in the message's own words; short")
    holds: Holds


# ---- response --------------------------------------------------------------------------------------------------------


class Adaptation(StrEnum):
    """What the actions do with the work so far."""

    OVERWRITE = "overwrite"
    ADDITIVE = "additive"
    UNRELATED = "unrelated"


class ResponseInput(_Frozen):
    """Do these actions respond to the revision?"""

    revision: int
    text: str
    before: tuple[Instruction, ...] = Field(description="what had been said before")
    page: State = Field(description="on which the revision came")
    actions: tuple[WindowAction, ...] = Field(min_length=1)


class ResponseOutput(_Frozen):
    """The finding."""

    reason: str = Field(default="", description="one sentence")
    actions: tuple[int, ...] = Field(default=(), description="numbers of the actions that respond")
    responsive: bool
    adaptation: Adaptation


_TEMPLATES = "refute.judge"

CLAIM_GENERATOR = Role(
    name="claim_generator", input=ClaimInput, output=ClaimOutput, template=f"{_TEMPLATES}:claim_generator.jinja"
)
SIMPLE_CLAIM_VERIFIER = Role(
    name="simple_claim_verifier",
    input=SimpleInput,
    output=SimpleOutput,
    template=f"{_TEMPLATES}:simple_claim_verifier.jinja",
)
WEB_EVIDENCE_VERIFIER = Role(
    name="web_evidence_verifier", input=WebInput, output=WebOutput, template=f"{_TEMPLATES}:web_evidence_verifier.jinja"
)
TRAJECTORY_VERIFIER = Role(
    name="trajectory_verifier",
    input=TrajectoryInput,
    output=TrajectoryOutput,
    template=f"{_TEMPLATES}:trajectory_verifier.jinja",
)
BRANCH_RESOLVER = Role(
    name="branch_resolver", input=BranchInput, output=BranchOutput, template=f"{_TEMPLATES}:branch_resolver.jinja"
)
RESPONSE_JUDGE = Role(
    name="response_judge", input=ResponseInput, output=ResponseOutput, template=f"{_TEMPLATES}:response_judge.jinja"
)
