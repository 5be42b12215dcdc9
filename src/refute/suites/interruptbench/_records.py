"""Records in the data format of InterruptBench (arXiv 2604.00892), as they stand in its files.

A file is a JSON array of objects with `task_id`, `intent` (the goal after all updates, which is the original task's),
`transformed_initial_intent` (what the agent is told first) and `updates` (what it is told later, in order). In a file
whose name says so, such as ``1update.json`` or ``2retraction.json``, all updates are of one type; in ``3mixed.json``
each row has `updates_type`.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute._errors import UserError

FILES = ("1update", "2update", "2modification", "1retraction", "2retraction", "3mixed")
"""The files of the published data, without their ending."""


class UpdateType(StrEnum):
    """What an update does to the goal, in the benchmark's words."""

    ADDITION = "addition"
    MODIFICATION = "modification"
    RETRACTION = "retraction"


class Update(BaseModel):
    """What the user says later."""

    model_config = ConfigDict(frozen=True)

    text: str = Field(min_length=1)
    type: UpdateType


class Record(BaseModel):
    """One row of a file."""

    model_config = ConfigDict(frozen=True)

    file: str = Field(description="the file's name without its ending")
    row: int = Field(ge=0, description="its place in the file, from 0")
    line: int = Field(ge=1, description="the line on which it begins")
    task_id: str = Field(min_length=1, description="the task that it was made from; a number in the published data")
    intent: str = Field(min_length=1)
    initial: str = Field(min_length=1, description="`transformed_initial_intent`")
    updates: tuple[Update, ...] = Field(min_length=1)


class Trouble(StrEnum):
    """What can be wrong with a row."""

    SYNTAX = "syntax"
    SHAPE = "shape"
    MISSING = "missing"
    WRONG_TYPE = "wrong_type"
    EMPTY = "empty"
    UNKNOWN_TYPE = "unknown_type"
    DUPLICATE = "duplicate"
    NO_TASK = "no_task"
    OTHER_INTENT = "other_intent"
    MILESTONES = "milestones"


class RowProblem(BaseModel):
    """Why a row could not be used, and what to do about it."""

    model_config = ConfigDict(frozen=True)

    file: str
    row: int = Field(ge=0)
    line: int = Field(ge=1)
    field: str = ""
    trouble: Trouble
    what: str
    cure: str

    def __str__(self) -> str:
        field = f", {self.field}" if self.field else ""
        return f"{self.file}, line {self.line} (row {self.row}{field}): {self.what}; {self.cure}"


class Reading(BaseModel):
    """The rows of a file: those that can be used, and why the others cannot."""

    model_config = ConfigDict(frozen=True)

    records: tuple[Record, ...]
    problems: tuple[RowProblem, ...] = ()

    def strict(self) -> Reading:
        """The same; raises `UserError` that names every problem when there is one."""
        if self.problems:
            raise UserError("\n".join((f"{len(self.problems)} row(s) cannot be used:", *map(str, self.problems))))
        return self
