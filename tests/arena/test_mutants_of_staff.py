"""Mutants of the staff's tasks: what is done once and gone on from, and tasks that also ask for what customers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.arena.conftest import ORIGIN, wants

from refute.arena import Mutant, MutantKind
from refute.arena.shop import Shop, ShopInstance, load_tasks
from refute.arena.shop.dashboard import StaffWorld, staff_mutants
from refute.arena.shop.dashboard._facts import Verdict
from refute.arena.shop.dashboard._mutants_messages import hedged_messages
from refute.arena.shop.dashboard._procedures import MakeVoucher
from refute.arena.shop.dashboard._target import OrderTarget, StaffTarget, beyond
from refute.arena.shop.dashboard._told import states
from refute.arena.shop.dashboard._wants import GoodsFact, GoodsTold, OrderFact, OrdersTold
from refute.goals import Constraint
from refute.run.check._direct import Direct

TASKS = {task.id: task for task in load_tasks()}
VOUCHER = MakeVoucher("Summer", "SUN", "10 percent", "often", "today", "tomorrow")


def kinds(mutants: Sequence[Mutant]) -> list[MutantKind]:
    return [mutant.kind for mutant in mutants]


def test_what_can_be_changed_again_is_gone_on_from(gold: Path) -> None:
    case = StaffWorld(gold, ORIGIN).case()
    (i, good), (j, other) = list(case.before.goods.items())[:2]
    sold = StaffTarget(goods={i: replace(good, stock=0)})
    assert beyond(sold, sold, case) == StaffTarget()
    assert beyond(sold, StaffTarget(), case) == StaffTarget(goods={i: good}), "what was not meant goes back"
    more = StaffTarget(goods={**sold.goods, j: replace(other, stock=1)}, vouchers=[VOUCHER])
    assert beyond(sold, more, case) == StaffTarget(goods={j: more.goods[j]}, vouchers=[VOUCHER])
    shown, hidden = StaffTarget(reviews={1: Verdict.APPROVED}), StaffTarget(reviews={1: Verdict.REJECTED})
    assert beyond(shown, hidden, case) == hidden


def test_what_lasts_is_not_gone_on_from(gold: Path) -> None:
    case = StaffWorld(gold, ORIGIN).case()
    order = next(iter(case.before.orders))
    done, noted = OrderTarget(status="Complete"), OrderTarget(note="Call back")
    assert beyond(StaffTarget(orders={order: done}), StaffTarget(orders={order: noted}), case) is None
    assert beyond(StaffTarget(orders={order: done}), StaffTarget(), case) is None
    assert beyond(StaffTarget(vouchers=[VOUCHER]), StaffTarget(), case) is None
    assert beyond(StaffTarget(reviews={1: None}), StaffTarget(reviews={1: Verdict.APPROVED}), case) is None


def test_names_are_hedged_as_a_whole(gold: Path) -> None:
    case = StaffWorld(gold, ORIGIN).case()
    order = next(iter(case.before.orders.values()))
    namesake = f"{order.customer.split()[0]} Another"
    orders = {1: order, 2: replace(order, number="7", customer=namesake)}
    case = replace(case, before=replace(case.before, orders=orders))
    title = next(iter(case.catalogue)).title
    said = [message for _, message in hedged_messages([title, f"It is {order.customer}'s"], case)]
    assert f"It is {order.customer}'s or {namesake}'s." in said[2]
    assert f"It is about {order.customer}'s." in said[3]
    assert said[0].startswith(f"{title} or ")
    assert not any(
        states(told, case, i, message)
        for told, i, messages in (
            (GoodsTold(slot="it", attr=GoodsFact.TITLE), next(iter(case.catalogue)).id, said[:2]),
            (OrdersTold(slot="it", attr=OrderFact.CUSTOMER), 1, said[2:]),
        )
        for message in messages
    )


def with_a_wish(*more: Constraint) -> tuple[Constraint, ...]:
    kettle = wants(("item", {"slot": "gift", "kind": "Kettle", "color": "White"}), ("on_wish_list", {"slot": "gift"}))
    return (*TASKS["reprice.tripod"].constraints, *kettle, *more)


def test_a_customers_part_has_mutants_beside_the_staffs(gold: Path) -> None:
    task, world = TASKS["reprice.tripod"], StaffWorld(gold, ORIGIN)
    alone = staff_mutants(task, world)
    both = staff_mutants(task.model_copy(update={"constraints": with_a_wish()}), world)
    assert len(both) > len(alone)
    assert kinds(both).count(MutantKind.CONTROL) == 1
    assert [m.ignores for m in both if m.ignores] == [m.ignores for m in alone if m.ignores]
    assert {m.detail for m in alone} <= {m.detail for m in both}
    assert any("not on the wish list" in m.detail for m in both)
    assert len({(m.kind, m.detail) for m in both}) == len(both)


async def test_mutants_of_a_task_for_both_roles_are_caught(instance: ShopInstance) -> None:
    task = TASKS["reprice.tripod"].model_copy(update={"constraints": with_a_wish()})
    mutants, ignored = await Direct(Shop(), instance).mutants(task)
    assert not mutants.problem
    assert not mutants.missed
    assert mutants.caught == mutants.made > 20
    assert [proof.problem for proof in ignored] == [""] * len(task.revisions)
