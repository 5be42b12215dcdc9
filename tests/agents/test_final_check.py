"""Done is a claim: it is held against the agent's own reading of the instructions, and each ruling needs its quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.agents import (
    EXECUTOR,
    FINAL_CHECKER,
    INTERPRETER,
    REPAIRER,
    REVISER,
    VERIFIER,
    Checked,
    Confirmation,
    Draft,
    Falsified,
    FcpAgent,
    FcpSettings,
    FinalChecked,
    FinalCheckInput,
    FinalCheckOutput,
    Finding,
    Interpreted,
    InterpreterInput,
    InterpreterOutput,
    PlanEntry,
    Planned,
    Reading,
    RepairCapped,
    Repaired,
    RepairerOutput,
    Result,
    ReviserOutput,
    Ruling,
    Scope,
    ShownBy,
    Stage,
)
from refute.agents.fcp._evidence_kept import Source, source_of
from refute.agents.fcp._requirement import Requirement, result_of
from refute.browser import Click, Done, Infeasible
from refute.budget import Budget, Limits
from refute.goals import Goal, Revision

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

FIND = Draft(
    subgoal="Find the red mug", confirming=(Confirmation(stage=Stage.COMPLETION, statement="1 result for red mug"),)
)
BASKET = Draft(subgoal="Put the red mug into the basket")
RED = Reading(text="the red mug is in the basket", instruction=1)
REQUIRED = Requirement(number=1, **RED.model_dump())
TOLD = Reading(text="The report says what it costs", instruction=1, shown_by=ShownBy.MESSAGE)
ONE_RESULT = "1 result for red mug\nit costs 4 pounds"


def finding(number: int, ruling: Ruling, quote: str = "", why: str = "") -> Finding:
    return Finding(number=number, ruling=ruling, quote=quote, why=why)


async def reported(stage: Scene, *readings: Reading, settings: FcpSettings | None = None) -> FcpAgent:
    """An agent whose one step is confirmed, so that only the report is left."""
    stage.will(INTERPRETER, InterpreterOutput(constraints=readings))
    agent = await stage.started(stage.fcp(settings, final_check=True), FIND)
    stage.will_advance("The red mug costs 4 pounds.")
    await stage.step(agent, "click('1')", stage.page(ONE_RESULT))
    return agent


async def test_a_done_that_the_evidence_bears_out_is_verified(stage: Scene) -> None:
    agent = await reported(stage, RED, TOLD)
    stage.will_act("done('It costs 4 pounds.')")
    findings = (finding(1, Ruling.MET, "1 result for red mug"), finding(2, Ruling.MET, "It costs 4 pounds."))
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=findings))

    assert await agent.act() == Done(message="It costs 4 pounds.")
    assert stage.all_used()
    read = stage.events(Interpreted)[0]
    assert [(c.number, c.text) for c in read.constraints] == [(1, RED.text), (2, TOLD.text)]
    checked = stage.events(FinalChecked)[0]
    assert (checked.result, checked.consequence) == (Result.VERIFIED, "done")
    assert [(f.source, f.text) for f in checked.findings] == [("page", RED.text), ("message", TOLD.text)]


async def test_the_checker_is_shown_what_the_trace_holds(stage: Scene) -> None:
    agent = await reported(stage, RED, TOLD)
    stage.will_continue()  # the page looks the same
    await stage.step(agent, "click('4')", stage.page("a page about kettles"), changed=False)
    stage.will_act("done('It costs 4 pounds.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.UNKNOWN),)))
    stage.will_act("done('It costs 4 pounds.')")
    await agent.act()

    [question] = stage.asked(FINAL_CHECKER)
    _, user = FINAL_CHECKER.render(question)
    assert "> It costs 4 pounds." in user
    assert "> 1 result for red mug" in user, "the page of a finished step, although it is gone"
    assert "- The red mug costs 4 pounds." in user
    assert "a1. click('1') on button \"Search\"" in user
    assert "a2. click('4') on button \"Details\"" in user
    assert "> a page about kettles" in user
    assert "1. the red mug is in the basket" in user


@pytest.mark.parametrize("quote", ["", "it is all there", "x"])
async def test_a_ruling_whose_quote_is_not_there_does_not_count(stage: Scene, quote: str) -> None:
    agent = await reported(stage, RED)
    stage.will_act("done('Ready.')", "done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.MET, quote),)))
    await agent.act()

    checked = stage.events(FinalChecked)[0]
    assert (checked.result, checked.findings[0].ruling) == (Result.UNVERIFIED, Ruling.UNKNOWN)


async def test_that_the_report_says_so_does_not_show_what_a_page_has_to_show(stage: Scene) -> None:
    agent = await reported(stage, RED, TOLD)
    stage.will_act("done('It is in the basket, for 4 pounds.')", "done('It is in the basket, for 4 pounds.')")
    quote = "in the basket, for 4 pounds"
    findings = (finding(1, Ruling.MET, quote), finding(2, Ruling.MET, quote))
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=findings))
    await agent.act()

    assert [f.ruling for f in stage.events(FinalChecked)[0].findings] == [Ruling.UNKNOWN, Ruling.MET]


async def test_a_violated_requirement_is_repaired_in_the_plan(stage: Scene) -> None:
    agent = await reported(stage, RED)
    stage.will_act("done('Ready.')")
    violated = finding(1, Ruling.VIOLATED, "1 result for red mug", "It was found and never put into the basket.")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(violated,)))
    stage.will(REPAIRER, RepairerOutput(scope=Scope.PLANNING, commitments=(BASKET,)))
    stage.will_act("click('2')")

    assert await agent.act() == Click(target=2)
    repaired = stage.events(Repaired)[0]
    assert (repaired.scope, repaired.rejected_action) == (Scope.PLANNING, "done('Ready.')")
    assert repaired.diagnosis.falsified == RED.text
    assert repaired.diagnosis.lines == ("1 result for red mug",)
    assert [c.subgoal for c in stage.events(Planned)[-1].commitments] == [FIND.subgoal, BASKET.subgoal]
    assert stage.events(FinalChecked)[0].consequence == "repair"


async def test_the_same_violation_is_repaired_once_and_then_labelled(stage: Scene) -> None:
    agent = await reported(stage, RED)
    violated = FinalCheckOutput(findings=(finding(1, Ruling.VIOLATED, "1 result for red mug"),))
    stage.will(FINAL_CHECKER, violated, violated)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.PLANNING, commitments=(BASKET,)))
    stage.will_act("done('Ready.')")
    await stage.step(agent, "click('4')", stage.page(ONE_RESULT + "!"))
    stage.will_act("done('Really ready.')")

    assert await agent.act() == Done(message="Really ready.")
    checks = stage.events(FinalChecked)
    assert [(c.result, c.consequence) for c in checks] == [(Result.REFUTED, "repair"), (Result.REFUTED, "done")]


async def test_missing_evidence_is_looked_for_once(stage: Scene) -> None:
    agent = await reported(stage, RED)
    unknown = FinalCheckOutput(findings=(finding(1, Ruling.UNKNOWN),))
    stage.will(FINAL_CHECKER, unknown, unknown)
    stage.will_act("done('Ready.')")
    assert await stage.step(agent, "click('4')", stage.page("still no basket")) == Click(target=4)
    assert RED.text in stage.asked(EXECUTOR)[-1].guidance
    stage.will_act("done('Ready.')")

    assert await agent.act() == Done(message="Ready.")
    checks = stage.events(FinalChecked)
    assert [(c.result, c.consequence) for c in checks] == [(Result.UNVERIFIED, "look"), (Result.UNVERIFIED, "done")]


async def test_the_same_claim_on_the_same_page_is_not_checked_twice(stage: Scene) -> None:
    agent = await reported(stage, RED)
    stage.will_act("done('Ready.')", "done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.UNKNOWN),)))

    assert await agent.act() == Done(message="Ready.")
    assert stage.all_used()


async def test_the_last_action_of_a_budget_is_not_spent_on_looking(stage: Scene) -> None:
    clock = stage.context.clock
    budget = Budget(Limits(steps=2), started=clock.now())
    stage.use(budget)
    agent = await reported(stage, RED)
    budget.step()
    stage.will_act("done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.UNKNOWN),)))

    assert await agent.act() == Done(message="Ready.")
    assert stage.events(FinalChecked)[0].consequence == "goes_on"


async def test_without_repair_the_verdict_is_recorded_and_the_work_ends(stage: Scene) -> None:
    agent = await reported(stage, RED, settings=FcpSettings(repair=False))
    stage.will_act("done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.VIOLATED, "1 result for red mug"),)))

    assert await agent.act() == Done(message="Ready.")
    checked = stage.events(FinalChecked)[0]
    assert (checked.result, checked.consequence) == (Result.REFUTED, "goes_on")


async def test_a_revision_is_read_again_and_decides_what_is_checked(stage: Scene) -> None:
    agent = await reported(stage, RED)
    blue = Reading(text="the blue mug is in the basket", instruction=2)
    stage.will(REVISER, ReviserOutput(plan=(PlanEntry(new=BASKET),)))
    stage.will(INTERPRETER, InterpreterOutput(constraints=(blue,)))
    goal = Goal(version=1, instructions=("Buy the red mug.", "The blue one, please."))
    await agent.revise(goal, Revision(text="The blue one, please."), stage.page(ONE_RESULT))
    stage.will_act("done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.MET, "1 result for red mug"),)))
    await agent.act()

    assert stage.asked(INTERPRETER)[-1] == InterpreterInput(instructions=goal.instructions)
    assert [(e.goal_version, e.constraints[0].text) for e in stage.events(Interpreted)] == [
        (0, RED.text),
        (1, blue.text),
    ]
    question = stage.asked(FINAL_CHECKER)[-1]
    assert [a.requirement.text for a in question.asked] == [blue.text]
    assert question.remaining == (BASKET.subgoal,)


async def test_a_done_before_its_time_asks_the_checker_and_not_the_verifier(stage: Scene) -> None:
    stage.will(INTERPRETER, InterpreterOutput(constraints=(RED,)))
    agent = await stage.started(stage.fcp(final_check=True), FIND, BASKET, page=stage.page("home of the shop"))
    stage.will_act("done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.VIOLATED, "home of the shop"),)))
    stage.will(REPAIRER, RepairerOutput(scope=Scope.PLANNING, commitments=(FIND, BASKET)))
    stage.will_act("click('1')")

    assert await agent.act() == Click(target=1)
    assert stage.asked(VERIFIER) == []
    assert stage.all_used()
    assert "Steps of the plan that are still open:\n- Find the red mug\n- Put the red" in prompt(stage)


async def test_only_a_condition_can_keep_a_requirement_from_applying(stage: Scene) -> None:
    conditional = Reading(text="two mugs are in the basket", instruction=1, condition="they are on sale", when=False)
    agent = await reported(stage, RED, conditional)
    stage.will_act("done('Ready.')", "done('Ready.')")
    quote = "1 result for red mug"
    findings = (finding(1, Ruling.DOES_NOT_APPLY, quote), finding(2, Ruling.DOES_NOT_APPLY, quote))
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=findings))
    await agent.act()

    assert [f.ruling for f in stage.events(FinalChecked)[0].findings] == [Ruling.UNKNOWN, Ruling.DOES_NOT_APPLY]
    assert "2. two mugs are in the basket [only if this is not true: they are on sale]" in prompt(stage)


def prompt(stage: Scene) -> str:
    question: FinalCheckInput = stage.asked(FINAL_CHECKER)[-1]
    return FINAL_CHECKER.render(question)[1]


async def test_a_goal_that_cannot_be_met_is_no_claim_to_be_checked(stage: Scene) -> None:
    agent = await reported(stage, RED)
    stage.will_continue()
    stage.will_act("infeasible('There is no red mug.')")

    assert await agent.act() == Infeasible(reason="There is no red mug.")
    assert stage.events(FinalChecked) == ()


RULINGS = st.lists(st.sampled_from(list(Ruling)), max_size=6)


@given(RULINGS)
def test_one_violation_refutes_and_nothing_but_settled_rulings_verifies(rulings: list[Ruling]) -> None:
    findings = tuple(Checked(number=n, ruling=r, text="x") for n, r in enumerate(rulings, start=1))
    result = result_of(findings)

    assert (result is Result.REFUTED) == (Ruling.VIOLATED in rulings)
    if result is Result.VERIFIED:
        assert rulings
        assert set(rulings) <= {Ruling.MET, Ruling.DOES_NOT_APPLY}


@given(st.text(), st.integers(0, 5), st.integers(2, 40))
def test_a_quote_is_found_only_where_it_stands(text: str, start: int, length: int) -> None:
    quote = text[start : start + length]
    page = (Source("page", text),)
    assert source_of(quote, page, REQUIRED) in ("page", "")
    assert source_of(f"{quote} ~~ and more", page, REQUIRED) == ""


TABLE = """\
| Red mug | 3 | £3.50 |
In the basket: 3 mugs
Order placed
Status: Basket
Thank you for your visit
"""


@pytest.mark.parametrize(
    ("quote", "counts"),
    [
        ("Red mug | 3", True),
        ("you for your", True),
        ("> In the  BASKET:", True),
        ("3", True),
        ("£3.50", True),
        ("Status: Basket", True),
        ("3.5", False),
        ("ed mug | 3", False),
        ("placed status: basket", False),
        ("Order placed", False),
        ("Thank you", False),
        ("visit", False),
        ("|", False),
    ],
)
def test_a_quote_is_whole_words_of_one_line_and_a_short_one_says_of_what(quote: str, counts: bool) -> None:
    assert source_of(quote, (Source("page", TABLE),), REQUIRED) == ("page" if counts else "")


@pytest.mark.parametrize("line", ["3", "Basket", "the 13 mugs", "kettles: 3"])
def test_a_bare_value_shows_nothing_without_its_subject(line: str) -> None:
    assert source_of("3", (Source("page", line),), REQUIRED) == ""
    assert source_of("basket", (Source("page", line),), REQUIRED) == ""


def test_an_answer_may_be_short_where_the_report_is_asked_for_it() -> None:
    told = Requirement(number=1, **TOLD.model_dump())
    assert source_of("4.99", (Source("message", "4.99"),), told) == "message"
    assert source_of("4", (Source("message", "4.99"),), told) == ""
    assert source_of("4.99", (Source("message", "4.99"),), REQUIRED) == ""


async def test_the_agents_own_words_show_nothing_of_a_page(stage: Scene) -> None:
    words = "the red mug is in the basket"
    stage.will(INTERPRETER, InterpreterOutput(constraints=(RED,)))
    agent = await stage.started(stage.fcp(final_check=True), FIND)
    await stage.step(agent, f"note('{words}')", stage.page("home of the shop"))
    stage.will_advance(f"Now {words}.")
    await stage.step(agent, "click('1')", stage.page(ONE_RESULT))
    stage.will_act("done('Ready.')", "done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.MET, words),)))
    await agent.act()

    assert [f.ruling for f in stage.events(FinalChecked)[0].findings] == [Ruling.UNKNOWN]
    lines = [line for e in stage.asked(FINAL_CHECKER)[0].asked[0].exhibits for line in e.lines]
    assert not [line for line in lines if words in line]


async def test_a_done_that_was_turned_down_is_no_evidence_for_the_next_one(stage: Scene) -> None:
    agent = await reported(stage, RED)
    unknown = FinalCheckOutput(findings=(finding(1, Ruling.UNKNOWN),))
    claimed = FinalCheckOutput(findings=(finding(1, Ruling.MET, "red mug is in the basket"),))
    stage.will(FINAL_CHECKER, unknown, unknown, claimed)
    stage.will_act("done('Ready.')")
    await stage.step(agent, "done('The red mug is in the basket.')", stage.page(ONE_RESULT), intercepted=True)
    stage.will_act("done('Really ready.')")
    await agent.act()

    assert stage.events(FinalChecked)[-1].findings[0].ruling is Ruling.UNKNOWN


async def test_the_page_of_a_step_that_the_goal_falsifies_is_no_evidence_any_more(stage: Scene) -> None:
    agent = await reported(stage, RED)
    stage.will(REVISER, ReviserOutput(falsified=(Falsified(number=1, why="no mug"),), plan=(PlanEntry(new=BASKET),)))
    stage.will(INTERPRETER, InterpreterOutput(constraints=(RED,)))
    goal = Goal(version=1, instructions=("Buy the red mug.", "Begin anew."))
    await agent.revise(goal, Revision(text="Begin anew."), stage.page("home of the shop"))
    stage.will_act("done('Ready.')", "done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.MET, "1 result for red mug"),)))
    await agent.act()

    assert [f.ruling for f in stage.events(FinalChecked)[-1].findings] == [Ruling.UNKNOWN]


async def test_with_the_caps_used_up_a_refuted_done_goes_on(stage: Scene) -> None:
    agent = await reported(stage, RED, settings=FcpSettings(max_repairs=0))
    stage.will_act("done('Ready.')")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding(1, Ruling.VIOLATED, "1 result for red mug"),)))

    assert await agent.act() == Done(message="Ready.")
    checked = stage.events(FinalChecked)[0]
    assert (checked.result, checked.consequence) == (Result.REFUTED, "goes_on")
    assert [e.consequence for e in stage.events(RepairCapped)] == ["runs_unverified"]
