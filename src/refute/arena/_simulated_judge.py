"""The simulated judge: answers a judge's questions from the truth that a trace recorded, through a noisy channel.

It asks no site. What it shows is whether the machinery claims, retrieves, checks quotes and counts correctly, and how
agreement between judge and truth is measured; it shows nothing about how well a language model judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import BaseModel

from refute._errors import ModelError
from refute.arena._simulated_dice import Dice
from refute.arena._simulated_settings import SECONDS, JudgeNoise, usage_of
from refute.goals import MistakeStarted, RevisionKind, TruthVerdict
from refute.judge import (
    Adaptation,
    BranchInput,
    BranchOutput,
    Claim,
    ClaimInput,
    ClaimOutput,
    EntryQuote,
    EpisodeRecord,
    Holds,
    ResponseInput,
    ResponseOutput,
    SimpleInput,
    SimpleOutput,
    TrajectoryInput,
    TrajectoryOutput,
    WebInput,
    WebOutput,
)
from refute.llm import OutputMode, Reply, Request
from refute.tables import last_attempt
from refute.trace import Trace

_PROSE = "This is a difficult one. On the one hand the page shows a good deal, on the other hand not everything."
_OVERHEARD = re.compile(r"revision (\d+):")
"""How the planted mistake `ignored_revision` names its revision."""
_BY_MESSAGE = re.compile(r"message|told|counted")
"""Validators that look at the final message."""
_BY_COURSE = frozenset({"nothing_ordered", "only_order", "price_set"})
"""Validators whose finding no page shows: what was not done, and how things were before."""


class SimulatedJudge:
    """Judges one episode. Dice follow from the judge's `seed`, the task, its repeat and what is asked: the same
    question gets the same answer, however often and in which order it is asked."""

    name = "simulated"
    simulated = True
    mode = OutputMode.PROMPTED

    def __init__(
        self,
        record: EpisodeRecord,
        truth: TruthVerdict,
        *,
        overheard: frozenset[int] = frozenset(),
        noise: JudgeNoise | None = None,
        seed: int = 0,
        seconds: Mapping[str, float] = SECONDS,
    ) -> None:
        self._record = record
        self._truth = truth
        self._overheard = overheard
        self._noise = noise or JudgeNoise()
        self._dice = Dice(seed=seed, task=f"{record.task.id} {record.repeat}")
        self._seconds = seconds

    @classmethod
    def of(cls, trace: Trace, *, noise: JudgeNoise | None = None, seed: int = 0) -> SimulatedJudge | None:
        """The judge of an episode; None where the trace holds no truth."""
        trace = last_attempt(trace)
        verdicts = trace.of(TruthVerdict)
        if not verdicts:
            return None
        found = (_OVERHEARD.match(m.detail) for m in trace.of(MistakeStarted) if m.mistake == "ignored_revision")
        overheard = frozenset(int(match[1]) for match in found if match is not None)
        return cls(EpisodeRecord.of(trace), verdicts[-1], overheard=overheard, noise=noise, seed=seed)

    async def complete(self, request: Request) -> Reply:
        """The reply of a judge's role. Raises `ModelError` for any other role."""
        answer = self._answer(request)
        asked = request.input.model_dump_json()
        unparsable = self._dice.roll(f"unparsable {request.role}", asked, request.attempt) < self._noise.unparsable
        text = _PROSE if unparsable else answer.model_dump_json()
        return Reply(text=text, usage=usage_of(request, text), seconds=self._seconds.get(request.role, 3.0))

    async def close(self) -> None:
        """Nothing to release."""

    def _answer(self, request: Request) -> BaseModel:
        match request.input:
            case ClaimInput() as x:
                return self._claims(x)
            case SimpleInput() as x:
                return self._simple(x)
            case WebInput() as x:
                return self._web(x)
            case TrajectoryInput() as x:
                return self._trajectory(x)
            case BranchInput() as x:
                return self._branch(x)
            case ResponseInput() as x:
                return self._response(x)
            case _:
                raise ModelError(f"the simulated judge does not know the role {request.role!r}")

    def _claims(self, x: ClaimInput) -> ClaimOutput:
        """One claim, of the kind that the constraint's validator looks at; its subject is on the last page."""
        validator = next((c.validator for c in self._record.task.constraints if c.id == x.constraint), None)
        name = validator.name if validator is not None else ""
        kind = "simple" if _BY_MESSAGE.search(name) else "trajectory" if name in _BY_COURSE else "page"
        last = self._record.states[-1] if self._record.states else None
        subject = (last.title or last.url) if last is not None else x.text
        return ClaimOutput(claims=(Claim(kind=kind, subject=subject, assertion=x.text),))

    def _says_satisfied(self, constraint: str) -> bool:
        """The channel: one roll for a constraint, whatever page is looked at."""
        finding = self._truth.findings.get(constraint)
        roll = self._dice.roll("constraint", constraint)
        if finding is not None and finding.satisfied:
            return roll < self._noise.sensitivity
        return roll >= self._noise.specificity

    def _simple(self, x: SimpleInput) -> SimpleOutput:
        if not self._says_satisfied(x.constraint):
            return SimpleOutput(verified=False, reason="The report does not bear it out (simulated).")
        return SimpleOutput(verified=True, quote=_first_line(x.message), reason="The report says so (simulated).")

    def _web(self, x: WebInput) -> WebOutput:
        holds = self._says_satisfied(x.constraint)
        line = x.state.title or x.state.url
        quotes = (line,) if holds else ()
        return WebOutput(
            subject_present=holds,
            subject_quotes=quotes,
            assertion_holds=holds,
            assertion_quotes=quotes,
            reason=f"The page {'shows' if holds else 'does not show'} it (simulated).",
        )

    def _trajectory(self, x: TrajectoryInput) -> TrajectoryOutput:
        holds = self._says_satisfied(x.constraint)
        last = x.entries[-1]
        return TrajectoryOutput(
            read_to=last.number,
            quotes=tuple(EntryQuote(entry=last.number, text=line) for line in last.lines[:1]),
            absence=True,
            holds=holds,
            reason=f"The list {'shows' if holds else 'does not show'} it (simulated).",
        )

    def _branch(self, x: BranchInput) -> BranchOutput:
        truth = self._truth.branches.get(x.condition)
        if truth is None or self._dice.roll("branch reported", x.condition) >= self._noise.branch_reported:
            return BranchOutput(holds=Holds.NOT_ADDRESSED, reason="The message does not tell (simulated).")
        right = self._dice.roll("branch", x.condition) < self._noise.branch_accuracy
        line = _first_line(x.message)
        holds = Holds.TRUE if truth is right else Holds.FALSE
        return BranchOutput(holds=holds, observed=line, quote=line, reason="The message tells (simulated).")

    def _response(self, x: ResponseInput) -> ResponseOutput:
        roll = self._dice.roll("response", str(x.revision))
        if x.revision in self._overheard:
            responsive = roll >= self._noise.response_specificity
        else:
            responsive = roll < self._noise.response_sensitivity
        planned = self._record.task.revisions[x.revision - 1 : x.revision]  # a live revision is none of the task's
        replaces = bool(planned) and planned[0].kind is not RevisionKind.ADDITIVE
        adapted = Adaptation.OVERWRITE if replaces else Adaptation.ADDITIVE
        return ResponseOutput(
            responsive=responsive,
            actions=(x.actions[0].number,) if responsive else (),
            adaptation=adapted if responsive else Adaptation.UNRELATED,
            reason="As the recorded mistakes tell (simulated).",
        )


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if re.search(r"\w", line)), text)
