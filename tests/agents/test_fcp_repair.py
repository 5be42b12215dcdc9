"""Repair: the smallest part that was proved wrong is changed, rejected actions never run, and the caps hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refute.agents import (
    EXECUTOR,
    REPAIRER,
    VERIFIER,
    Commitment,
    CommitmentStatus,
    Confirmation,
    Decision,
    Draft,
    Falsifier,
    FcpSettings,
    Planned,
    Recovery,
    RepairCapped,
    Repaired,
    RepairerOutput,
    Route,
    Scope,
    Skill,
    Stage,
    Status,
    Tested,
    Verified,
    VerifierOutput,
)
from refute.browser import Action, Click, Done, Goto, Infeasible, Outcome

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

    from refute.agents import FcpAgent

WRONG = "only kettles are listed"
FIND = Draft(
    subgoal="Find the red mug",
    confirming=(Confirmation(stage=Stage.COMPLETION, statement="1 result for red mug"),),
    falsifying=(Falsifier(scope=Scope.PLANNING, statement=WRONG),),
)
BASKET = Draft(subgoal="Put the red mug into the basket")
ORDER = Draft(
    subgoal="Look at the red mug",
    falsifying=(
        Falsifier(scope=Scope.PLANNING, statement='"Place order"', before_action=True),
        Falsifier(scope=Scope.EXECUTION, statement='"Search"', before_action=True),
        Falsifier(scope=Scope.EXECUTION, statement='"Add to basket"', before_action=False),
    ),
)
SKILLS = (
    Skill(name="quick search", keywords=("find", "mug"), steps=("Type the name.",)),
    Skill(name="advanced search", keywords=("red", "mug", "brand"), steps=("Open the long form.",)),
)


def plan_of(planned: Planned) -> list[tuple[int, str]]:
    return [(commitment.number, commitment.subgoal) for commitment in planned.commitments]


def statuses(stage: Scene, status: Status) -> list[int]:
    return [event.number for event in stage.events(CommitmentStatus) if event.status is status]


async def falsified(stage: Scene, agent: FcpAgent, scope: Scope, repair: RepairerOutput) -> None:
    """The page shows the falsifier, the verifier agrees, and the repairer answers."""
    stage.will_object(scope)
    stage.will(REPAIRER, repair)
    await stage.step(agent, "click('4')", stage.page(WRONG, url="http://shop/kettles"))


async def active(stage: Scene, agent: FcpAgent) -> Commitment:
    """What the executor is asked to work on now."""
    stage.will_act("click('4')")
    await agent.act()
    commitment = stage.asked(EXECUTOR)[-1].commitment
    assert commitment is not None
    return commitment


async def test_an_execution_repair_keeps_the_plan_and_advises_the_executor(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    await falsified(stage, agent, Scope.EXECUTION, RepairerOutput(scope=Scope.EXECUTION, guidance="Open Mugs first."))

    assert (await active(stage, agent)).number == 1
    assert stage.asked(EXECUTOR)[-1].guidance == "Open Mugs first."
    assert stage.events(Tested)[-1].route is Route.RISK
    assert stage.events(Tested)[-1].group is Scope.PLANNING
    assert stage.events(Repaired)[-1].scope is Scope.EXECUTION
    assert [event.reason for event in stage.events(Planned)] == ["start"]


async def test_a_skill_repair_keeps_the_subgoal_and_the_later_steps(stage: Scene) -> None:
    first = FIND.model_copy(update={"skill": "quick search"})
    agent = await stage.started(stage.fcp(skills=SKILLS), first, BASKET)
    other = Draft(subgoal="Something else altogether", skill="advanced search")
    await falsified(stage, agent, Scope.SKILL, RepairerOutput(scope=Scope.SKILL, commitments=(other,)))

    now = await active(stage, agent)
    assert (now.number, now.subgoal, now.skill) == (3, "Find the red mug", "advanced search")
    question = stage.asked(EXECUTOR)[-1]
    assert question.skill is not None
    assert question.skill.steps == ("Open the long form.",)
    assert plan_of(stage.events(Planned)[-1]) == [(3, "Find the red mug"), (2, BASKET.subgoal)]
    assert stage.events(Planned)[-1].falsified == (1,)


async def test_a_skill_repair_without_another_skill_unlinks_it(stage: Scene) -> None:
    first = FIND.model_copy(update={"skill": "quick search"})
    agent = await stage.started(stage.fcp(skills=SKILLS), first)
    await falsified(stage, agent, Scope.SKILL, RepairerOutput(scope=Scope.SKILL))

    now = await active(stage, agent)
    assert (now.number, now.skill, now.falsifying) == (2, None, FIND.falsifying)


async def test_a_planning_repair_keeps_finished_steps_and_rewrites_the_rest(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), Draft(subgoal="Open the shop"), FIND, BASKET)
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    stage.will_advance("It is open.")
    await agent.observe(Outcome(), stage.page("shop"))
    anew = (Draft(subgoal="Use the advanced search"), Draft(subgoal="Fill the basket"))
    await falsified(stage, agent, Scope.PLANNING, RepairerOutput(scope=Scope.PLANNING, commitments=anew))

    planned = stage.events(Planned)[-1]
    assert plan_of(planned) == [(1, "Open the shop"), (4, anew[0].subgoal), (5, anew[1].subgoal)]
    assert (planned.reason, planned.active, planned.falsified) == ("repair", 4, (2,))
    assert statuses(stage, Status.FALSIFIED) == [2]
    assert statuses(stage, Status.REVISED) == [3]
    asked = stage.asked(REPAIRER)[-1]
    assert [c.summary for c in asked.completed] == ["It is open."]
    assert [c.number for c in asked.remaining] == [3]


async def test_a_planning_repair_without_a_plan_counts_as_advice(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    await falsified(stage, agent, Scope.PLANNING, RepairerOutput(scope=Scope.PLANNING, guidance="Think."))

    assert (await active(stage, agent)).number == 1
    assert stage.events(Repaired)[-1].scope is Scope.EXECUTION


@pytest.mark.parametrize(
    ("recovery", "url"), [(Recovery.LAST_CONFIRMED, "http://shop/mugs"), (Recovery.RESTART, "http://shop/")]
)
async def test_recovery_goes_back_before_the_executor_is_asked_again(
    stage: Scene, recovery: Recovery, url: str
) -> None:
    agent = await stage.started(stage.fcp(), FIND, FIND)
    stage.will_continue()  # an order is always asked about before it is placed
    await stage.step(agent, "click('3')", stage.page("ordered before"))
    stage.will_advance("Found.")
    await stage.step(agent, "click('1')", stage.page("1 result for red mug", url="http://shop/mugs"))
    stage.will_continue()
    await stage.step(agent, "click('3')", stage.page("ordered"))
    await falsified(stage, agent, Scope.EXECUTION, RepairerOutput(scope=Scope.EXECUTION, recovery=recovery))
    questions = len(stage.asked(EXECUTOR))

    assert await agent.act() == Goto(url=url)
    assert len(stage.asked(EXECUTOR)) == questions
    assert stage.asked(REPAIRER)[-1].irreversible == ("click('3') on button \"Place order\"",)
    await agent.observe(Outcome(changed=False), stage.page("back", url=url))
    assert (await active(stage, agent)).number == 2
    tests = len(stage.events(Tested))
    await agent.observe(Outcome(), stage.page("on the way"))
    assert len(stage.events(Tested)) == tests + 1


async def test_an_error_page_after_going_back_is_judged(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    await falsified(stage, agent, Scope.EXECUTION, RepairerOutput(scope=Scope.EXECUTION, recovery=Recovery.RESTART))
    assert await agent.act() == Goto(url="http://shop/")
    stage.will_object(Scope.EXECUTION, "the shop is down")
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Wait for it."))
    await agent.observe(Outcome(), stage.page("", title="503 Service Unavailable"))

    assert stage.events(Tested)[-1].reason == "rule: the page is an error page"
    assert [e.diagnosis.pattern for e in stage.events(Repaired)] == ["went wrong", "the shop is down"]
    assert (await active(stage, agent)).number == 1


async def test_without_tests_of_states_going_back_is_not_tested_either(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), ORDER)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, recovery=Recovery.RESTART))
    stage.will_act("click('3')")
    assert await agent.act() == Goto(url="http://shop/")
    await agent.observe(Outcome(), stage.page("", title="503 Service Unavailable"))

    assert [e.phase for e in stage.events(Tested)] == ["action"]
    assert (await active(stage, agent)).number == 1


async def test_a_rejected_action_never_runs_and_is_offered_as_rejected(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), ORDER)
    stage.will_object(Scope.EXECUTION, "nothing is to be ordered yet")
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Only look."))
    stage.will_act("click('3')", "click('4')")

    assert await agent.act() == Click(target=4)
    offered = stage.asked(EXECUTOR)[-1].rejected
    assert [(r.action, r.reason) for r in offered] == [
        ("click('3') on button \"Place order\"", "nothing is to be ordered yet")
    ]
    tested = stage.events(Tested)[0]
    assert tested.risk == 1.0
    assert stage.asked(VERIFIER)[0].proposed == "click('3') on button \"Place order\""
    assert stage.events(Repaired)[0].rejected_action == "click('3') on button \"Place order\""


async def test_proposing_a_rejected_action_again_puts_the_plan_in_question(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), ORDER)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION))
    stage.will(REPAIRER, RepairerOutput(scope=Scope.PLANNING, commitments=(BASKET,)))
    stage.will_act("click('3')", "click('3')", "click('4')")

    assert await agent.act() == Click(target=4)
    assert len(stage.asked(VERIFIER)) == 1
    assert stage.events(Repaired)[1].diagnosis.scope is Scope.PLANNING
    question = stage.asked(EXECUTOR)[-1]
    assert question.commitment is not None
    assert question.commitment.subgoal == BASKET.subgoal
    assert question.rejected == ()


async def test_after_the_cap_an_action_that_can_be_undone_runs_unverified(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), ORDER)
    stage.will(REPAIRER, *[RepairerOutput(scope=Scope.EXECUTION)] * 2)
    stage.will_object(Scope.EXECUTION)
    stage.will_act("click('1')", "click('1')", "click('1')")

    assert await agent.act() == Click(target=1)
    assert [e.consequence for e in stage.events(RepairCapped)] == ["runs_unverified"]


async def test_after_the_cap_an_action_that_lasts_leads_to_one_replan_and_then_to_infeasible(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), ORDER)
    stage.will_object(Scope.EXECUTION, "nothing is to be ordered")
    stage.will(REPAIRER, *[RepairerOutput(scope=Scope.EXECUTION)] * 3)
    stage.will_act(*["click('3')"] * 4)

    last = await agent.act()
    assert isinstance(last, Infeasible)
    assert "Place order" in last.reason
    assert [e.consequence for e in stage.events(RepairCapped)] == ["replanned", "infeasible"]
    assert stage.all_used()


async def test_the_repairs_of_an_episode_are_capped(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(max_repairs=3)), FIND)
    for number in range(5):
        stage.will_object(Scope.EXECUTION)
        if number < 3:
            stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION))
        await stage.step(agent, "click('4')", stage.page(f"{number} {WRONG}"))

    assert len(stage.events(Repaired)) == 3
    assert [e.consequence for e in stage.events(RepairCapped)] == ["goes_on", "goes_on"]
    assert (await active(stage, agent)).number == 1


async def test_a_verifier_that_gives_no_diagnosis_leaves_the_fast_testers_hint(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will(VERIFIER, VerifierOutput(decision=Decision.REPAIR, reason="these are kettles"))
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION))
    await stage.step(agent, "click('4')", stage.page(WRONG))

    asked = stage.asked(REPAIRER)[-1].diagnosis
    assert (asked.scope, asked.pattern) == (Scope.PLANNING, "these are kettles")


async def test_without_repair_the_verdict_is_recorded_and_nothing_else_changes(stage: Scene) -> None:
    agent = await stage.started(
        stage.fcp(FcpSettings(repair=False)),
        ORDER.model_copy(update={"falsifying": (*ORDER.falsifying, *FIND.falsifying)}),
        BASKET,
    )
    stage.will_object(Scope.PLANNING)
    stage.will_act("click('3')")
    action: Action = await agent.act()
    stage.will_object(Scope.PLANNING)
    await agent.observe(Outcome(), stage.page(WRONG))

    assert action == Click(target=3)
    assert [event.phase for event in stage.events(Verified)] == ["action", "state"]
    assert all(event.diagnosis is not None for event in stage.events(Verified))
    assert stage.events(Repaired) == ()
    assert statuses(stage, Status.FALSIFIED) == []
    assert len(stage.events(Planned)) == 1
    assert (await active(stage, agent)).number == 1


async def test_after_the_cap_a_report_still_reaches_the_user(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, *[RepairerOutput(scope=Scope.EXECUTION)] * 2)
    stage.will_act(*["done('The mug is there.')"] * 3)

    assert await agent.act() == Done(message="The mug is there.")
    assert [e.consequence for e in stage.events(RepairCapped)] == ["runs_unverified"]


async def test_falsifiers_that_need_the_page_do_not_hold_up_an_action(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), ORDER)
    stage.will_act("click('2')")

    assert await agent.act() == Click(target=2)
    assert stage.events(Tested)[-1].falsification == 0
    assert stage.asked(VERIFIER) == []
