"""An embedder that needs no model, for tests that decide themselves what is alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from refute.agents import FailureRepair, Library, Memory, Skill
from refute.agents.memory import RecallSettings


class WordEmbedder:
    """Texts with the same words lie close together; counts what it is asked to compute."""

    name = "words"

    def __init__(self) -> None:
        self.computed: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"[a-z]+", text.lower()):
                row[crc32(word.encode()) % 512] += 1
        self.computed += texts
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def word_memory(skills: tuple[Skill, ...] = (), failures: tuple[FailureRepair, ...] = ()) -> Memory:
    """A memory without a model to load. Everything that shares a word is close enough."""
    near = RecallSettings(floor=0.01, similarity=0.01)
    return Memory(Library(skills=skills, failures=failures), embedder=WordEmbedder(), settings=near)
