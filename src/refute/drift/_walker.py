"""Somebody who walks through a site by its procedures, and writes down every state on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal

from refute.agents import Draft, Step, describe
from refute.arena import Delusion, Move, Procedure, Truth
from refute.browser import Action, Back, Goto, Observation, Scroll, Session
from refute.drift._record import HOME, Page, State
from refute.goals import Constraint

CONFIDENCE = 0.8
"""Of the simulated planner's commitments."""


class Walker:
    """One per drive. Knows the way as the oracle does: from any page, by what remains to be done.

    `route` are the procedures as they were at the start, the final report left out; `finished` is how many of them
    are finished by the site's truth.
    """

    def __init__(self, session: Session, truth: Truth, page: Observation, *, origin: str) -> None:
        truth.see(page)
        self._session = session
        self._truth = truth
        self._origin = origin
        self._stage: Procedure | None = None
        self._steps: list[Step] = []
        self.page = page
        self.start = self._kept(page)
        self.active: Sequence[Constraint] = truth.active(())
        self.route = self.remaining()
        self.finished = 0
        self.advanced = False
        """Whether the latest step finished something."""
        self.states: list[State] = []

    # ---- the way -------------------------------------------------------------------------------------------------

    def remaining(self, delusion: Delusion | None = None) -> tuple[Procedure, ...]:
        """What is left of the route by the site's truth; with a wrong thing in the place of a right one."""
        return tuple(self._truth.plan(self.active, delusion))[:-1]

    def right(
        self,
        *,
        delusion: Delusion | None = None,
        believed: Collection[Procedure] = (),
        overlooked: Callable[[str], bool] = lambda name: False,
    ) -> Move | None:
        """The next move; None when only the report is left.

        `believed` procedures are taken for finished. Elements with an `overlooked` name are not noticed.
        """
        stage = next((p for p in self.remaining(delusion) if p not in believed), None)
        if stage is None:
            return None
        if stage != self._stage:
            self._stage, self._steps = stage, []
        seen = self.page.model_copy(
            update={"elements": tuple(e for e in self.page.elements if not overlooked(e.name.strip()))}
        )
        move = stage.next_move(seen, self._steps)
        return move if move.action is not None else Move(action=self.look_around(), why=move.why)

    def look_around(self) -> Action:
        """Something harmless that shows more of the site: further down, else back."""
        return Scroll(direction="down") if self.page.scroll_y < self.page.scroll_max else Back()

    @property
    def stage(self) -> Procedure:
        """The procedure that is being carried out."""
        assert self._stage is not None
        return self._stage

    # ---- steps ---------------------------------------------------------------------------------------------------

    async def take(self, move: Move, *, since: int | None = None) -> State:
        """Carry out a move, and write down the state that it led to. `since`: steps since the onset of a drift."""
        action, there = move.action, self.page
        assert action is not None
        target = there.element(getattr(action, "target", None) or 0)
        outcome, page = await self._session.step(action)
        self._truth.see(page)
        self.page = page
        worked = outcome.ok and outcome.changed
        self._steps.append(
            Step(
                number=len(self._steps) + 1,
                action=describe(action, there),
                outcome="ok" if worked else "no effect",
                url=page.url,
            )
        )
        before, self.finished = self.finished, self._progress()
        self.advanced = self.finished > before
        state = State(
            number=len(self.states) + 1,
            action=self._portable_action(action),
            target=target,
            reasoning=f"{move.why[:1].upper()}{move.why[1:]}.",
            claims=move.completes,
            outcome=outcome.model_copy(update={"detail": self._portable(outcome.detail)}),
            page=self._kept(page),
            label="on" if since is None else "off",
            since=since,
            finished=self.finished,
        )
        self.states.append(state)
        return state

    def relabel(self, label: Literal["off", "passing"], *, since: int | None = None) -> None:
        """The latest state turned out to be an onset, or an obstacle that is dealt with at once."""
        self.states[-1] = self.states[-1].model_copy(update={"label": label, "since": since})

    def take_back(self) -> None:
        """Leave the latest state out of the record."""
        del self.states[-1]

    def claim(self) -> None:
        """The latest state finished a procedure, and whoever acted knew it."""
        self.states[-1] = self.states[-1].model_copy(update={"claims": True})

    def _progress(self) -> int:
        """How far the route is done: up to the procedure that comes first in what remains.

        Where something else comes first, such as taking back what went wrong, nothing new is finished.
        """
        remaining = self.remaining()
        if not remaining:
            return len(self.route)
        ahead = [n for n in range(self.finished, len(self.route)) if self.route[n] == remaining[0]]
        return ahead[0] if ahead else self.finished

    def _kept(self, page: Observation) -> Page:
        return Page(
            url=self._portable(page.url),
            title=page.title,
            text=self._portable(page.text),
            tabs=tuple(tab.model_copy(update={"url": self._portable(tab.url)}) for tab in page.tabs),
            events=tuple(e.model_copy(update={"text": self._portable(e.text)}) for e in page.events),
            status=page.status,
            digest=page.digest,
        )

    def _portable_action(self, action: Action) -> Action:
        return action.model_copy(update={"url": self._portable(action.url)}) if isinstance(action, Goto) else action

    def _portable(self, text: str) -> str:
        return text.replace(self._origin, HOME)


def drafted(procedure: Procedure) -> Draft:
    """The simulated planner's commitment for a procedure, when it makes no mistake."""
    return Draft(
        subgoal=procedure.sentence(),
        confirming=procedure.confirming(),
        falsifying=procedure.falsifying(),
        confidence=CONFIDENCE,
    )
