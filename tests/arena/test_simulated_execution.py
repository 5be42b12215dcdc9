"""Mistakes of execution: how each starts, shows and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.simulated import (
    FIRST,
    HOME,
    Open,
    Still,
    committed,
    headphones,
    page,
    results,
)

from refute._errors import ModelReplyError
from refute.agents import (
    VERIFIER,
    Step,
    VerifierInput,
)
from refute.arena._simulated_misreading import misread
from refute.arena.shop import ShopWorld
from refute.arena.shop._procedures import OpenProduct, Report


class TestExecutionMistakes:
    async def test_a_wrong_element_is_one_click_and_then_its_branch(self, simulated: Open, world: ShopWorld) -> None:
        title, *others = (p.title for p in headphones(world))
        model = simulated(wrong_element=1.0)
        step = committed(OpenProduct(title))
        reply = await model.act(results(title, others), step)
        assert reply.action.startswith("click(")
        assert reply.action != "click('2')"
        assert [(m.mistake, m.scope) for m in model.started] == [("wrong_element", "execution")]
        await model.act(page("/catalogue/other_9/", links=("Home", "Audio")), step, steps=(Step(number=1, action="x"),))
        assert [m.mistake for m in model.started] == ["wrong_element", "wrong_branch"]
        assert model.ended == {1: "superseded"}

    async def test_a_wrong_branch_lasts_until_the_input_changes(self, simulated: Open, world: ShopWorld) -> None:
        title, *others = (p.title for p in headphones(world))
        model = simulated(wrong_branch=1.0, recover=0.0)
        step = committed(OpenProduct(title))
        for n in range(8):
            reply = await model.act(results(title, others, salt=str(n)), step)
            assert reply.action != "click('2')"
        assert len(model.started) == 1
        assert model.ended == {}
        await model.act(results(title, others), step, guidance="Go back and open the right product.")
        assert model.ended == {1: "input_changed"}

    async def test_a_wrong_branch_may_be_left_by_itself(self, simulated: Open, world: ShopWorld) -> None:
        title, *others = (p.title for p in headphones(world))
        model = simulated(wrong_branch=1.0, recover=1.0)
        step = committed(OpenProduct(title))
        await model.act(results(title, others), step)
        reply = await model.act(results(title, others, salt="later"), step)
        assert reply.action == "click('2')"
        assert model.ended == {1: "recovered"}

    async def test_a_rejected_action_is_not_proposed_again(self, simulated: Open, world: ShopWorld) -> None:
        title, *others = (p.title for p in headphones(world))
        rejected = ({"action": f"click('2') on link \"{title}\"", "reason": "not yet"},)
        reply = await simulated().act(results(title, others), committed(OpenProduct(title)), rejected=rejected)
        assert reply.action != "click('2')"

    async def test_an_unparsable_reply_is_over_with_the_next_try(self, simulated: Open, world: ShopWorld) -> None:
        model = simulated(unparsable=1.0)
        with pytest.raises(ModelReplyError):
            await model.act(HOME, committed(OpenProduct("x")))
        await model.backend.close()
        assert {m.mistake for m in model.started} == {"unparsable"}
        assert set(model.ended) == {m.id for m in model.started}
        assert list(model.ended.values()).count("retried") == len(model.started) - 1

    async def test_a_retry_throws_new_dice(self, simulated: Open) -> None:
        model = simulated(unparsable=0.3, truth=Still())
        answered = 0
        for n in range(40):
            question = VerifierInput(
                instructions=(FIRST,), commitment=committed(OpenProduct("x")), observation=page(f"/{n}/")
            )
            try:
                await model.call(VERIFIER, question)
                answered += 1
            except ModelReplyError:
                continue
        assert len(model.started) > 5
        assert answered > 30

    async def test_a_premature_done_is_over_when_it_is_not_believed(self, simulated: Open, world: ShopWorld) -> None:
        title, *others = (p.title for p in headphones(world))
        model = simulated(premature_done=1.0)
        step = committed(OpenProduct(title))
        reply = await model.act(results(title, others), step, summaries=("It was found.",))
        assert reply.action == "done('It was found.')"
        assert [(m.mistake, m.scope) for m in model.started] == [("premature_done", "planning")]
        rejected = ({"action": reply.action, "reason": "not yet"},)
        again = await model.act(results(title, others), step, summaries=("It was found.",), rejected=rejected)
        assert again.action == "click('2')"
        assert model.ended == {1: "input_changed"}

    async def test_a_misread_page_puts_a_wrong_value_into_the_report(self, simulated: Open) -> None:
        model = simulated(misread_page=1.0)
        report = committed(Report("The Velo Headphones 200 cost $54.99. It is rated 4.5 out of 5."))
        reply = await model.act(HOME, report)
        assert [(m.mistake, m.scope) for m in model.started] == [("misread_page", "execution")]
        right = "done('The Velo Headphones 200 cost $54.99. It is rated 4.5 out of 5.')"
        assert reply.action != right
        assert sum(a != b for a, b in zip(reply.action, right, strict=True)) == 1
        assert "Velo Headphones 200" in reply.action
        await model.act(HOME, report, guidance="look again")
        assert model.ended[1] == "input_changed"

    async def test_a_report_without_values_cannot_be_misread(self, simulated: Open) -> None:
        model = simulated(misread_page=1.0)
        reply = await model.act(HOME, committed(Report("Everything that was asked for is done.")))
        assert reply.action == "done('Everything that was asked for is done.')"
        assert model.started == []

    @given(st.text(alphabet="$0123456789. outfpieces", max_size=60), st.floats(0, 1, exclude_max=True))
    def test_misreading_changes_one_digit_of_a_value_or_nothing(self, message: str, roll: float) -> None:
        told = misread(message, roll)
        assert len(told) == len(message)
        changed = [(a, b) for a, b in zip(message, told, strict=True) if a != b]
        assert len(changed) <= 1
        assert all(a.isdigit() and b.isdigit() for a, b in changed)
