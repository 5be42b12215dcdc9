"""Where a model's files are: a folder of this machine, or the cache of the Hugging Face hub."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from refute._errors import LocalModelError

Config = TypeVar("Config", bound=BaseModel)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DEADLINE = 10.0
"""Seconds until the hub must answer."""


class ModelFiles(NamedTuple):
    """A model's folder, and what it is called: from the hub with its commit, from a folder with a hash of the model."""

    folder: Path
    name: str

    def onnx(self) -> Path:
        """The model itself: in the folder, or in ``onnx/`` as the hub has it."""
        inside = self.folder / "onnx" / "model.onnx"
        return inside if inside.is_file() else self.folder / "model.onnx"

    def read(self, kind: type[Config], file: str = "config.json") -> Config:
        """A JSON file of the model. Raises `LocalModelError` when it is missing or does not say what is needed."""
        path = self.folder / file
        try:
            return kind.model_validate_json(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise LocalModelError(f"{path} is missing; the folder holds no model of this kind") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise LocalModelError(f"{path} does not say what is needed: {where}: {first['msg']}") from error


def find_model(source: str, *, files: Sequence[str]) -> ModelFiles:
    """The model at `source`: a folder, or ``OWNER/NAME`` or ``OWNER/NAME@REVISION`` on the hub.

    From the hub only `files` (glob patterns) are taken, once; afterwards no network is needed for a revision that is a
    commit. Without a revision it is what the hub has today; the name of the model says which commit that was.
    Raises `LocalModelError` when the hub cannot be reached or has no such model.
    """
    folder = Path(source).expanduser()
    if folder.is_dir():
        return ModelFiles(folder, f"{folder.name}@{_fingerprint(folder)}")
    if source.startswith((".", "/", "~")) or source.count("/") != 1:
        raise LocalModelError(
            f"{source} is neither a folder nor a model of the hub (OWNER/NAME or OWNER/NAME@REVISION)"
        )
    repository, _, revision = source.partition("@")
    return _from_hub(repository, revision or "main", files)


def _fingerprint(folder: Path) -> str:
    """Two models in folders of one name are told apart by their files."""
    model = ModelFiles(folder, "").onnx()
    digest = hashlib.sha256()
    try:
        for path in (model, model.with_name(f"{model.name}_data")):  # large weights lie beside the graph
            if path.is_file():
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    except OSError as error:
        raise LocalModelError(f"the model in {folder} cannot be read: {error.strerror}") from error
    return digest.hexdigest()[:8]


def _from_hub(repository: str, revision: str, files: Sequence[str]) -> ModelFiles:
    try:
        hub: Any = import_module("huggingface_hub")
        errors: Any = import_module("huggingface_hub.errors")
        network: Any = import_module("httpx")
    except ImportError as error:
        raise LocalModelError("models of the hub need huggingface-hub: pip install 'refute[nli]'") from error
    failures: tuple[type[Exception], ...] = (
        errors.HfHubHTTPError,
        errors.LocalEntryNotFoundError,
        errors.OfflineModeIsEnabled,
        errors.HFValidationError,
        network.HTTPError,
        OSError,
    )
    options = {"revision": revision, "allow_patterns": list(files), "etag_timeout": _DEADLINE, "max_workers": 2}
    with suppress(*failures):  # what is here already; a branch may have changed, a commit has not
        folder = Path(hub.snapshot_download(repository, **options, local_files_only=True))
        if _COMMIT.fullmatch(revision) and _whole(folder):
            return ModelFiles(folder, f"{repository}@{folder.name[:8]}")
    try:
        folder = Path(hub.snapshot_download(repository, **options))
    except failures as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise LocalModelError(
            f"{repository} (revision {revision}) cannot be taken from the hub: {reason}\n"
            "Without a network, copy the model's files into a folder and name the folder in its place."
        ) from error
    return ModelFiles(folder, f"{repository}@{folder.name[:8]}")


def _whole(folder: Path) -> bool:
    """Whether an earlier download was not cut off."""
    return (folder / "tokenizer.json").is_file() and ModelFiles(folder, "").onnx().is_file()
