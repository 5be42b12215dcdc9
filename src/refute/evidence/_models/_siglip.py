"""SigLIP2: does a picture fit a statement (fcpagent B.5, the image term)?"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from refute._errors import LocalModelError
from refute.evidence._models._hub import find_model
from refute.evidence._models._session import Session
from refute.evidence._models._tokens import Tokenizer
from refute.evidence._models._vectors import VectorCache, content_key

if TYPE_CHECKING:
    from PIL.Image import Image

SIGLIP_MODEL = "onnx-community/siglip2-base-patch16-224-ONNX"
"""google/siglip2-base-patch16-224 as ONNX files."""
_FILES = (
    "config.json",
    "preprocessor_config.json",
    "tokenizer.json",
    "onnx/model.onnx",
    "onnx/model.onnx_data",
    "model.onnx",
)
_LOGITS = "logits_per_image"


class SiglipScorer:
    """Scores statements by the sigmoid of a picture's scaled similarity; scale and bias are the model's own."""

    def __init__(self, source: str = SIGLIP_MODEL, *, threads: int = 1) -> None:
        """`source` as in `find_model`. Raises `LocalModelError`."""
        files = find_model(source, files=_FILES)
        self._preparation = files.read(_Preparation, "preprocessor_config.json")
        self._length = files.read(_Config).text_config.max_position_embeddings
        self._tokenizer = Tokenizer(files.folder / "tokenizer.json", limit=self._length)
        self._session = Session(files.onnx(), threads=threads)
        if _LOGITS not in self._session.outputs:
            raise LocalModelError(
                f"{files.onnx()} gives {', '.join(self._session.outputs)}; the export of both towers gives {_LOGITS}"
            )
        self._name = f"siglip:{files.name}"
        self._cache = VectorCache()
        self._one_at_a_time = Lock()

    @property
    def name(self) -> str:
        """The model and its version."""
        return self._name

    async def score(self, picture: bytes, statements: Sequence[str]) -> tuple[float, ...]:
        """See `ImageScorer`; computed in a thread, so that other episodes go on. Raises `LocalModelError`."""
        return await asyncio.to_thread(self.score_now, picture, statements)

    def score_now(self, picture: bytes, statements: Sequence[str]) -> tuple[float, ...]:
        """The same, in this thread."""
        keyed = {content_key(picture, statement): statement for statement in statements}
        with self._one_at_a_time:
            known = self._cache.get(keyed)
            missing = {key: statement for key, statement in keyed.items() if key not in known}
            fresh = dict(zip(missing, self._compute(picture, list(missing.values())), strict=True))
            self._cache.put(fresh)
        known |= fresh
        return tuple(float(known[content_key(picture, statement)][0]) for statement in statements)

    def _compute(self, picture: bytes, statements: list[str]) -> NDArray[np.float32]:
        """Scores of shape (statements, 1)."""
        if not statements:
            return np.zeros((0, 1), dtype=np.float32)
        encodings = self._tokenizer.encode([statement.lower() for statement in statements])  # trained on lower case
        feeds = self._tokenizer.feeds(encodings, length=self._length)
        logits = self._session.run({**feeds, "pixel_values": self._preparation.pixels(picture)})[_LOGITS]
        if logits.shape != (1, len(statements)):
            raise LocalModelError(f"{self._name} gives {logits.shape} for one picture and {len(statements)} statements")
        return (1 / (1 + np.exp(-logits.T))).astype(np.float32)


class _TextTower(BaseModel):
    """How long every text is, in tokens."""

    max_position_embeddings: int = Field(default=64, ge=8)


class _Config(BaseModel):
    """What is read of ``config.json``."""

    text_config: _TextTower = _TextTower()


class _Size(BaseModel):
    """A picture's size; a model for pictures of many sizes (NaFlex) names none, and cannot be used."""

    width: int = Field(ge=1)
    height: int = Field(ge=1)


class _Preparation(BaseModel):
    """``preprocessor_config.json``: a picture as the numbers that the model reads."""

    size: _Size
    resample: int = 2
    do_rescale: bool = True
    rescale_factor: float = 1 / 255
    do_normalize: bool = True
    image_mean: tuple[float, float, float] = (0.5, 0.5, 0.5)
    image_std: tuple[float, float, float] = (0.5, 0.5, 0.5)

    def pixels(self, picture: bytes) -> NDArray[np.float32]:
        """Shape (1, 3, height, width)."""
        from PIL.Image import Resampling  # only where pictures are scored

        size = (self.size.width, self.size.height)
        small = _opened(picture).convert("RGB").resize(size, resample=Resampling(self.resample))
        pixels = np.asarray(small, dtype=np.float32)
        if self.do_rescale:
            pixels = pixels * self.rescale_factor
        if self.do_normalize:
            pixels = (pixels - np.array(self.image_mean)) / np.array(self.image_std)
        return pixels.transpose(2, 0, 1)[None].astype(np.float32)


def _opened(picture: bytes) -> Image:
    from PIL import Image as Reader

    try:
        return Reader.open(BytesIO(picture), formats=("PNG", "JPEG", "WEBP"))
    except OSError as error:
        raise LocalModelError("the picture of the page cannot be read") from error
