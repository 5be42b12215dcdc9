"""The hybrid trigger: the model alone delivers, and is asked only where a cheap score or its patience says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refute.browser import Observation
from refute.evidence import LEXICAL, EachStatement, Label, Verdict, word_overlap
from refute.goals import Goal, Milestone, Task
from refute.revisions import (
    HybridTrigger,
    MilestoneTrigger,
    Schedule,
    ScoredTrigger,
    Screen,
    Strategy,
    TriggerAsked,
    TriggerMode,
    TriggerOutput,
    plausibility,
)
from refute.trace import Recorder, read_trace

LISTED = Milestone(text="Kettles that the shop sells have been found.")
GOAL = Goal(instructions=("Buy a kettle.",))


def page(text: str, title: str = "") -> Observation:
    return Observation(url="http://127.0.0.1/", title=title, text=text, digest=text)


class Says:
    """A model that says what it is told to, and counts."""

    def __init__(self, *, reached: bool = True, confidence: float = 0.9) -> None:
        self.answer = TriggerOutput(reached=reached, confidence=confidence)
        self.asked = 0

    async def call(self, role: Any, value: Any) -> Any:
        self.asked += 1
        return self.answer


def scores(*values: float) -> EachStatement:
    """A scorer that gives these, one a page."""
    left = iter(values)
    return EachStatement(
        "given", lambda text, statement: Verdict(label=Label.UNKNOWN, support=next(left), contradiction=0.0)
    )


@settings(deadline=None)
@given(
    looks=st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.floats(0, 1), st.booleans()), max_size=20),
    threshold=st.floats(0.01, 1),
    patience=st.integers(0, 5),
)
async def test_it_fires_only_where_the_model_was_asked_and_said_so(
    looks: list[tuple[float, bool, float, bool]], threshold: float, patience: int
) -> None:
    model, screen = Says(), Screen(threshold=threshold, patience=patience)
    trigger = HybridTrigger(MilestoneTrigger(model), screen, scorer=scores(*(score for score, *_ in looks)))
    unasked = 0
    for score, reached, confidence, last in looks:
        model.answer = TriggerOutput(reached=reached, confidence=confidence)
        before = model.asked
        answer = await trigger.ask(LISTED, GOAL, page("nothing of it"), last=last)
        asked = model.asked > before
        assert answer.fired == (asked and reached and confidence >= 0.8)
        assert (answer.reached is not None) == asked
        assert (answer.plausibility, answer.threshold) == (score, threshold)
        assert asked or (score < threshold and not last)
        unasked = 0 if asked else unasked + 1
        assert unasked <= patience


async def test_a_milestone_that_the_score_cannot_see_is_asked_about_after_a_while() -> None:
    model = Says()
    trigger = HybridTrigger(MilestoneTrigger(model), Screen(patience=2))
    mice = Milestone(text="Mice have been found.")
    fired = [(await trigger.ask(mice, GOAL, page('[1] link "Arbor Mouse"'))).fired for _ in range(3)]
    assert fired == [False, False, True]
    await trigger.ask(LISTED, GOAL, page("nothing of it"))
    assert model.asked == 1, "the patience of a milestone begins with the milestone"


async def test_every_look_is_in_the_trace_with_its_score_and_threshold(tmp_path: Path) -> None:
    task = Task.model_validate(
        {
            "id": "kettle",
            "template": "buy",
            "start_urls": ["__SITE__/"],
            "initial_instruction": "Buy a kettle.",
            "static_instruction": "Buy a white kettle.",
            "revisions": [{"text": "A white one.", "kind": "additive", "milestone": LISTED.model_dump()}],
            "constraints": [{"id": "kettle", "text": "A kettle.", "bound_to": 0}],
        }
    )
    with Recorder(tmp_path) as recorder:
        trigger = HybridTrigger(MilestoneTrigger(Says()), Screen())
        schedule = Schedule(task, trigger=trigger, strategy=Strategy.APPEND, recorder=recorder)
        assert await schedule.due(page('[1] heading "Lamps"')) is None
        assert await schedule.due(page('[1] heading "Kettle"')) is not None
    looks = read_trace(tmp_path).of(TriggerAsked)
    told = [(look.plausibility, look.threshold, look.reached, look.fired, look.last) for look in looks]
    assert told == [(0.0, 0.2, None, False, False), (0.25, 0.2, True, True, False)]


async def test_a_claim_to_be_done_is_always_asked_about(tmp_path: Path) -> None:
    model = Says(reached=False)
    trigger = HybridTrigger(MilestoneTrigger(model), Screen(threshold=1, patience=9))
    assert not (await trigger.ask(LISTED, GOAL, page("nothing of it"))).fired
    assert not (await trigger.ask(LISTED, GOAL, page("nothing of it"), last=True)).fired
    assert model.asked == 1


async def test_the_milestone_trigger_notes_the_score_and_pays_no_heed_to_it() -> None:
    trigger = ScoredTrigger(MilestoneTrigger(Says()))
    answer = await trigger.ask(LISTED, GOAL, page("nothing of it"))
    assert (answer.fired, answer.plausibility, answer.threshold) == (True, 0.0, None)
    assert trigger.mode is TriggerMode.MILESTONE


async def test_a_page_is_as_plausible_as_the_better_of_the_score_and_the_words() -> None:
    assert await plausibility(LEXICAL, LISTED, page("", title="Kettles")) == 0.25
    assert await plausibility(scores(0.7), LISTED, page('[1] link "Kettle"')) == 0.7
    basket = Milestone(text="A Sonex notebook is in the basket.")
    assert await plausibility(LEXICAL, basket, page("Added to your basket: a Sonex notebook")) == 1.0


@given(st.text(), st.text())
def test_an_overlap_is_a_share(text: str, statement: str) -> None:
    assert 0 <= word_overlap(text, statement) <= 1
