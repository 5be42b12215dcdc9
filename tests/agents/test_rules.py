"""Rules that need no scores: circles, error pages, tabs, and the risk of what is about to be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.agents import (
    REPAIRER,
    VERIFIER,
    Confirmation,
    Decision,
    Draft,
    Falsifier,
    FcpSettings,
    Proposal,
    Repaired,
    RepairerOutput,
    Route,
    Scope,
    Skill,
    Tested,
    Verified,
    anomaly,
)
from refute.agents import Stage as When
from refute.agents.fcp._loops import Loops, Turn
from refute.browser import Click, Observation, Outcome, Tab

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

FIND = Draft(subgoal="Find the red mug")


async def reasons(stage: Scene, *steps: tuple[str, str]) -> list[str]:
    """What the state tests say of these actions and the pages that they lead to; the verifier lets all of it go on."""
    agent = await stage.started(stage.fcp(), FIND)
    for action, text in steps:
        stage.will_continue()
        await stage.step(agent, action, stage.page(text))
    return [e.reason for e in stage.events(Tested) if e.phase == "state"]


async def test_the_same_click_on_the_same_page_for_the_third_time_is_a_circle(stage: Scene) -> None:
    found = await reasons(
        stage,
        ("scroll('down')", "home"),
        ("click('4')", "a"),
        ("scroll('up')", "home"),
        ("click('4')", "b"),
        ("click('4')", "home"),
        ("click('4')", "c"),
    )
    assert found[-1] == "rule: the same action on the same page for the 3rd time"
    assert not any(reason.startswith("rule") for reason in found[:-1])


async def test_going_to_and_fro_twice_is_a_circle(stage: Scene) -> None:
    found = await reasons(
        stage, ("click('4')", "details"), ("click('2')", "home"), ("click('4')", "details"), ("click('2')", "home")
    )
    assert found[-1] == "rule: the last 2 actions repeat the 2 before, on the same pages"


@pytest.mark.parametrize(("skill", "scope"), [("search", Scope.SKILL), (None, Scope.PLANNING)])
async def test_the_third_circle_is_repaired_whatever_the_verifier_said_of_two(
    stage: Scene, skill: str | None, scope: Scope
) -> None:
    skills = (Skill(name="search", keywords=("mug",), steps=("Type the name.",)),)
    agent = await stage.started(stage.fcp(skills=skills), FIND.model_copy(update={"skill": skill}))
    stage.will(REPAIRER, RepairerOutput(scope=scope, guidance="Not that way.", commitments=(FIND,)))
    for number in range(12):
        stage.will_continue()
        await stage.step(agent, "click('4')", stage.page("details" if number % 2 == 0 else "home"))

    [repaired] = stage.events(Repaired)
    assert (repaired.scope, repaired.diagnosis.scope) == (scope, scope)
    assert "round in circles" in repaired.diagnosis.pattern
    assert len([e for e in stage.events(Tested) if e.reason.startswith("rule")]) == 3


@pytest.mark.parametrize("settings", [FcpSettings(repair=False), FcpSettings(max_repairs=0)])
async def test_a_circle_that_cannot_be_repaired_is_the_verifiers_to_judge(stage: Scene, settings: FcpSettings) -> None:
    agent = await stage.started(stage.fcp(settings), FIND)
    for number in range(11):
        stage.will_continue()
        await stage.step(agent, "click('4')", stage.page("details" if number % 2 == 0 else "home"))
    stage.model.replies[VERIFIER.name].clear()
    stage.will_advance("Seen.")
    await stage.step(agent, "click('4')", stage.page("home"))

    assert len([e for e in stage.events(Tested) if e.reason.startswith("rule")]) == 3
    assert stage.events(Verified)[-1].decision is Decision.ADVANCE
    assert stage.all_used()


async def test_another_skill_starts_without_the_circles_of_the_one_before(stage: Scene) -> None:
    skills = (Skill(name="search", keywords=("mug",), steps=("Type the name.",)),)
    agent = await stage.started(stage.fcp(skills=skills), FIND.model_copy(update={"skill": "search"}))
    stage.will(REPAIRER, RepairerOutput(scope=Scope.SKILL, commitments=(FIND,)))
    for number in range(16):  # three circles, of which the last is repaired, and one with the new way
        stage.will_continue()
        await stage.step(agent, "click('4')", stage.page("details" if number % 2 == 0 else "home"))

    assert len([e for e in stage.events(Tested) if e.reason.startswith("rule")]) == 4
    assert len(stage.events(Repaired)) == 1


async def test_another_step_starts_without_the_circles_of_the_one_before(stage: Scene) -> None:
    done = Draft(subgoal="Look", confirming=(Confirmation(stage=When.COMPLETION, statement="all seen"),))
    agent = await stage.started(stage.fcp(), done, FIND)
    await stage.step(agent, "click('4')", stage.page("details"))
    await stage.step(agent, "click('4')", stage.page("home"))
    stage.will_advance("Seen.")
    await stage.step(agent, "click('4')", stage.page("all seen"))
    await stage.step(agent, "click('4')", stage.page("details"))
    await stage.step(agent, "click('4')", stage.page("home"))

    assert not [e.reason for e in stage.events(Tested) if e.reason.startswith("rule")]


TURNS = st.lists(st.builds(Turn, st.sampled_from("abc"), st.sampled_from("xy")), max_size=30)


@given(TURNS)
def test_a_circle_is_said_only_where_something_was_done_twice_before_its_end(turns: list[Turn]) -> None:
    loops = Loops()
    since: list[Turn] = []
    for turn in turns:
        since.append(turn)
        if loops.take(turn):
            assert since.count(turn) >= 2
            since.clear()
        else:
            assert since.count(turn) < 3


@pytest.mark.parametrize("status", [404, 500, 503])
async def test_a_server_that_answers_with_an_error_is_an_anomaly_whatever_the_page_says(
    stage: Scene, status: int
) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    stage.will_continue()
    page = stage.page("a fine page").model_copy(update={"status": status})
    await stage.step(agent, "click('4')", page)

    assert stage.events(Tested)[0].reason == f"rule: the server answered with an error page (HTTP {status})"


def tabs(*titles: str, front: int = 1) -> tuple[Tab, ...]:
    return tuple(Tab(number=n, title=t, url="http://shop/", active=n == front) for n, t in enumerate(titles, start=1))


async def test_a_tab_that_opens_onto_an_error_and_one_that_closes_by_itself_are_anomalies(stage: Scene) -> None:
    home = stage.page("home").model_copy(update={"tabs": tabs("Shop")})
    agent = await stage.started(stage.fcp(), FIND, page=home)
    stage.will_continue()
    broken = stage.page("home 2").model_copy(update={"tabs": tabs("Shop", "404 Not Found")})
    await stage.step(agent, "click('4')", broken)
    stage.will_continue()
    closed = stage.page("home 3").model_copy(update={"tabs": (tabs("Shop", "404 Not Found")[1],)})
    await stage.step(agent, "click('4')", closed)
    stage.will_act("close_tab()")
    stage.will_continue()
    await agent.act()
    await agent.observe(
        Outcome(), stage.page("home 4").model_copy(update={"tabs": (Tab(number=9, title="x", url="u"),)})
    )

    found = [e.reason for e in stage.events(Tested) if e.phase == "state"]
    assert found[:2] == ["rule: a tab opened onto an error page", "rule: the tab closed by itself"]
    assert not found[2].startswith("rule")


async def test_an_order_is_always_asked_about_and_a_search_only_for_what_speaks_against_it(stage: Scene) -> None:
    pressed = Falsifier(scope=Scope.PLANNING, statement="anything else", before_action=True)
    agent = await stage.started(stage.fcp(), Draft(subgoal="Order it", falsifying=(pressed,)))
    stage.will_continue()
    await stage.step(agent, "click('3')", stage.page("ordered"))
    await stage.step(agent, "click('1')", stage.page("results"))

    order, search = (e for e in stage.events(Tested) if e.phase == "action")
    assert (order.risk, order.route) == (0.65, Route.VERIFY)
    assert (search.risk, search.route) == (0.0, Route.CONTINUE)
    assert [q.proposed for q in stage.asked(VERIFIER)] == ["click('3') on button \"Place order\""]


async def test_what_only_acts_keeps_the_plain_risk(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND)
    await stage.step(agent, "click('2')", stage.page("added"))

    assert [e.risk for e in stage.events(Tested) if e.phase == "action"] == [0.3]


@pytest.mark.parametrize(
    ("title", "text", "reasoning", "fires"),
    [
        ("Login or register | Shop", "", "Open the mug.", True),
        ("Sign in - Accounts", "", "Open the mug.", True),
        ("Checkout", '[4] textbox "Your password *" (value="", required)', "Open the mug.", True),
        ("Login or register | Shop", "", "Sign in with the address.", False),
        ("Logistics for signings | Shop", "", "Open the mug.", False),
        ("Mugs", "Forgot your password? We do not.", "Open the mug.", False),
    ],
)
def test_a_page_to_sign_in_is_an_anomaly_where_nobody_meant_to(
    title: str, text: str, reasoning: str, fires: bool
) -> None:
    taken = Proposal(action=Click(target=1), text="click('1')", words='click link "Mug"', reasoning=reasoning)
    before, there = (
        Observation(url="http://shop/", title="Shop"),
        Observation(url="http://shop/x", title=title, text=text),
    )
    assert ("sign in" in anomaly(taken, Outcome(), there, before=before)) is fires
    assert anomaly(taken, Outcome(), there, before=there) == "", "it asked before: whoever stays there knows"
