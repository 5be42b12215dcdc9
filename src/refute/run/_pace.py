"""Revisions after a number of actions: given, or a share of what the agent itself takes without them.

A share is measured as InterruptBench does it (arXiv 2604.00892): the agent plays the task without the revision; then
everything is reset, it plays again, and the revision comes at that share of its actions. With several revisions each is
placed within what is left after the one before. The agent repeats its beginning because the replies that its model gave
in a rehearsal are given again as long as it asks the same.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass, field

from pydantic import Field

from refute._errors import UserError
from refute.llm import Backend, Reply, Request, question_of
from refute.revisions import TriggerMode
from refute.trace import Event

HALF = 0.5


class Rehearsed(Event, kind="rehearsed"):
    """The agent played the task without revision `revision` and all later ones; that revision gets its position."""

    revision: int = Field(ge=1)
    actions: int = Field(ge=0, description="of the rehearsal, to its end")
    position: int = Field(ge=0, description="actions after which the revision comes")


def next_position(before: int, actions: int, share: float) -> int:
    """Where a revision comes in a play of `actions` actions: `share` (0 to 1) of the way from `before` to its end."""
    return before + math.floor(share * max(0, actions - before))


def given_positions(at: tuple[float, ...], revisions: int) -> tuple[int, ...]:
    """The positions of so many revisions; where fewer are given, the last distance is kept."""
    positions = [int(position) for position in at[:revisions]]
    while len(positions) < revisions:
        last, earlier = positions[-1], positions[-2] if len(positions) > 1 else 0
        positions.append(last + (last - earlier))
    return tuple(positions)


def check_positions(trigger: TriggerMode, at: tuple[float, ...]) -> None:
    """Raise `UserError` when `at` does not fit the trigger."""
    if trigger is TriggerMode.ACTION_INDEX:
        whole = at and all(position >= 0 and position == int(position) for position in at)
        if not whole or list(at) != sorted(at):
            raise UserError(
                "the trigger action_index needs --at N, the actions after which a revision comes (ascending)"
            )
    elif trigger is TriggerMode.FRACTION:
        if len(at) > 1 or not all(0 < share < 1 for share in at):
            raise UserError("the trigger fraction takes one --at P, a share between 0 and 1 (without it: 0.5)")
    elif at:
        raise UserError(f"--at counts actions, and the trigger {trigger.value} does not: leave it out")


class Tape:
    """The replies of a rehearsal, by question; those of the last one are given again."""

    def __init__(self) -> None:
        self._kept: dict[str, Reply] = {}

    def over(self, backend: Backend) -> Backend:
        """`backend`, asked only what is not on the tape yet; the simulated one answers the same again by itself."""
        return backend if backend.simulated else _Taped(backend, self._kept)


@dataclass
class _Taped:
    backend: Backend
    kept: dict[str, Reply]
    asked: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self.name, self.simulated, self.mode = self.backend.name, self.backend.simulated, self.backend.mode

    async def complete(self, request: Request) -> Reply:
        """The reply on the tape, marked as cached; else the backend's, which is then kept."""
        question = self._key(request, 0)
        key = self._key(request, self.asked[question])  # equal questions of an episode are told apart by number
        self.asked[question] += 1
        if key in self.kept:
            return self.kept[key].model_copy(update={"cached": True})
        self.kept[key] = await self.backend.complete(request)
        return self.kept[key]

    def _key(self, request: Request, repeat: int) -> str:
        return json.dumps(question_of(request, model=self.name, mode=self.mode, settings={}, repeat=repeat))

    async def close(self) -> None:
        """Release the backend's connections."""
        await self.backend.close()


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What a play of a task is told about the positions of its revisions."""

    positions: tuple[int, ...] = ()
    at_most: int | None = None
    """Revisions that are delivered; None = all."""
    tape: Tape | None = None


UNPACED = Pace()
"""A play whose revisions come by milestones."""
