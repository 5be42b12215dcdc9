"""Going round in circles: the same acts in the same states, however sensible each of them looks."""

from __future__ import annotations

from typing import NamedTuple

_TIMES = 3
"""Times that the same act in the same state may be taken for patience."""
_LONGEST = 4
"""Acts of the longest circle that is looked for."""
FORGIVEN = 2
"""Circles within one commitment that the verifier may let go on; the next one proves the way wrong by itself."""


class Turn(NamedTuple):
    """An act in its normal form, and the digest of the page on which it was taken; neither holds element ids."""

    act: str
    state: str


class Loops:
    """What was done within one commitment."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self.closed = 0
        """Circles so far."""

    def clear(self) -> None:
        """Another commitment, or another way to carry it out: what was done before is no circle."""
        self._turns.clear()
        self.closed = 0

    def take(self, turn: Turn) -> str:
        """Remember a turn; the circle that it closes in words, or an empty text. What was told once is forgotten."""
        self._turns.append(turn)
        found = self._found()
        if found:
            self._turns.clear()
            self.closed += 1
        return found

    def _found(self) -> str:
        turns = self._turns
        if turns.count(turns[-1]) >= _TIMES:
            return f"the same action on the same page for the {_TIMES}rd time"
        for length in range(2, _LONGEST + 1):
            if len(turns) >= 2 * length and turns[-length:] == turns[-2 * length : -length]:
                return f"the last {length} actions repeat the {length} before, on the same pages"
        return ""
