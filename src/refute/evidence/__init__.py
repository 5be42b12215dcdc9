"""Evidence: how far a page supports or contradicts a statement. Scores, never decisions."""

from refute.evidence._chunks import chunks
from refute.evidence._lexical import Match, lexical, lexical_max
from refute.evidence._verdict import Label, Verdict

__all__ = ["Label", "Match", "Verdict", "chunks", "lexical", "lexical_max"]
