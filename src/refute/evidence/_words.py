"""Words and numbers: what a statement and a page can have in common."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_STOP_TEXT = (
    "a an the of to in on at by for from with as is are was were be been being has have had do does did it its this "
    "that these those there here and or but not no yet only page user user's users show shows shown showing display "
    "displays displayed visible current currently about into than then now you your we our my me i he she they their "
    "can could will would should so such also see seen appear appears contain contains list lists listed each all any "
    "both every still already just says say said reads labelled labeled called named titled new"
)
_STOP = frozenset(_STOP_TEXT.split())
_ALIASES = {"qty": "quantity", "basket": "cart", "bag": "cart", "trolley": "cart"}
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTING.split())}
_NO_NOUNS = frozenset({"out", "off", "per", "x", *_NUMBER_WORDS})
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+[^\W_]*", re.UNICODE)
_NUMBER = re.compile(
    r"(?<!out of )(?P<before>[$€£¥]\s?)?(?<![\w.#])(?<!\d[,.:])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<after>\s?(?:[$€£¥]|EUR|USD|GBP)(?!\w))?(?![\w:]|[.,]\d)(?= (?P<noun>[a-z]+)\b)?"
)
_NUMBER_WORD = re.compile(r"\b(" + "|".join(_NUMBER_WORDS) + r")\b")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|neither)\b|n't\b"
    r"|\b(?:other than|different from)\s+\W?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)",
    re.IGNORECASE,
)
"""Also 'a quantity other than 2': of a number, what is excluded is denied."""


class Number(NamedTuple):
    """A number in a text. `money`: a currency stands beside it. `noun`: the stem of what it counts ('5 reviews')."""

    value: float
    money: bool = False
    noun: str = ""


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A rough stem of a word in lower case: 'applied', 'applies', 'apply' meet; so do 'save', 'saved' and 'saving'."""
    word = _ALIASES.get(word, word)
    if len(word) <= 3 or word == "news":
        return word
    if word.endswith("'s"):
        word = word[:-2]
    for ending, instead in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", "")):
        long_enough = len(word) - len(ending) >= (3 if ending != "s" else 2)
        if word.endswith(ending) and long_enough and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)] + instead
            break
    word = _ALIASES.get(word, word)
    word = f"{word[:-2]}y" if word.endswith("ie") and len(word) > 4 else word
    word = word.removesuffix("e") if len(word) > 3 else word
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdfglmnprt"
    return word[:-1] if doubled else word


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """Stems of the words of `text` that carry meaning; numbers and number words are left out."""
    found = _WORD.findall(text.lower().replace("’", "'"))
    return frozenset(
        stem(word) for word in found if word not in _STOP and word not in _NUMBER_WORDS and not word.isdigit()
    )


@lru_cache(maxsize=8192)
def terms(text: str) -> tuple[str, ...]:
    """Stems and numbers in order of appearance, each as often as it occurs; stop words are left out."""
    found = _WORD.findall(text.lower().replace("’", "'"))
    return tuple(stem(word) for word in found if word not in _STOP)


def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of `text` in order of appearance: '1,234.50' is 1234.5; parts of words, times and codes are none,
    nor are scales ('2.6 out of 5' is 2.6)."""
    return tuple(
        Number(float(match["digits"].replace(",", "")), bool(match["before"] or match["after"]), _noun(match["noun"]))
        for match in _NUMBER.finditer(text)
    )


def _noun(word: str | None) -> str:
    return stem(word) if word and word not in _STOP and word not in _NO_NOUNS else ""


def spelled_numbers(text: str) -> tuple[Number, ...]:
    """`numbers`, and those written as words ('three'); for statements, where such a word is meant as a number."""
    return numbers(_NUMBER_WORD.sub(lambda match: str(_NUMBER_WORDS[match[0].lower()]), text.lower()))


def negated(text: str) -> bool:
    """Whether `text` denies something."""
    return _NEGATION.search(text) is not None


def coverage(wanted: frozenset[str], found: frozenset[str]) -> float:
    """The share of `wanted` in `found`; 0 when nothing is wanted."""
    return len(wanted & found) / len(wanted) if wanted else 0.0


_GENERIC_TEXT = "product item article thing it one book post record order entry result piece copy unit"
GENERIC = frozenset(stem(word) for word in _GENERIC_TEXT.split())
"""Words that stand for whatever the page is about."""
