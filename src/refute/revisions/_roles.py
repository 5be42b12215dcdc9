"""The typed questions of delivery: the milestone trigger, which never sees the revision (decision 19), and the
instruction rewriter."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from refute.browser import Observation


class TriggerInput(BaseModel):
    """Has this stage of the goal been reached on this page?"""

    model_config = ConfigDict(frozen=True)

    instructions: tuple[str, ...] = Field(description="the cumulative goal before the revision")
    milestone: str
    observation: Observation


class TriggerOutput(BaseModel):
    """The answer."""

    model_config = ConfigDict(frozen=True)

    reached: bool
    confidence: float = Field(ge=0, le=1)
    evidence: str = Field(default="", description="the part of the page that shows it")


class RewriterInput(BaseModel):
    """What does the user want, now that they changed it?"""

    model_config = ConfigDict(frozen=True)

    instructions: tuple[str, ...] = Field(description="before the revision, oldest first")
    revision: str


class RewriterOutput(BaseModel):
    """The whole request as the user would put it now."""

    model_config = ConfigDict(frozen=True)

    instruction: str = Field(min_length=1, max_length=8000, description="one text that replaces all instructions")
