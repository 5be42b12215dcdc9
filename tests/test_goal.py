"""What `GoalResult` makes of a trace: nothing is called confirmed that no verifier confirmed on a page."""

from collections.abc import Callable
from pathlib import Path

import pytest

import refute
from refute import Conclusion, GoalResult
from refute.agents import (
    REPORT,
    Checked,
    Commitment,
    CommitmentStatus,
    Decision,
    Diagnosis,
    FinalChecked,
    Planned,
    Repaired,
    Result,
    Route,
    Ruling,
    Scope,
    Status,
    Verified,
)
from refute.browser import Acted, Done, Observed
from refute.cli._run import goal_json, not_billed
from refute.llm import ModelCalled, Usage
from refute.revisions import Ending, EpisodeEnded, TriggerMode
from refute.run import RunSettings, open_suite, run_suite
from refute.trace import Event, Recorder, read_trace

Told = Callable[..., GoalResult]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """The result of an episode in which these events happened."""

    def tell(*events: Event, ending: Ending | None = Ending.DONE) -> GoalResult:
        with Recorder(tmp_path) as recorder:
            for event in events:
                recorder.record(event)
            if ending is not None:
                recorder.record(EpisodeEnded(ending=ending, message="It is white."))
        return GoalResult.of(read_trace(tmp_path), report=tmp_path / "index.html")

    return tell


def plan(*numbers: int, report: int | None = None, reason: str = "start") -> Planned:
    steps = [Commitment(number=n, subgoal=f"do {n}") for n in numbers]
    last = [Commitment(number=report, subgoal=REPORT)] if report else []
    return Planned(reason=reason, goal_version=0, commitments=(*steps, *last), active=numbers[0])


def advance(number: int, *, action: str = "") -> Verified:
    phase = "action" if action else "state"
    return Verified(
        phase=phase,
        number=number,
        route=Route.COMPLETE,
        decision=Decision.ADVANCE,
        reason=f"seen {number}",
        action=action,
    )


def confirmed(number: int) -> CommitmentStatus:
    return CommitmentStatus(number=number, status=Status.CONFIRMED, summary="as the agent sums it up")


def test_done_is_confirmed_when_a_verifier_confirmed_every_commitment(told: Told) -> None:
    result = told(plan(1, 2), advance(1), confirmed(1), advance(2), confirmed(2), plan(1, 2, report=3, reason="report"))
    assert (result.conclusion, result.done, result.message) == (Conclusion.CONFIRMED, True, "It is white.")
    assert [str(step) for step in result.confirmed] == ["do 1", "do 2"]
    assert result.confirmed[0].evidence == "seen 1"
    assert result.unconfirmed == ()


@pytest.mark.parametrize(
    "events",
    [
        (),
        (plan(1),),
        (plan(1, 2), advance(1), confirmed(1)),
        (plan(1), confirmed(1)),
        (plan(1), advance(1, action="click('3')"), confirmed(1)),
        (plan(1), advance(1)),
        (plan(1), advance(1), confirmed(1), plan(1, 2, reason="revision")),
    ],
    ids=["no plan", "nothing", "half", "untested", "only the action", "verified only", "more was asked for later"],
)
def test_done_without_confirmation_is_the_agents_word(told: Told, events: tuple[Event, ...]) -> None:
    result = told(*events)
    assert (result.conclusion, result.done) == (Conclusion.UNCONFIRMED, True)


@pytest.mark.parametrize(
    ("results", "conclusion"),
    [
        ((Result.VERIFIED,), Conclusion.CONFIRMED),
        ((Result.REFUTED, Result.VERIFIED), Conclusion.CONFIRMED),
        ((Result.REFUTED,), Conclusion.UNCONFIRMED),
        ((Result.VERIFIED, Result.UNVERIFIED), Conclusion.UNCONFIRMED),
    ],
)
def test_what_the_last_final_check_did_not_verify_is_not_confirmed(
    told: Told, results: tuple[Result, ...], conclusion: Conclusion
) -> None:
    checks = [FinalChecked(result=r, goal_version=0, message="x", findings=(), consequence="done") for r in results]
    result = told(plan(1), advance(1), confirmed(1), *checks)
    assert result.conclusion is conclusion
    assert result.final_check is results[-1]


