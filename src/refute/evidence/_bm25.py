"""BM25: how well documents fit a query, by the words they share and how rare these are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refute.evidence._words import terms

_K1 = 1.5
"""How soon another occurrence of a word stops to count."""
_B = 0.75
"""How far long documents are held back."""


def bm25(documents: Sequence[str], query: str) -> NDArray[np.float64]:
    """A score for each document, shape (len(documents),): 0 = no word in common; scores are not bounded above.

    Words are compared by their stems, numbers as they stand; stop words do not count. Okapi BM25 with the rarity of
    Lucene, which is never negative.
    """
    counted = [Counter(terms(document)) for document in documents]
    lengths = np.array([counts.total() for counts in counted], dtype=np.float64)
    scores = np.zeros(len(documents), dtype=np.float64)
    if not lengths.any():
        return scores
    held_back = _K1 * (1 - _B + _B * lengths / lengths.mean())
    for term in dict.fromkeys(terms(query)):
        found = np.array([counts[term] for counts in counted], dtype=np.float64)
        bearing = int(np.count_nonzero(found))
        rarity = math.log(1 + (len(documents) - bearing + 0.5) / (bearing + 0.5))
        scores += rarity * found * (_K1 + 1) / (found + held_back)
    return scores
