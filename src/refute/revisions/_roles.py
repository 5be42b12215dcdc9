"""The milestone trigger's typed question. It never sees the revision (decision 19)."""

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
