"""Which commitment is active at which state: the simulated planner's own, or one that a reader wrote.

A reader gets the planner's prompt alone, and says after which procedure of the oracle's route each commitment is
complete. So falsifiers and detector do not have one author.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from refute._errors import UserError
from refute.agents import Commitment, Draft
from refute.drift._record import Drive, State


class ReaderPlan(BaseModel):
    """What a reader writes, as JSON. Unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    commitments: tuple[Draft, ...] = Field(min_length=1, max_length=12, description="the steps, in order")
    complete_after: tuple[int, ...] = Field(
        description="for each step, in order: the number of the route's line after which it is complete"
    )

    @model_validator(mode="after")
    def _aligned(self) -> Self:
        if len(self.complete_after) != len(self.commitments):
            raise ValueError("complete_after needs one number for each commitment")
        if list(self.complete_after) != sorted(self.complete_after) or self.complete_after[0] < 1:
            raise ValueError("complete_after must not fall, and begins with 1 or more")
        return self


@dataclass(frozen=True)
class Active:
    """The commitment that is tested at a state, and whether the executor says that it is achieved there."""

    commitment: Commitment
    claimed: bool
    end: int
    """Procedures of the route after which it is complete."""


class Plan:
    """Commitments of one task, and after how many procedures of its route each is complete."""

    def __init__(self, drafts: Sequence[Draft], complete_after: Sequence[int]) -> None:
        self._commitments = [Commitment.of(d, number=n, goal_version=0) for n, d in enumerate(drafts, start=1)]
        self._complete_after = list(complete_after)

    def active(self, state: State, *, finished: int) -> Active | None:
        """What is tested at `state`, before which `finished` procedures were finished; None = all is confirmed.

        An agent advances when a commitment is confirmed, so the state that completes one is still tested against it.
        The executor, who carries out one procedure after the other, claims a commitment with its last procedure.
        """
        for commitment, end in zip(self._commitments, self._complete_after, strict=True):
            if end > finished:
                return Active(commitment, claimed=state.claims and finished + 1 == end, end=end)
        return None


def own_plan(drive: Drive) -> Plan:
    """The simulated planner's: a commitment a procedure."""
    return Plan(drive.plan, range(1, len(drive.plan) + 1))


def readers_plan(drive: Drive, plans: Mapping[str, ReaderPlan]) -> Plan | None:
    """The reader's of the drive's task; None where nobody wrote one. Raises `UserError` when it does not fit."""
    found = plans.get(drive.task)
    if found is None:
        return None
    if found.complete_after[-1] != len(drive.route):
        raise UserError(
            f"the reader's plan of {drive.task} ends after procedure {found.complete_after[-1]} of its route, which "
            f"has {len(drive.route)}: its last commitment has to end with the last of them"
        )
    return Plan(found.commitments, found.complete_after)


def read_plans(folder: Path | None = None) -> Mapping[str, ReaderPlan]:
    """Readers' plans by task, of ``TASK.json`` in `folder`; without one, those that come with this package.

    Raises `UserError`, with the file's name, for anything that is no such plan.
    """
    place: Traversable = folder or resources.files("refute.drift") / "plans"
    if not place.is_dir():
        raise UserError(f"{place} is no folder with readers' plans (TASK.json)")
    found: dict[str, ReaderPlan] = {}
    for file in sorted(place.iterdir(), key=lambda each: each.name):
        if not file.name.endswith(".json"):
            continue
        try:
            found[file.name.removesuffix(".json")] = ReaderPlan.model_validate_json(
                file.read_text(encoding="utf-8"), strict=True, extra="forbid"
            )
        except (OSError, UnicodeDecodeError, ValidationError) as error:
            raise UserError(f"{file.name} is no reader's plan: {error}") from error
    return found
