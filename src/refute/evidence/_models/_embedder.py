"""Texts as vectors, so that texts of like meaning lie close together."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Feeds, Tokenizer, by_length
from refute.evidence._models._vectors import Vector, VectorCache, content_key

_BATCH = 32
_POOLED = ("sentence_embedding", "dense_vecs")
"""What exports call the vectors that are pooled already."""


class Embedder(Protocol):
    """Makes vectors of texts. Their dot product is the cosine: rows have unit length."""

    @property
    def name(self) -> str:
        """The model and its version: vectors of equal names may be compared."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length in the order of `texts`, shape (len(texts), d).

        Works on the CPU and does not yield: 5 to 10 ms for a short text that is new, nothing for a known one.
        """
        ...


class Pooling(StrEnum):
    """How a model's vectors of tokens become the one of the text: their mean, or that of the first token."""

    MEAN = "mean"
    FIRST = "first"


class OnnxEmbedder:
    """An ONNX model as an `Embedder`. No text is computed twice while the cache holds it."""

    def __init__(
        self, name: str, *, session: Session, tokenizer: Tokenizer, pooling: Pooling, cache: VectorCache
    ) -> None:
        self._name = name
        self._session = session
        self._tokenizer = tokenizer
        self._pooling = pooling
        self._cache = cache
        self._one_at_a_time = Lock()

    @property
    def name(self) -> str:
        """The model and its version."""
        return self._name

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Embedder`. Raises `LocalModelError` when the model fails."""
        keyed = {content_key(text): text for text in texts}
        with self._one_at_a_time:  # two threads must not compute the same text
            vectors = self._cache.get(keyed)
            missing = {key: text for key, text in keyed.items() if key not in vectors}
            fresh = dict(zip(missing, self._compute(list(missing.values())), strict=True))
            self._cache.put(fresh)
        vectors |= fresh
        if not texts:
            return np.zeros((0, self._width()), dtype=np.float32)
        return np.stack([vectors[content_key(text)] for text in texts])

    def _width(self) -> int:
        *_, width = next(iter(self._session.outputs.values()))
        return width or 0

    def _compute(self, texts: list[str]) -> list[Vector]:
        encodings = self._tokenizer.encode(texts)
        found: dict[int, Vector] = {}
        for batch in by_length(encodings, size=_BATCH):
            feeds = self._tokenizer.feeds([encodings[position] for position in batch])
            rows = _pooled(self._states(feeds), feeds["attention_mask"], self._pooling)
            found |= dict(zip(batch, rows, strict=True))
        return [found[position] for position in range(len(texts))]

    def _states(self, feeds: Feeds) -> NDArray[np.float32]:
        """The model's vector of each text if it pools by itself, else those of its tokens."""
        given = self._session.run(feeds)
        return next((given[name] for name in _POOLED if name in given), next(iter(given.values())))


def _pooled(states: NDArray[np.float32], mask: NDArray[np.int64], pooling: Pooling) -> NDArray[np.float32]:
    """Token states (texts, tokens, d), or rows that the model has pooled itself (texts, d), as unit rows."""
    if states.ndim == 2:
        rows = states
    elif pooling is Pooling.FIRST:
        rows = states[:, 0]
    else:
        weights = mask[..., None].astype(np.float32)
        rows = (states * weights).sum(axis=1) / weights.sum(axis=1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
