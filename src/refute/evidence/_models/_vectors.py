"""What a model made of a text, kept in memory up to a bound."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
MOST = 20_000
"""Vectors in memory; of 384 numbers each, 31 MB."""


def content_key(*parts: str | bytes) -> bytes:
    """The hash of these parts, each told apart from the next."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


class VectorCache:
    """Vectors by content hash, those of one model; the least recently used leave first."""

    def __init__(self, *, most: int = MOST) -> None:
        self._kept: OrderedDict[bytes, Vector] = OrderedDict()
        self._most = most

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vector]:
        """Those of `keys` that are known."""
        found: dict[bytes, Vector] = {}
        for key in dict.fromkeys(keys):
            if key in self._kept:
                self._kept.move_to_end(key)
                found[key] = self._kept[key]
        return found

    def put(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep these."""
        for key, vector in vectors.items():
            self._kept[key] = vector
            self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
