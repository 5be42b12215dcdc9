"""The verifier and the trigger: the truth, through noise of known strength."""

from __future__ import annotations

from typing import Any

import pytest
from tests.arena.simulated import (
    FIRST,
    HOME,
    TASK,
    Open,
    Still,
    committed,
    headphones,
    page,
    right_product,
)

from refute.agents import (
    PLANNER,
    VERIFIER,
    Commitment,
    Decision,
    PlannerInput,
    Scope,
    VerifierInput,
)
from refute.arena import Noise
from refute.arena.shop import Line, ShopWorld
from refute.arena.shop._procedures import AddToBasket, CheckOut, OpenProduct
from refute.revisions import MILESTONE_TRIGGER, TriggerInput


class TestVerifier:
    async def test_a_finished_step_is_advanced_and_an_unfinished_one_continues(
        self, simulated: Open, world: ShopWorld, rows: Any
    ) -> None:
        product = right_product(world)
        step = committed(AddToBasket(1, product.title))
        model = simulated()
        question = VerifierInput(instructions=(FIRST,), commitment=step, observation=HOME)
        assert (await model.call(VERIFIER, question)).decision is Decision.CONTINUE
        rows.put_in_basket(Line(product=product))
        assert (await model.call(VERIFIER, question)).decision is Decision.ADVANCE

    async def test_an_order_of_the_wrong_basket_is_rejected_before_it_is_placed(
        self, simulated: Open, world: ShopWorld, rows: Any
    ) -> None:
        right = right_product(world)
        wrong = next(p for p in headphones(world) if p != right)
        step = committed(CheckOut("the default one"))
        preview = page("/checkout/preview/")
        question = VerifierInput(
            instructions=(FIRST,),
            commitment=step,
            observation=preview,
            proposed="click('9') on button \"Place order\"",
        )
        rows.put_in_basket(Line(product=wrong))
        verdict = await simulated().call(VERIFIER, question)
        assert verdict.decision is Decision.REPAIR
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.scope is Scope.PLANNING
        assert verdict.diagnosis.falsified in {f.statement for f in step.falsifying}
        rows.run("DELETE FROM basket_line WHERE basket_id = (SELECT max(id) FROM basket_basket)")
        rows.put_in_basket(Line(product=right))
        assert (await simulated().call(VERIFIER, question)).decision is Decision.CONTINUE

    async def test_moving_away_from_the_goal_is_off_track(self, simulated: Open, world: ShopWorld, rows: Any) -> None:
        model = simulated()
        plan = await model.call(PLANNER, PlannerInput(instructions=(FIRST,), observation=HOME))
        step = Commitment.of(plan.commitments[0], number=1, goal_version=0)
        rows.put_in_basket(Line(product=next(p for p in world.catalogue if p.kind == "Tripod")))
        verdict = await model.call(VERIFIER, VerifierInput(instructions=(FIRST,), commitment=step, observation=HOME))
        assert verdict.decision is Decision.REPAIR
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.scope is Scope.PLANNING

    async def test_an_error_of_judgement_persists_until_the_state_changes(self, simulated: Open) -> None:
        model = simulated(noise=Noise.none().model_copy(update={"verifier_specificity": 0.5}), truth=Still())
        decisions: list[Decision] = []
        for n in range(30):
            question = VerifierInput(
                instructions=(FIRST,), commitment=committed(OpenProduct("x")), observation=page(f"/{n}/")
            )
            first, second = [(await model.call(VERIFIER, question)).decision for _ in range(2)]
            assert first is second
            decisions.append(first)
        assert len(set(decisions)) == 2

    @pytest.mark.parametrize("off_track", [True, False])
    async def test_errors_are_as_frequent_as_set(self, simulated: Open, off_track: bool) -> None:
        noise = Noise(verifier_sensitivity=0.8, verifier_specificity=0.9, scope_accuracy=0.7)
        model = simulated(noise=noise, truth=Still(), wrong_branch=1.0 if off_track else 0.0, recover=0.0)
        step = committed(OpenProduct("x"))
        await model.act(HOME, step)
        verdicts = [
            await model.call(
                VERIFIER, VerifierInput(instructions=(FIRST,), commitment=step, observation=page(f"/{n}/"))
            )
            for n in range(500)
        ]
        repairs = [v for v in verdicts if v.decision is Decision.REPAIR]
        expected = noise.verifier_sensitivity if off_track else 1 - noise.verifier_specificity
        assert abs(len(repairs) / len(verdicts) - expected) < 0.05
        if off_track:
            right = sum(v.diagnosis is not None and v.diagnosis.scope is Scope.EXECUTION for v in repairs)
            assert abs(right / len(repairs) - noise.scope_accuracy) < 0.06

    @pytest.mark.parametrize("reached", [True, False])
    async def test_the_trigger_errs_as_often_as_set(self, simulated: Open, reached: bool) -> None:
        noise = Noise(trigger_sensitivity=0.8, trigger_specificity=0.9)
        model = simulated(noise=noise, truth=Still(reached=reached))
        answers = [
            await model.call(
                MILESTONE_TRIGGER,
                TriggerInput(
                    instructions=(FIRST,), milestone=TASK.revisions[0].milestone.text, observation=page(f"/{n}/")
                ),
            )
            for n in range(500)
        ]
        fired = sum(a.reached and a.confidence >= 0.8 for a in answers)
        assert abs(fired / len(answers) - (0.8 if reached else 0.1)) < 0.05
