"""The steps: what was done, what the page showed, and what the agent made of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refute.agents import (
    CommitmentStatus,
    FinalChecked,
    Planned,
    Proposed,
    RepairCapped,
    Repaired,
    Status,
    Tested,
    Verified,
)
from refute.browser import Acted, Observed
from refute.goals import TruthStep
from refute.llm import ModelCalled
from refute.report._marks import Mark, mark_ahead, mark_of, words
from refute.revisions import Delivered
from refute.trace import SHOTS, Event, Trace, UnknownEvent

_PICTURE = re.compile(rf"{SHOTS}/[A-Za-z0-9_-]{{1,80}}\.(?:jpg|jpeg|png|webp)")


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
    read: str = ""
    """The page as the agent read it."""
    picture: str = ""
    """File name relative to the episode's folder; empty without one."""
    fresh: bool = False
    """Whether a page was observed at this step."""
    marks: list[Mark] = field(default_factory=list[Mark])
    tests: list[Tested] = field(default_factory=list[Tested])
    """What the fast tester said of the proposed action and of the state that it led to."""
    calls: list[ModelCalled] = field(default_factory=list[ModelCalled])
    truth: TruthStep | None = None
    unknown: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    """Lines of a kind that this version does not know, as they are."""

    @property
    def tone(self) -> str:
        """The class of its border."""
        kinds = {m.kind for m in self.marks}
        if "rev" in kinds:
            return "rev"
        return "bad" if self.failed or "no" in kinds else ""

    @property
    def headline(self) -> Mark | None:
        """The mark that tells most of the step, if any does."""
        best = max(self.marks, key=lambda m: m.rank, default=None)
        return best if best is not None and best.rank else None


def step_cards(trace: Trace) -> tuple[Card, ...]:
    """The start page and one card per action, in order."""
    dealer = _Dealer(trace.folder)
    for event in trace.events:
        dealer.take(event)
    return dealer.finish()


def picture_of(name: str | None, folder: Path) -> str:
    """`name` if it is a picture of this episode, else ''. A trace may come from anywhere: it names no other file."""
    return name if name and _PICTURE.fullmatch(name) and (folder / name).is_file() else ""


class _Dealer:
    """Gives each event to the step that it belongs to: what is said of a proposed action, to the step that comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cards = [Card(number=0)]
        self._next = Card(number=1)
        self._asked: list[ModelCalled] = []
        self._revising = False

    @property
    def _now(self) -> Card:
        return self._cards[-1]

    def take(self, event: Event) -> None:
        if isinstance(event, ModelCalled):
            self._asked.append(event)  # A call belongs to the step of what it was asked for, which comes next.
        else:
            home = self._next if _looks_ahead(event) else self._now
            home.calls.extend(self._asked)
            self._asked.clear()
        match event:
            case Acted():
                self._deal(event)
            case Observed():
                self._show(event)
            case TruthStep():
                self._now.truth = event
            case UnknownEvent():
                self._now.unknown.append(event.data)
            case Planned():
                self._revising = False
            case CommitmentStatus(status=Status.FALSIFIED) if self._revising:
                self._now.marks.append(Mark(kind="rev", text=f"commitment {event.number} overtaken by it"))
            case Proposed(problem=""):
                self._next.why = event.reasoning
            case _:
                self._mark(event)

    def finish(self) -> tuple[Card, ...]:
        """All steps. What was said of an action that never came stays with the last."""
        self._now.marks.extend(self._next.marks)
        self._now.tests.extend(self._next.tests)
        self._now.calls.extend((*self._next.calls, *self._asked))
        return tuple(self._cards)

    def _deal(self, event: Acted) -> None:
        outcome, card = event.outcome, self._next
        card.action, card.target = event.text, event.target
        if not outcome.ok:
            card.failed = ": ".join(p for p in (words(outcome.cause or "failed"), outcome.detail) if p)
        self._cards.append(card)
        self._next = Card(number=len(self._cards))

    def _show(self, event: Observed) -> None:
        card = self._now
        card.title, card.url, card.read, card.fresh = event.title, event.url, event.text, True
        card.picture = picture_of(event.picture, self._folder) or card.picture
        card.marks.extend(Mark(kind="soft", text=f"{words(e.type)}: {e.text}".rstrip(": ")) for e in event.events)

    def _mark(self, event: Event) -> None:
        if isinstance(event, Tested):
            (self._next if _looks_ahead(event) else self._now).tests.append(event)
        if (mark := mark_ahead(event)) is not None:
            self._next.marks.append(mark)
        elif (mark := mark_of(event)) is not None:
            self._revising = self._revising or isinstance(event, Delivered)
            self._now.marks.append(mark)


def _looks_ahead(event: Event) -> bool:
    """Whether it speaks of an action that has been proposed and not yet carried out."""
    if isinstance(event, Tested | Verified | RepairCapped):
        return event.phase == "action"
    if isinstance(event, Repaired):
        return bool(event.rejected_action)
    return isinstance(event, Proposed | Acted | FinalChecked)
