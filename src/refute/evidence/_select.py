"""The lines of a page that a statement may be about, for scorers that must not read all of it."""

from __future__ import annotations

import numpy as np

from refute.evidence._bm25 import bm25
from refute.evidence._words import coverage, words


def closest_lines(text: str, statement: str, *, most: int) -> tuple[str, ...]:
    """At most `most` lines of `text`, in the order of the page: those that share most with `statement` by BM25.

    Where fewer lines share a word, the line after each fills up (a label's value, an item's price), then the page's
    first lines, which say where one is.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    scores = bm25(lines, statement)
    ranked = [int(place) for place in np.argsort(-scores, kind="stable") if scores[place] > 0]
    followers = [place + 1 for place in ranked if place + 1 < len(lines)]
    chosen = list(dict.fromkeys([*ranked[:most], *followers, *range(len(lines))]))[:most]
    return tuple(lines[place] for place in sorted(chosen))


def word_overlap(text: str, statement: str) -> float:
    """The share of `statement`'s words in that line of `text` which has most of them, in [0, 1].

    Words are compared by their stems; stop words and numbers do not count. It tells whether a text is about the same
    things at all, and nothing of whether the statement is true.
    """
    wanted = words(statement)
    return max((coverage(wanted, words(line)) for line in text.splitlines()), default=0.0)
