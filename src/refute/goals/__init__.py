"""Goals, revisions and tasks. Agents receive `Goal` and `Revision`: texts; only the harness holds a `Task`."""

from refute.goals._files import read_task, read_tasks
from refute.goals._goal import Goal, Revision
from refute.goals._task import (
    Branch,
    Claim,
    Condition,
    Constraint,
    Milestone,
    Reference,
    RevisionKind,
    Source,
    Task,
    TaskRevision,
    Viewport,
)
from refute.goals._truth import (
    FaultEnded,
    FaultStarted,
    Finding,
    MistakeEnded,
    MistakeStarted,
    TruthStep,
    TruthVerdict,
)

__all__ = [
    "Branch",
    "Claim",
    "Condition",
    "Constraint",
    "FaultEnded",
    "FaultStarted",
    "Finding",
    "Goal",
    "Milestone",
    "MistakeEnded",
    "MistakeStarted",
    "Reference",
    "Revision",
    "RevisionKind",
    "Source",
    "Task",
    "TaskRevision",
    "TruthStep",
    "TruthVerdict",
    "Viewport",
    "read_task",
    "read_tasks",
]
