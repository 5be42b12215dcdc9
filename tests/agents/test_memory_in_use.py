"""What the agent does with memory: who is shown which record, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refute.agents import (
    EXECUTOR,
    PLANNER,
    REPAIRER,
    Commitment,
    Diagnosis,
    Draft,
    FailureRepair,
    Falsifier,
    FcpAgent,
    FcpSettings,
    Library,
    Memory,
    PlannerInput,
    ReactAgent,
    RecalledFailure,
    RepairerInput,
    RepairerOutput,
    Retrieved,
    Scope,
    Skill,
)
from refute.agents.fcp._settings import VARIANTS
from refute.agents.memory import Found, Origin, RecallSettings, RepairStrategy
from refute.browser import Observation

from .words import WordEmbedder

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

SEARCH = Skill(
    name="search_mugs",
    applicability="A mug is looked for.",
    steps=("Type the name.",),
    success="Mugs are listed.",
    precautions="Colours differ.",
)
WRONG_LIST = FailureRepair(
    query="Buy the red mug.",
    pattern="The list holds kettles.",
    analysis="The page was titled Kettles.",
    strategy=RepairStrategy.BACKTRACK,
    plan="Go back to the list of mugs.",
    lessons="Watch the title of the list.",
)
SOLD_OUT = FailureRepair(query="Buy the blue cup.", pattern="It is sold out.", strategy=RepairStrategy.REPLAN)
FIND = Draft(
    subgoal="Find the red mug",
    skill="search_mugs",
    falsifying=(Falsifier(scope=Scope.EXECUTION, statement="Kettles are shown"),),
)


async def drift(stage: Scene, settings: FcpSettings | None = None) -> None:
    """An episode in which the first step goes wrong and is repaired."""
    agent = stage.fcp(settings, skills=(SEARCH,), failures=(SOLD_OUT, WRONG_LIST))
    await stage.started(agent, FIND)
    stage.will_object(Scope.EXECUTION, "The list holds kettles.")
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Open Mugs."))
    await stage.step(agent, "click('4')", stage.page("Kettles are shown"))


async def test_planner_and_repairer_are_shown_failures_of_similar_tasks(stage: Scene) -> None:
    await drift(stage)
    assert stage.asked(PLANNER)[0].failures == (WRONG_LIST, SOLD_OUT)
    recalled = stage.asked(REPAIRER)[0].failures
    assert [r.failure for r in recalled] == [WRONG_LIST, SOLD_OUT]
    assert recalled[0].found.score > recalled[1].found.score
    events = stage.events(Retrieved)
    assert [(e.what, e.occasion) for e in events] == [
        ("skills", "start"),
        ("failures", "start"),
        ("failures", "repair"),
    ]
    assert [f.name for f in events[-1].found] == [WRONG_LIST.id, SOLD_OUT.id]


async def test_without_the_failure_library_nobody_is(stage: Scene) -> None:
    await drift(stage, FcpSettings(failure_library=False))
    assert stage.asked(PLANNER)[0].failures == ()
    assert stage.asked(REPAIRER)[0].failures == ()
    assert [event.what for event in stage.events(Retrieved)] == ["skills"]


async def test_a_skill_that_came_along_is_marked_where_it_is_shown(stage: Scene) -> None:
    task = (Origin(site="shop", task="t1"),)
    found = SEARCH.model_copy(update={"sources": task})
    other = Skill(name="xylophone", applicability="Zzz.", steps=("Qqq.",), sources=task)
    recall = RecallSettings(floor=0.01, skills=1)
    memory = Memory(Library(skills=(other, found)), embedder=WordEmbedder(), settings=recall)
    await stage.started(FcpAgent(settings=FcpSettings(final_check=False), memory=memory), FIND)
    agent = await stage.started(ReactAgent(memory=memory))
    stage.will_act("click('4')")
    await agent.act()

    for _, user in (PLANNER.render(stage.asked(PLANNER)[0]), EXECUTOR.render(stage.asked(EXECUTOR)[0])):
        assert "- search_mugs: A mug" in user
        assert "- xylophone (came along with one above): Zzz." in user


async def test_progressive_disclosure_keeps_the_steps_for_the_executor(stage: Scene) -> None:
    await drift(stage, VARIANTS["progressive"])
    assert stage.asked(PLANNER)[0].skills == (SEARCH.brief,)
    assert stage.asked(REPAIRER)[0].skills == (SEARCH.brief,)
    assert stage.asked(EXECUTOR)[0].skill == SEARCH
    _, user = PLANNER.render(stage.asked(PLANNER)[0])
    assert "A mug is looked for." in user
    assert "Mugs are listed." in user
    assert "Type the name." not in user
    assert "Colours differ." not in user


PAGE = Observation(url="http://shop/", text="home")


def test_the_planner_reads_what_went_wrong_before_as_a_hint_for_falsifiers() -> None:
    question = PlannerInput(instructions=("Buy.",), observation=PAGE, failures=(WRONG_LIST,))
    system, user = PLANNER.render(question)
    assert "falsifier watch for it" in system
    for text in ("The list holds kettles.", "mended by: backtrack: Go back", "lesson: Watch the title"):
        assert text in user
    plain_system, plain_user = PLANNER.render(question.model_copy(update={"failures": ()}))
    assert "falsifier watch for it" not in plain_system
    assert "went wrong" not in plain_user


def test_the_repairer_reads_how_similar_a_failure_is_and_that_it_is_no_order() -> None:
    question = RepairerInput(
        instructions=("Buy.",),
        observation=PAGE,
        commitment=Commitment(number=1, subgoal="Find it"),
        diagnosis=Diagnosis(scope=Scope.EXECUTION),
        failures=(RecalledFailure(failure=WRONG_LIST, found=Found(name=WRONG_LIST.id, score=0.625)),),
    )
    system, user = REPAIRER.render(question)
    assert "a hint and no order" in system
    assert "similarity 0.62" in user
    assert "seen: The page was titled Kettles." in user
