"""The shop's procedures and its oracle: sentences, detours, and real tasks on the real shop in a real browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.places import own_host, own_shop

from refute.agents import Agent, Context
from refute.arena import EndState, Instance, NoopAgent, OracleAgent, Seen
from refute.arena.shop import Line, ShopOracle, ShopWorld, load_tasks, resolve
from refute.arena.shop import _procedures as procedures
from refute.arena.shop._procedures_looking import LOOKING, OpenCategory
from refute.browser import Action, BrowserHost, Click, Done, Element, Observation, Outcome
from refute.budget import Budget, Limits, VirtualClock
from refute.goals import Constraint, Finding, Goal, Reference, Revision, Task
from refute.llm import Model
from refute.trace import Recorder

TASKS = {task.id: task for task in load_tasks() if task.account == "emma"}
TEXT = st.text(max_size=60)
NUMBER = st.integers(min_value=1, max_value=999)
PROCEDURES = st.one_of(
    st.builds(procedures.Search, TEXT),
    st.builds(procedures.OpenProduct, TEXT),
    st.builds(procedures.AddToBasket, NUMBER, TEXT),
    st.builds(procedures.SetQuantity, TEXT, NUMBER),
    st.builds(procedures.RemoveFromBasket, TEXT),
    st.builds(procedures.CheckOut, TEXT),
    st.builds(procedures.AddToWishList, TEXT),
    st.builds(procedures.RemoveFromWishList, TEXT),
    st.builds(procedures.WriteReview, TEXT, NUMBER, TEXT, TEXT),
    st.builds(procedures.Report, TEXT),
    *(st.builds(kind, *(TEXT for _ in fields(kind))) for kind in LOOKING),
)
KINDS = (*procedures.PROCEDURES, *LOOKING)
PLAIN = st.text(alphabet=st.characters(exclude_characters='"\\'), max_size=40)


class TestSentences:
    @given(PROCEDURES)
    def test_a_sentence_is_read_back_as_it_was_said(self, procedure: procedures.ShopProcedure) -> None:
        assert procedures.read(procedure.sentence(), KINDS) == procedure

    @given(PROCEDURES, PLAIN, PLAIN)
    def test_a_sentence_is_found_amid_other_text(
        self, procedure: procedures.ShopProcedure, before: str, after: str
    ) -> None:
        assert procedures.read(f"{before} {procedure.sentence()} {after}", KINDS) == procedure

    @given(PROCEDURES)
    def test_a_sentence_inside_a_quoted_message_is_not_an_order(self, procedure: procedures.ShopProcedure) -> None:
        report = procedures.Report(message=procedure.sentence())
        assert procedures.read(report.sentence(), KINDS) == report

    @given(PLAIN)
    def test_text_without_a_sentence_says_no_procedure(self, text: str) -> None:
        assert procedures.read(text, KINDS) is None

    @given(PROCEDURES, PROCEDURES)
    def test_of_two_sentences_the_first_counts(
        self, first: procedures.ShopProcedure, second: procedures.ShopProcedure
    ) -> None:
        assert procedures.read(f"{first.sentence()} Then: {second.sentence()}", KINDS) == first


class TestMoves:
    def test_the_button_of_the_right_address_is_pressed_although_all_have_the_same_name(self) -> None:
        page = Observation(
            url="http://shop/checkout/shipping-address/",
            text='Emma\n12 Oak Street\n[1] button "Ship to this address"\n'
            'Emma\n880 Market St\n[2] button "Ship to this address"',
            elements=tuple(Element(id=i, role="button", name="Ship to this address") for i in (1, 2)),
        )
        move = procedures.CheckOut("880 Market St").next_move(page, ())
        assert move.action == Click(target=2)

    def test_the_line_of_the_right_product_is_removed(self) -> None:
        titles = ("Polar Tripod - Red", "Polar Tripod - Black")
        page = Observation(
            url="http://shop/basket/",
            text="\n".join(
                f'### [{i}] link "{t}"\n[{i + 1}] link "Remove"' for i, t in zip((1, 3), titles, strict=True)
            ),
            elements=tuple(
                Element(id=i, role="link", name=name)
                for i, name in enumerate((titles[0], "Remove", titles[1], "Remove"), start=1)
            ),
        )
        move = procedures.RemoveFromBasket(titles[1]).next_move(page, ())
        assert move.action == Click(target=4)

    def test_a_report_is_the_end(self) -> None:
        move = procedures.Report("It costs $5.").next_move(Observation(url="http://shop/"), ())
        assert move.action == Done(message="It costs $5.")


class TestDetours:
    """What remains is read from the shop's rows, whatever happened on the way."""

    def plan(self, task: Task, world: ShopWorld, taken: frozenset[int] = frozenset()) -> list[str]:
        oracle = ShopOracle(task, world)
        return [type(p).__name__ for p in oracle.remaining(oracle.active(taken))]

    def right(self, task: Task, world: ShopWorld) -> Line:
        target = resolve(ShopOracle(task, world).active(()), world)
        assert target.order is not None
        return target.order[0]

    def test_from_the_start(self, world: ShopWorld) -> None:
        assert self.plan(TASKS["buy-one.headphones"], world) == ["Search", "OpenProduct", "AddToBasket", "CheckOut"]

    def test_a_wrong_product_in_the_basket_is_taken_out_first(self, world: ShopWorld, rows: Any) -> None:
        task = TASKS["buy-one.headphones"]
        right = self.right(task, world)
        wrong = next(p for p in world.catalogue if p.id != right.product.id)
        rows.put_in_basket(Line(product=wrong))
        rows.put_in_basket(right)
        assert self.plan(task, world) == ["RemoveFromBasket", "CheckOut"]

    def test_a_wrong_quantity_is_corrected(self, world: ShopWorld, rows: Any) -> None:
        task = TASKS["buy-one.headphones"]
        rows.put_in_basket(replace(self.right(task, world), quantity=4))
        assert self.plan(task, world) == ["SetQuantity", "CheckOut"]

    def test_an_order_that_cannot_be_undone_is_said_and_the_right_one_still_placed(
        self, world: ShopWorld, rows: Any
    ) -> None:
        task = TASKS["buy-one.headphones"]
        wrong = next(p for p in world.catalogue if p.id != self.right(task, world).product.id)
        rows.order(Line(product=wrong))
        oracle = ShopOracle(task, world)
        assert "CheckOut" in self.plan(task, world)
        assert wrong.title in oracle.report(oracle.active(())).message
        assert "cannot be undone" in oracle.report(oracle.active(())).message

    def test_nothing_remains_when_everything_is_there(self, world: ShopWorld, rows: Any) -> None:
        task = TASKS["buy-one.headphones"]
        rows.reach(resolve(ShopOracle(task, world).active(()), world))
        assert self.plan(task, world) == []

    def test_the_checkout_of_a_wrong_basket_is_an_obstacle(self, world: ShopWorld, rows: Any) -> None:
        task = TASKS["buy-one.headphones"]
        oracle = ShopOracle(task, world)
        active = oracle.active(())
        checkout = next(p for p in oracle.remaining(active) if isinstance(p, procedures.CheckOut))
        assert "basket" in oracle.obstacle(checkout, active)
        rows.put_in_basket(self.right(task, world))
        assert oracle.obstacle(checkout, active) == ""


