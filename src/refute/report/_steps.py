"""The steps as cards: what was done, what the page showed, and what the agent made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from refute.agents import (
    CommitmentStatus,
    Decision,
    Planned,
    Proposed,
    RepairCapped,
    Repaired,
    Route,
    Status,
    Tested,
    Verified,
)
from refute.browser import Acted, Observed
from refute.goals import MistakeEnded, MistakeStarted
from refute.llm import ModelCalled
from refute.revisions import Delivered, Intercepted
from refute.trace import SHOTS, Event, Trace

_PICTURE = re.compile(rf"{SHOTS}/[A-Za-z0-9_-]{{1,80}}\.(?:jpg|jpeg|png|webp)")


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Something that happened at a step. `kind` picks the colour: yes, no, rev, truth or soft."""

    kind: str
    text: str


@dataclass(kw_only=True)
class Card:
    """One step: the action, and the page that it led to. Number 0 is the page at the start."""

    number: int
    action: str = ""
    target: str = ""
    why: str = ""
    """The model's reasoning for it."""
    failed: str = ""
    """Why the action did not do what it says."""
    title: str = ""
    url: str = ""
    picture: str = ""
    """File name relative to the episode's folder; empty without one."""
    marks: list[Mark] = field(default_factory=list[Mark])

    @property
    def tone(self) -> str:
        """The class of its border."""
        kinds = {m.kind for m in self.marks}
        if "rev" in kinds:
            return "rev"
        return "bad" if self.failed or "no" in kinds else ""


def step_cards(trace: Trace) -> tuple[Card, ...]:
    """The start page and one card per action, in order."""
    cards = [Card(number=0)]
    ahead: list[Mark] = []
    why, revising = "", False
    for event in trace.events:
        if isinstance(event, Acted):
            outcome = event.outcome
            failed = (
                "" if outcome.ok else ": ".join(p for p in (_words(outcome.cause or "failed"), outcome.detail) if p)
            )
            cards.append(
                Card(number=len(cards), action=event.text, target=event.target, failed=failed, marks=ahead.copy())
            )
            cards[-1].why, why = why, ""
            ahead.clear()
        elif isinstance(event, Observed):
            _show(cards[-1], event, trace.folder)
        elif isinstance(event, Planned):
            revising = False
        elif revising and isinstance(event, CommitmentStatus) and event.status is Status.FALSIFIED:
            cards[-1].marks.append(Mark(kind="rev", text=f"commitment {event.number} overtaken by it"))
        elif isinstance(event, Proposed) and not event.problem:
            why = event.reasoning
        elif (mark := _ahead(event)) is not None:
            ahead.append(mark)
        elif (mark := _mark(event)) is not None:
            revising = revising or isinstance(event, Delivered)
            cards[-1].marks.append(mark)
    cards[-1].marks.extend(ahead)
    return tuple(cards)


def picture_of(name: str | None, folder: Path) -> str:
    """`name` if it is a picture of this episode, else ''. A trace may come from anywhere: it names no other file."""
    return name if name and _PICTURE.fullmatch(name) and (folder / name).is_file() else ""


def _show(card: Card, event: Observed, folder: Path) -> None:
    card.title, card.url = event.title, event.url
    card.picture = picture_of(event.picture, folder) or card.picture
    card.marks.extend(Mark(kind="soft", text=f"{_words(e.type)}: {e.text}".rstrip(": ")) for e in event.events)


def _ahead(event: Event) -> Mark | None:
    """Marks of an action that was tested before it ran: they belong to the step that comes."""
    if isinstance(event, Verified) and event.phase == "action":
        if event.decision is not Decision.REPAIR:
            return Mark(kind="yes", text="checked before it ran: go on")
        why = event.diagnosis.pattern or event.diagnosis.falsified if event.diagnosis is not None else ""
        return Mark(kind="no", text=f"stopped before it ran: {event.action}" + (f" — {why}" if why else ""))
    if isinstance(event, Repaired) and event.rejected_action:
        return Mark(kind="soft", text=f"repaired ({event.scope}): {event.guidance or 'plan rewritten'}")
    if isinstance(event, RepairCapped) and event.phase == "action":
        return Mark(kind="no", text=f"no repair left: {_words(event.consequence)}")
    if isinstance(event, Proposed) and event.problem:
        return Mark(kind="no", text=f"reply of no use: {event.problem}")
    return None


def _mark(event: Event) -> Mark | None:
    match event:
        case Tested(phase="state"):
            sure = event.route in (Route.CONTINUE,)
            return Mark(kind="soft", text=f"{event.route}, no model" if sure else f"{event.route}: {event.reason}")
        case Verified():
            kind = {Decision.REPAIR: "no", Decision.ADVANCE: "yes"}.get(event.decision, "soft")
            return Mark(kind=kind, text=f"model: {event.decision}" + (f" — {event.reason}" if event.reason else ""))
        case CommitmentStatus(status=Status.CONFIRMED):
            return Mark(kind="yes", text=f"commitment {event.number} confirmed")
        case CommitmentStatus(status=Status.FALSIFIED):
            return Mark(kind="no", text=f"commitment {event.number} refuted")
        case Repaired():
            return Mark(kind="no", text=f"repaired ({event.scope})")
        case RepairCapped():
            return Mark(kind="no", text=f"no repair left: {_words(event.consequence)}")
        case Delivered():
            return Mark(kind="rev", text=f"revision {event.revision} delivered" + (", forced" if event.forced else ""))
        case Intercepted():
            return Mark(kind="rev", text="early done turned down")
        case MistakeStarted():
            return Mark(kind="truth", text=f"mistake begins: {_words(event.mistake)}")
        case MistakeEnded():
            return Mark(kind="truth", text=f"mistake over: {_words(event.how)}")
        case ModelCalled() if not event.ok:
            return Mark(kind="no", text=f"{event.role}: no usable reply")
        case _:
            return None


def _words(name: str) -> str:
    return str(name).replace("_", " ")
