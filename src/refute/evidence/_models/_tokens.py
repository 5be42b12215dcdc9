"""Texts as the numbers that a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refute._errors import LocalModelError

if TYPE_CHECKING:
    from tokenizers import Encoding

Feeds = dict[str, NDArray[np.int64]]


class Tokenizer:
    """A ``tokenizer.json``. Texts of more than `limit` tokens are cut at their end; of a pair, the longer one is."""

    def __init__(self, path: Path, *, limit: int) -> None:
        """Raises `LocalModelError` when the file is missing or no tokenizer."""
        from tokenizers import Tokenizer as Reader  # slow to load, and seldom needed

        if not path.is_file():
            raise LocalModelError(f"{path} is missing; a model needs its tokenizer.json beside it")
        try:
            self._reader: Any = Reader.from_file(str(path))
        except Exception as error:
            if type(error) is not Exception:  # the library raises nothing narrower for a file that it cannot read
                raise
            raise LocalModelError(f"{path} cannot be read as a tokenizer: {error}") from error
        self._reader.no_padding()
        self._reader.enable_truncation(limit)
        known = (self._reader.token_to_id(name) for name in ("[PAD]", "<pad>"))
        self._pad = next((number for number in known if number is not None), 0)

    def encode(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> list[Encoding]:
        """One encoding a text or pair, unpadded, so that those of like length can be put together."""
        # One by one: the library's own batches take every core, whatever number of threads the model was given.
        return [self._reader.encode(*((text,) if isinstance(text, str) else text)) for text in texts]

    def feeds(self, encodings: Sequence[Encoding], *, length: int = 0) -> Feeds:
        """The inputs for one batch, each of shape (texts, longest or `length`), padded on the right."""
        shape = (len(encodings), max(length, *(len(encoding.ids) for encoding in encodings)))
        ids = np.full(shape, self._pad, dtype=np.int64)
        mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for row, encoding in enumerate(encodings):
            end = len(encoding.ids)
            ids[row, :end] = encoding.ids
            mask[row, :end] = encoding.attention_mask
            types[row, :end] = encoding.type_ids
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def by_length(encodings: Sequence[Encoding], *, size: int) -> list[list[int]]:
    """Positions in batches of at most `size`, short ones first: little is padded, and little computed for nothing."""
    order = sorted(range(len(encodings)), key=lambda position: len(encodings[position].ids))
    return [order[start : start + size] for start in range(0, len(order), size)]
