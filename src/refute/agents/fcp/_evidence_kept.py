"""Evidence that outlives its page: what was seen when a step was confirmed, for the check at the end (decision 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from refute.agents.fcp._final_roles import Exhibit
from refute.evidence import Label, TextScorer, Verdict

MESSAGE, PAGE, ACTION = "message", "page", "action"
_MOST_LINES = 3
"""Lines of one source that are shown for a requirement."""
_MOST_SOURCES = 3
_WORD = re.compile(r"\w{3,}")
_COMMON = frozenset({"and", "are", "for", "has", "have", "its", "not", "the", "that", "this", "was", "were", "with"})
_SHORTEST_QUOTE = 2


class Source(NamedTuple):
    """Something that can be quoted."""

    name: str
    text: str


class Found(NamedTuple):
    """What the quick search found of a requirement: a cue in words, and lines."""

    cue: str
    exhibits: tuple[Exhibit, ...]


async def weigh(
    statements: Sequence[str], sources: Sequence[Source], scorer: TextScorer
) -> dict[str, tuple[tuple[Verdict, Source], ...]]:
    """What the scorer says of each statement by each source, in the order of `sources`."""
    columns = [await scorer.score(source.text, statements) for source in sources]
    return {
        statement: tuple((column[row], source) for column, source in zip(columns, sources, strict=True))
        for row, statement in enumerate(statements)
    }


def search(statement: str, verdicts: Iterable[tuple[Verdict, Source]]) -> Found:
    """The lines that speak of `statement`, those first on which the scorer could say something.

    The scorer may order and hint; where it abstains, lines that share words with the statement are shown.
    """
    weighed = sorted(verdicts, key=lambda pair: -max(pair[0].support, pair[0].contradiction))
    found = [(verdict, source, _lines(verdict, source.text, statement)) for verdict, source in weighed]
    shown = [(verdict, Exhibit(source=source.name, lines=lines)) for verdict, source, lines in found if lines]
    return Found(_cue(shown), tuple(exhibit for _, exhibit in shown[:_MOST_SOURCES]))


def source_of(quote: str, sources: Iterable[Source]) -> str:
    """The name of the first source in which `quote` stands, whatever its spaces and case; empty where it is in none."""
    wanted = _plain(quote)
    if len(wanted) < _SHORTEST_QUOTE:
        return ""
    return next((source.name for source in sources if wanted in _plain(source.text)), "")


def _cue(shown: list[tuple[Verdict, Exhibit]]) -> str:
    if not shown:
        return "the quick search found nothing"
    verdict, exhibit = shown[0]
    if verdict.label is Label.SUPPORTED:
        return f"the quick search takes it for met, by: {exhibit.source}"
    if verdict.label is Label.CONTRADICTED:
        return f"the quick search takes it for violated, by: {exhibit.source}"
    return ""


def _lines(verdict: Verdict, text: str, statement: str) -> tuple[str, ...]:
    if verdict.lines and verdict.label is not Label.UNKNOWN:
        return verdict.lines[:_MOST_LINES]
    wanted = _words(statement)
    lines = dict.fromkeys(line.strip() for line in text.splitlines() if line.strip())
    shared = {line: len(_words(line) & wanted) for line in lines}
    best = sorted((line for line in lines if shared[line] > 0), key=lambda line: -shared[line])
    return tuple(best[:_MOST_LINES])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _COMMON


def _plain(text: str) -> str:
    return " ".join(text.removeprefix("> ").strip("\"'“”‘’ \n").casefold().split())
