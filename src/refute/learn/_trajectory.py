"""What a trace tells of the work itself, as an inducer reads it: no element numbers, no coordinates, no truth."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

from refute.agents import REPORT, Commitment, CommitmentStatus, Planned, Recovery, Repaired, Scope, Stage, Status
from refute.browser import Acted, Observed
from refute.revisions import Delivered, EpisodeEnded, EpisodeStarted
from refute.tables import last_attempt
from refute.trace import Event, Trace


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Act(_Frozen):
    """An action that was carried out, and where it led."""

    step: int
    text: str = Field(description="in words, without element numbers")
    outcome: str = Field(default="", description="what went wrong; empty when nothing did")
    page: str = Field(default="", description="title of the page after it")


class Mended(_Frozen):
    """A commitment was falsified and repaired."""

    step: int
    subgoal: str
    skill: str = Field(default="", description="that the falsified commitment linked")
    scope: Scope
    recovery: Recovery
    falsified: str = ""
    pattern: str = ""
    lines: tuple[str, ...] = ()
    rejected: str = Field(default="", description="the proposed action that was turned down")
    guidance: str = ""


class Part(_Frozen):
    """The work on one commitment; an agent without a plan has one part without a subgoal."""

    subgoal: str = ""
    expected: tuple[str, ...] = Field(default=(), description="what completion looks like, by the plan")
    acts: tuple[Act, ...] = ()
    summary: str = Field(default="", description="of the finished stage")
    confirmed: bool = False


class Trajectory(_Frozen):
    """An episode as a story: what was asked, what was done, what was mended, how it ended."""

    instructions: tuple[str, ...]
    parts: tuple[Part, ...]
    repairs: tuple[Mended, ...] = ()
    ending: str = ""
    message: str = ""


def read_trajectory(trace: Trace) -> Trajectory:
    """The story in `trace`. Raises `ValueError` for one without a start."""
    trace = last_attempt(trace)
    started = next(iter(trace.of(EpisodeStarted)), None)
    if started is None:
        raise ValueError("the trace does not say which task it belongs to")
    teller = _Teller()
    for event in trace.events:
        teller.take(event)
    ended = next(iter(reversed(trace.of(EpisodeEnded))), None)
    return Trajectory(
        instructions=(started.first_instruction, *(d.text for d in trace.of(Delivered))),
        parts=tuple(part for part in teller.parts if part.acts or part.confirmed),
        repairs=tuple(teller.repairs),
        ending=ended.ending.value if ended else "",
        message=ended.message if ended else "",
    )


class _Teller:
    """Takes events in order and keeps the parts and repairs that they make up."""

    def __init__(self) -> None:
        self.parts: list[Part] = [Part()]
        self.repairs: list[Mended] = []
        self._plan: dict[int, Commitment] = {}
        self._active = 0

    def take(self, event: Event) -> None:
        match event:
            case Planned():
                self._plan |= {c.number: c for c in event.commitments}
            case CommitmentStatus(status=Status.ACTIVE) if event.number != self._active:
                self._active = event.number
                self.parts.append(self._part(event.number))
            case CommitmentStatus(status=Status.CONFIRMED):
                self._change(summary=event.summary, confirmed=True)
            case Acted():
                self._change(acts=(*self.parts[-1].acts, _act(event)))
            case Observed() if self.parts[-1].acts:
                *before, last = self.parts[-1].acts
                self._change(acts=(*before, last.model_copy(update={"page": event.title})))
            case Repaired():
                self.repairs.append(self._mended(event))
            case _:
                pass

    def _change(self, **fields: object) -> None:
        self.parts[-1] = self.parts[-1].model_copy(update=fields)

    def _part(self, number: int) -> Part:
        commitment = self._plan.get(number)
        if commitment is None or commitment.subgoal == REPORT:
            return Part()
        expected = tuple(e.statement for e in commitment.confirming if e.stage is Stage.COMPLETION)
        return Part(subgoal=commitment.subgoal, expected=expected)

    def _mended(self, event: Repaired) -> Mended:
        commitment = self._plan.get(event.number)
        return Mended(
            step=event.step,
            subgoal=commitment.subgoal if commitment else "",
            skill=(commitment.skill if commitment else None) or "",
            scope=event.scope,
            recovery=event.recovery,
            falsified=event.diagnosis.falsified,
            pattern=event.diagnosis.pattern,
            lines=event.diagnosis.lines,
            rejected=event.rejected_action,
            guidance=event.guidance,
        )


def _act(event: Acted) -> Act:
    outcome = event.outcome
    cause = outcome.cause.value if outcome.cause else "failed"
    return Act(
        step=event.step,
        text=_in_words(event),
        outcome="" if outcome.ok else f"{cause} {outcome.detail}".strip(),
    )


def _in_words(event: Acted) -> str:
    """Name of the action, role and name of its target, and the texts in it; an address without its host."""
    fields = event.action.model_dump(exclude={"name", "target", "to", "more"})
    said = [_path(value) if name == "url" else f"'{value}'" for name, value in fields.items() if isinstance(value, str)]
    more = [f"'{value}'" for value in getattr(event.action, "more", ())]
    return " ".join((event.action.name.replace("_", " "), *([event.target] if event.target else []), *said, *more))


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
