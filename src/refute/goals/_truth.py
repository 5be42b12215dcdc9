"""What the harness and the site know: the truth beside an agent's own view."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from refute.trace import Event


class Finding(BaseModel):
    """A validator's verdict on one constraint, with what it rests on."""

    model_config = ConfigDict(frozen=True)

    satisfied: bool
    evidence: str = Field(default="", description="one line: what was found in the database, page or message")


class TruthStep(Event, kind="truth_step"):
    """The truth after one action: which milestones' and conditions' predicates hold, and how far the goal is.

    `milestones` is keyed by the number of the revision (1…), `conditions` by id. `distance` counts the oracle's
    remaining procedures towards the active constraints, as delivered so far; None where no oracle exists.
    """

    milestones: Mapping[int, bool] = Field(default_factory=dict[int, bool])
    conditions: Mapping[str, bool] = Field(default_factory=dict[str, bool])
    distance: int | None = None


class MistakeStarted(Event, kind="mistake_started"):
    """The simulated model makes a mistake here. Agents never see this."""

    id: int
    mistake: str = Field(description="kind, as in docs/simulation: wrong_element, wrong_branch, stale_procedure, …")
    scope: str = Field(description="execution, skill, planning, or empty")
    detail: str = ""


class MistakeEnded(Event, kind="mistake_ended"):
    """The mistake `id` is over."""

    id: int
    how: str = Field(description="input_changed, recovered, superseded, episode_over, retried")


class FaultStarted(Event, kind="fault_started"):
    """The site serves a fault from here on, because the run asked for it. Agents never see this."""

    id: int
    fault: str = Field(description="kind, as in docs/site-faults: server_error, popup, …")
    scope: str = Field(description="where a repair has to begin: execution, skill or planning")
    path: str = Field(description="the request that it began with")
    detail: str = Field(default="", description="what was altered")
    lasts: int = Field(default=1, ge=0, description="matching requests it is served to; 0 = to the end of the episode")


class FaultEnded(Event, kind="fault_ended"):
    """The fault `id` is over: the request `path` was the first that it could have been served to and was not."""

    id: int
    path: str


class TruthVerdict(Event, kind="truth_verdict"):
    """The end of an episode: every validator's verdict, before the site is reset.

    `findings` is keyed by constraint id and holds every constraint of the task that has a validator, active or not;
    `branches` says how each condition really came out; `damage` lists side effects outside the task.
    """

    findings: Mapping[str, Finding]
    branches: Mapping[str, bool] = Field(default_factory=dict[str, bool])
    damage: tuple[str, ...] = ()
