"""The simulated model: who knows what, dice, noise, and how each mistake starts, shows and ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute._errors import ModelReplyError
from refute.agents import (
    EXECUTOR,
    PLANNER,
    REPAIRER,
    REVISER,
    VERIFIER,
    Commitment,
    Decision,
    Diagnosis,
    Draft,
    ExecutorInput,
    ExecutorOutput,
    PlannerInput,
    PlannerOutput,
    RepairerInput,
    ReviserInput,
    Scope,
    Skill,
    Step,
    VerifierInput,
)
from refute.arena import MistakeRates, Noise, SimulatedBackend
from refute.arena._simulated_dice import Dice, state_of
from refute.arena._simulated_site import Delusion, Truth
from refute.arena.shop import Line, Product, ShopOracle, ShopWorld, load_tasks, resolve, shop_skills, simulated_shop
from refute.arena.shop._procedures import AddToBasket, CheckOut, OpenProduct, Report, ShopProcedure, read
from refute.arena.shop._simulated import ShopHands
from refute.browser import Element, Observation
from refute.budget import Budget, Limits, VirtualClock
from refute.goals import Constraint, MistakeEnded, MistakeStarted, Reference
from refute.llm import Request, RoleModel
from refute.revisions import MILESTONE_TRIGGER, TriggerInput
from refute.trace import Recorder, read_trace

ORIGIN = "http://127.0.0.1:8000"
TASK = next(t for t in load_tasks() if t.id == "buy-one.headphones")
FIRST, REVISION = TASK.initial_instruction, TASK.revisions[0].text


class Model:
    """A backend behind the real parser, and its trace."""

    def __init__(self, backend: SimulatedBackend, recorder: Recorder, folder: Path) -> None:
        self.backend = backend
        clock = VirtualClock()
        self.call = RoleModel(
            backend, recorder=recorder, budget=Budget(Limits(), started=clock.now()), clock=clock
        ).call
        self._folder = folder

    @property
    def started(self) -> list[MistakeStarted]:
        return list(read_trace(self._folder).of(MistakeStarted))

    @property
    def ended(self) -> dict[int, str]:
        return {e.id: e.how for e in read_trace(self._folder).of(MistakeEnded)}

    async def act(self, page: Observation, commitment: Commitment | None, **more: Any) -> ExecutorOutput:
        question = {"instructions": (FIRST,), "observation": page, "commitment": commitment, **more}
        return await self.call(EXECUTOR, ExecutorInput.model_validate(question))


Open = Callable[..., Model]


@pytest.fixture
def simulated(world: ShopWorld, tmp_path: Path) -> Open:
    def make(*, noise: Noise | None = None, seed: int = 0, truth: Truth | None = None, **rates: float) -> Model:
        folder = tmp_path / f"episode{len(list(tmp_path.iterdir()))}"
        recorder = Recorder(folder)
        chosen = MistakeRates.none().model_copy(update=rates)
        settings: dict[str, Any] = {"recorder": recorder, "seed": seed, "rates": chosen, "noise": noise or Noise.none()}
        if truth is not None:
            backend = SimulatedBackend(TASK, ShopHands(), truth, **settings)
        else:
            backend = simulated_shop(TASK, world, **settings)
        return Model(backend, recorder, folder)

    return make


def page(path: str, *lines: str, links: Sequence[str] = (), title: str = "", salt: str = "") -> Observation:
    elements = tuple(Element(id=n, role="link", name=name) for n, name in enumerate(links, start=1))
    shown = [f'- [{e.id}] link "{e.name}"' for e in elements]
    return Observation(
        url=f"{ORIGIN}{path}", title=title, text="\n".join((*lines, *shown, salt)).strip(), elements=elements
    )


def results(right: str, others: Sequence[str], salt: str = "") -> Observation:
    path = "/search/?q=" + right.replace(" ", "+")
    return page(path, links=(*others[:1], right, *others[1:]), salt=salt)


def committed(step: ShopProcedure | str, *, number: int = 1, skill: str | None = None) -> Commitment:
    if isinstance(step, str):
        return Commitment(number=number, subgoal=step, skill=skill)
    draft = Draft(subgoal=step.sentence(), skill=skill, confirming=step.confirming(), falsifying=step.falsifying())
    return Commitment.of(draft, number=number, goal_version=0)


def headphones(world: ShopWorld) -> list[Product]:
    return [p for p in world.catalogue if p.kind == "Headphones"]


def right_product(world: ShopWorld, *taken: int) -> Product:
    target = resolve(ShopOracle(TASK, world).active(taken), world)
    assert target.order is not None
    return target.order[0].product


def added(plan: PlannerOutput | Sequence[Draft]) -> set[str]:
    """The titles that a plan puts into the basket."""
    drafts = plan.commitments if isinstance(plan, PlannerOutput) else plan
    steps = [read(d.subgoal) for d in drafts]
    return {s.title for s in steps if isinstance(s, AddToBasket)}


HOME = page("/", "# All products", links=("Home", "Audio", "Outdoors"))


class TestDice:
    @given(st.integers(), st.text(max_size=9), st.text(max_size=9), st.integers(min_value=0, max_value=5))
    def test_the_same_question_in_the_same_state_gets_the_same_answer(
        self, seed: int, question: str, state: str, attempt: int
    ) -> None:
        first, second = (Dice(seed=seed, task="t").roll(question, state, attempt) for _ in range(2))
        assert first == second
        assert 0 <= first < 1

    def test_everything_that_counts_changes_the_roll(self) -> None:
        rolls = {
            Dice(seed=s, task=t).roll(q, d, a)
            for s in (0, 1)
            for t in ("a", "b")
            for q in ("x", "y")
            for d in ("1", "2")
            for a in (0, 1)
        }
        assert len(rolls) == 32

    def test_rolls_are_spread_evenly_and_independent_of_each_other(self) -> None:
        dice = Dice(seed=3, task="t")
        pairs = [(dice.roll("a", str(n)), dice.roll("b", str(n))) for n in range(4000)]
        assert abs(sum(a for a, _ in pairs) / len(pairs) - 0.5) < 0.02
        both = sum(a < 0.3 and b < 0.3 for a, b in pairs) / len(pairs)
        assert abs(both - 0.09) < 0.02

    def test_a_state_is_what_is_seen_and_not_which_port_or_element_number(self) -> None:
        one = Observation(url="http://127.0.0.1:8000/basket/", text='[3] link "Home"')
        same = Observation(url="http://127.0.0.1:9000/basket/", text='[77] link "Home"')
        assert state_of(one) == state_of(same)
        assert state_of(one) != state_of(one.model_copy(update={"scroll_y": 300}))


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


# ---- parts ------------------------------------------------------------------------------------------------------


class Sealed:
    """A truth that nobody may ask."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the truth was asked: {name}")


