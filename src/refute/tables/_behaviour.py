"""One trace into rows about tests, repairs and roles."""

from __future__ import annotations

from dataclasses import replace

from refute.agents import Decision, Planned, Repaired, Retrieved, Tested, Verified
from refute.llm import ModelCalled
from refute.revisions import INSTRUCTION_REWRITER, MILESTONE_TRIGGER
from refute.tables._behaviour_rows import CheckRow, PlanRow, RepairRow, RoleRow
from refute.tables._keys import EpisodeKey
from refute.trace import Trace

HARNESS_ROLES = frozenset({MILESTONE_TRIGGER.name, INSTRUCTION_REWRITER.name})
"""Roles that the harness asks and pays for: no cost of the agent."""


def plans(trace: Trace, key: EpisodeKey) -> tuple[PlanRow, ...]:
    """One row, or none for an agent that makes no plan."""
    first = next(iter(trace.of(Planned)), None)
    if first is None:
        return ()
    linked = sum(c.skill is not None for c in first.commitments)
    return (PlanRow(key=key, commitments=len(first.commitments), linked=linked, retrieved=_retrieved(trace)),)


def checks(trace: Trace, key: EpisodeKey) -> tuple[CheckRow, ...]:
    """All fast tests, in order. A verdict belongs to the last test of its phase."""
    rows: list[CheckRow] = []
    open_: dict[str, int] = {}
    for event in trace.events:
        if isinstance(event, Tested):
            open_[event.phase] = len(rows)
            rows.append(
                CheckRow(
                    key=key,
                    step=event.step,
                    phase=event.phase,
                    route=event.route.value,
                    milliseconds=event.milliseconds,
                )
            )
        elif isinstance(event, Verified) and event.phase in open_:
            place = open_.pop(event.phase)
            scope = event.diagnosis.scope.value if event.diagnosis is not None else ""
            drift = event.decision is Decision.REPAIR
            rows[place] = replace(rows[place], slow=True, drift=drift, scope=scope)
    return tuple(rows)


def repairs(trace: Trace, key: EpisodeKey) -> tuple[RepairRow, ...]:
    """All repairs, in order."""
    return tuple(
        RepairRow(
            key=key,
            step=event.step,
            scope=event.scope.value,
            recovery=event.recovery.value,
            diagnosed=event.diagnosis.scope.value,
        )
        for event in trace.of(Repaired)
    )


def roles(trace: Trace, key: EpisodeKey) -> tuple[RoleRow, ...]:
    """What each role of the agent cost, by name."""
    calls: dict[str, list[ModelCalled]] = {}
    for event in trace.of(ModelCalled):
        if event.role not in HARNESS_ROLES:
            calls.setdefault(event.role, []).append(event)
    return tuple(_role(key, role, calls[role]) for role in sorted(calls))


def _role(key: EpisodeKey, role: str, calls: list[ModelCalled]) -> RoleRow:
    prices = [c.dollars for c in calls if c.dollars is not None]
    return RoleRow(
        key=key,
        role=role,
        calls=sum(c.attempts for c in calls),
        seconds=sum(max(0.0, c.seconds) for c in calls),
        tokens=sum(c.usage.total_tokens for c in calls),
        dollars=sum(prices) if len(prices) == len(calls) else None,
    )


def _retrieved(trace: Trace) -> int | None:
    """Skills retrieved for the task at its start, without those that only came along."""
    found = [event.found for event in trace.of(Retrieved) if event.what == "skills" and event.occasion == "start"]
    return sum(not record.expanded for records in found for record in records) if found else None