def test_what_a_final_check_left_open_is_told(told: Told) -> None:
    findings = (
        Checked(number=1, ruling=Ruling.MET, text="It is white", quote="white", source="page"),
        Checked(number=2, ruling=Ruling.VIOLATED, text="It costs $5", quote="$9", source="page"),
        Checked(number=3, ruling=Ruling.UNKNOWN, text="It is in stock"),
    )
    check = FinalChecked(result=Result.REFUTED, goal_version=0, message="x", findings=findings, consequence="done")
    result = told(plan(1), advance(1), confirmed(1), check)
    assert result.open_requirements == ("violated: It costs $5", "unknown: It is in stock")


def test_a_falsified_commitment_is_not_confirmed_and_says_why(told: Told) -> None:
    why = CommitmentStatus(number=1, status=Status.FALSIFIED, summary="the list holds kettles")
    diagnosis = Diagnosis(scope=Scope.PLANNING, falsified="kettles")
    result = told(plan(1), why, Repaired(number=1, scope=Scope.PLANNING, diagnosis=diagnosis))
    assert [(step.status, step.evidence) for step in result.unconfirmed] == [
        (Status.FALSIFIED, "the list holds kettles")
    ]
    assert result.repairs == 1


@pytest.mark.parametrize("ending", [Ending.INFEASIBLE, Ending.BUDGET, Ending.HARNESS_ERROR, None])
def test_what_is_not_done_is_never_confirmed(told: Told, ending: Ending | None) -> None:
    result = told(plan(1), advance(1), confirmed(1), ending=ending)
    assert result.conclusion == (ending.value if ending else "unfinished")
    assert not result.done
    assert len(result.confirmed) == 1, "what was confirmed on the way is still told"


def test_steps_tokens_and_the_last_page_are_counted(told: Told) -> None:
    usage = Usage(input_tokens=100, output_tokens=20)
    result = told(ModelCalled(role="executor", model="m", usage=usage, dollars=0.5), ending=None)
    assert result.dollars == 0.5
    result = told(
        Observed(url="http://127.0.0.1/a"),
        ModelCalled(role="executor", model="m", usage=usage, dollars=0.5),
        ModelCalled(role="executor", model="m", usage=usage),
        Acted(action=Done(message="x"), text="done('x')"),
        Observed(url="http://127.0.0.1/b"),
    )
    assert (result.steps, result.calls, result.tokens, result.url) == (1, 3, 360, "http://127.0.0.1/b")
    assert result.dollars is None, "a cost that is partly unknown is unknown"


def test_what_kept_replies_answered_is_told_apart(told: Told) -> None:
    def call(dollars: float | None, *, attempts: int = 1, cached: int = 0) -> ModelCalled:
        return ModelCalled(role="executor", model="m", dollars=dollars, attempts=attempts, cached=cached)

    result = told(call(0.5, attempts=2, cached=1), call(0.25, attempts=2, cached=2))
    assert (result.dollars, result.kept_calls, result.kept_dollars) == (0.75, 1, 0.25)
    assert not_billed(result) == "1 model call answered from the cache; the new ones cost $0.5000"
    result = told(call(None))
    assert (result.dollars, result.kept_dollars) == (None, 0.25)
    assert "an unknown sum" in not_billed(result)
    assert (goal_json(result)["kept_calls"], goal_json(result)["kept_dollars"]) == (1, 0.25)


def test_a_run_that_asked_nothing_says_so(told: Told) -> None:
    result = told(ModelCalled(role="executor", model="m", cached=1))
    assert result.kept_calls == result.calls == 1
    assert "nothing new was asked" in not_billed(result)


async def test_the_blocking_form_says_what_to_write_where_a_loop_runs() -> None:
    with pytest.raises(refute.UserError, match="await run_goal"):
        refute.run_goal_sync("Look", url="http://127.0.0.1:9/", model="openai-chat:m")


def test_the_front_door_knows_its_names_and_no_others() -> None:
    for name in refute.__all__:
        assert getattr(refute, name) is not None
    assert not hasattr(refute, "run_gaol")


async def test_a_suite_is_not_revised_by_steps(tmp_path: Path) -> None:
    settings = RunSettings(suite="arena:shop", agent="fcp", model="simulated", trigger=TriggerMode.STEP)
    with pytest.raises(refute.UserError, match="milestone or predicate"):
        await run_suite(open_suite("arena:shop"), settings, tmp_path / "out")
    assert not (tmp_path / "out").exists()
