"""What happened at a step, in a few coloured words."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import (
    CommitmentStatus,
    Decision,
    FinalChecked,
    Interpreted,
    Proposed,
    RepairCapped,
    Repaired,
    Result,
    Ruling,
    Status,
    Verified,
)
from refute.goals import FaultEnded, FaultStarted, MistakeEnded, MistakeStarted
from refute.llm import ModelCalled
from refute.revisions import Delivered, Intercepted
from refute.trace import Event


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Something that happened at a step."""

    kind: str
    """Picks the colour: yes, no, rev, truth or soft."""
    text: str
    rank: int = 0
    """How much of the step it tells: the highest stands on the step's thumbnail, 0 never does."""


def mark_ahead(event: Event) -> Mark | None:
    """Marks of an action that was tested before it ran: they belong to the step that comes."""
    if isinstance(event, Verified) and event.phase == "action":
        if event.decision is not Decision.REPAIR:
            return Mark(kind="yes", text="checked before it ran: go on")
        why = event.diagnosis.pattern or event.diagnosis.falsified if event.diagnosis is not None else ""
        return Mark(kind="no", text=f"stopped before it ran: {event.action}" + (f" — {why}" if why else ""), rank=5)
    if isinstance(event, Repaired) and event.rejected_action:
        return Mark(kind="soft", text=f"repaired ({event.scope}): {event.guidance or 'plan rewritten'}")
    if isinstance(event, RepairCapped) and event.phase == "action":
        return Mark(kind="no", text=f"no repair left: {words(event.consequence)}", rank=4)
    if isinstance(event, FinalChecked):
        return _checked(event)
    if isinstance(event, Proposed) and event.problem:
        return Mark(kind="no", text=f"reply of no use: {event.problem}", rank=1)
    return None


def mark_of(event: Event) -> Mark | None:
    """Marks of the step at which they were recorded."""
    match event:
        case Verified():
            kind = {Decision.REPAIR: "no", Decision.ADVANCE: "yes"}.get(event.decision, "soft")
            why = event.reason or (event.diagnosis.pattern if event.diagnosis is not None else "")
            return Mark(kind=kind, text=f"model: {event.decision}" + (f" — {why}" if why else ""))
        case CommitmentStatus(status=Status.CONFIRMED):
            return Mark(kind="yes", text=f"commitment {event.number} confirmed", rank=2)
        case CommitmentStatus(status=Status.FALSIFIED):
            why = f": {event.summary}" if event.summary else ""
            return Mark(kind="no", text=f"commitment {event.number} refuted{why}", rank=4)
        case Interpreted():
            return Mark(kind="soft", text=f"requirements read: {len(event.constraints)}")
        case Repaired():
            return Mark(kind="no", text=f"repaired ({event.scope})", rank=3)
        case RepairCapped():
            return Mark(kind="no", text=f"no repair left: {words(event.consequence)}", rank=4)
        case Delivered():
            forced = ", forced" if event.forced else ""
            return Mark(kind="rev", text=f"revision {event.revision} delivered{forced}", rank=6)
        case Intercepted():
            return Mark(kind="rev", text="early done turned down", rank=4)
        case MistakeStarted():
            return Mark(kind="truth", text=f"mistake begins: {words(event.mistake)}")
        case MistakeEnded():
            return Mark(kind="truth", text=f"mistake over: {words(event.how)}")
        case FaultStarted():
            return Mark(kind="truth", text=f"the site serves a fault: {words(event.fault)}")
        case FaultEnded():
            return Mark(kind="truth", text="the site's fault is over")
        case ModelCalled() if not event.ok:
            return Mark(kind="no", text=f"{event.role}: no usable reply", rank=1)
        case _:
            return None


def _checked(event: FinalChecked) -> Mark:
    """What a final check found: how many requirements are settled, and the others by name."""
    settled = (Ruling.MET, Ruling.DOES_NOT_APPLY)
    left = [f"{words(f.ruling)}: {f.text}" for f in event.findings if f.ruling not in settled]
    counted = f"{len(event.findings) - len(left)} of {len(event.findings)} requirements"
    text = "; ".join((f"final check: {event.result}, {counted}", *left))
    kind, rank = {Result.VERIFIED: ("yes", 3), Result.REFUTED: ("no", 5)}.get(event.result, ("soft", 3))
    return Mark(kind=kind, text=text, rank=rank)


def words(name: str) -> str:
    """A name from a trace, for a person."""
    return str(name).replace("_", " ")
