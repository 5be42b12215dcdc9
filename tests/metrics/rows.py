"""Small tables for the tests of what agents did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from refute.metrics import Outcome
from refute.tables import (
    CheckRow,
    DeliveryRow,
    EpisodeKey,
    EpisodeRow,
    MistakeRow,
    PlanRow,
    RepairRow,
    RoleRow,
    Status,
    Tables,
    TaskKind,
)


def key(task: str, repeat: int = 0, run: str = "run") -> EpisodeKey:
    return EpisodeKey(run, task, repeat)


def tables(*tasks: str, status: Status = Status.DONE, **rows: Any) -> Tables:
    """An episode a task, and whatever else is given."""
    return Tables(
        out=Path(), episodes=tuple(EpisodeRow(key=key(t), folder=Path(), status=status, task=t) for t in tasks), **rows
    )


def plan(task: str, commitments: int, linked: int, retrieved: int | None = None) -> PlanRow:
    return PlanRow(key=key(task), commitments=commitments, linked=linked, retrieved=retrieved)


def check(task: str, phase: str = "state", *, slow: bool = False, drift: bool = False, ms: float = 0.0) -> CheckRow:
    return CheckRow(key=key(task), step=1, phase=phase, route="verify", slow=slow, drift=drift, milliseconds=ms)


def repair(task: str, scope: str = "execution", recovery: str = "none") -> RepairRow:
    return RepairRow(key=key(task), step=1, scope=scope, recovery=recovery, diagnosed=scope)


def role(task: str, name: str, seconds: float) -> RoleRow:
    return RoleRow(key=key(task), role=name, calls=1, seconds=seconds, tokens=0, dollars=None)


def mistake(task: str, noticed: int | None, *, scope: str = "execution", how: str = "recovered") -> MistakeRow:
    return MistakeRow(
        key=key(task),
        id=1,
        mistake="wrong_branch",
        scope=scope,
        detail="",
        started=1,
        ended=4,
        how=how,
        noticed=noticed,
    )


def delivery(task: str, run: str, position: float | None, *, revision: int = 1, forced: bool = False) -> DeliveryRow:
    step = None if position is None else 1
    return DeliveryRow(
        key=key(task, run=run),
        revision=revision,
        kind="",
        text="",
        milestone="",
        step=step,
        position=position,
        forced=forced,
    )


def outcome(task: str, score: float = 1.0, *, steps: int = 1, run: str = "run", **more: Any) -> Outcome:
    fields: dict[str, Any] = {
        "key": key(task, run=run),
        "kind": TaskKind.STATIC,
        "score": score,
        "score_unforced": score,
        "rounds": {},
        "undelivered": frozenset[int](),
        "revisions": 0,
        "steps": steps,
        "tokens": 10 * steps,
    }
    return Outcome(**{**fields, **more})
