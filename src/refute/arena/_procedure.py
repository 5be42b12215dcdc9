"""What a procedure is: a piece of work on a site that can be said in one sentence and carried out from any page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from refute.agents import Confirmation, Falsifier, Step
from refute.browser import Action, Observation


@dataclass(frozen=True, kw_only=True)
class Move:
    """The next move of a procedure. `action` is None when this page shows nothing to be done.

    `completes` says that the procedure is finished once the action has worked (or, without one, that the page shows
    it finished already); `why` is the reason in a few words.
    """

    action: Action | None
    why: str
    completes: bool = False


class Procedure(Protocol):
    """Knows what to do on the page in front, and nothing of the goal's truth."""

    def sentence(self) -> str:
        """The whole of it in one sentence, which the site's reader turns back into an equal procedure."""
        ...

    def next_move(self, observation: Observation, steps: Sequence[Step]) -> Move:
        """The next move from this page. `steps` are the moves made so far for this procedure, oldest first."""
        ...

    def confirming(self) -> tuple[Confirmation, ...]:
        """What a reader sees on the pages if it goes well."""
        ...

    def falsifying(self) -> tuple[Falsifier, ...]:
        """What a reader would see if it went wrong, by scope."""
        ...
