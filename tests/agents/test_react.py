"""The plain agent: history, errors told, garbage survived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from refute import UserError
from refute.agents import AGENT_NAMES, EXECUTOR, ReactAgent, Skill, open_agent
from refute.browser import Click, Done, Outcome, Wait
from refute.goals import Goal, Revision

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

GARBAGE = [
    "",
    "click",
    "click()",
    "click('1'); click('2')",
    "```",
    "__import__('os')",
    "click('99')",
    "done(",
    "\x00",
    "💥" * 500,
]


async def test_it_remembers_its_steps_and_notes_and_follows_a_revision(stage: Scene) -> None:
    agent = await stage.started(ReactAgent())
    await stage.step(agent, "note('the mug costs 4')", stage.page("home"))
    await stage.step(agent, "click('1')", stage.page("mug page"))
    revision = Revision(text="Make it two.")
    await agent.revise(Goal(instructions=("Buy the red mug.",)).append(revision), revision, stage.page("mug page"))
    stage.will_act("done('Two mugs.')")

    assert await agent.act() == Done(message="Two mugs.")
    question = stage.asked(EXECUTOR)[-1]
    assert question.instructions == ("Buy the red mug.", "Make it two.")
    assert question.notes == ("the mug costs 4",)
    assert [step.action for step in question.steps] == ["note('the mug costs 4')", "click('1') on button \"Search\""]
    assert question.commitment is None
    assert question.observation.text == "mug page"


async def test_all_actions_stay_in_the_history_but_only_the_latest_pages(stage: Scene) -> None:
    agent = await stage.started(ReactAgent())
    for number in range(1, 9):
        await stage.step(agent, "click('4')", stage.page(f"page {number}"))
    stage.will_act("click('4')")
    await agent.act()

    steps = stage.asked(EXECUTOR)[-1].steps
    assert [step.number for step in steps] == list(range(1, 9))
    assert [step.page for step in steps] == ["", "", "", *(f"page {n}" for n in range(4, 8)), ""]
    assert steps[-1].shown == "now", "the page in front is not shown twice"


async def test_an_intercepted_done_is_told(stage: Scene) -> None:
    agent = await stage.started(ReactAgent())
    await stage.step(agent, "done('Ready.')", stage.page("home"), intercepted=True)
    stage.will_act("click('1')")

    assert await agent.act() == Click(target=1)
    assert stage.asked(EXECUTOR)[-1].last_error == "done('Ready.'): not accepted: the work is not over"


@pytest.mark.parametrize("reply", [text for text in GARBAGE if text])
async def test_garbage_is_answered_with_the_error_and_never_raises(stage: Scene, reply: str) -> None:
    agent = await stage.started(ReactAgent())
    stage.will_act(reply, "click('2')")
    assert await agent.act() == Click(target=2)
    assert stage.asked(EXECUTOR)[-1].last_error

    stage.will_act(reply, reply, reply)
    await agent.observe(Outcome(), stage.page("home"))
    assert await agent.act() == Wait(seconds=1)


async def test_the_plan_less_ablation_shows_the_closest_skills(stage: Scene) -> None:
    skills = (
        Skill(name="write a review", keywords=("stars",), steps=("Open the form.",)),
        Skill(name="buy a mug", keywords=("red",), steps=("Search.",)),
    )
    agent = await stage.started(open_agent("fcp:no-falsifiable-plan", memory=stage.memory(skills)))
    stage.will_act("done('x')")
    await agent.act()

    assert [skill.name for skill in stage.asked(EXECUTOR)[-1].skills] == ["buy a mug"]


def test_every_listed_name_opens_and_an_unknown_one_lists_them() -> None:
    assert {"react", "fcp", "fcp:no-repair", "fcp:no-testing", "fcp:slow-only"} <= set(AGENT_NAMES)
    for name in AGENT_NAMES:
        open_agent(name)
    for name in ("fpc", "fcp:", "fcp:no-such", "react:no-repair", ""):
        with pytest.raises(UserError, match="fcp:no-repair"):
            open_agent(name)


@pytest.mark.parametrize("name", ["react", "react:occam", "fcp:no-falsifiable-plan"])
def test_a_scorer_is_refused_where_nothing_is_tested(name: str) -> None:
    for scorer, image_scorer in (("hybrid", None), ("lexical", "siglip")):
        with pytest.raises(UserError, match=r"tests no evidence.*--scorer"):
            open_agent(name, scorer=scorer, image_scorer=image_scorer)
    assert isinstance(open_agent(name, scorer="lexical"), ReactAgent)
