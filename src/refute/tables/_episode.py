"""One trace into rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

# Importing these classes also registers their kinds; without that the reader would keep the events as unknown ones.
from refute.agents import Decision, Repaired, Tested, Verified
from refute.browser import Acted, Observed
from refute.goals import (
    Constraint,
    FaultEnded,
    FaultStarted,
    Finding,
    MistakeEnded,
    MistakeStarted,
    RevisionKind,
    Task,
    TruthVerdict,
)
from refute.llm import ModelCalled
from refute.revisions import Deliver, Delivered, EpisodeEnded, EpisodeStarted, Intercepted, TriggerAsked, last_attempt
from refute.tables._behaviour import HARNESS_ROLES, checks, plans, repairs, roles
from refute.tables._failures import failures, reacted
from refute.tables._keys import EpisodeKey
from refute.tables._rows import (
    ConstraintRow,
    DeliveryRow,
    EpisodeRow,
    FaultRow,
    MistakeRow,
    Status,
    TaskKind,
)
from refute.tables._tables import Tables
from refute.tables._trigger import timings, triggers
from refute.trace import Trace

_KINDS = (
    (RevisionKind.CONDITIONAL, TaskKind.CONDITIONAL),
    (RevisionKind.UNCONDITIONAL, TaskKind.UNCONDITIONAL),
    (RevisionKind.RETRACTION, TaskKind.RETRACTION),
    (RevisionKind.ADDITIVE, TaskKind.ADDITIVE),
)


_MOST = 10**12
"""No episode has more steps or tokens; a larger number in a file would only break the arithmetic of all means."""


def episode_tables(trace: Trace, key: EpisodeKey, *, out: Path) -> Tables:
    """The rows of one episode. A trace without its first event gives a row that says so."""
    trace = last_attempt(trace)
    started = next(iter(trace.of(EpisodeStarted)), None)
    row = _spent(
        EpisodeRow(
            key=key, folder=trace.folder, status=_status(trace), task=key.task, torn=trace.torn, unknown=trace.unknown
        ),
        trace,
    )
    if started is None:
        note = "the trace does not say which task it belongs to (no episode_started event)"
        return Tables(out=out, episodes=(replace(row, error=row.error or note, status=_unstarted(row.status)),))
    task = started.task
    constraints = _constraints(trace, key, started)
    comes = started.deliver is Deliver.DURING
    row = replace(
        row,
        task=task.id,
        title=task.initial_instruction,
        template=task.template,
        split=task.split,
        category=task.category,
        source=task.source.benchmark if task.source is not None else "",
        kind=task_kind(task),
        agent=started.agent,
        model=started.model,
        simulated=started.simulated or row.simulated,
        seed=started.seed,
        max_steps=task.max_steps,
        deliver=started.deliver,
        revisions=len(task.revisions) if comes else 0,
        judged=bool(trace.of(TruthVerdict))
        and any(c.active for c in constraints)
        and all(c.satisfied is not None for c in constraints if c.active),
    )
    return Tables(
        out=out,
        episodes=(row,),
        constraints=constraints,
        deliveries=_deliveries(trace, key, task, steps=row.steps) if comes else (),
        triggers=triggers(trace, key),
        mistakes=_mistakes(trace, key),
        faults=_faults(trace, key),
        plans=plans(trace, key),
        checks=checks(trace, key),
        repairs=repairs(trace, key),
        roles=roles(trace, key),
        failures=failures(trace, key, task, constraints),
    )


def task_kind(task: Task) -> TaskKind:
    """The task's revision type: the strongest kind among its revisions."""
    kinds = {r.kind for r in task.revisions}
    return next((name for kind, name in _KINDS if kind in kinds), TaskKind.STATIC)


def _unstarted(status: Status) -> Status:
    return Status.UNREADABLE if status.counted else status


def _status(trace: Trace) -> Status:
    ended = trace.of(EpisodeEnded)
    return Status(ended[-1].ending.value) if ended else Status.UNFINISHED


def _spent(row: EpisodeRow, trace: Trace) -> EpisodeRow:
    ended = next(iter(reversed(trace.of(EpisodeEnded))), None)
    calls = trace.of(ModelCalled)
    own = [c for c in calls if c.role not in HARNESS_ROLES]
    prices = [c.dollars for c in own if c.dollars is not None]
    delivered = {d.revision: d.forced for d in trace.of(Delivered)}
    harness = row.status is Status.HARNESS_ERROR
    tokens = sum(c.usage.input_tokens + c.usage.output_tokens for c in own)
    steps = len(trace.of(Acted))
    return replace(
        row,
        error=ended.message if ended is not None and harness else "",
        message=ended.message if ended is not None and not harness else "",
        simulated=any(c.simulated for c in calls),
        steps=min((ended.spent.steps or steps) if ended is not None else steps, _MOST),
        tokens=min((ended.spent.tokens or tokens) if ended is not None else tokens, _MOST),
        seconds=max(0.0, trace.events[-1].time - trace.events[0].time) if trace.events else 0.0,
        dollars=sum(prices) if prices and len(prices) == len(own) else None,
        calls=sum(c.attempts for c in own),
        kept_calls=min(ended.spent.kept_requests, _MOST) if ended is not None else 0,
        kept_tokens=min(ended.spent.kept_tokens, _MOST) if ended is not None else 0,
        kept_dollars=ended.spent.kept_dollars if ended is not None else 0.0,
        model_seconds=sum(max(0.0, c.seconds) for c in own),
        browser_seconds=sum(max(0, e.milliseconds) for e in (*trace.of(Observed), *trace.of(Acted))) / 1000,
        delivered=len(delivered),
        forced=sum(delivered.values()),
        intercepted=len(trace.of(Intercepted)),
        tested=len(trace.of(Tested)),
        verified=len(trace.of(Verified)),
        repairs=len(trace.of(Repaired)),
        picture=next((o.picture for o in reversed(trace.of(Observed)) if o.picture), ""),
    )


