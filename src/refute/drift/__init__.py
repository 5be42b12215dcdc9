"""Drift on purpose: real pages of drives whose onset and scope are known, and detectors scored on them."""

from refute.drift._figure import figure
from refute.drift._plans import ReaderPlan, read_plans
from refute.drift._prompts import reader_prompts
from refute.drift._record import Calm, Drive, Header, Kind, Page, Recording, State, read_recording
from refute.drift._recording import STATES, Recorded, RecordProgress, drift_tasks, read_times, record
from refute.drift._result import SIMULATED, WITHIN, DriftResult, Figures, Group, Judged, Point
from refute.drift._scoring import score

__all__ = [
    "SIMULATED",
    "STATES",
    "WITHIN",
    "Calm",
    "DriftResult",
    "Drive",
    "Figures",
    "Group",
    "Header",
    "Judged",
    "Kind",
    "Page",
    "Point",
    "ReaderPlan",
    "RecordProgress",
    "Recorded",
    "Recording",
    "State",
    "drift_tasks",
    "figure",
    "read_plans",
    "read_recording",
    "read_times",
    "reader_prompts",
    "record",
    "score",
]
