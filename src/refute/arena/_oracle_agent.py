"""Agents that prove tasks: one that follows the oracle, and one that does nothing. Neither is ever under test."""

from __future__ import annotations

from refute.agents import Context
from refute.arena._site import Oracle
from refute.browser import Action, Done, Observation, Outcome
from refute.goals import Goal, Revision, Task


class OracleAgent:
    """Follows `oracle` towards the constraints that are in force as revisions arrive.

    With `ignore`, it goes on as if these revisions (1…) had never been delivered.
    """

    def __init__(self, task: Task, oracle: Oracle, *, ignore: frozenset[int] = frozenset()) -> None:
        self._revisions = len(task.revisions)
        self._oracle = oracle
        self._ignore = ignore
        self._delivered = 0

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Look at the first page."""
        self._page = observation

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """Look at the page; the oracle reads the rest from the site."""
        self._page = observation

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """Another revision was delivered."""
        self._delivered = min(self._delivered + 1, self._revisions)
        self._page = observation

    async def act(self) -> Action:
        """The oracle's next step."""
        taken = frozenset(range(1, self._delivered + 1)) - self._ignore
        return self._oracle.next_action(self._page, self._oracle.active(taken))

    async def close(self) -> None:
        """Nothing was taken."""


class NoopAgent:
    """Claims at once, and again and again, to be done."""

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Nothing."""

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """Nothing."""

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """Nothing."""

    async def act(self) -> Action:
        """Done, without a word."""
        return Done(message="")

    async def close(self) -> None:
        """Nothing was taken."""