def _constraints(trace: Trace, key: EpisodeKey, started: EpisodeStarted) -> tuple[ConstraintRow, ...]:
    """Decision 14, literally: what counts is what is in force after all revisions; what was not delivered counts 0.

    Where the run delivers nothing on purpose, the truth decides alone (decision 21b).
    """
    task = started.task
    verdict = next(iter(reversed(trace.of(TruthVerdict))), None)
    branches = verdict.branches if verdict is not None else dict[str, bool]()
    findings = verdict.findings if verdict is not None else dict[str, Finding]()
    forced = {d.revision: d.forced for d in trace.of(Delivered)}
    counting = {c.id for c in task.judged(branches)}
    rows: list[ConstraintRow] = []
    for c in task.constraints:
        delivered = c.bound_to == 0 or c.bound_to in forced or started.deliver is Deliver.UPFRONT
        finding = findings.get(c.id)
        satisfied = finding.satisfied if finding is not None else None
        if verdict is not None and not delivered and started.deliver is Deliver.DURING:
            satisfied = False
        rows.append(
            ConstraintRow(
                key=key,
                id=c.id,
                text=c.text,
                round=c.bound_to,
                active=c.id in counting,
                why="" if c.id in counting else _why(c, task, branches),
                satisfied=satisfied,
                delivered=delivered,
                forced=forced.get(c.bound_to, False),
                evidence=finding.evidence if finding is not None else "",
            )
        )
    return tuple(rows)


def _why(constraint: Constraint, task: Task, branches: Mapping[str, bool]) -> str:
    for number, revision in enumerate(task.revisions, start=1):
        if constraint.id in revision.targets:
            verb = "retracted" if revision.kind is RevisionKind.RETRACTION else "replaced"
            return f"{verb} by revision {number}"
    branch = constraint.branch
    if branch is None:
        return ""
    held = branches.get(branch.condition)
    if held is None:
        return "nobody knows whether its condition held"
    text = task.conditions[branch.condition].text
    return f"other branch: the condition {'held' if held else 'did not hold'} ({text})"


def _deliveries(trace: Trace, key: EpisodeKey, task: Task, *, steps: int) -> tuple[DeliveryRow, ...]:
    delivered = {d.revision: d for d in trace.of(Delivered)}
    fired = {a.revision: a for a in trace.of(TriggerAsked) if a.fired}
    timing = timings(trace)
    rows: list[DeliveryRow] = []
    for number, revision in enumerate(task.revisions, start=1):
        event = delivered.get(number)
        asked = fired.get(number)
        row = DeliveryRow(
            key=key,
            revision=number,
            kind=revision.kind.value,
            text=revision.text,
            milestone=revision.milestone.text,
        )
        if event is not None:
            row = replace(
                row,
                text=event.text,
                step=event.step,
                position=event.step / steps if steps else None,
                forced=event.forced,
                mode=event.mode.value,
                strategy=event.strategy.value,
                digest=event.digest,
                confidence=asked.confidence if asked is not None else None,
                evidence=asked.evidence if asked is not None else "",
                timing=timing[number],
                reacted=reacted(trace, event),
            )
        rows.append(row)
    return tuple(rows)


def _mistakes(trace: Trace, key: EpisodeKey) -> tuple[MistakeRow, ...]:
    """Noticed = the first repair between onset and end, in the order of the trace."""
    rows: dict[int, MistakeRow] = {}
    for event in trace.events:
        if isinstance(event, MistakeStarted):
            rows[event.id] = MistakeRow(
                key=key,
                id=event.id,
                mistake=event.mistake,
                scope=event.scope,
                detail=event.detail,
                started=event.step,
            )
        elif isinstance(event, MistakeEnded) and event.id in rows:
            rows[event.id] = replace(rows[event.id], ended=event.step, how=event.how)
        elif isinstance(event, Repaired) or (isinstance(event, Verified) and event.decision is Decision.REPAIR):
            scope = event.diagnosis.scope.value if event.diagnosis is not None else ""
            for number, row in rows.items():
                if row.ended is None and row.noticed is None:
                    rows[number] = replace(row, noticed=event.step, attributed=scope)
    return tuple(rows.values())


def _faults(trace: Trace, key: EpisodeKey) -> tuple[FaultRow, ...]:
    ended = {event.id: event.step for event in trace.of(FaultEnded)}
    return tuple(
        FaultRow(
            key=key,
            id=event.id,
            fault=event.fault,
            scope=event.scope,
            path=event.path,
            detail=event.detail,
            started=event.step,
            ended=ended.get(event.id),
        )
        for event in trace.of(FaultStarted)
    )
