"""The fast tester's scores as a reader is told them: in words, with the statement and the line they rest on."""

from __future__ import annotations

_STRENGTHS = ((0.75, "strong sign"), (0.5, "some sign"), (0.0, "weak sign"))
"""From which score on. Scores are no probabilities, so a reader is not shown their digits."""


def sign(what: str, statement: str, score: float, lines: tuple[str, ...]) -> str:
    """How far something speaks for `what`: ``completion: strong sign, "…", by the line "…"``."""
    if score <= 0:
        return f"{what}: no sign"
    strength = next(word for least, word in _STRENGTHS if score >= least)
    line = f', by the line "{lines[0].strip()}"' if lines else ""
    return f'{what}: {strength}, "{statement}"{line}'
