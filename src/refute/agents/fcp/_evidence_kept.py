"""Evidence that outlives its page: what was seen when a step was confirmed, for the check at the end (decision 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from refute.agents.fcp._final_roles import Asked, Exhibit
from refute.agents.fcp._requirement import Cue, Requirement, ShownBy
from refute.evidence import Label, TextScorer, Verdict

MESSAGE, PAGE, SAID, ACTION = "message", "page", "said on the way", "action"
_MOST_LINES = 3
"""Lines of one source that are shown for a requirement."""
_MOST_SOURCES = 3
_WORD = re.compile(r"\w{3,}")
_COMMON = frozenset({"and", "are", "for", "has", "have", "its", "not", "the", "that", "this", "was", "were", "with"})
_TOKEN = re.compile(r"\w+(?:[.,:'’-]\w+)*")
"""A word or a value that is quoted as a whole: 4.99 holds no 4, and 10:30 no 30."""
_SHORT_QUOTE = 2
"""Words of a quote that show something only where the rest of the line says of what."""
_OWN_WORDS = ("note(", "done(", "infeasible(", "send_message(")


class Source(NamedTuple):
    """Something that can be quoted."""

    name: str
    text: str


Weighings = tuple[tuple[Verdict, Source], ...]
"""What the scorer says of one statement, source by source."""


class Found(NamedTuple):
    """What the quick search found of a requirement: a cue in words, and lines."""

    cue: str
    exhibits: tuple[Exhibit, ...]


async def weigh(statements: Sequence[str], sources: Sequence[Source], scorer: TextScorer) -> dict[str, Weighings]:
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


def cue_of(asked: Asked, verdicts: Weighings) -> Cue:
    """The scores behind what the model was told of a requirement, for the trace."""
    verdict, source = max(verdicts, key=lambda pair: max(pair[0].support, pair[0].contradiction))
    silent = max(verdict.support, verdict.contradiction) <= 0
    return Cue(
        number=asked.requirement.number,
        support=max(v.support for v, _ in verdicts),
        contradiction=max(v.contradiction for v, _ in verdicts),
        source="" if silent else source.name,
        lines=() if silent else verdict.lines[:_MOST_LINES],
        told=asked.cue,
    )


def acts(actions: Iterable[str]) -> str:
    """The actions that did something to a page. What the agent wrote down or told is its own word, and no evidence."""
    return "\n".join(action for action in actions if not action.startswith(_OWN_WORDS))


def source_of(quote: str, sources: Iterable[Source], requirement: Requirement) -> str:
    """The name of the first source with a line in which `quote` shows something of `requirement`; empty if none has.

    It stands there in whole words, whatever its spaces and case. One or two words count only where the line holds a
    word of the requirement besides, or where two are the whole line and one of them is the requirement's. Of the report
    any word counts for a requirement on the report, since an answer may be short.
    """
    return next((source.name for source in sources if _shows(quote, source, requirement)), "")


def _shows(quote: str, source: Source, requirement: Requirement) -> bool:
    wanted, words = _plain(quote), _tokens(quote)
    told = source.name == MESSAGE and requirement.shown_by is ShownBy.MESSAGE
    for line in source.text.splitlines():
        there = _tokens(line)
        if not words or wanted not in _plain(line) or not _is_part(words, there):
            continue
        if told or len(words) > _SHORT_QUOTE:
            return True
        whole = len(words) == len(there) == _SHORT_QUOTE
        besides = there if whole else [word for word in there if word not in words]
        if _words(" ".join(besides)) & _words(requirement.text):
            return True
    return False


def _is_part(words: list[str], line: list[str]) -> bool:
    """Whether the words stand in the line, one after the other."""
    return any(line[at : at + len(words)] == words for at in range(len(line) - len(words) + 1))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold())


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
