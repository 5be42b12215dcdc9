"""Texts compared as a careful reader would: a quote counts when it stands there, word for word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_MARK = re.compile(r"^[ \t]*> ?", re.MULTILINE)
"""How prompts mark lines from outside; a model may copy the mark with the line."""
_LABEL = re.compile(r"^\s*(?:> ?)?(address|title|happened):\s*")
"""How prompts name what is not in a page's text; a model may copy the name with the line."""
_SAME = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "\u2011": "-", "−": "-"})
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
"""Letters of scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, kana, Chinese characters."""
_LETTER = rf"[^\W_{_UNSPACED}]"
_SMALL_TEXT = "a an and are at by for from in is it its of on one or that the this to was were with"
_SMALL = frozenset(_SMALL_TEXT.split())
_COMMON_TEXT = (
    "all any be been but do each has have he her his if least less more most must no not our over she should so than "
    "their them then there they under we where which will you your"
)
_COMMON = _SMALL | frozenset(_COMMON_TEXT.split())
"""Words that name no subject."""


def quoted_in(quote: str, *texts: str) -> bool:
    """Whether `quote` stands in one of `texts` as it is: only blanks, typographic quotation marks and dashes, and the
    marks of a prompt's quoted lines are overlooked. It has to stand there in whole words and whole numbers: "5 reviews"
    does not stand in "15 reviews", nor "$20" in "$20.50". A quote without a letter or digit stands nowhere."""
    wanted = _plain(_MARK.sub("", quote))
    if _WORD.search(wanted) is None:
        return False
    whole = re.compile(_start(wanted) + re.escape(wanted) + _end(wanted))
    return any(whole.search(_plain(text)) is not None for text in texts)


def without_label(quote: str) -> tuple[str, str]:
    """The label of a prompt's line that `quote` begins with (empty if none), and what follows."""
    label = _LABEL.match(quote)
    return (label[1], quote[label.end() :]) if label is not None else ("", quote)


def _start(wanted: str) -> str:
    """What may not stand before: the rest of the word or number that `wanted` begins in."""
    number = r"(?<!\d)(?<!\d[.,])" if re.match(r"[.,]?\d", wanted) else ""
    return number + (rf"(?<!{_LETTER})" if re.match(_LETTER, wanted) else "")


def _end(wanted: str) -> str:
    """What may not follow: the rest of the word or number that `wanted` ends in."""
    number = r"(?![.,]?\d)" if re.search(r"\d[.,]?$", wanted) else ""
    return number + (rf"(?!{_LETTER})" if re.search(rf"{_LETTER}$", wanted) else "")


def names(subject: str, texts: Iterable[str]) -> bool:
    """Whether one of `texts` holds a word, in any form of it, that tells `subject` from others: no common word and no
    mere number, unless the subject has nothing else."""
    wanted = words(subject)
    telling = frozenset(word for word in wanted - _COMMON if not word.isnumeric())
    found = frozenset(_stem(word) for text in texts for word in words(text))
    return not found.isdisjoint(map(_stem, telling or wanted))


def words(text: str) -> frozenset[str]:
    """The words and numbers of `text` that tell things apart, in lower case, plurals as their singulars."""
    return frozenset(_singular(word) for word in _WORD.findall(_plain(text).lower()) if word not in _SMALL)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _stem(word: str) -> str:
    """`word` without the ending of a verb's form: a review is named by "reviewing", an order by "ordered"."""
    cut = re.sub(r"(?<=\w{3})(?:ing|ed|e)$", "", word)
    return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2:-1] else cut


def share(wanted: frozenset[str], texts: Iterable[str]) -> float:
    """The share of the words `wanted` that stand in `texts`, in [0, 1]; 0 when there are none."""
    found = frozenset(word for text in texts for word in words(text))
    return len(wanted & found) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SAME).split())
