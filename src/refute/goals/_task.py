"""A dynamic task: what only the harness knows.

Fields follow the record of DynaRev (goals, revisions bound to milestones, constraints bound to instructions and
branches) and keep what the source benchmarks carry, so that their own evaluators still run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""Names of devices in Windows, with any ending."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reference(_Record):
    """Names a predicate, condition or validator that the site implements, with its arguments."""

    name: str = Field(min_length=1)
    args: Mapping[str, JsonValue] = Field(default_factory=dict[str, JsonValue])


class RevisionKind(StrEnum):
    """How a revision changes the goal (dynarev §3.3; retraction after InterruptBench)."""

    ADDITIVE = "additive"
    UNCONDITIONAL = "override_unconditional"
    CONDITIONAL = "override_conditional"
    RETRACTION = "retraction"


class Milestone(_Record):
    """A semantic stage of the goal before the revision (dynarev §3.2).

    `text` is for a model; `predicate` is the truth, where a site implements one.
    """

    text: str = Field(min_length=1)
    predicate: Reference | None = None


class Condition(_Record):
    """What a conditional override depends on."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    predicate: Reference | None = None
    threshold: float | None = None
    inclusive: bool | None = None


class TaskRevision(_Record):
    """A revision as the harness holds it. Agents only ever get `text`."""

    text: str = Field(min_length=1)
    kind: RevisionKind
    milestone: Milestone
    targets: tuple[str, ...] = Field(
        default=(), description="ids of the constraints that it replaces or retracts, whatever the branch"
    )
    condition: Condition | None = None


class Branch(_Record):
    """The constraint holds only where condition `condition` came out as `when`."""

    condition: str
    when: bool


class Claim(_Record):
    """A check that a judge can make by itself (dynarev §C.1)."""

    kind: Literal["simple", "page", "trajectory"]
    subject: str = ""
    assertion: str = Field(min_length=1)


class Constraint(_Record):
    """One requirement that can be checked by itself.

    `bound_to`: 0 = the initial instruction, k = the k-th revision, which introduces or changes it.
    """

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    bound_to: int = Field(ge=0)
    branch: Branch | None = None
    validator: Reference | None = Field(default=None, description="decides by the site's truth")
    action: bool = Field(default=True, description="whether an agent must do something to satisfy it")
    claims: tuple[Claim, ...] = ()


class Source(_Record):
    """Where a task comes from; `raw` keeps the original record verbatim."""

    benchmark: str
    task_id: str
    revision_hash: str = ""
    licence: str = ""
    raw: JsonValue = None


class Viewport(_Record):
    """Size of the page in CSS pixels."""

    width: int = Field(default=1280, ge=200, le=4000)
    height: int = Field(default=720, ge=200, le=4000)


class Task(_Record):
    """A task whose goal changes while an agent works on it; without revisions it is a static task."""

    id: str = Field(min_length=1, max_length=120, pattern=r"^[A-Za-z0-9][A-Za-z0-9._~-]*$")
    template: str = Field(min_length=1)
    split: Literal["train", "test"] = "test"
    category: str = ""
    source: Source | None = None
    seed: int = Field(
        default=0, description="which of the site's seeded states it starts from; the arena's bundled sites have a few"
    )
    env_id: str = ""

    sites: tuple[str, ...] = ()
    start_urls: tuple[str, ...] = Field(min_length=1, description="`__SITE__/…` is resolved when a site is leased")
    account: str = Field(default="", description="the site's account whose session the browser starts with")
    storage_state: str | None = None
    requires_reset: bool = True
    affects_environment: bool = True
    viewport: Viewport = Viewport()
    images: tuple[str, ...] = ()

    initial_instruction: str = Field(min_length=1)
    static_instruction: str = Field(min_length=1, description="the final goal as one instruction")
    final_instruction: str | None = None
    execution_date: date | None = None
    revisions: tuple[TaskRevision, ...] = ()
    constraints: tuple[Constraint, ...] = Field(min_length=1)
    evaluators: tuple[Mapping[str, Any], ...] = ()
    max_steps: int = Field(default=100, ge=1)
    token_budget: int | None = Field(default=None, ge=1)

    @field_validator("id")
    @classmethod
    def _can_be_a_folder(cls, name: str) -> str:
        if name.endswith(".") or _RESERVED.match(name):
            raise ValueError(f"{name!r} can be no folder on some systems; choose another id")
        return name

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        constraints = {c.id: c for c in self.constraints}
        if len(constraints) != len(self.constraints):
            raise ValueError("two constraints have the same id")
        conditions: dict[str, int] = {}
        for k, revision in enumerate(self.revisions, start=1):
            conditional = revision.kind is RevisionKind.CONDITIONAL
            if conditional and revision.condition is None:
                raise ValueError(f"revision {k} is conditional but has no condition")
            if revision.condition is not None and not conditional:
                raise ValueError(f"revision {k} has a condition but is not conditional")
            if revision.kind is RevisionKind.ADDITIVE and revision.targets:
                raise ValueError(f"revision {k} is additive but targets {', '.join(revision.targets)}")
            if revision.kind in (RevisionKind.UNCONDITIONAL, RevisionKind.RETRACTION) and not revision.targets:
                raise ValueError(f"revision {k} ({revision.kind}) targets no constraint")
            if revision.condition is not None:
                if revision.condition.id in conditions:
                    raise ValueError(f"two conditions have the id {revision.condition.id!r}")
                conditions[revision.condition.id] = k
            for target in revision.targets:
                if target not in constraints:
                    raise ValueError(f"revision {k} targets constraint {target!r}, which does not exist")
                if constraints[target].bound_to >= k:
                    raise ValueError(
                        f"cycle: revision {k} replaces {target!r}, which is introduced by revision "
                        f"{constraints[target].bound_to}"
                    )
        for c in self.constraints:
            if c.bound_to > len(self.revisions):
                raise ValueError(f"constraint {c.id!r} is bound to revision {c.bound_to}, which does not exist")
            if c.branch is not None:
                if c.branch.condition not in conditions:
                    raise ValueError(
                        f"constraint {c.id!r} depends on condition {c.branch.condition!r}, which does not exist"
                    )
                if c.bound_to < conditions[c.branch.condition]:
                    raise ValueError(
                        f"cycle: constraint {c.id!r} is bound to instruction {c.bound_to}, before the revision "
                        f"that states its condition {c.branch.condition!r}"
                    )
        return self

    @property
    def conditions(self) -> Mapping[str, Condition]:
        """All conditions by id."""
        return {r.condition.id: r.condition for r in self.revisions if r.condition is not None}

    def active(self, delivered: int, branches: Mapping[str, bool]) -> tuple[Constraint, ...]:
        """Constraints in force after the first `delivered` revisions, given how each condition came out.

        Decision 14: what a delivered revision replaces leaves, and only the branch that holds stays. A condition that
        is missing from `branches` keeps neither of its branches.
        """
        gone = {t for r in self.revisions[:delivered] for t in r.targets}
        return tuple(
            c
            for c in self.constraints
            if c.bound_to <= delivered
            and c.id not in gone
            and (c.branch is None or branches.get(c.branch.condition) is c.branch.when)
        )

    def judged(self, branches: Mapping[str, bool]) -> tuple[Constraint, ...]:
        """The constraints that count at the end (A_i): those in force after *all* revisions, delivered or not."""
        return self.active(len(self.revisions), branches)
