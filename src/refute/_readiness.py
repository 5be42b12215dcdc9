"""What `refute doctor` says of one thing that a run needs. Every room that needs something outside brings its own.

A room's `readiness` looks and says; it repairs nothing, raises nothing that it can put into words, and comes back
within seconds. The doctor only collects (`refute.cli._doctor`).
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class State(StrEnum):
    """How much a shortcoming matters."""

    READY = "ready"
    OPTIONAL = "optional"
    """Not there, not good, or not known; the bundled demo and what was asked for do without it."""
    MISSING = "missing"
    """The bundled demo, or what was asked for, cannot work like this."""


class Readiness(BaseModel):
    """One line of the doctor."""

    model_config = ConfigDict(frozen=True)

    part: str = Field(description="what it belongs to: machine, browser, sites, …")
    name: str
    state: State
    detail: str = Field(description="what was found; never a key")
    cure: str = Field(default="", description="the command, or the words, that mend it; empty when it is ready")
