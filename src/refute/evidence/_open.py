"""Scorers and embedders by name, as settings and the command line give them: NAME or NAME:SOURCE."""

from __future__ import annotations

from functools import lru_cache

from refute._errors import UserError
from refute.evidence._hybrid import HybridScorer
from refute.evidence._models import Embedder, NliScorer, SiglipScorer, bge_m3, minilm
from refute.evidence._scorer import LEXICAL, ImageScorer, TextScorer

TEXT_SCORERS = ("lexical", "hybrid", "nli")
"""Names that `open_scorer` takes."""
IMAGE_SCORERS = ("siglip",)
"""Names that `open_image_scorer` takes."""
EMBEDDERS = ("minilm", "bge-m3")
"""Names that `open_embedder` takes."""


@lru_cache(maxsize=8)
def open_scorer(given: str) -> TextScorer:
    """The text scorer ``lexical``, ``hybrid``, ``nli``, or ``nli:SOURCE``.

    SOURCE is a folder with an ONNX model, or a model of the hub (``OWNER/NAME@COMMIT``). A model is opened once per
    process and shared by its episodes. Raises `UserError` for an unknown name, `LocalModelError` for a model that
    cannot be had.
    """
    name, source = _parted(given, TEXT_SCORERS, "scorer")
    if name == "nli":
        return NliScorer(source) if source else NliScorer()
    _no_source(name, source)
    return HybridScorer(minilm) if name == "hybrid" else LEXICAL


@lru_cache(maxsize=8)
def open_image_scorer(given: str) -> ImageScorer:
    """The image scorer ``siglip`` or ``siglip:SOURCE``; see `open_scorer`."""
    _, source = _parted(given, IMAGE_SCORERS, "image scorer")
    return SiglipScorer(source) if source else SiglipScorer()


def open_embedder(given: str) -> Embedder:
    """The embedder ``minilm``, ``bge-m3`` or ``bge-m3:SOURCE``; see `open_scorer`."""
    name, source = _parted(given, EMBEDDERS, "embedder")
    if name == "bge-m3":
        return bge_m3(source) if source else bge_m3()
    _no_source(name, source)
    return minilm()


def _parted(given: str, known: tuple[str, ...], what: str) -> tuple[str, str]:
    name, _, source = given.partition(":")
    if name not in known:
        raise UserError(f"unknown {what} {given!r}; known: {', '.join(known)}")
    return name, source


def _no_source(name: str, source: str) -> None:
    if source:
        raise UserError(f"{name} comes with the package and takes no {source!r}")
