"""The agent that carries out a solution: it proves that a task can be solved by what agents see and do."""

from __future__ import annotations

from refute.agents import Context
from refute.browser import Action, Cause, Done, Infeasible, Observation, Outcome
from refute.goals import Goal, Revision, Task
from refute.suites.miniwob import SOLUTIONS, NotOnPage, Page, Solution


def solution_for(task: Task) -> Solution | None:
    """The written solution of a task, if there is one."""
    return (
        SOLUTIONS.get(task.template)
        if task.source is not None and task.source.benchmark in ("miniwob", "browsergym:miniwob")
        else None
    )


TRIES = 3
"""How often an action is tried again that the page was not ready for."""


class SolverAgent:
    """Follows `solution`. Gives up, with the reason, when an action fails or the page is not as expected."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._outcome = Outcome()
        self._begun = False
        self._last: Action | None = None
        self._tries = 0

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Read the instruction and the first page."""
        self._page = Page(observation)
        self._script = self._solution(goal.text, self._page)

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """Look at the page."""
        self._outcome, self._page = outcome, Page(observation)

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """There are no revisions here."""

    async def act(self) -> Action:
        """The solution's next action."""
        if self._outcome.cause is Cause.TIMEOUT and self._last is not None and self._tries < TRIES:
            self._tries += 1
            return self._last  # a busy machine: the page is as it was
        worked_late = self._tries > 0 and self._outcome.cause in (Cause.STALE, Cause.HIDDEN)
        if not self._outcome.ok and not worked_late:
            return Infeasible(reason=f"an action failed: {self._outcome.cause}: {self._outcome.detail}")
        try:
            action = self._script.send(self._page) if self._begun else next(self._script)
        except StopIteration:
            return Done(message="")
        except (NotOnPage, IndexError, KeyError, ValueError) as error:
            return Infeasible(reason=f"{type(error).__name__}: {error}")
        self._begun, self._last, self._tries = True, action, 0
        return action

    async def close(self) -> None:
        """Nothing was taken."""