class TestOtherWay:
    """Route 1 reaches the same end by other pages and in another order."""

    def test_categories_instead_of_searches_and_numbers_set_afterwards(self, world: ShopWorld, rows: Any) -> None:
        task = TASKS["prepare-basket.notebooks"]
        oracle = ShopOracle(task, world, route=1)
        active = oracle.active(())
        look, opened, add = oracle.remaining(active)
        assert isinstance(look, OpenCategory)
        assert isinstance(opened, procedures.OpenProduct)
        assert add == procedures.AddToBasket(quantity=1, title=opened.title)
        basket = resolve(active, world).basket
        assert basket is not None
        rows.put_in_basket(replace(basket[0], quantity=1))
        assert oracle.remaining(active) == (procedures.SetQuantity(title=opened.title, quantity=3),)

    def test_the_end_is_the_same(self, world: ShopWorld) -> None:
        for task in TASKS.values():
            if task.account == "emma":
                ways = [ShopOracle(task, world, route=route) for route in (0, 1)]
                targets = [oracle.target(oracle.active(())) for oracle in ways]
                assert targets[0] == targets[1]

    def test_after_a_category_nobody_searches_any_more(self, world: ShopWorld) -> None:
        task = TASKS["buy-one.headphones"]
        oracle = ShopOracle(task, world)
        audio = f"{world.origin}/catalogue/category/electronics/audio_2/"
        oracle.see(Observation(url=audio))
        assert [type(p).__name__ for p in oracle.remaining(oracle.active(()))] == [
            "OpenProduct",
            "AddToBasket",
            "CheckOut",
        ]


