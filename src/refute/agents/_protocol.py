"""What the episode loop asks of an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from refute.browser import Action, Observation, Outcome
from refute.budget import Budget, Clock
from refute.goals import Goal, Revision
from refute.llm import Model
from refute.trace import Recorder


class Screenshot(Protocol):
    """Takes a picture of the page in front, as JPEG."""

    async def __call__(self, *, marks: bool = False) -> bytes:
        """`marks`: the numbers of the elements are drawn on it. Raises `BrowserError` or one of its kinds."""
        ...


@dataclass(frozen=True, kw_only=True)
class Context:
    """What an agent may use. The benchmark's constraints are not among it."""

    recorder: Recorder
    model: Model
    budget: Budget
    clock: Clock
    screenshot: Screenshot | None = None
    """None where there is no browser to take one from."""


class Agent(Protocol):
    """An agent under test, or at work for a user.

    The loop calls `start` once; then, step by step, `observe` with the state that the last action led to (not before
    the first action), `revise` if a revision is due, and `act`. `observe` comes before `revise`, so that a finished
    commitment is confirmed before a revision can rewrite it. After a `Done` that the harness turned down because the
    goal changed, `observe` gets an outcome with `intercepted` set. Any `RunError` raised here ends the episode as a
    harness error; a bad idea of the agent must not raise.
    """

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Take on a goal."""
        ...

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """See what the last action led to: test it, advance or repair."""
        ...

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """The user changed the goal: `goal` is the new one, `revision` the change."""
        ...

    async def act(self) -> Action:
        """The next action. Every returned action counts as a step (decision 13)."""
        ...

    async def close(self) -> None:
        """The episode is over; release what `start` took."""
        ...
