"""The simulated interpreter and final checker: the task's own texts, and rulings only on what is shown."""

from __future__ import annotations

import pytest
from tests.arena.conftest import Line, Rows
from tests.arena.simulated import FIRST, HOME, REVISION, TASK, Model, Open, Still, headphones, right_product

from refute.agents import (
    FINAL_CHECKER,
    INTERPRETER,
    Asked,
    Exhibit,
    FinalCheckInput,
    FinalCheckOutput,
    InterpreterInput,
    Requirement,
    Ruling,
    ShownBy,
)
from refute.arena import Noise
from refute.arena.shop import ShopWorld

TOLD = "Ordered."


async def check(model: Model, *requirements: Requirement, message: str = TOLD, shown: bool = True) -> FinalCheckOutput:
    exhibits = (Exhibit(source="page", lines=("# All products",)),) if shown else ()
    asked = tuple(Asked(requirement=r, exhibits=exhibits) for r in requirements)
    question = FinalCheckInput(instructions=(FIRST,), message=message, asked=asked, observation=HOME)
    return await model.call(FINAL_CHECKER, question)


def required(*texts: str) -> tuple[Requirement, ...]:
    return tuple(Requirement(number=n, text=text, instruction=1) for n, text in enumerate(texts, start=1))


INITIAL = [c for c in TASK.constraints if c.bound_to == 0]


async def test_the_interpreter_reads_what_the_instructions_leave_in_force(simulated: Open) -> None:
    for texts, bound in (((FIRST,), {0}), ((FIRST, REVISION), {0, 1})):
        answer = await simulated().call(INTERPRETER, InterpreterInput(instructions=texts))
        expected = [c for c in TASK.constraints if c.bound_to in bound]
        assert [r.text for r in answer.constraints] == [c.text for c in expected]
        assert [r.instruction for r in answer.constraints] == [c.bound_to + 1 for c in expected]


async def test_a_constraint_can_be_overlooked_by_chance_and_stays_so(simulated: Open) -> None:
    noise = Noise.none().model_copy(update={"interpreter_recall": 0.7})
    read = total = 0
    for seed in range(60):
        model = simulated(noise=noise, seed=seed)
        answers = [await model.call(INTERPRETER, InterpreterInput(instructions=(FIRST,))) for _ in range(2)]
        assert answers[0] == answers[1]
        read += len(answers[0].constraints)
        total += len(INITIAL)
    assert abs(read / total - 0.7) < 0.12


@pytest.mark.parametrize(("right", "ruling"), [(True, Ruling.MET), (False, Ruling.VIOLATED)])
async def test_the_checker_rules_by_the_truth(
    simulated: Open, world: ShopWorld, rows: Rows, right: bool, ruling: Ruling
) -> None:
    dear = next(p for p in headphones(world) if p.price > 100)
    rows.order(Line(product=right_product(world) if right else dear))
    answer = await check(simulated(), *required("The headphones cost no more than $100."))
    assert [f.ruling for f in answer.findings] == [ruling]


async def test_what_is_not_shown_and_what_nobody_asked_for_is_unknown(simulated: Open) -> None:
    hidden = await check(simulated(), *required(INITIAL[0].text), shown=False)
    assert [f.ruling for f in hidden.findings] == [Ruling.UNKNOWN]
    invented = await check(simulated(), *required("The mug is red."))
    assert [f.ruling for f in invented.findings] == [Ruling.UNKNOWN]


async def test_a_requirement_on_the_message_is_shown_by_the_message(simulated: Open) -> None:
    asked = Requirement(number=1, text=INITIAL[0].text, instruction=1, shown_by=ShownBy.MESSAGE)
    answer = await check(simulated(truth=Still(reached=True, active=INITIAL)), asked, shown=False)
    assert [(f.ruling, f.quote) for f in answer.findings] == [(Ruling.MET, TOLD)]


async def test_a_requirement_whose_condition_came_out_otherwise_does_not_apply(simulated: Open) -> None:
    answer = await check(simulated(truth=Still(reached=True)), *required(INITIAL[0].text))
    assert [f.ruling for f in answer.findings] == [Ruling.DOES_NOT_APPLY]


async def test_the_checker_errs_as_often_as_set(simulated: Open) -> None:
    noise = Noise(checker_sensitivity=0.7, checker_specificity=0.9)
    for met, expected in ((False, 0.7), (True, 0.1)):
        model = simulated(noise=noise, truth=Still(reached=met, active=INITIAL))
        answers = [await check(model, *required(INITIAL[0].text), message=f"Report {n}.") for n in range(400)]
        said = sum(a.findings[0].ruling is Ruling.VIOLATED for a in answers)
        assert abs(said / len(answers) - expected) < 0.06