class TestPages:
    """Pages that have to be looked at come before the work, and the one to be left open comes last."""

    def plan(self, world: ShopWorld, *visited: str) -> list[str]:
        task = watching(TASKS["buy-one.yoga-mat"])
        oracle = ShopOracle(task, world)
        for path in visited or ("/",):
            oracle.see(Observation(url=f"{world.origin}{path}"))
        return [type(p).__name__ for p in oracle.remaining(oracle.active(()))]

    def test_reviews_first_and_the_search_last(self, world: ShopWorld) -> None:
        plan = self.plan(world)
        assert (plan[0], plan[-2], plan[-1]) == ("OpenReviews", "CheckOut", "BackToSearch")

    def test_what_was_read_is_not_read_again(self, world: ShopWorld) -> None:
        task = TASKS["buy-one.yoga-mat"]
        order = resolve(ShopOracle(task, world).active(()), world).order
        assert order is not None
        reviews = f"{order[0].product.path}reviews/"
        assert "OpenReviews" not in self.plan(world, reviews, "/search/?q=yoga+mats")
        assert self.plan(world, reviews, "/search/?q=yoga+mat")[-1] == "CheckOut"


def watching(task: Task) -> Task:
    """`task`, and the reviews of the thing have to be read before it is ordered, and a search to be left open."""
    read = Reference(name="looked_at", args={"page": "reviews", "before": "order"})
    left = Reference(name="left_open", args={"page": "search", "words": "yoga mat"})
    more = (
        Constraint(id="read", text="The reviews were read before the order.", bound_to=0, validator=read),
        Constraint(id="left", text="A search for yoga mats is open.", bound_to=0, validator=left),
    )
    return task.model_copy(update={"constraints": (*task.constraints, *more)})


# ---- the real shop ----------------------------------------------------------------------------------------------


@dataclass
class Ended:
    message: str
    found: Mapping[str, Finding]
    damage: tuple[str, ...]
    delivered: int

    @property
    def failed(self) -> set[str]:
        return {name for name, finding in self.found.items() if not finding.satisfied}


class NoModel:
    async def call(self, role: object, value: object) -> object:
        raise AssertionError("an oracle asks no model")


shop = pytest.fixture(scope="module")(own_shop)
host = pytest.fixture(scope="module")(own_host)


async def run(host: BrowserHost, shop: Instance, task: Task, agent: Agent, folder: Path, *, steps: int = 60) -> Ended:
    """A small episode loop: revisions are delivered when their predicate holds, or when the agent ends too early."""
    clock = VirtualClock()
    model: Model = NoModel()  # type: ignore[assignment]
    visited: list[str] = []
    delivered, message = 0, ""
    with Recorder(folder, now=clock.now) as recorder:
        context = Context(recorder=recorder, model=model, budget=Budget(Limits(), started=clock.now()), clock=clock)
        async with await host.session(storage_state=shop.storage_state(task.account)) as session:
            await session.goto(task.start_urls[0].replace("__SITE__", shop.origin))
            page = await session.observe()
            world = shop.world(task.account)
            goal = Goal(instructions=(task.initial_instruction,))
            await agent.start(goal, page, context)
            outcome: Outcome | None = None
            for _ in range(steps):
                visited.append(page.url)
                if outcome is not None:
                    await agent.observe(outcome, page)
                if delivered < len(task.revisions):
                    milestone = task.revisions[delivered].milestone.predicate
                    assert milestone is not None
                    early = outcome is not None and outcome.intercepted
                    if early or world.holds(milestone, Seen(observation=page, visited=tuple(visited))):
                        revision = Revision(text=task.revisions[delivered].text)
                        goal, delivered = goal.append(revision), delivered + 1
                        await agent.revise(goal, revision, page)
                action: Action = await agent.act()
                if isinstance(action, Done):
                    if delivered == len(task.revisions):
                        message = action.message
                        break
                    outcome = Outcome(intercepted=True, changed=False)
                    continue
                outcome, page = await session.step(action)
    seen = Seen(observation=page, visited=tuple(visited))
    active: tuple[Constraint, ...] = task.judged(world.branches(task, seen))
    end = EndState(seen=seen, message=message, active=active)
    found = {c.id: world.validate(c, end) for c in active}
    return Ended(message=message, found=found, damage=tuple(world.damage(task, end)), delivered=delivered)


