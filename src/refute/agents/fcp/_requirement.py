"""What the agent itself takes the instructions to require, and what a final check finds of it (decision 11).

These are the agent's own readings. The benchmark's constraints never reach it.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.trace import Event


class ShownBy(StrEnum):
    """Where it can be seen that a requirement is met."""

    PAGE = "page"
    MESSAGE = "message"


class Reading(BaseModel):
    """One requirement."""

    model_config = ConfigDict(frozen=True)

    text: str = Field(min_length=1, description="one fact that must be true at the end, with its names and values")
    instruction: int = Field(ge=1, description="number of the instruction that it comes from")
    shown_by: ShownBy = Field(
        default=ShownBy.PAGE, description="page: the site shows it; message: it is about what the report says"
    )
    condition: str = Field(default="", description="what it depends on, as a statement; empty if it always holds")
    when: bool = Field(default=True, description="false if it holds in case the condition is not true")


class Requirement(Reading):
    """A requirement in the agent's list, by its number. Numbers are those of one reading, not of the episode."""

    number: int = Field(ge=1)


class Interpreted(Event, kind="interpreted"):
    """The agent read the instructions: these are the constraints, as it takes them, that the goal now has."""

    goal_version: int
    constraints: tuple[Requirement, ...]


class Ruling(StrEnum):
    """What the evidence says of one requirement."""

    MET = "met"
    VIOLATED = "violated"
    DOES_NOT_APPLY = "does_not_apply"
    UNKNOWN = "unknown"


class Finding(BaseModel):
    """What was found of one requirement."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1, description="the requirement's number")
    ruling: Ruling
    quote: str = Field(default="", description="the words that show it, copied from one line; needed unless unknown")
    why: str = Field(default="", description="one sentence")


class Checked(Finding):
    """A finding as it counts: a ruling without a quote that is really there is `unknown`."""

    text: str = Field(description="the requirement")
    source: str = Field(default="", description="where the quote stands: message, page, step 2, action")


class Result(StrEnum):
    """What a final check came to. `unverified` is never counted as success."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNVERIFIED = "unverified"


class Cue(BaseModel):
    """What the quick search found of one requirement: shown to the model as a hint, and no ruling."""

    model_config = ConfigDict(frozen=True)

    number: int = Field(ge=1, description="the requirement's number")
    support: float = Field(ge=0, le=1, description="highest of all sources")
    contradiction: float = Field(ge=0, le=1, description="highest of all sources")
    source: str = Field(default="", description="where what speaks loudest stands; empty where nothing does")
    lines: tuple[str, ...] = Field(default=(), description="the lines there that it rests on")
    told: str = Field(default="", description="the hint in words, as it was shown; empty where none was")


class FinalChecked(Event, kind="final_checked"):
    """A `done` was held against every requirement. One event for each time that a model was asked."""

    result: Result
    goal_version: int
    message: str = Field(description="the report that was proposed")
    findings: tuple[Checked, ...]
    cues: tuple[Cue, ...] = ()
    scorer: str = Field(default="", description="what scored the cues")
    milliseconds: float = Field(default=0.0, description="that the scores took")
    consequence: str = Field(
        description="done, repair (of the plan), look (for what is missing), goes_on (no repair can follow)"
    )


def result_of(findings: tuple[Checked, ...]) -> Result:
    """One violation refutes; only if every requirement is met, or does not apply, is the claim verified."""
    rulings = {finding.ruling for finding in findings}
    if Ruling.VIOLATED in rulings:
        return Result.REFUTED
    settled = bool(rulings) and rulings <= {Ruling.MET, Ruling.DOES_NOT_APPLY}
    return Result.VERIFIED if settled else Result.UNVERIFIED
