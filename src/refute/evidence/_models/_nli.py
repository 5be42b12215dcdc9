"""A cross-encoder for natural-language inference: does a text entail a statement (fcpagent B.5, the text term)?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from refute._errors import LocalModelError
from refute.evidence._chunks import chunks
from refute.evidence._models._hub import find_model
from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Tokenizer, by_length
from refute.evidence._models._vectors import VectorCache, content_key
from refute.evidence._select import closest_lines
from refute.evidence._verdict import Label, Verdict

NLI_MODEL = "Xenova/nli-deberta-v3-base"
"""The paper's kind of model as ONNX files: a conversion of cross-encoder/nli-deberta-v3-base."""
_FILES = ("config.json", "tokenizer.json", "onnx/model.onnx", "onnx/model.onnx_data", "model.onnx")
_DECISIVE = 0.5
_BATCH = 16
_LONGEST = 512
"""Tokens of a pair, unless the model reads fewer."""
_SHOWN = 3
"""Lines of a verdict."""
_LINES, _CHUNK, _OVERLAP = 12, 6, 2
"""Lines that are read for a statement, and how they are cut up: a whole page drowns what matters."""


class NliScorer:
    """Scores statements by the entailment that a model sees between parts of the page and the statement.

    For each statement the lines that share most with it are chosen first, and read in overlapping chunks in the order
    of the page. Support is the largest entailment over the chunks, contradiction the largest contradiction.
    """

    def __init__(self, source: str = NLI_MODEL, *, threads: int = 1) -> None:
        """`source` as in `find_model`. Raises `LocalModelError`."""
        files = find_model(source, files=_FILES)
        config = files.read(_Config)
        self._labels = config.labels(files.folder / "config.json")
        limit = min(config.max_position_embeddings, _LONGEST)
        self._tokenizer = Tokenizer(files.folder / "tokenizer.json", limit=limit)
        self._session = Session(files.onnx(), threads=threads)
        self._name = f"nli:{files.name}"
        self._cache = VectorCache()
        self._one_at_a_time = Lock()

    @property
    def name(self) -> str:
        """The model and its version."""
        return self._name

    async def score(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        """See `TextScorer`; computed in a thread, so that other episodes go on. Raises `LocalModelError`."""
        return await asyncio.to_thread(self.score_now, text, statements)

    def score_now(self, text: str, statements: Sequence[str]) -> tuple[Verdict, ...]:
        """The same, in this thread."""
        pairs = [[(premise, statement) for premise in _premises(text, statement)] for statement in statements]
        known = self._probabilities(pair for of_one in pairs for pair in of_one)
        return tuple(_verdict([(pair[0], known[content_key(*pair)]) for pair in of_one]) for of_one in pairs)

    def _probabilities(self, pairs: Iterable[tuple[str, str]]) -> dict[bytes, NDArray[np.float32]]:
        """Entailment and contradiction by the key of a pair."""
        keyed = {content_key(*pair): pair for pair in pairs}
        with self._one_at_a_time:
            known = self._cache.get(keyed)
            missing = {key: pair for key, pair in keyed.items() if key not in known}
            fresh = dict(zip(missing, self._compute(list(missing.values())), strict=True))
            self._cache.put(fresh)
        return known | fresh

    def _compute(self, pairs: list[tuple[str, str]]) -> list[NDArray[np.float32]]:
        encodings = self._tokenizer.encode(pairs)
        found: dict[int, NDArray[np.float32]] = {}
        for batch in by_length(encodings, size=_BATCH):
            feeds = self._tokenizer.feeds([encodings[position] for position in batch])
            logits = next(iter(self._session.run(feeds).values()))
            if logits.ndim != 2 or logits.shape[1] != self._labels.classes:
                raise LocalModelError(f"{self._name} gives {logits.shape}, not one row of labels a pair")
            found |= dict(zip(batch, self._labels.of(logits), strict=True))
        return [found[position] for position in range(len(pairs))]


def _premises(text: str, statement: str) -> tuple[str, ...]:
    return chunks("\n".join(closest_lines(text, statement, most=_LINES)), size=_CHUNK, overlap=_OVERLAP)


class _Labels:
    """Which column of a model's output means what: models differ, and only their ``config.json`` knows."""

    def __init__(self, entailment: int, contradiction: int | None, classes: int) -> None:
        self.classes = classes
        self._entailment = entailment
        self._contradiction = contradiction

    def of(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Entailment and contradiction as probabilities, shape (pairs, 2); without such a label the latter is 0."""
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = shifted / shifted.sum(axis=1, keepdims=True)
        against = shares[:, self._contradiction] if self._contradiction is not None else np.zeros(len(shares))
        return np.stack([shares[:, self._entailment], against], axis=1).astype(np.float32)


class _Config(BaseModel):
    """What is read of ``config.json``."""

    id2label: dict[int, str]
    max_position_embeddings: int = Field(default=_LONGEST, ge=8)

    def labels(self, path: Path) -> _Labels:
        """Raises `LocalModelError` when no label, or more than one, means entailment."""
        named = {label.lower(): number for number, label in self.id2label.items()}
        entailment = [number for label, number in named.items() if label.startswith("entail")]
        against = [number for label, number in named.items() if label.startswith("contradict")]
        if len(entailment) != 1 or len(against) > 1:
            raise LocalModelError(f"{path} names the labels {', '.join(named)}; just one must be entailment")
        return _Labels(entailment[0], against[0] if against else None, len(named))


def _verdict(scored: Sequence[tuple[str, NDArray[np.float32]]]) -> Verdict:
    """The largest entailment and the largest contradiction over the chunks, and lines of the chunk that decided."""
    if not scored:
        return Verdict(label=Label.UNKNOWN, support=0.0, contradiction=0.0)
    for_it, against = max(scored, key=lambda one: one[1][0]), max(scored, key=lambda one: one[1][1])
    support, contradiction = float(for_it[1][0]), float(against[1][1])
    label = Label.UNKNOWN
    if max(support, contradiction) >= _DECISIVE:
        label = Label.SUPPORTED if support >= contradiction else Label.CONTRADICTED
    chunk = against[0] if label is Label.CONTRADICTED else for_it[0]
    return Verdict(label=label, support=round(support, 4), contradiction=round(contradiction, 4), lines=_lines(chunk))


def _lines(chunk: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in chunk.splitlines())[:_SHOWN]
