"""Evidence: how far a page supports or contradicts a statement. Scores, never decisions."""

from refute.evidence._bm25 import bm25
from refute.evidence._cases import Case, CaseScores, read_cases, score_cases
from refute.evidence._chunks import chunks
from refute.evidence._hybrid import HybridScorer
from refute.evidence._lexical import lexical
from refute.evidence._models import Embedder, NliScorer, SiglipScorer, bge_m3, minilm
from refute.evidence._open import EMBEDDERS, IMAGE_SCORERS, TEXT_SCORERS, open_embedder, open_image_scorer, open_scorer
from refute.evidence._scorer import LEXICAL, EachStatement, ImageScorer, TextScorer
from refute.evidence._select import word_overlap
from refute.evidence._verdict import Label, Verdict
from refute.evidence._words import stem

__all__ = [
    "EMBEDDERS",
    "IMAGE_SCORERS",
    "LEXICAL",
    "TEXT_SCORERS",
    "Case",
    "CaseScores",
    "EachStatement",
    "Embedder",
    "HybridScorer",
    "ImageScorer",
    "Label",
    "NliScorer",
    "SiglipScorer",
    "TextScorer",
    "Verdict",
    "bge_m3",
    "bm25",
    "chunks",
    "lexical",
    "minilm",
    "open_embedder",
    "open_image_scorer",
    "open_scorer",
    "read_cases",
    "score_cases",
    "stem",
    "word_overlap",
]
