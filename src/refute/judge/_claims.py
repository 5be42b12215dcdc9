"""One claim: checked against the final message or against pages, accepted only on quotes that really stand there."""

from __future__ import annotations

from collections.abc import Sequence

from refute.judge._ask import Unanswered, ask
from refute.judge._events import ClaimChecked, Looked, Quote, Verdict
from refute.judge._quotes import names, quoted_in
from refute.judge._record import EpisodeRecord
from refute.judge._retrieval import candidates
from refute.judge._roles import (
    SIMPLE_CLAIM_VERIFIER,
    WEB_EVIDENCE_VERIFIER,
    Claim,
    SimpleInput,
    State,
    WebInput,
    WebOutput,
)
from refute.judge._sections import sections
from refute.llm import Model

STATES = 8
"""Most pages that are looked at for a claim, the final one included."""


class ClaimChecker:
    """Checks the claims of one episode. `states` >= 1: most pages that are looked at for one claim."""

    def __init__(self, record: EpisodeRecord, model: Model, *, states: int = STATES) -> None:
        self._record = record
        self._model = model
        self._states = states
        self._parts = sections(record.message)

    async def check(self, claim: Claim, *, constraint: str, bound_to: int, number: int) -> ClaimChecked:
        """The verdict on `claim`, the `number`-th (1…) of a constraint that instruction `bound_to` introduces."""
        if claim.kind == "page":
            return await self._page(claim, constraint, bound_to, number)
        return await self._simple(claim, constraint, number)

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
        for state in candidates(seen, claim.subject, most=self._states):
            looked.append(await self._look(claim, constraint, state, final=state is seen[-1]))
            if looked[-1].verdict is Verdict.VERIFIED:
                break
        found = {look.verdict for look in looked}
        order = (Verdict.VERIFIED, Verdict.UNDECIDED, Verdict.UNVERIFIED)
        verdict = next((each for each in order if each in found), Verdict.UNVERIFIED)
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


def _checked(quotes: Sequence[str], state: State) -> tuple[Quote, ...]:
    return tuple(
        Quote(text=text, stands=quoted_in(text, state.text, state.title, state.url, *state.events)) for text in quotes
    )


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
