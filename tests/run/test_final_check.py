"""The final check on the real shop: what a plan forgot is found and mended, a misread value is not verified."""

from __future__ import annotations

from pathlib import Path

from refute.agents import FinalChecked, Interpreted, Repaired, Result, Scope
from refute.arena import MistakeRates, Noise
from refute.goals import MistakeStarted, TruthVerdict
from refute.revisions import Ending, EpisodeEnded
from refute.run import RunSettings, open_suite, run_suite
from refute.trace import Trace, read_trace

TASK = "report-facts.bookshelf"


async def episode(out: Path, *, blind: bool = True, **rates: float) -> Trace:
    """One episode in which only these mistakes are made; `blind`: the verifier never objects."""
    noise = Noise.none().model_copy(update={"verifier_sensitivity": 0.0} if blind else {})
    settings = RunSettings(
        suite="arena:shop",
        agent="fcp",
        model="simulated",
        rates=MistakeRates.none().model_copy(update=rates),
        noise=noise,
        screenshots=False,
    )
    result = await run_suite(open_suite("arena:shop").select(TASK), settings, out)
    return read_trace(result.folder / TASK / "0")


async def test_a_forgotten_constraint_is_refuted_and_repaired(tmp_path: Path) -> None:
    trace = await episode(tmp_path, forgotten_constraint=1.0)
    forgotten = [m.detail for m in trace.of(MistakeStarted) if m.mistake == "forgotten_constraint"]
    assert forgotten
    read = {c.text for c in trace.of(Interpreted)[-1].constraints}
    assert forgotten[-1] in read, "the agent read it, although its planner forgot it"

    checks = trace.of(FinalChecked)
    assert checks[-1].result is Result.VERIFIED
    assert Result.REFUTED in [check.result for check in checks]
    repairs = trace.of(Repaired)
    assert all(repair.scope is Scope.PLANNING for repair in repairs)
    assert forgotten[-1] in {repair.diagnosis.falsified for repair in repairs}
    assert trace.of(EpisodeEnded)[0].ending is Ending.DONE
    assert all(finding.satisfied for finding in trace.of(TruthVerdict)[0].findings.values())


async def test_a_misread_value_is_never_called_verified(tmp_path: Path) -> None:
    trace = await episode(tmp_path, misread_page=1.0)
    assert [m.mistake for m in trace.of(MistakeStarted)][-1] == "misread_page"
    assert not all(finding.satisfied for finding in trace.of(TruthVerdict)[0].findings.values())

    results = [check.result for check in trace.of(FinalChecked)]
    assert results
    assert Result.VERIFIED not in results[-1:]
