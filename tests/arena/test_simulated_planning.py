"""Mistakes of planning: how each starts, shows and ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pytest
from tests.arena.simulated import (
    FIRST,
    HOME,
    REVISION,
    TASK,
    Model,
    Open,
    Still,
    added,
    page,
    right_product,
    skill_named,
    verified_and_replanned,
)

from refute.agents import (
    EXECUTOR,
    PLANNER,
    REPAIRER,
    REVISER,
    VERIFIER,
    Commitment,
    Draft,
    ExecutorInput,
    PlannerInput,
    RepairerInput,
    ReviserInput,
    Scope,
    Stage,
    VerifierInput,
)
from refute.arena import MistakeRates
from refute.arena._simulated_site import Delusion
from refute.arena.shop import ShopWorld, shop_skills
from refute.arena.shop._procedures import AddToBasket, CheckOut, OpenProduct, Report, ShopProcedure, read
from refute.goals import Constraint


class TestPlanningMistakes:
    async def test_a_stale_skill_is_linked_leads_nowhere_and_leaves_with_its_link(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        model = simulated(stale_procedure=1.0)
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME, skills=shop_skills()))
        [linked] = [d for d in plan.commitments if d.skill == "order_with_quick_order"]
        assert [(m.mistake, m.scope) for m in model.started] == [("stale_procedure", "skill")]
        commitment = Commitment.of(linked, number=3, goal_version=0)
        skill = skill_named("order_with_quick_order")
        product = page("/catalogue/x_1/", title=f"{right_product(world).title} | Shop")
        stuck = await model.act(product, commitment, skill=skill)
        assert "Quick order" in stuck.reasoning
        assert not stuck.subgoal_done
        verdict = await model.call(
            VERIFIER, VerifierInput(instructions=(FIRST,), commitment=commitment, observation=product)
        )
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.scope is Scope.SKILL
        repair = await model.call(
            REPAIRER,
            RepairerInput(
                instructions=(FIRST,),
                observation=product,
                commitment=commitment,
                diagnosis=verdict.diagnosis,
                skills=shop_skills(),
            ),
        )
        [draft] = repair.commitments
        assert draft.subgoal == commitment.subgoal
        assert draft.skill == "add_to_basket"
        assert model.ended == {}
        await model.act(product, Commitment.of(draft, number=4, goal_version=0), skill=skill_named("add_to_basket"))
        assert model.ended == {1: "input_changed"}

    async def test_a_contaminated_plan_lets_a_wrong_product_pass_until_it_is_made_anew(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        model = simulated(contaminated_results=1.0)
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        [title] = added(plan)
        wrong = next(p for p in world.catalogue if p.title == title)
        assert wrong.kind == "Headphones"
        assert wrong.price > 100
        verdict, replanned = await verified_and_replanned(model, plan)
        assert verdict.scope is Scope.PLANNING
        assert added(replanned) == {right_product(world).title}
        assert model.ended == {1: "input_changed"}

    async def test_an_ignored_revision_does_not_enter_the_plan_until_it_is_made_anew(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        model = simulated(ignored_revision=1.0)
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        open_steps = tuple(Commitment.of(d, number=n, goal_version=0) for n, d in enumerate(plan.commitments, start=1))
        revised = await model.call(
            REVISER, ReviserInput(instructions=(FIRST,), revision=REVISION, observation=HOME, open=open_steps)
        )
        assert revised.falsified == ()
        assert [entry.keep for entry in revised.plan] == [c.number for c in open_steps]
        assert [(m.mistake, m.scope) for m in model.started] == [("ignored_revision", "planning")]
        verdict, replanned = await verified_and_replanned(model, plan, FIRST, REVISION)
        assert verdict.scope is Scope.PLANNING
        assert added(replanned) == {right_product(world, 1).title}
        assert model.ended == {1: "input_changed"}

    async def test_without_a_plan_an_ignored_revision_is_ignored_as_well(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        old, new = right_product(world).title, right_product(world, 1).title
        assert old != new
        shown = page("/search/?q=Headphones", links=(new, old))
        for rate, expected in ((1.0, "click('2')"), (0.0, "click('1')")):
            model = simulated(ignored_revision=rate)
            reply = await model.call(EXECUTOR, ExecutorInput(instructions=(FIRST, REVISION), observation=shown))
            assert reply.action == expected

    async def test_the_reviser_keeps_what_holds_and_names_what_does_not(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        model = simulated()
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        open_steps = tuple(Commitment.of(d, number=n, goal_version=0) for n, d in enumerate(plan.commitments, start=1))
        revised = await model.call(
            REVISER, ReviserInput(instructions=(FIRST,), revision=REVISION, observation=HOME, open=open_steps)
        )
        dropped = {f.number for f in revised.falsified}
        kept = {entry.keep for entry in revised.plan if entry.keep is not None}
        assert kept | dropped == {c.number for c in open_steps}
        assert kept.isdisjoint(dropped)
        assert {c.number for c in open_steps if isinstance(read(c.subgoal), AddToBasket)} <= dropped
        assert {c.number for c in open_steps if isinstance(read(c.subgoal), CheckOut)} <= kept
        assert added([e.new for e in revised.plan if e.new is not None]) == {right_product(world, 1).title}

    async def test_every_mistake_ends_with_the_episode(self, simulated: Open) -> None:
        model = simulated(contaminated_results=1.0)
        await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        await model.backend.close()
        assert model.ended == {1: "episode_over"}

    async def test_a_forgotten_constraint_is_missing_from_the_plan_until_it_is_made_anew(
        self, simulated: Open, world: ShopWorld
    ) -> None:
        forgot: dict[str, set[str]] = {}
        for seed in range(12):
            model = simulated(forgotten_constraint=1.0, seed=seed)
            plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST, REVISION), observation=HOME))
            [mistake] = model.started
            assert (mistake.mistake, mistake.scope) == ("forgotten_constraint", "planning")
            forgot[mistake.detail] = added(plan)
            verdict, replanned = await verified_and_replanned(model, plan, FIRST, REVISION)
            assert verdict.scope is Scope.PLANNING
            assert added(replanned) == {right_product(world, 1).title}
            assert model.ended == {1: "input_changed"}
        assert len(forgot) > 1, "not always the same one"
        texts = {c.text for c in TASK.constraints if c.bound_to <= 1}
        assert set(forgot) <= texts
        assert any(titles != {right_product(world, 1).title} for titles in forgot.values())

    async def test_what_was_forgotten_is_over_once_it_no_longer_matters(self, simulated: Open) -> None:
        model = simulated(forgotten_constraint=1.0, truth=Fickle())
        await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        assert [m.detail for m in model.started] == ["to be forgotten"]
        await model.call(REVISER, ReviserInput(instructions=(FIRST,), revision=REVISION, observation=HOME))
        assert model.ended == {1: "superseded"}


class Fickle(Still):
    """A truth whose only constraint is gone after the revision, and whose plan depends on it."""

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        return () if taken else (Constraint(id="c", text="to be forgotten", bound_to=0),)

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[ShopProcedure]:
        return (OpenProduct("x"), Report("done")) if active else (Report("done"),)


class TestFalsifiers:
    """The planner's quality: how many of its falsifiers are of use."""

    async def drafted(self, model: Model) -> list[Draft]:
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        return list(plan.commitments)

    async def test_missing_ones_are_left_out_and_broad_ones_say_what_is_seen_anyway(self, simulated: Open) -> None:
        right = await self.drafted(simulated())
        missing = await self.drafted(simulated(missing_falsifiers=1.0))
        broad = await self.drafted(simulated(broad_falsifiers=1.0))
        narrow = await self.drafted(simulated(narrow_falsifiers=1.0))

        assert all(d.falsifying for d in right)
        assert not any(d.falsifying for d in missing)
        for draft in broad:
            progress = [c.statement for c in draft.confirming if c.stage is Stage.PROGRESS]
            assert {f.statement for f in draft.falsifying} == set(progress or ["The page is open"])
        for draft, good in zip(narrow, right, strict=True):
            for flawed, whole in zip(draft.falsifying, good.falsifying, strict=True):
                assert flawed.statement.startswith(whole.statement + ",")
                assert (flawed.scope, flawed.before_action) == (whole.scope, whole.before_action)

    async def test_a_share_of_them_is_flawed_and_a_step_has_the_same_flaws_again(self, simulated: Open) -> None:
        rates = {"missing_falsifiers": 0.2, "broad_falsifiers": 0.2, "narrow_falsifiers": 0.2}
        total = kept = 0
        for seed in range(20):
            right = await self.drafted(simulated(seed=seed))
            model = simulated(seed=seed, **rates)
            first = await self.drafted(model)
            assert first == await self.drafted(model)
            total += sum(len(d.falsifying) for d in right)
            kept += sum(f in g.falsifying for d, g in zip(first, right, strict=True) for f in d.falsifying)
            assert model.started == [], "a worse planner is no mistake of a moment"
        assert abs(kept / total - 0.4) < 0.1

    def test_shares_of_more_than_all_are_refused(self) -> None:
        with pytest.raises(ValueError, match="more than all"):
            MistakeRates(missing_falsifiers=0.6, broad_falsifiers=0.6)
