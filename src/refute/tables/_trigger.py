"""The trigger against the truth: what it said of a milestone, and whether that held at the state it looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute.goals import TruthStep
from refute.revisions import Delivered, TriggerAsked
from refute.tables._keys import EpisodeKey
from refute.tables._rows import Timing, TriggerRow
from refute.trace import Trace


def triggers(trace: Trace, key: EpisodeKey) -> tuple[TriggerRow, ...]:
    """Every look of the trigger, in order."""
    truth: list[TruthStep] = []
    rows: list[TriggerRow] = []
    for event in trace.events:
        if isinstance(event, TruthStep):
            truth.append(event)
        elif isinstance(event, TriggerAsked):
            holds, before = _held(truth, event.revision)
            rows.append(
                TriggerRow(
                    key=key,
                    revision=event.revision,
                    step=event.step,
                    fired=event.fired,
                    reached=event.reached,
                    confidence=event.confidence,
                    holds=holds,
                    held_before=before,
                    plausibility=event.plausibility,
                    threshold=event.threshold,
                    last=event.last,
                )
            )
    return tuple(rows)


def timings(trace: Trace) -> Mapping[int, Timing | None]:
    """When each delivered revision came (decision 28); the page that a reset leads to comes after the delivery."""
    truth: list[TruthStep] = []
    found: dict[int, Timing | None] = {}
    for event in trace.events:
        if isinstance(event, TruthStep):
            truth.append(event)
        elif isinstance(event, Delivered):
            found[event.revision] = timing(*_held(truth, event.revision))
    return found


def timing(holds: bool | None, before: bool | None) -> Timing | None:
    """Decision 28: from whether the milestone holds at the trigger's state and at the one before."""
    if holds is None or before is None:
        return None
    if before:
        return Timing.LATE
    return Timing.ALIGNED if holds else Timing.EARLY


def _held(truth: Sequence[TruthStep], revision: int) -> tuple[bool | None, bool | None]:
    """Whether the milestone holds at the last state, and at the one before it; None where nobody knows.

    A step without a new page (a note, a `done` that was turned down) adds no state; before the first there is none,
    so nothing held there.
    """
    states = [step.milestones.get(revision) for step in truth[-2:]]
    return states[-1] if states else None, states[-2] if len(states) > 1 else False
