"""Tables: the traces of one or many runs as rows, joined by run, task and repeat. No statistics, no drawing."""

from refute.revisions import last_attempt
from refute.tables._behaviour import HARNESS_ROLES
from refute.tables._behaviour_rows import CheckRow, FailureMode, FailureRow, PlanRow, RepairRow, RoleRow
from refute.tables._judged import JudgedConstraint, JudgedResponse, JudgedRow, read_judged
from refute.tables._kept import KEPT, Stamp, stamp
from refute.tables._keys import EpisodeKey
from refute.tables._read import read_all, read_tables
from refute.tables._rows import (
    ConstraintRow,
    DeliveryRow,
    EpisodeRow,
    FaultRow,
    MistakeRow,
    RunRow,
    Status,
    TaskKind,
    Timing,
    TriggerRow,
)
from refute.tables._tables import Tables

__all__ = [
    "HARNESS_ROLES",
    "KEPT",
    "CheckRow",
    "ConstraintRow",
    "DeliveryRow",
    "EpisodeKey",
    "EpisodeRow",
    "FailureMode",
    "FailureRow",
    "FaultRow",
    "JudgedConstraint",
    "JudgedResponse",
    "JudgedRow",
    "MistakeRow",
    "PlanRow",
    "RepairRow",
    "RoleRow",
    "RunRow",
    "Stamp",
    "Status",
    "Tables",
    "TaskKind",
    "Timing",
    "TriggerRow",
    "last_attempt",
    "read_all",
    "read_judged",
    "read_tables",
    "stamp",
]
