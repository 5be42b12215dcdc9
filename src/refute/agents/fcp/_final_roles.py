"""The two questions of the final check: what do the instructions require, and does the evidence show it?"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from refute.agents._history import Step
from refute.agents.fcp._requirement import Finding, Reading, Requirement
from refute.browser import Observation
from refute.llm import Role


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class InterpreterInput(_Frozen):
    """What do these instructions require, all together?"""

    instructions: tuple[str, ...]


class InterpreterOutput(_Frozen):
    """Everything that must be true at the end."""

    constraints: tuple[Reading, ...] = Field(min_length=1, max_length=24)


class Exhibit(_Frozen):
    """Lines of the trace that speak of a requirement."""

    source: str = Field(description="message, page, or the finished step on whose page they stood")
    lines: tuple[str, ...]


class Asked(_Frozen):
    """A requirement, and the evidence that was found cheaply: a cue, never a verdict."""

    requirement: Requirement
    cue: str = ""
    exhibits: tuple[Exhibit, ...] = ()


class FinalCheckInput(_Frozen):
    """The agent wants to end the work with `message`. Is every requirement met?"""

    instructions: tuple[str, ...]
    message: str
    asked: tuple[Asked, ...]
    observation: Observation
    summaries: tuple[str, ...] = Field(default=(), description="of the finished stages")
    steps: tuple[Step, ...] = Field(default=(), description="of the whole episode; only the actions are shown")
    remaining: tuple[str, ...] = Field(default=(), description="subgoals of the steps that are still open")


class FinalCheckOutput(_Frozen):
    """A finding for each requirement."""

    findings: tuple[Finding, ...] = Field(min_length=1, max_length=24)


_TEMPLATES = "refute.agents"

INTERPRETER = Role(
    name="interpreter", input=InterpreterInput, output=InterpreterOutput, template=f"{_TEMPLATES}:interpreter.jinja"
)
FINAL_CHECKER = Role(
    name="final_checker",
    input=FinalCheckInput,
    output=FinalCheckOutput,
    template=f"{_TEMPLATES}:final_checker.jinja",
)
