"""A statement about a page, taken apart once for all rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from refute.evidence._quotation import SLOT, Quotation, parse_quotation
from refute.evidence._words import Number, negated, spelled_numbers, words

_QUOTE = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)")
_CALLED = re.compile(r"\b(?:called|named|titled|labelled|labeled)\s+([^\s,.;]+(?:\s+[A-Z0-9][^\s,.;]*)*)")
_AUXILIARY = r"(?:is|are|was|were|has been|have been|has|have|had)"
_CODE = re.compile(r"(?<!\w)#\d+\b|\b[A-Z]{2,}-?\d{3,}\b")
_VERB = re.compile(rf"\b(?:{_AUXILIARY}|shows?|contains?|lists|says?|displays?|reads?|costs?|remains?|appears?)\b")
_EXCLUDES = re.compile(
    r"\b(?:other than|different from|anything but"
    r"|another\s+(?:\w+|\w+\s+(?:\w+\s+)?(?!(?:less|more|(?!number)\w+er)\b)\w+)\s+than)\b",
    re.IGNORECASE,
)
"""Also 'another delivery address than', but not the comparison in 'another lamp costs less than'."""
_ARTICLE = re.compile(r"\b(?:the|an?)\s+")
_JOINT = re.compile(r"\s*;\s*|,?\s+(?:and|but)\s+(?=\S)")
_SUBJECT = re.compile(rf"^(.*?\b{_AUXILIARY})\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"^(?:not\s+|yet\s+|no longer\s+|already\s+)?\w+(?:ed|en)\b", re.IGNORECASE)
_WITH_CONTROL = re.compile(
    r"^(?P<rest>.+?)\s+with\s+(?P<control>(?:an?|the)\s+.+?\s+(?:button|link|tab|field|checkbox))(?P<tail>\W*)$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim."""

    text: str
    lower: str
    words: frozenset[str]
    """Stems of the words that carry meaning."""
    numbers: tuple[Number, ...]
    """Those outside quotes, also written as words."""
    names: tuple[str, ...]
    """Texts that must be found as they stand: quoted, or introduced by 'called'."""
    codes: tuple[str, ...]
    """Names such as '#812' or 'NS-48213'."""
    negated: bool
    excludes: bool
    """True of 'a quantity other than 2': it says what something is not."""
    predicate: frozenset[str]
    """The words after the first verb, which say what is claimed of the rest."""
    quotation: Quotation | None
    """What the claim says when all of it is that a quoted text stands somewhere."""

    def stands_in(self, text: str) -> bool:
        """Whether `text` says the whole claim word by word, but for articles."""
        claim = re.escape(_ARTICLE.sub("", self.lower).rstrip(".! "))
        return re.search(rf"(?<!\w){claim}(?![\w%]|[.,]\d)", _ARTICLE.sub("", text.lower())) is not None


@lru_cache(maxsize=256)
def parse_statement(text: str) -> tuple[Statement, ...]:
    """The claims that `text` makes; each must hold for the whole to hold."""
    return tuple(_statement(part) for part in _split(" ".join(text.split())))


def _statement(text: str) -> Statement:
    quoted = [next(group for group in match.groups() if group) for match in _QUOTE.finditer(text)]
    outside = _QUOTE.sub(" ", text)
    verb = _VERB.search(text)
    called = [match[1] for match in _CALLED.finditer(outside)]
    return Statement(
        text=text,
        lower=text.lower(),
        words=words(text),
        numbers=spelled_numbers(outside),
        names=tuple(quoted + called),
        codes=tuple(_CODE.findall(outside)),
        negated=negated(outside),
        excludes=_EXCLUDES.search(outside) is not None,
        predicate=words(text[verb.end() :]) if verb else words(text),
        quotation=parse_quotation(_QUOTE.sub(SLOT, text), quoted),
    )


def _split(text: str) -> list[str]:
    """Split where two claims are joined: never inside quotes, and only where the second part says something itself."""
    if match := _WITH_CONTROL.match(text):
        return [*_split(match["rest"]), f"There is {match['control']}"]
    hidden = _QUOTE.sub(lambda match: "\0" * len(match[0]), text)
    for joint in _JOINT.finditer(hidden):
        left, right = text[: joint.start()], text[joint.end() :]
        if _VERB.search(hidden[: joint.start()]) is None:
            continue
        subject = _SUBJECT.match(left)
        if _PARTICIPLE.match(right) and subject:
            return [*_split(left), *_split(f"{subject[1]} {right}")]
        verb = _VERB.search(hidden[joint.end() :])
        if verb and verb.start() == 0 and (who := _VERB.search(left)):
            return [*_split(left), *_split(f"{left[: who.start()]}{right}")]
        if verb:
            return [*_split(left), *_split(right)]
    return [text] if text.strip() else []
