"""Models that run on this machine as ONNX files: no hub, no GPU and no torch needed to run them."""

from refute.evidence._models._bge import bge_m3
from refute.evidence._models._embedder import Embedder
from refute.evidence._models._minilm import minilm
from refute.evidence._models._nli import NliScorer
from refute.evidence._models._siglip import SiglipScorer

__all__ = ["Embedder", "NliScorer", "SiglipScorer", "bge_m3", "minilm"]
