"""What a model made of a text, kept: in memory up to a bound, and in a folder if one is named."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refute._errors import LocalModelError

Vector = NDArray[np.float32]
MOST = 20_000
"""Vectors in memory; of 384 numbers each, 31 MB."""
_ASKED_AT_ONCE = 500


def content_key(*parts: str | bytes) -> bytes:
    """The hash of these parts, each told apart from the next."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


class VectorCache:
    """Vectors by content hash; the least recently used leave first. A `folder` keeps them beyond the process.

    Several processes may share a folder. A disk that stops working costs time, never a result.
    """

    def __init__(self, model: str, *, most: int = MOST, folder: Path | None = None) -> None:
        """`model` names what made the vectors: its name and version, since another model's vectors must never be read.

        Raises `LocalModelError` when the folder cannot be used.
        """
        self._kept: OrderedDict[bytes, Vector] = OrderedDict()
        self._most = most
        self._disk = _open(folder, model) if folder else None

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vector]:
        """Those of `keys` that are known."""
        found: dict[bytes, Vector] = {}
        missing: list[bytes] = []
        for key in dict.fromkeys(keys):
            if key in self._kept:
                self._kept.move_to_end(key)
                found[key] = self._kept[key]
            else:
                missing.append(key)
        stored = self._read(missing)
        self._remember(stored)
        return found | stored

    def put(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep these."""
        self._remember(vectors)
        if self._disk is None or not vectors:
            return
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        try:
            with self._disk:
                self._disk.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        except sqlite3.Error:
            self._disk = None

    def _remember(self, vectors: Mapping[bytes, Vector]) -> None:
        for key, vector in vectors.items():
            self._kept[key] = vector
            self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def _read(self, keys: list[bytes]) -> dict[bytes, Vector]:
        if self._disk is None:
            return {}
        found: dict[bytes, Vector] = {}
        try:
            for start in range(0, len(keys), _ASKED_AT_ONCE):
                asked = keys[start : start + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(asked))
                rows = self._disk.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", asked)  # noqa: S608
                found |= {key: np.frombuffer(data, dtype="<f4").astype(np.float32) for key, data in rows}
        except sqlite3.Error:
            self._disk = None
        return found


def _open(folder: Path, model: str) -> sqlite3.Connection:
    path = folder / f"{content_key(model).hex()}.vectors"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        disk = sqlite3.connect(path, timeout=5, check_same_thread=False)
        with disk:
            disk.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
    except (OSError, sqlite3.Error) as error:
        raise LocalModelError(
            f"vectors cannot be kept in {path}: {error}; delete it, or name another folder"
        ) from error
    return disk
