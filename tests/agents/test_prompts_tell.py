"""What prompts tell a reader: where the work stands, what a check rests on, and what no longer needs to be shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import pytest

from refute.agents import (
    EXECUTOR,
    PLANNER,
    REPAIRER,
    REPORT,
    REVISER,
    SUMMARISER,
    VERIFIER,
    Commitment,
    Confirmation,
    Decision,
    Draft,
    ExecutorInput,
    Falsifier,
    FcpSettings,
    Scope,
    Stage,
    VerifierInput,
    VerifierOutput,
)
from refute.browser import Click, Done, Outcome
from refute.llm import Role
from refute.revisions import MILESTONE_TRIGGER

if TYPE_CHECKING:
    from pydantic import BaseModel
    from tests.agents.conftest import Stage as Scene

FIND = Draft(
    subgoal="Find the red mug",
    confirming=(
        Confirmation(stage=Stage.COMPLETION, statement="1 result"),
        Confirmation(stage=Stage.COMPLETION, statement="1 result for red mug"),
    ),
    falsifying=(
        Falsifier(scope=Scope.EXECUTION, statement='"Search"', before_action=True),
        Falsifier(scope=Scope.PLANNING, statement="only kettles are listed"),
    ),
)
BASKET = Draft(subgoal="Put the red mug into the basket")
ORDER = Draft(subgoal="Order the red mug")


def last_prompt(stage: Scene, role: Role[Any, Any]) -> str:
    """The user message of the latest question to `role`."""
    question: BaseModel = stage.asked(role)[-1]
    return role.render(question)[1]


async def test_a_report_before_its_time_is_checked_against_the_steps_that_are_left(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET, ORDER)
    stage.will_continue()
    stage.will_act("done('All is well.')")
    await agent.act()

    assert stage.asked(VERIFIER)[-1].remaining == (BASKET.subgoal, ORDER.subgoal)
    assert (
        "It would end the work. Open steps after the current one:\n"
        "- Put the red mug into the basket\n- Order the red mug\n" in last_prompt(stage, VERIFIER)
    )


async def test_an_action_that_goes_on_is_checked_without_the_steps_that_are_left(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_continue()
    stage.will_act("click('1')")
    await agent.act()

    assert "would end the work" not in last_prompt(stage, VERIFIER)


async def test_before_an_action_an_advance_lets_it_run_and_finishes_nothing(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will(VERIFIER, VerifierOutput(decision=Decision.ADVANCE))
    stage.will_act("click('1')", "click('4')")

    assert await agent.act() == Click(target=1)
    await agent.observe(Outcome(), stage.page("search form"))
    await agent.act()
    commitment = stage.asked(EXECUTOR)[-1].commitment
    assert commitment is not None
    assert commitment.number == 1
    system, _ = VERIFIER.render(stage.asked(VERIFIER)[-1])
    assert "`advance` counts as `continue`" in system


async def test_the_executor_knows_how_many_steps_follow(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    await stage.step(agent, "click('4')", stage.page("details"))
    assert "Current step (1 more to come): Find the red mug" in last_prompt(stage, EXECUTOR)

    stage.will_advance("Found.")
    await stage.step(agent, "click('4')", stage.page("1 result for red mug"))
    stage.will_act("click('4')")
    await agent.act()
    assert "Current step (the last step of the plan): Put the red mug into the basket" in last_prompt(stage, EXECUTOR)


async def test_a_report_is_the_last_step(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_advance("Found.")
    await stage.step(agent, "click('4')", stage.page("1 result for red mug"))
    stage.will_act("done('Found.')")

    assert await agent.act() == Done(message="Found.")
    assert f"(the last step of the plan): {REPORT}" in last_prompt(stage, EXECUTOR)


def test_without_a_plan_nothing_is_said_about_steps_of_one(stage: Scene) -> None:
    _, user = EXECUTOR.render(ExecutorInput(instructions=("Buy it.",), observation=stage.page("home")))
    assert "step" not in user


def test_statements_about_an_action_are_told_from_facts_of_the_page(stage: Scene) -> None:
    commitment = Commitment.of(FIND, number=1, goal_version=0)
    shared: dict[str, Any] = {"instructions": ("Buy it.",), "observation": stage.page("home"), "commitment": commitment}
    _, executor = EXECUTOR.render(ExecutorInput(**shared))
    _, verifier = VERIFIER.render(VerifierInput(**shared))
    _, before = VERIFIER.render(VerifierInput(**shared, proposed="click('1')"))

    assert '- wrong if (judge before acting): "Search"\n- wrong if: only kettles are listed\n' in executor
    assert '(execution; judge before acting): "Search"\n' in before
    assert 'Of proposed actions only, and not to be judged now:\n- "Search"\n' in verifier
    assert "(planning): only kettles are listed\n" in verifier


async def test_the_summariser_knows_the_instructions_and_what_earlier_summaries_said(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, FIND)
    for summary in ("The red mug costs 4 pounds.", "Found again."):
        stage.will_advance(summary)
        await stage.step(agent, "click('4')", stage.page("1 result for red mug"))

    user = last_prompt(stage, SUMMARISER)
    assert "1. Buy the red mug." in user
    assert "- The red mug costs 4 pounds." in user


async def test_the_cue_names_the_statements_that_scored_highest(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("1 result, but only kettles are listed"))

    cue = stage.asked(VERIFIER)[-1].cue
    assert 'completion: strong sign, "1 result";' in cue
    assert 'falsifier (planning): strong sign, "only kettles are listed"' in cue
    assert "progress: no sign" in cue
    assert not re.search(r"\d\.\d", cue), "no digits that look like a probability"
    assert cue in last_prompt(stage, VERIFIER)


async def test_the_cue_before_an_action_names_the_falsifier_that_it_meets(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_continue()
    stage.will_act("click('1')")
    await agent.act()

    assert stage.asked(VERIFIER)[-1].cue == (
        'the action\'s risk is high; falsifier: strong sign, ""Search""; fit with the step: no sign'
    )


async def test_the_cue_at_the_start_of_a_step_names_the_precondition_that_fails(stage: Scene) -> None:
    needy = Draft(
        subgoal="Pay",
        confirming=(
            Confirmation(stage=Stage.PRECONDITION, statement="the user"),
            Confirmation(stage=Stage.PRECONDITION, statement="signed in"),
        ),
    )
    stage.will_continue()
    await stage.started(stage.fcp(), needy, page=stage.page("the user is not signed in"))

    assert stage.asked(VERIFIER)[-1].cue == 'a precondition is contradicted; against it: strong sign, "signed in"'


async def test_a_page_that_did_not_change_is_shown_once(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND)
    for text in ("kettles", "kettles", "mugs", "red mug", "red mug"):
        await stage.step(agent, "click('4')", stage.page(text))
    stage.will_act("click('4')")
    await agent.act()

    user = last_prompt(stage, EXECUTOR)
    shown = [line for line in user.splitlines() if line in ("> kettles", "> mugs", "> red mug")]
    assert shown == ["> kettles", "> mugs", "> red mug"]
    led = re.findall(r"a(\d)\. .*\n   Page after it: http://shop/(.*)", user)
    assert led == [("1", ":"), ("2", " (as before)"), ("3", ":"), ("4", " (the page shown below)")]


async def test_a_past_page_shows_what_changed_on_it_and_what_is_gone(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND)
    rows = "\n".join(f"kettle {n}" for n in range(9))
    for text in (rows, f"{rows}\nadded to the basket", rows.replace("kettle 3", "sold out"), "the end"):
        await stage.step(agent, "click('4')", stage.page(text))
    stage.will_act("click('4')")
    await agent.act()

    user = last_prompt(stage, EXECUTOR)
    assert user.count("> kettle 5") == 1, "the first of them is shown whole, and once"
    assert "a2." in user
    assert "http://shop/, what is new on it:\n> added to the basket\n" in user
    assert "what is new on it:\n> sold out\n> (gone) kettle 3\n> (gone) added to the basket\n" in user


async def test_executor_and_verifier_are_told_the_steps_to_come_in_one_line(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET, ORDER)
    stage.will_continue()
    await stage.step(agent, "click('4')", stage.page("1 result"))

    line = f"Later steps, not part of this one: {BASKET.subgoal}; {ORDER.subgoal}\n"
    assert line in last_prompt(stage, EXECUTOR)
    assert line in last_prompt(stage, VERIFIER)


async def test_that_old_pages_are_left_out_is_said_once(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND)
    for number in range(5):
        await stage.step(agent, "click('4')", stage.page(f"page {number}"))
    stage.will_act("click('4')")
    await agent.act()
    assert "left out" not in last_prompt(stage, EXECUTOR)

    await agent.observe(Outcome(), stage.page("page 5"))
    await stage.step(agent, "click('4')", stage.page("page 6"))
    user = last_prompt(stage, EXECUTOR)
    assert user.count("older pages are left out") == 1
    assert "> page 0" not in user
    assert "> page 1" in user


async def test_actions_are_numbered_apart_from_steps_of_the_plan(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    stage.will_advance("Found.")
    await stage.step(agent, "click('4')", stage.page("1 result for red mug"))
    await stage.step(agent, "click('4')", stage.page("details"))
    stage.will_act("click('4')")
    await agent.act()

    user = last_prompt(stage, EXECUTOR)
    assert "Actions so far, since the last finished step" in user
    assert "a2. click('4') on button \"Details\" -> ok" in user


SOURCES = re.compile(r"decision|fcpagent|dynarev|§", re.IGNORECASE)


def descriptions(schema: object) -> list[str]:
    """Every text of a schema that is there to be read; names of fields and types are not among them."""
    if isinstance(schema, list):
        return [text for part in cast("list[object]", schema) for text in descriptions(part)]
    if not isinstance(schema, dict):
        return []
    fields = cast("dict[str, object]", schema)
    own = fields.get("description")
    return [*([own] if isinstance(own, str) else []), *(t for part in fields.values() for t in descriptions(part))]


@pytest.mark.parametrize(
    "role",
    [PLANNER, EXECUTOR, VERIFIER, REPAIRER, REVISER, SUMMARISER, MILESTONE_TRIGGER],
    ids=lambda role: cast("Role[Any, Any]", role).name,
)
def test_what_a_schema_tells_a_model_names_no_sources(role: Role[Any, Any]) -> None:
    told = descriptions(role.output.model_json_schema())
    assert told
    for text in told:
        assert not SOURCES.search(text), text
        assert len(text) <= 120, text
