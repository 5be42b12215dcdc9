"""BGE-M3: the paper's embedder for retrieval, from the hub or a folder."""

from __future__ import annotations

from functools import lru_cache

from refute.evidence._models._embedder import Embedder, OnnxEmbedder, Pooling
from refute.evidence._models._hub import find_model
from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Tokenizer
from refute.evidence._models._vectors import MOST, VectorCache

BGE_MODEL = "Xenova/bge-m3"
"""BAAI/bge-m3 as ONNX files."""
_FILES = ("config.json", "tokenizer.json", "onnx/model.onnx", "onnx/model.onnx_data", "model.onnx")
_LIMIT = 1024
"""Tokens; the model reads 8,192, but a skill or a task is far shorter, and time grows with length."""


@lru_cache(maxsize=4)
def bge_m3(source: str = BGE_MODEL, *, threads: int = 1, most: int = MOST) -> Embedder:
    """BGE-M3, or another model whose first token stands for the text, as an `Embedder`.

    `source` is a folder, or a model of the hub with its revision (``OWNER/NAME@COMMIT``); the other arguments as in
    `minilm`. Raises `LocalModelError` when the model cannot be had.
    """
    files = find_model(source, files=_FILES)
    session = Session(files.onnx(), threads=threads)
    tokenizer = Tokenizer(files.folder / "tokenizer.json", limit=_LIMIT)
    cache = VectorCache(most=most)
    return OnnxEmbedder(files.name, session=session, tokenizer=tokenizer, pooling=Pooling.FIRST, cache=cache)
