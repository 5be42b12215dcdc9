"""How the plan went: each commitment's spells of activity and how each ended."""

from __future__ import annotations

from dataclasses import dataclass, field

from refute.agents import Commitment, CommitmentStatus, Planned, Status
from refute.revisions import Delivered
from refute.trace import Trace

WORDS = {
    Status.PENDING: "never started",
    Status.ACTIVE: "open at the end",
    Status.CONFIRMED: "confirmed",
    Status.FALSIFIED: "refuted",
    Status.REVISED: "rewritten",
    Status.ABANDONED: "abandoned",
}
_OVER = (Status.CONFIRMED, Status.FALSIFIED, Status.REVISED, Status.ABANDONED)


@dataclass(kw_only=True)
class Spell:
    """A stretch of steps in which a commitment was active."""

    start: int
    end: int | None = None
    status: Status = Status.ACTIVE
    note: str = ""


@dataclass(kw_only=True)
class Line:
    """One commitment's life."""

    commitment: Commitment
    planned: int
    """Step at which it entered the plan."""
    status: Status = Status.PENDING
    note: str = ""
    ended: int | None = None
    spells: list[Spell] = field(default_factory=list[Spell])

    @property
    def repaired(self) -> bool:
        """Whether it was refuted and then taken up again."""
        return any(s.status is Status.FALSIFIED for s in self.spells[:-1])

    @property
    def word(self) -> str:
        """How it stands at the end of the episode, for a person."""
        if self.repaired and self.status is Status.CONFIRMED:
            return "repaired, then confirmed"
        if self.repaired and self.status is Status.ACTIVE:
            return "repaired, open at the end"
        return WORDS[self.status]

    @property
    def running(self) -> Spell | None:
        """The spell that has not ended."""
        return self.spells[-1] if self.spells and self.spells[-1].end is None else None

    def activate(self, step: int) -> None:
        """It became active, maybe again after a repair."""
        if self.running is None:
            self.spells.append(Spell(start=step))
        self.status, self.ended = Status.ACTIVE, None

    def close(self, step: int, status: Status, note: str) -> None:
        """It ended this way. What a repair then takes out of the plan stays refuted."""
        if status is Status.REVISED and self.status is Status.FALSIFIED:
            return
        spell = self.running
        if spell is not None:
            spell.end, spell.status, spell.note = step, status, note
        self.status, self.note, self.ended = status, note, step


@dataclass(frozen=True, kw_only=True)
class PlanChange:
    """What a revision changed in the plan."""

    kept: tuple[Commitment, ...]
    """Commitments that were open and stay."""
    out: tuple[Commitment, ...]
    added: tuple[Commitment, ...]


def plan_lines(trace: Trace) -> tuple[Line, ...]:
    """The commitments in the order in which they entered the plan; empty for an agent that keeps no plan."""
    lines: dict[int, Line] = {}
    for event in trace.events:
        if isinstance(event, Planned):
            _rewrite(lines, event)
        elif isinstance(event, CommitmentStatus) and event.number in lines:
            line = lines[event.number]
            if event.status is Status.ACTIVE:
                line.activate(event.step)
            elif event.status in _OVER:
                line.close(event.step, event.status, event.summary)
    return tuple(lines.values())


def plan_changes(trace: Trace) -> dict[int, PlanChange]:
    """For each delivered revision (1…) that the agent answered with a plan: what that changed."""
    changes: dict[int, PlanChange] = {}
    before: tuple[Commitment, ...] = ()
    over: set[int] = set()
    revision: int | None = None
    for event in trace.events:
        if isinstance(event, Delivered):
            revision = event.revision
        elif isinstance(event, CommitmentStatus) and event.status is Status.CONFIRMED:
            over.add(event.number)
        elif isinstance(event, Planned):
            now, then = {c.number for c in event.commitments}, {c.number for c in before}
            if revision is not None and event.reason == "revision":
                changes[revision] = PlanChange(
                    kept=tuple(c for c in event.commitments if c.number in then - over),
                    out=tuple(c for c in before if c.number not in now),
                    added=tuple(c for c in event.commitments if c.number not in then),
                )
                revision = None
            before = event.commitments
    return changes


def _rewrite(lines: dict[int, Line], event: Planned) -> None:
    for commitment in event.commitments:
        if commitment.number not in lines:
            lines[commitment.number] = Line(commitment=commitment, planned=event.step)
    kept = {c.number for c in event.commitments}
    for number, line in lines.items():
        if line.status not in _OVER and number not in kept:
            ended = Status.FALSIFIED if number in event.falsified and event.reason != "revision" else Status.REVISED
            line.close(event.step, ended, f"rewritten by the {event.reason}")
    if event.reason == "revision":
        for number in event.falsified:
            if number in lines:
                _changed_by_user(lines[number], event.step)
    if event.active in lines and lines[event.active].status not in _OVER:
        lines[event.active].activate(event.step)


def _changed_by_user(line: Line, step: int) -> None:
    """A revision took it out: nothing on a page refuted it."""
    line.status = Status.REVISED
    if line.spells and line.spells[-1].end == step and line.spells[-1].status is Status.FALSIFIED:
        line.spells[-1].status = Status.REVISED
