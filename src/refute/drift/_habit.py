"""How somebody goes on who has not noticed that things went wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence

from refute.arena import Delusion, Dice, Move, Procedure, Truth, state_of, wander
from refute.drift._record import Calm, Kind
from refute.drift._walker import Walker

_WAY_OUT = re.compile(r"no,? thanks|not now|continue as .*|try again", re.IGNORECASE)
"""Names of what leads out of a popup, a lost login and an error page. Who has not noticed those does not see it."""
_LOST = frozenset(
    {Kind.WRONG_BRANCH, Kind.WRONG_ELEMENT, Kind.OLD_LAYOUT, Kind.OUT_OF_STOCK, Kind.CONTAMINATED_RESULTS}
)
"""Kinds whose agent looks around, and may come across what it needs."""


class Habit:
    """One per drive that leaves the track."""

    def __init__(self, kind: Kind | Calm, walker: Walker, truth: Truth, dice: Dice) -> None:
        self._kind = kind
        self._walker = walker
        self._truth = truth
        self._dice = dice
        self._delusion: Delusion | None = None
        self._believed: list[Procedure] = []

    def take_in(self, last: Move, told: str) -> str:
        """See the state with which a fault of the site began. `last` is the move that led there, `told` what the site
        says of the fault. What is made of it, to be added to that."""
        match self._kind:
            case Kind.CONTAMINATED_RESULTS:
                self._delusion = self._taken_for(told)
                if self._delusion is not None:
                    return f"; goes on with {self._delusion.wrong} ({self._delusion.violates})"
            case Kind.SILENT_FORM if last.completes:
                self._believed.append(self._walker.stage)
            case _:
                pass
        return ""

    def next(self) -> Move | None:
        """The next move; None = report that all is done."""
        walker = self._walker
        match self._kind:
            case Kind.LOST_LOGIN | Kind.SERVER_ERROR | Kind.POPUP:
                return walker.right(overlooked=lambda name: _WAY_OUT.fullmatch(name) is not None)
            case Kind.GOAL_REVISED:
                return walker.right()
            case Kind.SILENT_FORM:
                return walker.right(believed=self._believed) or walker.right()
            case Kind.CONTAMINATED_RESULTS if self._delusion is not None:
                return walker.right(delusion=self._delusion, believed=self._in_sight(self._delusion))
            case Kind.OLD_LAYOUT | Kind.OUT_OF_STOCK if walker.page.scroll_y < walker.page.scroll_max:
                return Move(action=walker.look_around(), why="look for the button further down")
            case _:
                return self.wander()

    def wander(self) -> Move | None:
        """Something that looks related to the step, and is not what it needs."""
        right = self._walker.right()
        if right is None:
            return None
        said = self._walker.stage.sentence()
        action = wander(self._walker.page, said, right.action, self._dice, len(self._walker.states))
        return Move(action=action, why=f"look around: {said}")

    def came_home(self) -> bool:
        """Whether somebody who was lost has come across what the route needs. That state is not off the track: it is
        taken back, and the drive ends before it."""
        home = self._kind in _LOST and self._delusion is None and self._walker.advanced
        if home:
            self._walker.take_back()
        return home

    # ---- contaminated results ------------------------------------------------------------------------------------

    def _taken_for(self, told: str) -> Delusion | None:
        """What is taken for the product that is to be opened next: one that violates a constraint, else one of those
        that do not match the search at all."""
        walker, state = self._walker, state_of(self._walker.page)
        right: str = getattr(walker.remaining()[0], "title", "")
        near = self._truth.near_miss(walker.active, lambda names: self._dice.pick(names, "near miss", state))
        if near is None or near.right != right:
            strangers = [title for title in told.partition(" hold: ")[2].split("; ") if title]
            if not strangers:
                return None
            stranger = self._dice.pick(strangers, "stranger", state)
            near = Delusion(right=right, wrong=stranger, violates="it does not match the search")
        return near if right and walker.remaining(near) != walker.remaining() else None

    def _in_sight(self, delusion: Delusion) -> Sequence[Procedure]:
        """What would lead to the wrong product, which is there already."""
        remaining = self._walker.remaining(delusion)
        titles = [getattr(procedure, "title", "") for procedure in remaining]
        return remaining[: titles.index(delusion.wrong)] if delusion.wrong in titles else ()
