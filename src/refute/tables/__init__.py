"""Tables: the traces of one or many runs as rows, joined by run, task and repeat. No statistics, no drawing."""

from refute.tables._episode import last_attempt
from refute.tables._judged import JudgedConstraint, JudgedResponse, JudgedRow, read_judged
from refute.tables._read import REHEARSALS, read_tables
from refute.tables._rows import (
    ConstraintRow,
    DeliveryRow,
    EpisodeKey,
    EpisodeRow,
    FaultRow,
    MistakeRow,
    RunRow,
    Status,
    Tables,
    TaskKind,
    Timing,
)

__all__ = [
    "REHEARSALS",
    "ConstraintRow",
    "DeliveryRow",
    "EpisodeKey",
    "EpisodeRow",
    "FaultRow",
    "JudgedConstraint",
    "JudgedResponse",
    "JudgedRow",
    "MistakeRow",
    "RunRow",
    "Status",
    "Tables",
    "TaskKind",
    "Timing",
    "last_attempt",
    "read_judged",
    "read_tables",
]
