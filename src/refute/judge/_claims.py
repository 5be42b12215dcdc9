"""One claim: checked against the final message, against pages or against the list of all actions, and accepted only on
quotes that really stand there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from refute.judge._ask import Unanswered, ask
from refute.judge._events import ClaimChecked, Listed, ListQuote, Looked, Quote, Verdict
from refute.judge._quotes import names, quoted_in, without_label
from refute.judge._record import EpisodeRecord
from refute.judge._retrieval import candidates
from refute.judge._roles import (
    SIMPLE_CLAIM_VERIFIER,
    TRAJECTORY_VERIFIER,
    WEB_EVIDENCE_VERIFIER,
    Claim,
    SimpleInput,
    State,
    TrajectoryInput,
    TrajectoryOutput,
    WebInput,
    WebOutput,
)
from refute.judge._sections import sections
from refute.llm import Model

STATES = 8
"""Most pages that are looked at for a claim, the final one included."""

_DENIES = re.compile(r"\b(?:no|not|none|nothing|never|nobody|neither|without|only|exactly)\b", re.IGNORECASE)
"""Words of an assertion that needs something not to occur, whatever the model says of it."""


class ClaimChecker:
    """Checks the claims of one episode. `states` >= 1: most pages that are looked at for one claim."""

    def __init__(self, record: EpisodeRecord, model: Model, *, states: int = STATES) -> None:
        self._record = record
        self._model = model
        self._states = states
        self._parts = sections(record.message)

    async def check(self, claim: Claim, *, constraint: str, bound_to: int, number: int) -> ClaimChecked:
        """The verdict on `claim`, the `number`-th (1…) of a constraint that instruction `bound_to` introduces."""
        match claim.kind:
            case "simple":
                return await self._simple(claim, constraint, number)
            case "page":
                return await self._page(claim, constraint, bound_to, number)
            case "trajectory":
                return await self._trajectory(claim, constraint, number)

    # ---- the final message -----------------------------------------------------------------------------------------

    async def _simple(self, claim: Claim, constraint: str, number: int) -> ClaimChecked:
        def verdict(found: Verdict, reason: str, quote: Quote | None = None) -> ClaimChecked:
            return ClaimChecked(constraint=constraint, number=number, verdict=found, quote=quote, reason=reason)

        message = self._record.message
        if not message.strip():
            return verdict(Verdict.UNVERIFIED, "the agent left no message")
        if claim.section is not None:
            if not 1 <= claim.section <= len(self._parts):
                return verdict(
                    Verdict.UNDECIDED, f"the claim names part {claim.section} of a message of {len(self._parts)}"
                )
            message = self._parts[claim.section - 1]
        question = SimpleInput(
            constraint=constraint,
            subject=claim.subject,
            assertion=claim.assertion,
            message=message,
            day=self._record.day,
        )
        answer = await ask(self._model, SIMPLE_CLAIM_VERIFIER, question)
        if isinstance(answer, Unanswered):
            return verdict(Verdict.UNDECIDED, answer.why)
        quote = Quote(text=answer.quote, stands=quoted_in(answer.quote, message)) if answer.quote else None
        if not answer.verified:
            return verdict(Verdict.UNVERIFIED, answer.reason, quote)
        if quote is None or not quote.stands:
            return verdict(Verdict.UNVERIFIED, "called verified, but on no words of the message", quote)
        return verdict(Verdict.VERIFIED, answer.reason, quote)

    # ---- pages -----------------------------------------------------------------------------------------------------

    async def _page(self, claim: Claim, constraint: str, bound_to: int, number: int) -> ClaimChecked:
        """Page after page until one shows enough (decision 25). Undecided only if a page may have been the one."""
        looked: list[Looked] = []
        seen = self._record.states_since(bound_to)
        in_vain = bool(seen) and not _may_name(claim.subject, seen[-1])
        found = candidates(seen, claim.subject, most=self._states + in_vain)
        for state in found:
            if in_vain and state is seen[-1]:
                looked.append(_passed_over(state))
                continue
            looked.append(await self._look(claim, constraint, state, final=state is seen[-1]))
            if looked[-1].verdict is Verdict.VERIFIED:
                break
        verdicts = {look.verdict for look in looked}
        order = (Verdict.VERIFIED, Verdict.UNDECIDED, Verdict.UNVERIFIED)
        verdict = next((each for each in order if each in verdicts), Verdict.UNVERIFIED)
        reason = (
            looked[-1].reason if verdict is Verdict.VERIFIED else f"no sufficient evidence on {len(looked)} page(s)"
        )
        return ClaimChecked(constraint=constraint, number=number, verdict=verdict, looked=tuple(looked), reason=reason)

    async def _look(self, claim: Claim, constraint: str, state: State, *, final: bool) -> Looked:
        question = WebInput(
            constraint=constraint,
            subject=claim.subject,
            assertion=claim.assertion,
            state=state,
            final=final,
            day=self._record.day,
        )
        answer = await ask(self._model, WEB_EVIDENCE_VERIFIER, question)
        if isinstance(answer, Unanswered):
            return Looked(at=state.step, url=state.url, verdict=Verdict.UNDECIDED, reason=answer.why)
        subject, assertion = _checked(answer.subject_quotes, state), _checked(answer.assertion_quotes, state)
        problem = _problem(answer, claim, subject, assertion)
        return Looked(
            at=state.step,
            url=state.url,
            verdict=Verdict.UNVERIFIED if problem else Verdict.VERIFIED,
            quotes=(*subject, *assertion),
            reason=problem or answer.reason,
        )

    # ---- the list of all actions -----------------------------------------------------------------------------------

    async def _trajectory(self, claim: Claim, constraint: str, number: int) -> ClaimChecked:
        """On the whole course of the work (decision 25b): what a claim is bound to does not narrow it."""
        course = self._record.trajectory
        question = TrajectoryInput(
            constraint=constraint,
            subject=claim.subject,
            assertion=claim.assertion,
            entries=course.entries,
            complete=course.complete,
            instructions=self._record.instructions,
            day=self._record.day,
        )
        answer = await ask(self._model, TRAJECTORY_VERIFIER, question)
        if isinstance(answer, Unanswered):
            return ClaimChecked(constraint=constraint, number=number, verdict=Verdict.UNDECIDED, reason=answer.why)
        shown = {entry.number: "\n".join(entry.lines) for entry in course.entries}
        quotes = tuple(
            ListQuote(entry=q.entry, text=q.text, stands=quoted_in(q.text, shown.get(q.entry, "")))
            for q in answer.quotes
        )
        listed = Listed(
            entries=len(course.entries),
            complete=course.complete,
            read_to=answer.read_to,
            absence=answer.absence or _DENIES.search(claim.assertion) is not None,
            quotes=quotes,
        )
        problem = _list_problem(answer, claim, listed, [shown.get(q.entry, "") for q in answer.quotes])
        verdict = Verdict.UNVERIFIED if problem else Verdict.VERIFIED
        if not problem and listed.absence and not course.complete:
            verdict, problem = Verdict.UNDECIDED, "what did not occur cannot be seen: the list of actions was cut"
        return ClaimChecked(
            constraint=constraint, number=number, verdict=verdict, listed=listed, reason=problem or answer.reason
        )


def _may_name(subject: str, state: State) -> bool:
    return names(subject, (state.title, state.url, state.text, *state.events))


def _passed_over(state: State) -> Looked:
    """No quote could name the subject there: the answer would not be accepted, so nobody is asked."""
    return Looked(
        at=state.step, url=state.url, verdict=Verdict.UNVERIFIED, reason="not asked: nothing on it names the subject"
    )


def _checked(quotes: Sequence[str], state: State) -> tuple[Quote, ...]:
    labelled = {"address": (state.url,), "title": (state.title,), "happened": state.events}

    def stands(quote: str) -> bool:
        label, rest = without_label(quote)
        whole = quoted_in(quote, state.text, state.title, state.url, *state.events)
        return whole or quoted_in(rest, *labelled.get(label, ()))

    return tuple(Quote(text=text, stands=stands(text)) for text in quotes)


def _list_problem(answer: TrajectoryOutput, claim: Claim, listed: Listed, quoted: Sequence[str]) -> str:
    """Why the list is no sufficient evidence; empty when it is. `quoted`: the entries that are quoted, whole."""
    if not answer.holds:
        return answer.reason or "the list does not show it"
    if not listed.quotes:
        return "called shown, but on no words of the list"
    if not all(quote.stands for quote in listed.quotes):
        return "called shown, but on a quote that does not stand in its entry"
    if listed.absence and listed.read_to != listed.entries - 1:
        return f"called shown, but the list was read to {listed.read_to} of {listed.entries - 1} only"
    if not listed.absence and not names(claim.subject, quoted):
        return "called shown, but no entry that is quoted names the subject"
    return ""


def _problem(answer: WebOutput, claim: Claim, subject: Sequence[Quote], assertion: Sequence[Quote]) -> str:
    """Why the page is no sufficient evidence; empty when it is."""
    if not (answer.subject_present and answer.assertion_holds):
        return answer.reason or "the page does not show it"
    if not subject or not assertion:
        return "called shown, but without a quote of both the subject and the assertion"
    if not all(quote.stands for quote in (*subject, *assertion)):
        return "called shown, but on a quote that does not stand on this page"
    if not names(claim.subject, [quote.text for quote in subject]):
        return "called shown, but no quote names the subject"
    return ""
