"""What one rule has to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from refute.evidence._page import Line, Page
from refute.evidence._statement import Statement


@dataclass(frozen=True, slots=True)
class Hint:
    """How far one rule supports or contradicts a statement, both in [0, 1], and the lines it rests on."""

    support: float = 0.0
    contradiction: float = 0.0
    lines: tuple[Line, ...] = ()


Rule = Callable[[Statement, Page], Hint | None]
"""One idea of how a page tells about a statement; None = nothing to say."""


def hint(*, holds: bool, strength: float, lines: Iterable[Line] = ()) -> Hint:
    """Support or contradiction of this strength."""
    kept = tuple(lines)
    return Hint(strength, 0.0, kept) if holds else Hint(0.0, strength, kept)
