"""Mutants: wrong in one way each, carried out on the real shop over HTTP, and noticed by the validators."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
import pytest_asyncio
from tests.arena.conftest import EMMA, ORIGIN, product, wants

from refute import SiteError
from refute.arena import EndState, Mutant, MutantKind, Seen
from refute.arena._visitor import Visitor
from refute.arena.shop import Line, Shop, ShopInstance, ShopWorld, load_tasks
from refute.arena.shop._asked import Asked
from refute.arena.shop._deed import Deed
from refute.arena.shop._hand import Hand
from refute.arena.shop._mutants import shop_mutants
from refute.arena.shop._neighbours import neighbours
from refute.arena.shop._target import Target
from refute.arena.shop._wants import read_wants
from refute.browser import Observation
from refute.goals import Constraint, Task

TASKS = {task.id: task for task in load_tasks() if task.account == EMMA}
PROVED = (
    "buy-two.audio",
    "prepare-basket.notebooks",
    "report-facts.rain-jacket",
    "wish-list.tent",
    "write-review.backpack",
)
"""One task of each template; `refute arena check` proves them all."""


def asked(world: ShopWorld, constraints: Sequence[Constraint]) -> Asked:
    return Asked.of(read_wants(constraints), world)


def of_kind(mutants: Sequence[Mutant], kind: MutantKind) -> list[str]:
    return [mutant.detail for mutant in mutants if mutant.kind is kind]


# --- derived from the meaning of a task ------------------------------------------------------------------------------


def test_every_task_has_one_control_and_mutants_of_many_kinds(world: ShopWorld) -> None:
    kinds = set[MutantKind]()
    for task in TASKS.values():
        mutants = shop_mutants(task, world)
        assert len(of_kind(mutants, MutantKind.CONTROL)) == 1
        assert len({(mutant.kind, mutant.detail) for mutant in mutants}) == len(mutants) >= 12
        kinds |= {mutant.kind for mutant in mutants}
    assert kinds >= set(MutantKind) - {MutantKind.WRONG_PAGE}


def test_a_neighbour_violates_just_the_property_that_was_overlooked(world: ShopWorld) -> None:
    it = asked(world, wants(("item", {"kind": "Kettle", "brand": "Velo", "color": "White"}), ("ordered", {})))
    found = {n.fault: n.product for n in neighbours(it.slots["item"], it.chosen["item"], world.catalogue)}
    other = found["not color White"]
    assert (other.kind, other.brand, other.color == "White") == ("Kettle", "Velo", False)
    assert (found["not brand Velo"].kind, found["not brand Velo"].color) == ("Kettle", "White")
    assert found["not kind Kettle"].brand == "Velo"


def test_a_neighbour_outside_a_bound_is_the_nearest(world: ShopWorld) -> None:
    cheap = wants(
        ("item", {"category": "Electronics", "max_price": 60, "min_reviews": 3}), ("ordered", {"quantity": 2})
    )
    it = asked(world, cheap)
    found = {n.fault: n for n in neighbours(it.slots["item"], it.chosen["item"], world.catalogue)}
    likely = [p for p in world.catalogue if p.category.startswith("Electronics") and p.stock >= 2]
    dear = [p.price for p in likely if p.price > 60 and p.reviews >= 3]
    few = [p.reviews for p in likely if p.price <= 60 and p.reviews < 3]
    assert found["not max price 60"].product.price == min(dear)
    assert found["not min reviews 3"].product.reviews == max(few)
    assert all(n.boundary == ("category" not in n.fault) for n in found.values())


def test_the_second_best_is_a_neighbour_and_an_equal_one_is_not(world: ShopWorld) -> None:
    best = wants(("item", {"kind": "Kettle"}), ("best_item", {"by": "reviews_desc"}), ("ordered", {}))
    it = asked(world, best)
    right = it.chosen["item"]
    second = [
        n.product for n in neighbours(it.slots["item"], right, world.catalogue) if n.fault.startswith("only the second")
    ]
    others = {p.reviews for p in world.catalogue if p.kind == "Kettle" and p.stock > 0 and p.reviews < right.reviews}
    assert [p.reviews for p in second] == [max(others)]


def test_what_satisfies_everything_as_well_is_no_mutant(world: ShopWorld) -> None:
    any_kettle = wants(("item", {"kind": "Kettle"}), ("on_wish_list", {}))
    it = asked(world, any_kettle)
    assert all(n.product.kind != "Kettle" for n in neighbours(it.slots["item"], it.chosen["item"], world.catalogue))
    task = TASKS["buy-one.headphones"]
    assert not of_kind(shop_mutants(task, world), MutantKind.WRONG_BRANCH)
    details = of_kind(shop_mutants(TASKS["buy-one.yoga-mat"], world), MutantKind.WRONG_ADDRESS)
    assert not details, "no address was asked for"


def test_pages_that_have_to_be_seen_or_left_open_have_mutants_of_their_own(world: ShopWorld) -> None:
    task = TASKS["buy-one.yoga-mat"]
    views = wants(
        ("looked_at", {"page": "reviews", "before": "order"}),
        ("left_open", {"page": "basket"}),
    )
    seeing = task.model_copy(update={"constraints": (*task.constraints, *views)})
    wrong = [m for m in shop_mutants(seeing, world) if m.kind is MutantKind.WRONG_PAGE]
    (control,) = (m for m in shop_mutants(seeing, world) if m.kind is MutantKind.CONTROL)
    assert [m.detail.partition(" is ")[2] for m in wrong] == [
        "never opened",
        "opened after the order",
        "not open at the end",
    ]
    assert control.visited[-1] == "/basket/"
    assert set(control.visited) - set(wrong[0].visited) == {control.visited[1]}


def test_two_slots_do_not_lend_each_other_their_products(world: ShopWorld) -> None:
    pair = wants(
        ("item", {"slot": "a", "kind": "Kettle", "color": "White"}),
        ("item", {"slot": "b", "kind": "Kettle", "color": "Black"}),
        ("ordered", {"slot": "a"}),
        ("ordered", {"slot": "b"}),
    )
    it = asked(world, pair)
    wrong = [
        n.product
        for n in neighbours(it.slots["a"], it.chosen["a"], world.catalogue, others=[it.slots["b"]], taken={1})
        if n.fault == "not color White"
    ]
    assert [p.color for p in wrong] not in ([], ["White"], ["Black"])


# --- carried out on the real shop ------------------------------------------------------------------------------------


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running() -> AsyncIterator[ShopInstance]:
    site = Shop()
    await site.setup()
    instance = await site.launch()
    yield instance
    await instance.close()


@pytest_asyncio.fixture(loop_scope="module")
async def shop(running: ShopInstance) -> ShopInstance:
    await running.reset()
    return running


def truth(instance: ShopInstance) -> ShopWorld:
    world = instance.world()
    assert isinstance(world, ShopWorld)
    return world


async def judged(mutant: Mutant, task: Task, instance: ShopInstance, world: ShopWorld) -> list[str]:
    """What is wrong with the end that `mutant` brings about."""
    await instance.reset()
    await mutant.carry_out(instance)
    visited = tuple(f"{instance.origin}{path}" for path in mutant.visited)
    seen = Seen(observation=Observation(url=visited[-1]), visited=visited)
    active = task.judged(world.branches(task, seen))
    end = EndState(seen=seen, message=mutant.message, active=active)
    return [c.id for c in active if not world.validate(c, end).satisfied] + list(world.damage(task, end))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", PROVED)
async def test_the_control_is_right_and_every_mutant_is_caught(name: str, shop: ShopInstance) -> None:
    world, task = truth(shop), TASKS[name]
    mutants = shop_mutants(task, world)
    assert [mutant.ignores for mutant in mutants if mutant.ignores] == list(range(1, len(task.revisions) + 1))
    for mutant in (m for m in mutants if m.kind is not MutantKind.IGNORED):
        wrong = await judged(mutant, task, shop, world)
        assert bool(wrong) is (mutant.kind is not MutantKind.CONTROL), (mutant.detail, wrong)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_hand_orders_several_things_in_the_right_numbers_to_an_address(shop: ShopInstance) -> None:
    world = truth(shop)
    kettle, tent = product(world, "Velo Studio Kettle - White"), product(world, "Halden Classic Tent - Black")
    lines = (Line(product=kettle, quantity=3), Line(product=tent, quantity=2))
    await Hand(world).reach(Deed(target=Target(order=lines, address="880 Market St"), message=""), shop)
    (order,) = world.done().orders.values()
    assert (set(order.lines), order.address, order.owner) == (set(lines), "880 Market St", "emma")


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_shop_does_not_take_is_an_error_and_no_mutant(shop: ShopInstance) -> None:
    world = truth(shop)
    rare = min((p for p in world.catalogue if p.stock > 0), key=lambda p: p.stock)
    many = Deed(target=Target(basket=(Line(product=rare, quantity=rare.stock + 5),)), message="")
    with pytest.raises(SiteError, match="instead of"):
        await Hand(world).reach(many, shop)
    nowhere = replace(many, target=Target(order=(Line(product=rare),), address="1 Nowhere Street"))
    with pytest.raises(SiteError, match="no saved address"):
        await Hand(world).reach(nowhere, shop)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_visitor_reads_forms_and_tells_what_fails(shop: ShopInstance) -> None:
    async with Visitor(shop.origin, shop.storage_state("emma")) as emma:
        page = await emma.open("/accounts/profile/edit/")
        (form,) = [form for form in page.forms() if form.id == "profile_form"]
        assert form.action == "/accounts/profile/edit/"
        assert form.fields["first_name"] == "Emma"
        with pytest.raises(SiteError, match="404"):
            await emma.open("/no/such/page/")
    async with Visitor(shop.origin, shop.storage_state("")) as nobody:
        assert (await nobody.open("/accounts/profile/")).path.startswith("/accounts/login/")
    async with Visitor("http://127.0.0.1:9", {"cookies": []}) as lost:
        with pytest.raises(SiteError, match="did not answer"):
            await lost.open("/")


@pytest.mark.asyncio(loop_scope="module")
async def test_what_happens_to_other_customers_is_damage(shop: ShopInstance) -> None:
    world, task = truth(shop), TASKS["wish-list.tent"]
    kettle = product(world, "Velo Studio Kettle - White")
    order = Deed(target=Target(order=(Line(product=kettle),)), message="")
    liam = ShopWorld(shop.database, shop.origin, account="liam")
    await Hand(liam).reach(order, shop)
    end = EndState(seen=Seen(observation=Observation(url=ORIGIN)), message="", active=task.judged({}))
    assert any("was placed by liam" in line for line in world.damage(task, end))
    assert not any(c.id == "nothing-ordered" and not world.validate(c, end).satisfied for c in task.constraints)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_shop_goes_back_to_what_was_kept(shop: ShopInstance) -> None:
    world = truth(shop)
    hand, kettle = Hand(world), product(world, "Velo Studio Kettle - White")
    with pytest.raises(SiteError, match="no state was kept"):
        await shop.go_back()
    await hand.reach(Deed(target=Target(order=(Line(product=kettle),)), message=""), shop)
    ordered, mails = world.done(), sorted(file.name for file in shop.mail.iterdir())
    await shop.keep()
    stray = Deed(target=Target(wishlist=(kettle,), order=(Line(product=kettle),)), message="")
    with pytest.raises(SiteError, match="instead of"):  # it is all there, and one order more than was meant
        await hand.reach(stray, shop)
    assert len(world.done().orders) == 2
    for _ in range(2):
        await shop.go_back()
        assert (world.done(), sorted(file.name for file in shop.mail.iterdir())) == (ordered, mails)
    await shop.reset()
    assert not world.done().orders
