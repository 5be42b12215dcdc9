"""The one verdict that commitments, milestones, claims and the final done all consume."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Label(StrEnum):
    """What a page says about a statement. `UNKNOWN` is never folded into success."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


class Verdict(BaseModel):
    """How far a text supports or contradicts a statement. The scores are heuristic, not probabilities."""

    model_config = ConfigDict(frozen=True)

    label: Label
    support: float = Field(ge=0, le=1)
    contradiction: float = Field(ge=0, le=1)
    lines: tuple[str, ...] = Field(default=(), description="the lines of the page that the verdict rests on")
