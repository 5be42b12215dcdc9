"""What is remembered of pages that have gone: short, without dead numbers, and with what was said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from refute.agents import (
    EXECUTOR,
    FINAL_CHECKER,
    INTERPRETER,
    REPAIRER,
    REVISER,
    VERIFIER,
    Draft,
    ExecutorInput,
    FcpSettings,
    FinalChecked,
    FinalCheckOutput,
    Finding,
    InterpreterOutput,
    PlanEntry,
    Reading,
    RepairerOutput,
    ReviserOutput,
    Ruling,
    Scope,
    ShownBy,
)
from refute.agents._history import PAGES_KEPT, History
from refute.agents._said import LONGEST, MOST, lasting, said
from refute.browser import Done, Element, Observation, PageEvent
from refute.goals import Goal, Revision

if TYPE_CHECKING:
    from tests.agents.conftest import Stage as Scene

ADDED = 'navigation:\n [1] link "Home" -> /\nalert:\n Red Mug has been added.\n [2] button "Close"\n# Basket'
FIND, BASKET = Draft(subgoal="Find the red mug"), Draft(subgoal="If it has fewer than three reviews, buy it")


def page(text: str, *events: PageEvent) -> Observation:
    return Observation(url="http://shop/", text=text, events=events)


def test_messages_and_dialogs_are_told_and_controls_beside_them_are_not() -> None:
    seen = page(
        ADDED, PageEvent(type="dialog", text="alert:  Sure?"), PageEvent(type="console_error", text="x is null")
    )
    assert said(seen) == ("alert: Sure?", "Red Mug has been added.")
    assert said(page('status "Basket: now":\n 2 items\n# status of orders\nlog:\n  one\n   two\nend')) == (
        "2 items",
        "one",
        "two",
    )
    assert said(page("Statuses: new\nalerting: no")) == ()


@given(st.sampled_from(["status of order 5", "log in to see prices", "alert level", "status"]), st.text(min_size=1))
def test_what_only_reads_like_a_message_is_none(begin: str, text: str) -> None:
    words = " ".join(text.split()) or "x"
    assert said(page(f"{begin}: {words} more\n Members only\n  Below")) == ()


@given(st.text(), st.lists(st.text(), max_size=8))
def test_a_page_has_a_few_short_words_at_most(text: str, events: list[str]) -> None:
    told = said(page(text, *(PageEvent(type="dialog", text=e) for e in events)))
    assert len(told) <= MOST
    assert all(0 < len(line) <= LONGEST and "\n" not in line for line in told)


def test_numbers_the_focus_and_what_lay_over_what_do_not_outlive_the_page() -> None:
    text = (
        '[4] textbox "Name" (value="[3] b", focused)\n- [5] link "A" (covered by div#veil) and [6] button "B" (focused)'
    )
    assert lasting(text) == 'textbox "Name" (value="[3] b")\n- link "A" and button "B"'


def test_a_page_s_own_brackets_are_no_number() -> None:
    text = "[5] stars by ann\nReview [5] stars; see [12] items"
    assert lasting(text) == text


def test_a_page_is_shown_by_what_the_page_in_front_does_not_show_and_its_message_stays() -> None:
    history, menu = History(), 'navigation:\n [{}] link "Home" -> /'
    history.add("a", "ok", page(f"{menu.format(1)}\n# Mugs\nRed mug"))
    history.add("b", "ok", page(ADDED))
    for number in range(9):
        history.add("c", "ok", page(f"{menu.format(number)}\n# Page {number}"))
    early = history.steps(now=page(f"{menu.format(44)}\n# Page 9").text)
    assert (early[-PAGES_KEPT].shown, early[-PAGES_KEPT].page) == ("rest", "# Page 4")
    assert (early[1].shown, early[1].page, early[1].said) == ("dropped", "", ("Red Mug has been added.",))
    prompt = _prompt(history)
    assert prompt.count("> (said) Red Mug has been added.") == 1
    assert "[1] link" not in prompt


def test_a_message_that_stays_is_told_once() -> None:
    history = History()
    for text in (ADDED, f"{ADDED}\nmore", "# Elsewhere", ADDED):
        history.add("a", "ok", page(text))
    assert [len(step.said) for step in history.steps()] == [1, 0, 0, 1]


def test_a_message_of_a_page_that_was_loaded_anew_is_told_anew() -> None:
    """Two mugs are put into the basket, and both times the site says so; the third time nothing was loaded."""
    history = History()
    for number in (2, 9, 9):
        elements = (Element(id=number, role="button", name="Close"),)
        history.add("add", "ok", page(ADDED).model_copy(update={"elements": elements}))
    assert [step.said for step in history.steps()] == [("Red Mug has been added.",)] * 2 + [()]


def test_a_long_message_that_the_page_shows_is_not_told_beside_it() -> None:
    history, long = History(), "It  was added " * 30
    history.add("a", "ok", page(f"# Mug\nalert:\n {long}"))
    history.add("b", "ok", page("# Page 9"))
    prompt = _prompt(history)
    assert "# Mug" in prompt
    assert "(said)" not in prompt


def _prompt(history: History) -> str:
    seen = page("# Page 9")
    question = ExecutorInput(instructions=("Buy.",), observation=seen, steps=history.steps(now=seen.text))
    return EXECUTOR.render(question)[1]


async def test_what_a_repair_read_off_the_page_reaches_the_steps_that_stay(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(), FIND, BASKET)
    fact = "The red mug has 1 review, so fewer than three"
    stage.will_object(Scope.EXECUTION)
    stage.will(REPAIRER, RepairerOutput(scope=Scope.EXECUTION, guidance="Go on.", observed=(fact, " ", fact)))
    await stage.step(agent, "click('4')", stage.page("1 review"), changed=False)
    stage.will_act("click('4')")
    await agent.act()
    assert stage.asked(EXECUTOR)[-1].notes == (fact,)
    assert f"- {fact}\n" in EXECUTOR.render(stage.asked(EXECUTOR)[-1])[1]


async def test_what_a_revision_read_off_the_page_reaches_a_step_that_is_kept(stage: Scene) -> None:
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False)), FIND, BASKET)
    fact, revision = "The red mug has 1 review", Revision(text="Tell me the number of reviews.")
    stage.will(REVISER, ReviserOutput(observed=(fact,), plan=(PlanEntry(keep=1), PlanEntry(keep=2))))
    await agent.revise(Goal(instructions=("Buy the red mug.",)).append(revision), revision, stage.page("1 review"))
    stage.will_act("click('3')")
    stage.will_continue()
    await agent.act()
    assert stage.asked(EXECUTOR)[-1].notes == (fact,)
    assert fact in VERIFIER.render(stage.asked(VERIFIER)[-1])[1]


async def test_the_final_check_may_quote_what_was_said_on_the_way_and_its_cues_are_kept(stage: Scene) -> None:
    bought = Reading(text="Red Mug has been added.", instruction=1)
    told = Reading(text="The report is short", instruction=1, shown_by=ShownBy.MESSAGE)
    stage.will(INTERPRETER, InterpreterOutput(constraints=(bought, told)))
    agent = await stage.started(stage.fcp(FcpSettings(state_test=False), final_check=True), FIND)
    for text in (ADDED, "# Elsewhere"):
        await stage.step(agent, "click('4')", stage.page(text))
    stage.will_act("done('Bought.')", "done('Bought.')")
    finding = Finding(number=1, ruling=Ruling.MET, quote="Red Mug has been added.")
    stage.will(FINAL_CHECKER, FinalCheckOutput(findings=(finding, Finding(number=2, ruling=Ruling.UNKNOWN))))
    assert await agent.act() == Done(message="Bought.")

    [checked] = stage.events(FinalChecked)
    assert (checked.findings[0].ruling, checked.findings[0].source) == (Ruling.MET, "said on the way")
    assert [(c.number, c.support, c.contradiction, c.source) for c in checked.cues] == [
        (1, 1.0, 0.0, "said on the way"),
        (2, 0.0, 0.0, ""),
    ]
    assert "said on the way" in checked.cues[0].told
    assert checked.scorer == "literal"
