"""What can score a commitment's evidence: the terms of equation 5 (fcpagent B.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from refute.evidence._lexical import lexical
from refute.evidence._verdict import Verdict


class TextScorer(Protocol):
    """How far a text supports or contradicts statements. It orders and escalates; it never decides."""

    @property
    def name(self) -> str:
        """What the trace calls it; for a model with its version."""
        ...

    async def score(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each statement, in their order. All statements of a state come in one call."""
        ...


class ImageScorer(Protocol):
    """How well a picture of the page fits statements."""

    @property
    def name(self) -> str:
        """What the trace calls it, with the model's version."""
        ...

    async def score(self, picture: bytes, statements: Sequence[str]) -> tuple[float, ...]:
        """A score in [0, 1] for each statement, in their order. `picture` is a PNG or JPEG file."""
        ...


class EachStatement:
    """A function of one text and one statement as a `TextScorer`."""

    def __init__(self, name: str, function: Callable[[str, str], Verdict]) -> None:
        self._name = name
        self._function = function

    @property
    def name(self) -> str:
        """What the trace calls it."""
        return self._name

    async def score(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        """See `TextScorer`."""
        return tuple(self._function(text, statement) for statement in statements)


LEXICAL = EachStatement("lexical", lexical)
"""The rules of the lexical matcher alone: the default."""
