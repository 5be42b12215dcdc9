"""The events of an episode's frame: how it began, which goal it held, and how it ended."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from pydantic import Field

from refute.budget import Spent
from refute.goals import Goal, Task
from refute.revisions._delivery import Deliver
from refute.trace import Event, Trace


class Ending(StrEnum):
    """Why an episode ended. Only `HARNESS_ERROR` is no agent's doing (decision 28b)."""

    DONE = "done"
    INFEASIBLE = "infeasible"
    BUDGET = "budget"
    HARNESS_ERROR = "harness_error"


class EpisodeStarted(Event, kind="episode_started"):
    """The frame of an episode; everything needed to read the rest."""

    run_id: str
    task: Task
    repeat: int = Field(ge=0)
    agent: str
    model: str
    simulated: bool
    seed: int
    origin: str = Field(default="", description="the site's address in this episode")
    browser: str = Field(default="", description="name and version")
    deliver: Deliver = Field(
        default=Deliver.DURING, description="whether revisions come: during, never, or upfront as part of the goal"
    )

    @property
    def first_instruction(self) -> str:
        """What the agent was told at the start."""
        return self.deliver.first_instruction(self.task)


class GoalSet(Event, kind="goal_set"):
    """The goal that the agent holds from here on."""

    goal: Goal


class EpisodeEnded(Event, kind="episode_ended"):
    """The last event of a finished episode; a folder without one is unfinished."""

    ending: Ending
    message: str = Field(default="", description="the agent's last message, or the harness error")
    limit: str = Field(
        default="", description="which limit ended it: steps, requests, tokens, cost or seconds; with `budget` only"
    )
    delivered: int = Field(default=0, ge=0)
    forced: int = Field(default=0, ge=0)
    spent: Spent = Spent()


def last_attempt(trace: Trace) -> Trace:
    """The trace from its last start on: an episode that was killed and run again in the same folder counts once."""
    starts = [n for n, event in enumerate(trace.events) if isinstance(event, EpisodeStarted)]
    return trace if len(starts) < 2 else replace(trace, events=trace.events[starts[-1] :])
