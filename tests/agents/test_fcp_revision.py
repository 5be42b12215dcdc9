"""A revision of the goal rewrites what it falsifies, and keeps the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refute.agents import (
    EXECUTOR,
    REPAIRER,
    REVISER,
    CommitmentStatus,
    Draft,
    Falsified,
    PlanEntry,
    Planned,
    Recovery,
    RepairerOutput,
    ReviserOutput,
    Scope,
    Status,
)
from refute.browser import Click, Outcome
from refute.goals import Goal, Revision

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

    from refute.agents import FcpAgent

DRAFTS = (Draft(subgoal="Find the red mug"), Draft(subgoal="Put one into the basket"), Draft(subgoal="Open the basket"))
REVISION = Revision(text="Take two mugs instead of one.")


async def after_the_first_step(stage: Scene) -> FcpAgent:
    """An agent whose first commitment is confirmed and whose second is active."""
    agent = await stage.started(stage.fcp(), *DRAFTS)
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    stage.will_advance("Found at 4 pounds.")
    await agent.observe(Outcome(), stage.page("mug"))
    return agent


async def revised(stage: Scene, agent: FcpAgent, answer: ReviserOutput) -> Planned:
    """Deliver the revision; the plan as it stands afterwards."""
    stage.will(REVISER, answer)
    goal = Goal(instructions=("Buy the red mug.",)).append(REVISION)
    await agent.revise(goal, REVISION, stage.page("mug"))
    return stage.events(Planned)[-1]


def new(subgoal: str) -> PlanEntry:
    return PlanEntry(new=Draft(subgoal=subgoal))


async def test_finished_and_unaffected_steps_stay_and_only_the_falsified_one_is_rewritten(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    plan = await revised(
        stage,
        agent,
        ReviserOutput(
            falsified=(Falsified(number=2, why="it is two now"),),
            plan=(new("Put two into the basket"), PlanEntry(keep=3)),
        ),
    )

    assert [(c.number, c.subgoal, c.goal_version) for c in plan.commitments] == [
        (1, "Find the red mug", 0),
        (4, "Put two into the basket", 1),
        (3, "Open the basket", 0),
    ]
    assert (plan.reason, plan.falsified, plan.active, plan.goal_version) == ("revision", (2,), 4, 1)
    assert [e.number for e in stage.events(CommitmentStatus) if e.status is Status.FALSIFIED] == [2]
    asked = stage.asked(REVISER)[-1]
    assert asked.instructions == ("Buy the red mug.",)
    assert asked.revision == REVISION.text
    assert [c.summary for c in asked.completed] == ["Found at 4 pounds."]
    assert [c.number for c in asked.open] == [2, 3]


async def test_the_executor_works_under_the_new_goal_with_what_was_found_before(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    await revised(stage, agent, ReviserOutput(plan=(PlanEntry(keep=2), PlanEntry(keep=3), new("Add another"))))
    stage.will_act("click('4')")
    await agent.act()

    question = stage.asked(EXECUTOR)[-1]
    assert question.instructions == ("Buy the red mug.", REVISION.text)
    assert question.summaries == ("Found at 4 pounds.",)
    assert question.commitment is not None
    assert question.commitment.number == 2


async def test_a_finished_step_that_the_goal_contradicts_leaves_the_finished_ones(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    answer = ReviserOutput(
        falsified=(Falsified(number=1, why="a blue one is wanted"),),
        plan=(new("Remove the red mug"), PlanEntry(keep=2), PlanEntry(keep=3)),
    )
    plan = await revised(stage, agent, answer)

    assert [c.number for c in plan.commitments] == [4, 2, 3]
    assert plan.falsified == (1,)


async def test_an_open_step_that_the_answer_forgets_is_put_back_in_its_place(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    plan = await revised(stage, agent, ReviserOutput(plan=(PlanEntry(keep=2), new("Add another"))))

    assert [c.number for c in plan.commitments] == [1, 2, 3, 4]
    assert "3" in plan.note


async def test_unknown_and_repeated_numbers_are_ignored(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    answer = ReviserOutput(
        falsified=(Falsified(number=77, why="?"),),
        plan=(PlanEntry(keep=88), PlanEntry(), PlanEntry(keep=2), PlanEntry(keep=2), PlanEntry(keep=1)),
    )
    plan = await revised(stage, agent, answer)

    assert [c.number for c in plan.commitments] == [1, 2, 3]
    assert plan.falsified == ()


async def test_an_answer_that_leaves_no_step_makes_the_revision_itself_the_step(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    answer = ReviserOutput(
        falsified=(Falsified(number=2, why="no"), Falsified(number=3, why="no")), plan=(PlanEntry(keep=2),)
    )
    plan = await revised(stage, agent, answer)

    assert [c.subgoal for c in plan.commitments] == ["Find the red mug", REVISION.text]


async def test_a_revision_after_the_last_step_replaces_the_report(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), DRAFTS[0])
    stage.will_act("click('4')", subgoal_done=True)
    await agent.act()
    stage.will_advance("Found.")
    await agent.observe(Outcome(), stage.page("mug"))
    plan = await revised(stage, agent, ReviserOutput(plan=(new("Add another"),)))

    assert stage.asked(REVISER)[-1].open == ()
    assert [(c.number, c.subgoal) for c in plan.commitments] == [(1, "Find the red mug"), (3, "Add another")]
    assert [e.number for e in stage.events(CommitmentStatus) if e.status is Status.REVISED] == [2]


async def test_a_new_step_starts_fresh_while_a_kept_one_goes_on(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    await revised(stage, agent, ReviserOutput(plan=(PlanEntry(keep=2), PlanEntry(keep=3))))
    assert active_numbers(stage) == [1, 2]
    await revised(stage, agent, ReviserOutput(plan=(new("Look again"), PlanEntry(keep=2), PlanEntry(keep=3))))
    assert active_numbers(stage) == [1, 2, 4]


async def test_what_was_to_be_gone_back_to_for_the_old_goal_is_let_be(stage: Scene) -> None:
    agent = await after_the_first_step(stage)
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, recovery=Recovery.RESTART))
    await stage.step(agent, "click('4')", stage.page("kettles", title="404 Not Found"))
    await revised(stage, agent, ReviserOutput(plan=(PlanEntry(keep=2), PlanEntry(keep=3))))
    stage.will_act("click('4')")

    assert await agent.act() == Click(target=4)
    assert active_numbers(stage) == [1, 2, 2]


def active_numbers(stage: Scene) -> list[int]:
    return [event.number for event in stage.events(CommitmentStatus) if event.status is Status.ACTIVE]
