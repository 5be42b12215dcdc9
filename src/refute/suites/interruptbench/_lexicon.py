"""Words of goals and updates, as the lint compares them."""

from __future__ import annotations

import re
from functools import lru_cache

from refute.evidence import stem

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,:]\d+)*", re.UNICODE)
_SIGNS = re.compile(r"([\"'])([^\"'\w]+)\1")
"""A text in quotes that is made of signs alone."""
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBER_WORDS = {"zero": "0", **{word: str(number) for number, word in enumerate(_NUMBERS, start=2)}}
"""Without "one", which mostly stands for a thing ("the red one") and is a word of grammar here."""
_MONTH = re.compile(r"(jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)(?:uary|ch|il|e|y|ust|t|tember|ober|ember)?")

_FUNCTION_WORDS = (
    "a an the of to in on at by for from with as is are was were be been being has have had having do does did doing "
    "it its this that these those there here and or but if than then so such too also about into onto within me my "
    "mine i i'm i'd i'll i've we our you your he him his she her they them their what what's which who whose whom when "
    "where how why can could will would should shall may might must am nor any some each every other another just only "
    "one"
)
_TALK = (
    "actually sorry wait oh oops well ok okay please thanks thank hmm yes yeah no never mind nevermind forget ignore "
    "skip drop scratch remove cancel omit exclude leave out disregard discard need needed needn't necessary want "
    "wanted wants like mean meant say said correct correction mistake mistaken wrong right rather instead regardless "
    "all both most more not no don't doesn't didn't isn't aren't won't anymore longer matter matters worry care limit "
    "filter restrict restriction requirement condition constraint criteria specifically specific exactly really simply "
    "still clarify clarification looking look let let's make sure change changed update updated should use keep fine "
    "good enough now again back first thing things part way one ones anything everything something else focus consider "
    "include including concerned interested particular apply add give check find show tell get go try that's it's "
    "there's got even though without"
)
_STOP = frozenset(_FUNCTION_WORDS.split())
_FILLER = frozenset(_TALK.split())

_TAKES_BACK = re.compile(
    r"\b(never ?mind|forget|ignore|skip|drop|scratch|remove|omit|exclude|disregard|discard|regardless|without|"
    r"no longer|no need|leave (?:out|off)|no|any\w*|don't|do not|doesn't|does not|needn't|"
    r"not (?:needed|required|necessary))\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(r"\b(sorry|mistake|meant|wrong|instead|rather than|correction|not)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z0-9,] )(?:[A-Z][a-z]+|[A-Z]{2,})\b")
"""A name: a word with a capital that begins no sentence."""


@lru_cache(maxsize=8192)
def said(text: str) -> frozenset[str]:
    """Stems and numbers that `text` is about; words of grammar are left out, number words are numbers."""
    return frozenset(_root(word) for word in _words(text) if word not in _STOP)


@lru_cache(maxsize=8192)
def meant(text: str) -> frozenset[str]:
    """The same for an update, without the words that people change their mind with."""
    return frozenset(_root(word) for word in _words(text) if word not in _STOP and word not in _FILLER)


def _words(text: str) -> list[str]:
    plain = text.lower().replace("’", "'").replace("“", '"').replace("”", '"')
    return [*_WORD.findall(plain), *(signs for _, signs in _SIGNS.findall(plain))]


def _root(word: str) -> str:
    if word.endswith("n't") or word == "no":
        return "not"
    month = _MONTH.fullmatch(word)
    return _NUMBER_WORDS.get(word, month[1][:3] if month else stem(word))


def takes_back(text: str) -> bool:
    """Whether `text` sounds as if something were no longer wanted."""
    return _TAKES_BACK.search(text) is not None


def corrects(text: str) -> bool:
    """Whether `text` sounds as if something had been said wrongly."""
    return _CORRECTS.search(text) is not None


@lru_cache(maxsize=8192)
def hard(text: str) -> frozenset[str]:
    """The numbers and names in `text`, as `said` has them: what no other words can stand for."""
    names = {_root(name.lower()) for name in _NAME.findall(text)}
    return frozenset(word for word in said(text) if word in names or word[0].isdigit())
