"""Ablations: each takes one part of the agent away, and what is asked, shown and done shows that it is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refute.agents import (
    AGENT_NAMES,
    EXECUTOR,
    PLANNER,
    REPAIRER,
    VERIFIER,
    Confirmation,
    Draft,
    Falsifier,
    FcpAgent,
    Planned,
    RepairCapped,
    Repaired,
    RepairerOutput,
    Scope,
    Skill,
    Stage,
    Tested,
    open_agent,
)
from refute.agents.fcp._settings import VARIANTS
from refute.browser import Infeasible

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

DONE, WRONG = "1 result for red mug", "only kettles are listed"
FIND = Draft(
    subgoal="Find the red mug",
    skill="search",
    confirming=(Confirmation(stage=Stage.COMPLETION, statement=DONE),),
    falsifying=(
        Falsifier(scope=Scope.PLANNING, statement=WRONG),
        Falsifier(scope=Scope.EXECUTION, statement='"Place order"', before_action=True),
    ),
)
BASKET = Draft(subgoal="Put the red mug into the basket")
ANEW = Draft(subgoal="Filter the list by colour")
SKILLS = (Skill(name="search", keywords=("mug",), steps=("Type the name.",)),)


def fcp(stage: Scene, variant: str) -> FcpAgent:
    return stage.fcp(VARIANTS[variant], skills=SKILLS)


@pytest.mark.parametrize("name", AGENT_NAMES)
def test_every_named_agent_can_be_opened(name: str) -> None:
    assert open_agent(name)


@pytest.mark.parametrize(("variant", "gone", "kept"), [("no-confirming", DONE, WRONG), ("no-falsifying", WRONG, DONE)])
async def test_evidence_of_a_kind_that_is_off_is_not_asked_for_not_kept_and_not_shown(
    stage: Scene, variant: str, gone: str, kept: str
) -> None:
    agent = await stage.started(fcp(stage, variant), FIND)
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page(f"{gone}; {kept}"))

    system, _ = PLANNER.render(stage.asked(PLANNER)[0])
    off, on = ("confirming", "falsifying") if variant == "no-confirming" else ("falsifying", "confirming")
    assert f"- `{off}` stays empty." in system
    assert f"- `{on}`" in system
    assert f"- `{on}` stays empty." not in system
    [commitment] = stage.events(Planned)[0].commitments
    assert (commitment.confirming == ()) is (variant == "no-confirming")
    assert (commitment.falsifying == ()) is (variant == "no-falsifying")
    shown = VERIFIER.render(stage.asked(VERIFIER)[0])[1].partition("Cue from")[0]
    assert kept in shown
    assert gone not in shown


async def test_without_confirming_evidence_completion_scores_nothing(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-confirming"), FIND)
    await stage.step(agent, "click('4')", stage.page(DONE))

    assert [(e.completion, e.progress) for e in stage.events(Tested)] == [(0.0, 0.0)]
    assert stage.asked(VERIFIER) == []


async def test_without_falsifying_evidence_a_falsifier_that_comes_true_is_not_seen(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-falsifying"), FIND)
    await stage.step(agent, "click('4')", stage.page(WRONG))

    assert [e.falsification for e in stage.events(Tested)] == [0.0]
    assert stage.asked(VERIFIER) == []


async def test_without_local_repair_a_wrong_click_costs_the_plan(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-local-repair"), FIND, BASKET)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.PLANNING, commitments=(ANEW,)))
    await stage.step(agent, "click('4')", stage.page(WRONG))

    question = stage.asked(REPAIRER)[0]
    assert question.diagnosis.scope is Scope.PLANNING
    system, _ = REPAIRER.render(question)
    assert "- `execution`:" not in system
    assert "- `skill`:" in system
    repaired = stage.events(Repaired)[0]
    assert (repaired.diagnosis.scope, repaired.scope) == (Scope.EXECUTION, Scope.PLANNING)
    assert [c.subgoal for c in stage.events(Planned)[-1].commitments] == [ANEW.subgoal]


async def test_without_local_repair_advice_alone_starts_the_open_steps_again(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-local-repair"), FIND, BASKET)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Go back."))
    await stage.step(agent, "click('4')", stage.page(WRONG))

    assert stage.events(Repaired)[0].scope is Scope.PLANNING
    plan = stage.events(Planned)[-1].commitments
    assert [(c.number, c.subgoal) for c in plan] == [(3, FIND.subgoal), (4, BASKET.subgoal)]


async def test_without_replanning_a_new_plan_is_only_advice(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-replan"), FIND, BASKET)
    stage.will_object(Scope.PLANNING)
    answer = RepairerOutput(scope=Scope.PLANNING, guidance="The list is wrong.", commitments=(ANEW, BASKET))
    stage.will(REPAIRER, answer)
    await stage.step(agent, "click('4')", stage.page(WRONG))
    stage.will_act("click('4')")
    await agent.act()

    question = stage.asked(REPAIRER)[0]
    assert question.diagnosis.scope is Scope.EXECUTION
    assert "- `planning`:" not in REPAIRER.render(question)[0]
    assert stage.events(Repaired)[0].scope is Scope.EXECUTION
    assert [e.reason for e in stage.events(Planned)] == ["start"]
    told = stage.asked(EXECUTOR)[-1]
    assert told.guidance == f"The list is wrong. {ANEW.subgoal}; then: {BASKET.subgoal}"
    assert told.commitment is not None
    assert told.commitment.subgoal == FIND.subgoal


@pytest.mark.parametrize("variant", ["no-local-repair", "no-replan"])
async def test_a_switch_of_skill_stays_one(stage: Scene, variant: str) -> None:
    agent = await stage.started(fcp(stage, variant), FIND, BASKET)
    stage.will_object(Scope.SKILL)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.SKILL, guidance="Do without it."))
    await stage.step(agent, "click('4')", stage.page(WRONG))

    assert stage.events(Repaired)[0].scope is Scope.SKILL
    plan = stage.events(Planned)[-1].commitments
    assert [(c.subgoal, c.skill) for c in plan] == [(FIND.subgoal, None), (BASKET.subgoal, None)]


async def test_without_replanning_there_is_no_last_plan_beyond_the_caps_either(stage: Scene) -> None:
    agent = await stage.started(fcp(stage, "no-replan"), FIND)
    for _ in range(3):
        stage.will_object(Scope.EXECUTION)
    for _ in range(2):
        stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Not that."))
    stage.will_act("click('3')", "press('3', 'Enter')", "type('3', 'x\\n')")
    action = await agent.act()

    assert isinstance(action, Infeasible)
    assert [e.consequence for e in stage.events(RepairCapped)] == ["infeasible"]
