"""ONNX models of this machine: opened on first use, run on the CPU with few threads."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute._errors import LocalModelError

Array = NDArray[Any]


class Session:
    """An ONNX model. `inputs`: the names that it takes; `outputs`: the names and shapes that it gives, None = free."""

    def __init__(self, path: Path, *, threads: int = 1, sha256: str | None = None) -> None:
        """Open the model at `path`.

        `threads` work on one call; with several workers on a machine one each is fastest. Raises `LocalModelError` when
        the file is missing, is no ONNX model, or has another `sha256` than the one given.
        """
        if threads < 1:
            raise ValueError("threads must be at least 1")
        _check(path, sha256)
        runtime: Any = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        state: Any = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
        self._failures: tuple[type[Exception], ...] = (
            state.Fail,
            state.InvalidArgument,
            state.InvalidGraph,
            state.InvalidProtobuf,
            state.NoSuchFile,
            state.NotImplemented,
            state.RuntimeException,
        )
        try:
            self._session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except self._failures as error:
            raise LocalModelError(f"{path} cannot be opened as an ONNX model: {error}") from error
        self._path = path
        self.inputs = frozenset(str(entry.name) for entry in self._session.get_inputs())
        self.outputs: dict[str, tuple[int | None, ...]] = {
            entry.name: tuple(size if isinstance(size, int) else None for size in entry.shape)
            for entry in self._session.get_outputs()
        }

    def run(self, feeds: Mapping[str, Array]) -> dict[str, NDArray[np.float32]]:
        """Every output by name. What the model does not take is left out; `LocalModelError` when it needs more."""
        missing = self.inputs - feeds.keys()
        if missing:
            raise LocalModelError(f"{self._path} asks for inputs that this kind of model should not: {sorted(missing)}")
        try:
            values: list[Any] = self._session.run(list(self.outputs), {name: feeds[name] for name in self.inputs})
        except self._failures as error:
            raise LocalModelError(f"{self._path} failed: {error}") from error
        return {
            name: np.asarray(value, dtype=np.float32)
            for name, value in zip(self.outputs, values, strict=True)
            if not isinstance(value, list | dict)  # sequences and maps, which no model of ours gives
        }


def _check(path: Path, sha256: str | None) -> None:
    if not path.is_file():
        raise LocalModelError(f"{path} is missing; the model was not installed or not exported as ONNX")
    if sha256 is None:
        return
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise LocalModelError(f"{path} is not the file it should be (sha256 {found[:12]}…, expected {sha256[:12]}…)")
