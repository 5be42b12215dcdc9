"""The executor's page and actions shaped after AgentOccam: less to read, nothing lost that can be acted on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.agents import EXECUTOR, PIVOTAL_EXECUTOR, Draft, FcpSettings, PivotalOutput, Proposed, ReactAgent, Shaping
from refute.agents._shaping import offered_actions, pivotal_lines, shape
from refute.browser import Click, Element, Observation, Outcome, PageEvent, Tab

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

    from refute.agents import Agent

RECORDED = (Path(__file__).parent.parent / "evidence" / "shop_pages.txt").read_text(encoding="utf-8")
PAGES = [part.partition("\n")[2].partition("\n\n=== ")[0] for part in RECORDED.split("=== ")[1:]]
LIST = """\
navigation:
banner:
 (img "Shop")
 [1] link "Shop" -> /
Kettles
# Kettles
Found 2
results.
[2] link "Red kettle" -> /red_1/
Red kettle
| Red kettle | $4
# Kettles
[3] button "Menu" (collapsed, popup)
[4] button "Buy" (disabled, focused)"""


def of(text: str, **more: object) -> Observation:
    return Observation.model_validate({"url": "http://shop/", "text": text, **more})


def test_repeats_pictures_addresses_and_empty_regions_go_and_the_rest_stays() -> None:
    assert shape(of(LIST)).splitlines() == [
        "banner:",
        ' [1] link "Shop"',
        "# Kettles",
        "Found 2 results.",
        '[2] link "Red kettle"',
        "| Red kettle | $4",
        '[3] button "Menu"',
        '[4] button "Buy" (disabled)',
    ]


@pytest.mark.parametrize("text", PAGES)
def test_on_pages_of_the_shop_every_element_price_and_heading_stays(text: str) -> None:
    shaped = shape(of(text))
    assert len(shaped) < 0.9 * len(text)
    for pattern in (r"\[\d+\] \w+(?: \"[^\"]*\")?", r"\$[\d.]+", r"(?m)^ *# .+$"):
        assert set(re.findall(pattern, text)) == set(re.findall(pattern, shaped))


LINES = st.lists(
    st.sampled_from(["# A", "a", "b", "- c", '[1] link "a" -> /x', "| a | b", "list:", " deeper", ' [2] button "b"']),
    max_size=14,
)


@given(LINES)
def test_shaping_never_loses_an_element_and_shaping_twice_loses_none_either(
    lines: list[str],
) -> None:
    text = "\n".join(lines)
    shaped = shape(of(text))
    assert re.findall(r"\[\d+\]", shaped) == re.findall(r"\[\d+\]", text)
    assert re.findall(r"\[\d+\]", shape(of(shaped))) == re.findall(r"\[\d+\]", text)
    assert len(shaped) <= len(text)


def test_a_tree_is_left_as_it_is() -> None:
    assert shape(of(LIST, form="axtree")) == LIST


def test_actions_are_offered_where_the_page_has_a_use_for_them() -> None:
    plain = offered_actions(of("x"))
    assert not {"hover", "press", "goto", "wait", "scroll", "answer_dialog", "focus_tab"} & set(plain)
    assert {"click", "fill", "note", "done", "back"} <= set(plain)
    assert "scroll" in offered_actions(of("x", below=3))
    assert "scroll" not in offered_actions(of("x", below=3, extent="page"))
    assert "focus_tab" in offered_actions(of("x", tabs=(Tab(title="a", url="u"), Tab(title="b", url="u"))))
    assert "answer_dialog" in offered_actions(of("x", events=(PageEvent(type="dialog", text="Sure?"),)))


def test_too_many_pivotal_lines_are_no_reminder() -> None:
    text = "\n".join(f'[{n}] link "x"' for n in range(1, 60))
    assert pivotal_lines(text, {3, 4}) == ('[3] link "x"', '[4] link "x"')
    assert pivotal_lines(text, range(1, 60)) == ()


def page(number: int) -> Observation:
    text = f'page {number}\n[1] link "One" -> /1\n[2] link "Two" -> /2\n[3] link "Three" -> /3'
    names = ("One", "Two", "Three")
    elements = tuple(Element(id=n, role="link", name=name) for n, name in enumerate(names, start=1))
    return Observation(url="http://shop/", text=text, elements=elements, digest=str(number))


async def walked(stage: Scene, agent: Agent) -> str:
    """The executor's prompt after five actions, on whose pages it called element 3 pivotal."""
    for number in range(1, 6):
        stage.will(PIVOTAL_EXECUTOR, PivotalOutput(action="click('1')", pivotal=(3,)))
        assert await agent.act() == Click(target=1)
        await agent.observe(Outcome(), page(number))
    stage.will(PIVOTAL_EXECUTOR, PivotalOutput(action="click('1')"))
    await agent.act()
    return PIVOTAL_EXECUTOR.render(stage.asked(PIVOTAL_EXECUTOR)[-1])[1]


@pytest.mark.parametrize("planned", [True, False])
async def test_of_past_pages_only_what_was_pivotal_is_shown_and_only_of_the_latest(stage: Scene, planned: bool) -> None:
    if planned:
        settings = FcpSettings(shaping=Shaping.OCCAM, state_test=False, action_test=False)
        agent: Agent = await stage.started(stage.fcp(settings), Draft(subgoal="Look"), page=page(0))
    else:
        agent = await stage.started(ReactAgent(shaping=Shaping.OCCAM), page=page(0))
    prompt = await walked(stage, agent)

    past, _, now = prompt.partition("The page now:")
    assert past.count('> [3] link "Three"') == 3
    assert past.count('> [1] link "One"') == 3, "what was acted on is pivotal, too"
    assert '[2] link "Two"' not in past
    assert '[2] link "Two"' in now
    assert "-> /2" not in prompt
    assert len(re.findall(r"^a\d\.", past, re.MULTILINE)) == 5, "actions are complete"


@pytest.mark.parametrize("line", ["pivotal: 3, 7", "`pivotal` = [3, 7]"])
def test_what_is_pivotal_is_read_from_a_fenced_reply_too(line: str) -> None:
    assert PIVOTAL_EXECUTOR.fenced is not None
    answer = PIVOTAL_EXECUTOR.fenced(f"It is here.\nsubgoal_done: true\n{line}\n```action\nclick('1')\n```")

    expected = PivotalOutput(reasoning="It is here.", action="click('1')", subgoal_done=True, pivotal=(3, 7))
    assert answer == expected
    assert "pivotal: 3, 7\n" in PIVOTAL_EXECUTOR.fence_help
    assert "pivotal" not in EXECUTOR.fence_help


async def test_an_action_that_is_not_offered_is_told_and_asked_again(stage: Scene) -> None:
    agent = await stage.started(ReactAgent(shaping=Shaping.OCCAM), page=page(0))
    stage.will(PIVOTAL_EXECUTOR, PivotalOutput(action="hover('1')"), PivotalOutput(action="click('1')"))

    assert await agent.act() == Click(target=1)
    assert "hover is not offered; choose among click," in stage.events(Proposed)[0].problem
    system = PIVOTAL_EXECUTOR.render(stage.asked(PIVOTAL_EXECUTOR)[0])[0]
    assert "click('12')" in system
    assert "drag(" not in system
    assert "press(" not in system