class Still:
    """A truth in which nothing ever happens."""

    def __init__(self, *, reached: bool = False) -> None:
        self._reached = reached

    def see(self, observation: Observation) -> None:
        return

    def active(self, taken: Collection[int]) -> Sequence[Constraint]:
        return ()

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[ShopProcedure]:
        return (Report("done"),)

    def distance(self, active: Sequence[Constraint]) -> int:
        return 1

    def finished(self, procedure: Any) -> bool:
        return False

    def obstacle(self, procedure: Any, active: Sequence[Constraint]) -> str:
        return ""

    def commits(self, proposed: str) -> bool:
        return False

    def undoes(self, procedure: Any, earlier: Any) -> bool:
        return False

    def near_miss(self, active: Sequence[Constraint], pick: Callable[[Sequence[str]], str]) -> Delusion | None:
        return None

    def skills(self, procedure: Any, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        return None, None

    def holds(self, predicate: Reference) -> bool:
        return self._reached


def skill_named(name: str) -> Skill:
    return next(s for s in shop_skills() if s.name == name)


async def verified_and_replanned(model: Model, plan: PlannerOutput, *texts: str) -> tuple[Diagnosis, Sequence[Draft]]:
    """What the verifier says of the plan's first step, and the plan that a repair of its plan makes."""
    instructions = texts or (FIRST,)
    step = Commitment.of(plan.commitments[0], number=1, goal_version=0)
    verdict = await model.call(VERIFIER, VerifierInput(instructions=instructions, commitment=step, observation=HOME))
    assert verdict.decision is Decision.REPAIR
    assert verdict.diagnosis is not None
    repair = await model.call(
        REPAIRER,
        RepairerInput(instructions=instructions, observation=HOME, commitment=step, diagnosis=verdict.diagnosis),
    )
    assert repair.scope is Scope.PLANNING
    return verdict.diagnosis, repair.commitments
