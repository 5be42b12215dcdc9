"""The slow tester: one question to the model, and its verdict in the trace."""

from __future__ import annotations

from refute.agents._proposal import Proposal
from refute.agents._protocol import Context
from refute.agents.fcp._commitment import Decision, Verified
from refute.agents.fcp._fast_tester import Weighed
from refute.agents.fcp._look import look
from refute.agents.fcp._repair import complete_diagnosis
from refute.agents.fcp._roles import VERIFIER, VerifierOutput
from refute.agents.fcp._settings import VerifierPicture
from refute.agents.fcp._situation import Situation


async def verify(
    now: Situation, weighed: Weighed, proposal: Proposal | None, *, context: Context, sees: VerifierPicture
) -> VerifierOutput:
    """Ask the slow tester, and record its verdict. The answer has a diagnosis if and only if it decided to repair."""
    tested = weighed.tested
    picture = await look(context, sees)
    question = now.verifier_question(weighed, proposal).model_copy(update=picture.shown)
    answer = await context.model.call(VERIFIER, question)
    diagnosis = None
    if answer.decision is Decision.REPAIR:
        diagnosis = complete_diagnosis(answer.diagnosis, reason=answer.reason, hint=tested.group)
    event = Verified(
        phase=tested.phase,
        number=tested.number,
        route=tested.route,
        decision=answer.decision,
        diagnosis=diagnosis,
        reason=answer.reason,
        action=proposal.text if proposal else "",
        picture=picture.file,
    )
    context.recorder.record(event)
    return answer.model_copy(update={"diagnosis": diagnosis})