PROVED = (
    "buy-one.headphones",
    "buy-one.office-chair",
    "buy-one.tripod",
    "buy-two.audio",
    "buy-two.kitchen",
    "move-wishes.clear",
    "prepare-basket.pillow",
    "report-facts.desk-lamp",
    "wish-list.tent",
    "write-review.backpack",
)
"""At least two tasks of each type of revision, and every procedure; `refute arena check` proves all tasks."""


@pytest.mark.parametrize("name", PROVED)
async def test_the_oracle_satisfies_every_constraint(
    host: BrowserHost, shop: Instance, name: str, tmp_path: Path
) -> None:
    await shop.reset()
    task = TASKS[name]
    world = shop.world()
    assert isinstance(world, ShopWorld)
    ended = await run(host, shop, task, OracleAgent(task, ShopOracle(task, world)), tmp_path)
    assert ended.failed == set(), ended
    assert ended.damage == ()
    assert ended.delivered == len(task.revisions)


@pytest.mark.parametrize(("name", "ignored"), [("prepare-basket.notebooks", 2), ("wish-list.tent", 1)])
async def test_an_oracle_that_overhears_a_revision_fails_just_what_it_brought(
    host: BrowserHost, shop: Instance, name: str, ignored: int, tmp_path: Path
) -> None:
    await shop.reset()
    task = TASKS[name]
    world = shop.world()
    assert isinstance(world, ShopWorld)
    agent = OracleAgent(task, ShopOracle(task, world), ignore=frozenset({ignored}))
    ended = await run(host, shop, task, agent, tmp_path)
    brought = {c.id for c in task.constraints if c.bound_to == ignored and c.id in ended.found}
    assert brought
    assert ended.failed == brought, ended


@pytest.mark.parametrize("route", [0, 1])
async def test_the_oracle_sees_to_the_pages_on_either_way(
    host: BrowserHost, shop: Instance, route: int, tmp_path: Path
) -> None:
    await shop.reset()
    task = watching(TASKS["buy-one.yoga-mat"])
    world = shop.world()
    assert isinstance(world, ShopWorld)
    ended = await run(host, shop, task, OracleAgent(task, ShopOracle(task, world, route=route)), tmp_path)
    assert ended.failed == set(), ended
    assert ended.damage == ()
    assert ended.delivered == len(task.revisions)
    assert "reviews" in ended.found["read"].evidence


async def test_doing_nothing_satisfies_nothing_that_needs_action(
    host: BrowserHost, shop: Instance, tmp_path: Path
) -> None:
    await shop.reset()
    task = TASKS["buy-one.headphones"]
    ended = await run(host, shop, task, NoopAgent(), tmp_path)
    assert ended.failed >= {c.id for c in task.constraints if c.action and c.id in ended.found}


async def test_an_oracle_recovers_from_a_wrong_product_in_the_basket(
    host: BrowserHost, shop: Instance, tmp_path: Path
) -> None:
    await shop.reset()
    task = TASKS["prepare-basket.pillow"]
    world = shop.world()
    assert isinstance(world, ShopWorld)
    wrong = next(p for p in world.catalogue if p.stock > 5 and p.kind != "Pillow")
    detour = Constraint(
        id="detour",
        text="A detour.",
        bound_to=0,
        validator=Reference(name="item", args={"kind": wrong.kind, "brand": wrong.brand}),
    )
    basket = Constraint(
        id="in-basket", text="It waits in the basket.", bound_to=0, validator=Reference(name="in_basket")
    )
    astray = task.model_copy(update={"constraints": (detour, basket), "revisions": ()})
    ended = await run(host, shop, astray, OracleAgent(astray, ShopOracle(astray, world)), tmp_path / "astray")
    assert ended.failed == set()
    ended = await run(host, shop, task, OracleAgent(task, ShopOracle(task, world)), tmp_path / "task")
    assert ended.failed == set(), ended
    kinds = {line.product.kind for line in world.done().basket.values()}
    assert wrong.kind not in kinds
