"""Texts compared as a careful reader would: a quote counts when it stands there, word for word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_MARK = re.compile(r"^[ \t]*> ?", re.MULTILINE)
"""How prompts mark lines from outside; a model may copy the mark with the line."""
_SAME = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "\u2011": "-", "−": "-"})
_WORD = re.compile(r"[^\W_]+")
_SMALL_TEXT = "a an and are at by for from in is it its of on one or that the this to was were with"
_SMALL = frozenset(_SMALL_TEXT.split())


def quoted_in(quote: str, *texts: str) -> bool:
    """Whether `quote` stands in one of `texts` as it is: only blanks, typographic quotation marks and dashes, and the
    marks of a prompt's quoted lines are overlooked. A quote without a letter or digit stands nowhere."""
    wanted = _plain(_MARK.sub("", quote))
    return _WORD.search(wanted) is not None and any(wanted in _plain(text) for text in texts)


def words(text: str) -> frozenset[str]:
    """The words and numbers of `text` that tell things apart, in lower case, plurals as their singulars."""
    return frozenset(_singular(word) for word in _WORD.findall(_plain(text).lower()) if word not in _SMALL)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def share(wanted: frozenset[str], texts: Iterable[str]) -> float:
    """The share of the words `wanted` that stand in `texts`, in [0, 1]; 0 when there are none."""
    found = frozenset(word for text in texts for word in words(text))
    return len(wanted & found) / len(wanted) if wanted else 0.0


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SAME).split())
