"""The plan-test-repair loop as a user sees it in the trace: what was tested, asked, repaired and done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refute.agents import (
    EXECUTOR,
    REPORT,
    SUMMARISER,
    VERIFIER,
    CommitmentStatus,
    Confirmation,
    Decision,
    Draft,
    Falsifier,
    FcpSettings,
    Planned,
    Proposed,
    Route,
    Scope,
    Stage,
    Status,
    SummaryOutput,
    Tested,
    Verified,
    VerifierOutput,
)
from refute.browser import Click, Done, Outcome, Wait

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene


def step_of(subgoal: str, *, done: str = "", wrong: str = "", needs: str = "", progress: str = "") -> Draft:
    confirming = [
        Confirmation(stage=stage, statement=statement)
        for stage, statement in ((Stage.COMPLETION, done), (Stage.PRECONDITION, needs), (Stage.PROGRESS, progress))
        if statement
    ]
    falsifying = (Falsifier(scope=Scope.EXECUTION, statement=wrong),) if wrong else ()
    return Draft(subgoal=subgoal, confirming=tuple(confirming), falsifying=falsifying)


FIND = step_of("Find the red mug", done="1 result for red mug", wrong="no results")
BASKET = step_of("Put the red mug into the basket", done="basket: red mug")


async def test_a_plan_advances_step_by_step_and_ends_with_a_report(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)

    stage.will_advance("The red mug costs 4 pounds.")
    await stage.step(agent, "click('1')", stage.page("1 result for red mug"))
    stage.will_advance("The basket holds it.")
    await stage.step(agent, "click('2')", stage.page("basket: red mug"))
    stage.will_act("done('The basket holds the red mug for 4 pounds.')")
    last = await agent.act()

    assert last == Done(message="The basket holds the red mug for 4 pounds.")
    assert stage.all_used()
    confirmed = [e for e in stage.events(CommitmentStatus) if e.status is Status.CONFIRMED]
    assert [(e.number, e.summary) for e in confirmed] == [
        (1, "The red mug costs 4 pounds."),
        (2, "The basket holds it."),
    ]
    report = stage.asked(EXECUTOR)[-1]
    assert report.commitment is not None
    assert report.commitment.subgoal == REPORT
    assert report.summaries == ("The red mug costs 4 pounds.", "The basket holds it.")
    assert report.steps == ()
    assert [e.reason for e in stage.events(Planned)] == ["start", "report"]


async def test_a_finished_stage_leaves_its_summary_and_not_its_steps(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    await stage.step(agent, "click('4')", stage.page("details"))
    stage.will_advance("Found.")
    await stage.step(agent, "click('1')", stage.page("1 result for red mug"))
    await stage.step(agent, "click('4')", stage.page("mug page"))
    stage.will_act("click('2')")
    await agent.act()

    question = stage.asked(EXECUTOR)[-1]
    assert question.summaries == ("Found.",)
    assert [step.number for step in question.steps] == [3]
    assert question.steps[0].action == "click('4') on button \"Details\""


async def test_quiet_states_ask_no_model_until_the_periodic_check(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    for number in range(4):
        await stage.step(agent, "click('4')", stage.page(f"page {number}"))
    assert stage.asked(VERIFIER) == []

    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("page 5"))

    assert len(stage.asked(VERIFIER)) == 1
    assert [e.route for e in stage.events(Tested)] == [Route.CONTINUE] * 4 + [Route.VERIFY]
    for number in range(4):
        await stage.step(agent, "click('4')", stage.page(f"later page {number}"))
    assert len(stage.asked(VERIFIER)) == 1


async def test_a_failed_action_is_an_anomaly_and_its_error_is_told(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_continue()
    stage.will_act("click('4')")
    await agent.act()
    await agent.observe(
        Outcome.model_validate({"ok": False, "cause": "covered", "hint": "close the dialog"}), stage.page()
    )
    stage.will_act("click('1')")
    await agent.act()

    assert stage.events(Tested)[0].reason.startswith("rule: the action failed")
    assert stage.asked(EXECUTOR)[-1].last_error == "click('4') on button \"Details\": covered: close the dialog"


async def test_an_unchanged_page_and_an_error_page_are_anomalies(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("home"), changed=False)
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("oops", title="404 Not Found"))
    await stage.step(agent, "scroll('down')", stage.page("oops"), changed=False)

    rules = [e.reason for e in stage.events(Tested)]
    assert "looks the same" in rules[0]
    assert "error page" in rules[1]
    assert stage.events(Tested)[2].route is Route.CONTINUE


async def test_the_executors_word_that_a_step_is_achieved_is_checked_by_the_verifier(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_act("click('1')", subgoal_done=True)
    await agent.act()
    stage.will_continue()
    await agent.observe(Outcome(), stage.page("a mug, in other words"))

    assert stage.events(Tested)[-1].reason == "the executor says that the step is achieved"
    assert stage.events(Verified)[-1].number == 1


async def test_a_contradicted_precondition_is_verified_when_a_step_becomes_active(stage: Scene) -> None:
    stage.will_advance("It was there already.")
    needy = step_of("Find it", needs="search box")
    agent = await stage.started(stage.fcp(), needy, BASKET, page=stage.page("not search box"))
    stage.will_act("click('2')")
    await agent.act()

    assert stage.events(Tested)[0].phase == "precondition"
    commitment = stage.asked(EXECUTOR)[-1].commitment
    assert commitment is not None
    assert commitment.number == 2


async def test_done_while_steps_are_open_is_verified_first(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_continue()
    stage.will_act("done('All is well.')")

    assert await agent.act() == Done(message="All is well.")
    assert stage.events(Tested)[-1].reason == "rule: the work would end while steps are open"
    assert stage.asked(VERIFIER)[-1].proposed == "done('All is well.')"


async def test_an_intercepted_done_is_told_and_the_agent_goes_on_untested(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_continue()
    await stage.step(agent, "done('Ready.')", stage.page("home"), intercepted=True, changed=False)
    stage.will_act("click('1')")

    assert await agent.act() == Click(target=1)
    assert "not accepted" in stage.asked(EXECUTOR)[-1].last_error
    assert [event.phase for event in stage.events(Tested)] == ["action", "action"]


async def test_replies_without_an_action_are_told_and_end_in_a_harmless_wait(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_act("I would click the button", "click(", "click('99')")

    assert await agent.act() == Wait(seconds=1)
    told = [question.last_error for question in stage.asked(EXECUTOR)]
    assert told[0] == ""
    assert "I would click the button" in told[1]
    assert [event.problem != "" for event in stage.events(Proposed)] == [True, True, True]
    assert "no element 99" in stage.events(Proposed)[2].problem

    stage.will_continue()
    await agent.observe(Outcome(changed=False), stage.page("home"))
    assert stage.events(Tested)[-1].reason == "rule: the executor gave no usable action"


async def test_without_state_tests_a_step_ends_on_the_executors_own_word(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False, action_test=False)), FIND, BASKET)
    await stage.step(agent, "click('1')", stage.page("no results"))
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    stage.will(SUMMARISER, SummaryOutput(summary="Found."))
    await agent.observe(Outcome(), stage.page("a mug"))

    assert stage.events(Tested) == ()
    assert [e.number for e in stage.events(CommitmentStatus) if e.status is Status.CONFIRMED] == [1]


async def test_slow_only_verifies_every_state_and_every_high_impact_action(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(slow_only=True)), FIND)
    for action, checks in (("click('4')", 1), ("click('1')", 2)):  # Details is harmless, Search submits
        for _ in range(checks):
            stage.will_continue()
        await stage.step(agent, action, stage.page(action))

    assert [question.proposed for question in stage.asked(VERIFIER)] == ["", "click('1') on button \"Search\"", ""]


async def test_the_report_is_never_advanced_past(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_advance("Found.")
    await stage.step(agent, "click('1')", stage.page("1 result for red mug"))
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    stage.will(VERIFIER, VerifierOutput(decision=Decision.ADVANCE))
    await agent.observe(Outcome(), stage.page("details"))
    stage.will_act("done('Found.')")

    assert await agent.act() == Done(message="Found.")
    assert [e.number for e in stage.events(CommitmentStatus) if e.status is Status.CONFIRMED] == [1]


async def test_without_state_tests_the_report_is_never_advanced_past_either(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND)
    stage.will(SUMMARISER, SummaryOutput(summary="Found."))
    for text in ("mug", "details"):
        stage.will_act("click('4')", subgoal_done=True)
        await agent.act()
        await agent.observe(Outcome(), stage.page(text))

    assert [e.number for e in stage.events(CommitmentStatus) if e.status is Status.CONFIRMED] == [1]


async def test_without_state_tests_a_failed_action_finishes_nothing(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND)
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    await agent.observe(Outcome(ok=False), stage.page("home"))

    assert [e.status for e in stage.events(CommitmentStatus)] == [Status.ACTIVE]
