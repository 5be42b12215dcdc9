"""`react`: reasoning and acting with no plan and no tests. The baseline, and the `no-falsifiable-plan` ablation."""

from __future__ import annotations

from refute.agents._history import History, outcome_text, went_well
from refute.agents._impact import changes_page
from refute.agents._proposal import Proposal, propose
from refute.agents._protocol import Context
from refute.agents._shaping import Shaping, offered_actions, shape
from refute.agents.fcp._roles import ExecutorInput
from refute.agents.memory import Memory, came_along
from refute.browser import Action, Note, Observation, Outcome
from refute.goals import Goal, Revision


class ReactAgent:
    """Asks the executor for one action after the other until it says done.

    With `memory`, the skills closest to the goal are shown, which is the ablation *no falsifiable plan* (decision 12b):
    one implicit commitment, the whole goal, which ends with the executor's own done.
    """

    def __init__(self, *, memory: Memory | None = None, shaping: Shaping = Shaping.PLAIN) -> None:
        self._memory = memory or Memory()
        self._occam = shaping is Shaping.OCCAM

    async def start(self, goal: Goal, observation: Observation, context: Context) -> None:
        """Take on `goal`."""
        self._goal = goal
        self._page = observation
        self._context = context
        self._history = History()
        self._last: Proposal | None = None
        self._error = ""
        self._recalled = await self._memory.recall_skills(goal.text, recorder=context.recorder)

    async def observe(self, outcome: Outcome, observation: Observation) -> None:
        """Remember what the last action led to."""
        last = self._last
        self._page = observation
        self._error = ""
        if last is None:
            return
        ended = outcome_text(outcome, expects_change=changes_page(last.action))
        if not last.usable:
            ended = "stood in for replies without a usable action"
        self._history.add(last.text, ended, observation, pivotal=last.pivotal)
        if isinstance(last.action, Note):
            self._history.note(last.action.text)
        self._error = "" if went_well(ended) else f"{last.text}: {ended}"

    async def revise(self, goal: Goal, revision: Revision, observation: Observation) -> None:
        """Go on with the new instructions."""
        self._goal = goal
        self._page = observation

    async def act(self) -> Action:
        """What the executor proposes."""
        question = ExecutorInput(
            instructions=self._goal.instructions,
            observation=self._page,
            skills=tuple(recalled.skill for recalled in self._recalled),
            came_along=came_along(self._recalled),
            steps=self._history.pivotal_steps() if self._occam else self._history.steps(now=self._page.text),
            notes=self._history.notes,
            last_error=self._error,
            shaped=shape(self._page) if self._occam else None,
            offered=offered_actions(self._page) if self._occam else (),
        )
        self._last = await propose(question, self._context)
        return self._last.action

    async def close(self) -> None:
        """Nothing was taken."""
