"""Who knows what: the planner the truth, the executor only its text."""

from __future__ import annotations

from tests.arena.simulated import (
    FIRST,
    HOME,
    REVISION,
    Open,
    Sealed,
    added,
    committed,
    headphones,
    page,
    results,
    right_product,
)

from refute._errors import ModelReplyError
from refute.agents import (
    PLANNER,
    PlannerInput,
)
from refute.arena.shop import ShopWorld
from refute.arena.shop._procedures import CheckOut, OpenProduct, Report, read
from refute.llm import Request


class TestWhoKnowsWhat:
    async def test_the_planner_plans_for_the_instructions_it_got(self, simulated: Open, world: ShopWorld) -> None:
        for texts, taken in (((FIRST,), ()), ((FIRST, REVISION), (1,))):
            plan = await simulated().call(PLANNER, PlannerInput(instructions=texts, observation=HOME))
            assert added(plan) == {right_product(world, *taken).title}
            steps = [read(d.subgoal) for d in plan.commitments]
            assert isinstance(steps[-2], CheckOut)
            assert isinstance(steps[-1], Report)

    async def test_a_revision_inside_a_merged_text_is_recognised(self, simulated: Open, world: ShopWorld) -> None:
        merged = f"{FIRST} Also: {REVISION} Thanks!"
        plan = await simulated().call(PLANNER, PlannerInput(instructions=(merged,), observation=HOME))
        assert added(plan) == {right_product(world, 1).title}

    async def test_the_executor_never_asks_the_site(self, simulated: Open, world: ShopWorld) -> None:
        model = simulated(truth=Sealed(), wrong_element=0.3, wrong_branch=0.3, recover=0.3, unparsable=0.2)
        title, *others = (p.title for p in headphones(world))
        acted = 0
        for n in range(60):
            shown = results(title, others, salt=str(n))
            try:
                await model.act(shown, committed(OpenProduct(title)))
            except ModelReplyError:
                continue
            acted += 1
        assert acted > 40
        assert {e.mistake for e in model.started} >= {"wrong_element", "wrong_branch"}

    async def test_the_executor_carries_out_a_wrong_text_as_it_is(self, simulated: Open, world: ShopWorld) -> None:
        wrong = next(p for p in headphones(world) if p != right_product(world))
        shown = results(wrong.title, [right_product(world).title])
        reply = await simulated().act(shown, committed(OpenProduct(wrong.title)))
        assert reply.action == "click('2')"

    async def test_without_a_plan_the_first_remaining_step_is_carried_out(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        title = right_product(world).title
        shown = page("/search/?q=Headphones", links=("Home", title))
        reply = await simulated().act(shown, None)
        assert reply.action == "click('2')"

    async def test_the_dice_do_not_depend_on_the_agent(self, simulated: Open, world: ShopWorld) -> None:
        title = right_product(world).title
        others = [p.title for p in headphones(world) if p.title != title]
        slips: dict[bool, set[int]] = {True: set(), False: set()}
        for n in range(40):
            shown = results(title, others, salt=f"{n} /search Headphones")
            for planned in (True, False):
                model = simulated(wrong_element=0.4)
                await model.act(shown, committed(OpenProduct(title)) if planned else None)
                if model.started:
                    slips[planned].add(n)
        assert 5 < len(slips[True]) < 30
        assert slips[True] == slips[False]

    async def test_tokens_and_latency_are_counted(self, simulated: Open) -> None:
        model = simulated()
        question = PlannerInput(instructions=(FIRST,), observation=HOME)
        system, user = PLANNER.render(question)
        reply = await model.backend.complete(
            Request(role="planner", system=system, user=user, output_schema={}, input=question)
        )
        assert reply.usage.input_tokens == len(system + user) // 4
        assert reply.usage.estimated
        assert reply.seconds > 0
