"""One episode judged, constraint by constraint and revision by revision, with everything each verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping

from refute.goals import Constraint
from refute.judge._ask import Unanswered, ask
from refute.judge._claims import STATES, ClaimChecker
from refute.judge._events import (
    BranchResolved,
    ClaimsMade,
    ConstraintJudged,
    JudgeEnded,
    Quote,
    ResponseJudged,
    Verdict,
    Why,
)
from refute.judge._quotes import quoted_in
from refute.judge._record import EpisodeRecord, Window
from refute.judge._roles import (
    BRANCH_RESOLVER,
    CLAIM_GENERATOR,
    RESPONSE_JUDGE,
    BranchInput,
    Claim,
    ClaimInput,
    Holds,
    ResponseInput,
)
from refute.judge._sections import sections
from refute.llm import Model, ModelCalled, Usage
from refute.trace import Event, Recorder

Branches = Mapping[str, Holds | None]
"""How each condition came out by the final message; None = the model gave no usable answer."""


class Spending:
    """Counts what a judging asked, from its own events: give `take` to the recorder as its listener."""

    def __init__(self) -> None:
        self.calls = 0
        self.cached = 0
        self.usage = Usage()
        self.dollars: float | None = 0.0

    def take(self, event: Event) -> None:
        """Take in one event."""
        if not isinstance(event, ModelCalled):
            return
        self.calls += 1
        self.cached += event.cached == event.attempts
        self.usage = self.usage + event.usage
        self.dollars = None if self.dollars is None or event.dollars is None else self.dollars + event.dollars


async def judge_episode(
    record: EpisodeRecord, model: Model, recorder: Recorder, spending: Spending, *, states: int = STATES
) -> JudgeEnded:
    """Judge everything about one episode and record it; returns the last event (dynarev §5.1, §5.2, C).

    Reads `record` and nothing else: no browser, no site. `states`: most pages looked at for a claim. A reply that
    cannot be used leaves its verdict undecided; every other error of the model ends the judging and passes.
    """
    judge = _Judge(record, model, recorder, states=states)
    branches = {condition: await judge.resolve(condition) for condition in record.task.conditions}
    verdicts = [await judge.constraint(constraint, branches) for constraint in record.task.constraints]
    for window in record.windows:
        await judge.response(window)
    counting = [verdict for verdict in verdicts if verdict.counts]
    satisfied = sum(verdict.satisfied is True for verdict in counting)
    undecided = sum(verdict.satisfied is None for verdict in counting)
    return recorder.record(
        JudgeEnded(
            satisfied=satisfied,
            undecided=undecided,
            counting=len(counting),
            score=satisfied / len(counting) if counting and not undecided else None,
            calls=spending.calls,
            cached=spending.cached,
            usage=spending.usage,
            dollars=spending.dollars if spending.calls else None,
        )
    )


class _Judge:
    def __init__(self, record: EpisodeRecord, model: Model, recorder: Recorder, *, states: int) -> None:
        self._record = record
        self._model = model
        self._recorder = recorder
        self._checker = ClaimChecker(record, model, states=states)
        self._parts = sections(record.message)

    # ---- branches --------------------------------------------------------------------------------------------------

    async def resolve(self, condition: str) -> Holds | None:
        """What the final message reports of a condition (decision 24)."""
        found = await self._resolved(condition)
        self._recorder.record(found)
        return found.holds

    async def _resolved(self, name: str) -> BranchResolved:
        record, task = self._record, self._record.task
        number, revision = next(
            (k, r) for k, r in enumerate(task.revisions, start=1) if r.condition is not None and r.condition.id == name
        )
        condition = task.conditions[name]
        nothing = BranchResolved(condition=name, holds=Holds.NOT_ADDRESSED)
        if record.missed(number):
            return nothing.model_copy(update={"reason": "the revision was not delivered"})
        if not record.message.strip():
            return nothing.model_copy(update={"reason": "the agent left no message"})
        question = BranchInput(
            condition=name,
            text=condition.text,
            threshold=condition.threshold,
            inclusive=condition.inclusive,
            revision=revision.text,
            message=record.message,
            day=record.day,
        )
        answer = await ask(self._model, BRANCH_RESOLVER, question)
        if isinstance(answer, Unanswered):
            return BranchResolved(condition=name, holds=None, reason=answer.why)
        quote = Quote(text=answer.quote, stands=quoted_in(answer.quote, record.message)) if answer.quote else None
        found = BranchResolved(
            condition=name, holds=answer.holds, observed=answer.observed, quote=quote, reason=answer.reason
        )
        if answer.holds is Holds.NOT_ADDRESSED:
            return found
        if quote is None or not quote.stands or not quoted_in(answer.observed, answer.quote):
            why = f"called {answer.holds.value}, but on no observation that the message quotes"
            return found.model_copy(update={"holds": Holds.NOT_ADDRESSED, "reason": why})
        return found

    # ---- constraints -----------------------------------------------------------------------------------------------

    async def constraint(self, constraint: Constraint, branches: Branches) -> ConstraintJudged:
        """The verdict on one constraint: by rule where a rule decides, else by its claims."""
        verdict = _by_rule(constraint, self._record, branches)
        if verdict is None:
            satisfied, why = await self._by_claims(constraint, branches)
            verdict = ConstraintJudged(constraint=constraint.id, counts=True, satisfied=satisfied, why=why)
        return self._recorder.record(verdict)

    async def _by_claims(self, constraint: Constraint, branches: Branches) -> tuple[bool | None, Why]:
        """Satisfied if and only if every claim is verified; one that fails decides, whatever else is undecided."""
        claims = await self._claims(constraint, branches)
        verdicts: list[Verdict] = []
        for number, claim in enumerate(claims, start=1):
            checked = await self._checker.check(
                claim, constraint=constraint.id, bound_to=constraint.bound_to, number=number
            )
            verdicts.append(self._recorder.record(checked).verdict)
            if checked.verdict is Verdict.UNVERIFIED:
                return False, Why.CLAIMS
        if not verdicts or Verdict.UNDECIDED in verdicts:
            return None, Why.UNDECIDED
        return True, Why.CLAIMS

    async def _claims(self, constraint: Constraint, branches: Branches) -> tuple[Claim, ...]:
        """The claims of the task's own record, else the model's; none when it gave no usable answer."""
        made = tuple(
            Claim(kind=claim.kind, subject=claim.subject or constraint.text, assertion=claim.assertion)
            for claim in constraint.claims
        )
        source = "task" if made else "model"
        if not made:
            in_force = [c for c in self._record.task.constraints if _by_rule(c, self._record, branches) is None]
            question = ClaimInput(
                constraint=constraint.id,
                text=constraint.text,
                bound_to=_said_in(constraint, self._record),
                condition=_came_out(constraint, self._record, branches),
                siblings=tuple(c.text for c in in_force if c.id != constraint.id),
                instructions=self._record.instructions,
                sections=self._parts,
                day=self._record.day,
            )
            answer = await ask(self._model, CLAIM_GENERATOR, question)
            made = () if isinstance(answer, Unanswered) else answer.claims
        self._recorder.record(ClaimsMade(constraint=constraint.id, source=source, claims=made))
        return made

    # ---- responses -------------------------------------------------------------------------------------------------

    async def response(self, window: Window) -> None:
        """Whether the next actions respond to a revision; without any there is nothing that could."""
        steps = {action.number: action.step for action in window.actions}
        found = ResponseJudged(
            revision=window.revision, window=tuple(steps.values()), responsive=False, reason="no action followed"
        )
        if window.actions:
            question = ResponseInput(
                revision=window.revision,
                text=window.text,
                before=window.before,
                page=window.page,
                actions=window.actions,
            )
            answer = await ask(self._model, RESPONSE_JUDGE, question)
            if isinstance(answer, Unanswered):
                found = found.model_copy(update={"responsive": None, "reason": answer.why})
            else:
                named = tuple(steps[number] for number in answer.actions if number in steps)
                responsive = answer.responsive and bool(named)
                reason = answer.reason if responsive == answer.responsive else "called responsive, but names no action"
                update = {"responsive": responsive, "actions": named, "adaptation": answer.adaptation, "reason": reason}
                found = found.model_copy(update=update)
        self._recorder.record(found)


def _by_rule(constraint: Constraint, record: EpisodeRecord, branches: Branches) -> ConstraintJudged | None:
    """The verdict that needs no claims, or None. What counts is what is in force after *all* revisions (decision 14);
    where the message does not tell how a condition came out, both of its branches count and fail (decision 24)."""

    def verdict(why: Why, *, counts: bool, satisfied: bool | None) -> ConstraintJudged:
        return ConstraintJudged(constraint=constraint.id, counts=counts, satisfied=satisfied, why=why)

    if any(constraint.id in revision.targets for revision in record.task.revisions):
        return verdict(Why.REPLACED, counts=False, satisfied=None)
    if record.missed(constraint.bound_to):
        return verdict(Why.UNDELIVERED, counts=True, satisfied=False)
    if constraint.branch is None:
        return None
    holds = branches[constraint.branch.condition]
    if holds is None:
        return verdict(Why.UNDECIDED, counts=True, satisfied=None)
    if holds is Holds.NOT_ADDRESSED:
        return verdict(Why.NOT_ADDRESSED, counts=True, satisfied=False)
    if (holds is Holds.TRUE) is not constraint.branch.when:
        return verdict(Why.OTHER_BRANCH, counts=False, satisfied=None)
    return None


def _said_in(constraint: Constraint, record: EpisodeRecord) -> int:
    """The instruction that the requirement comes from, of those that were said: the first where it told all at once,
    or where its own was kept back on purpose (decision 21b)."""
    said = {instruction.number for instruction in record.instructions}
    return constraint.bound_to if constraint.bound_to in said else 0


def _came_out(constraint: Constraint, record: EpisodeRecord, branches: Branches) -> str:
    if constraint.branch is None:
        return ""
    holds = branches[constraint.branch.condition]
    text = record.task.conditions[constraint.branch.condition].text
    text = text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."
    return f"{text} As the agent reports, this is {holds.value if holds else 'unknown'}."
