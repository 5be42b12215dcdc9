"""The state that a set of active constraints asks of the staff, resolved to concrete things by the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from refute._errors import UserError
from refute.arena.shop.dashboard._facts import Good, Verdict
from refute.arena.shop.dashboard._likeness import What
from refute.arena.shop.dashboard._procedures import MakeVoucher
from refute.arena.shop.dashboard._slots import Case, Slot, slots_of
from refute.arena.shop.dashboard._told import count_fact, fact
from refute.arena.shop.dashboard._wants import (
    Change,
    Counted,
    Decided,
    GoodsCounted,
    NoteAdded,
    OrdersCounted,
    PriceSet,
    ReviewsCounted,
    StaffWant,
    StatusSet,
    StockSet,
    ThresholdSet,
    VoucherMade,
)

OPENING_DAY = date(2026, 6, 15)
"""The day on which every instance starts; ``site/clock.py`` has it too."""
USAGE = {
    "Single use": "Can be used once by one customer",
    "Multi-use": "Can be used multiple times by multiple customers",
    "Once per customer": "Can only be used once per customer",
}
"""How the voucher's form says what the database calls by a short name."""


@dataclass(kw_only=True)
class OrderTarget:
    """What becomes of an order: its status at the end (None = as it is), and words of one new note."""

    status: str | None = None
    note: str = ""


@dataclass(kw_only=True)
class StaffTarget:
    """Wanted things by id, in the order in which the task speaks of them. All other things stay as they were."""

    goods: dict[int, Good] = field(default_factory=dict[int, Good])
    orders: dict[int, OrderTarget] = field(default_factory=dict[int, OrderTarget])
    reviews: dict[int, Verdict | None] = field(default_factory=dict[int, Verdict | None])
    """None = deleted."""
    vouchers: list[MakeVoucher] = field(default_factory=list[MakeVoucher])
    facts: list[str] = field(default_factory=list[str])
    """Texts that the final message must hold."""
    inspected: list[tuple[What, int]] = field(default_factory=list[tuple[What, int]])
    """Things whose page must have been open, because the message reports what it says."""
    counted: list[Counted] = field(default_factory=list[Counted])


def resolve_staff(wants: Sequence[StaffWant], case: Case, *, swap: Mapping[int, int] | None = None) -> StaffTarget:
    """The state that satisfies every one of `wants`; `swap` puts other things in the place of the right ones.

    Raises `UserError` when a slot means nothing, or when nobody could know which thing it means: a broken task.
    """
    target = StaffTarget()
    for slot in slots_of(wants).values():
        if slot.what is What.VOUCHERS:
            target.vouchers.append(_voucher([c for c in slot.changes if isinstance(c, VoucherMade)], case))
        elif slot.which and (slot.changes or slot.told):
            _add(slot, target, case, swap or {})
    for want in wants:
        if isinstance(want, GoodsCounted | OrdersCounted | ReviewsCounted):
            target.facts.append(count_fact(want, case))
            target.counted.append(want)
    return target


def _add(slot: Slot, target: StaffTarget, case: Case, swap: Mapping[int, int]) -> None:
    meant = [swap.get(i, i) for i in slot.expected(case)]
    if not meant:
        wanted = "; ".join(str(w.model_dump(exclude_defaults=True)) for w in slot.which) or "anything"
        raise UserError(f"the shop has no {slot.what} for {slot.name!r} ({wanted}); change the task's constraints")
    for i in meant:
        for change in slot.changes:
            _change(change, target, case, i)
        for told in slot.told:
            target.facts.append(fact(told, case, i))
            if (slot.what, i) not in target.inspected:
                target.inspected.append((slot.what, i))


def _voucher(wants: Sequence[VoucherMade], case: Case) -> MakeVoucher:
    """The voucher that all of `wants` describe; what they leave open is chosen."""
    code = next((w.code for w in wants if w.code), "VOUCHER1").upper()
    percent = next((w.percent for w in wants if w.percent is not None), None)
    offer = next((n for n, p in case.before.offers.items() if percent in (None, p)), None)
    if offer is None:
        raise UserError(f"the shop has no offer of {percent} percent for a voucher; change the task's constraints")
    starts = next((w.starts for w in wants if w.starts is not None), OPENING_DAY)
    ends = next((w.ends for w in wants if w.ends is not None), starts + timedelta(days=30))
    return MakeVoucher(
        name=next((w.name for w in wants if w.name), f"Voucher {code}"),
        code=code,
        offer=offer,
        usage=USAGE[next((w.usage for w in wants if w.usage), "Multi-use")],
        starts=f"{starts} 09:00:00",
        ends=f"{ends} 09:00:00",
    )


def _change(change: Change, target: StaffTarget, case: Case, i: int) -> None:
    match change:
        case StockSet():
            was = case.before.goods[i]
            target.goods[i] = replace(target.goods.get(i, was), stock=change.wanted(was.stock))
        case PriceSet():
            was = case.before.goods[i]
            target.goods[i] = replace(target.goods.get(i, was), price=change.wanted(was.price))
        case ThresholdSet():
            target.goods[i] = replace(target.goods.get(i, case.before.goods[i]), threshold=change.to)
        case StatusSet():
            target.orders.setdefault(i, OrderTarget()).status = change.to
        case NoteAdded():
            order = target.orders.setdefault(i, OrderTarget())
            order.note = f"{order.note} {change.mentions[:1].upper()}{change.mentions[1:]}.".strip()
        case Decided():
            target.reviews[i] = change.as_
        case _:
            raise UserError(f"the dashboard cannot do {type(change).__name__}")


def beyond(reached: StaffTarget, wanted: StaffTarget, case: Case) -> StaffTarget | None:
    """What is still to do for the state of `wanted` once that of `reached` is there; None = it cannot be had any more.

    Stock records and verdicts can be changed again; an order's status, a note, a voucher and a deletion stay.
    """
    if any(wanted.orders.get(i) != order for i, order in reached.orders.items()):
        return None
    made = len(reached.vouchers)
    if wanted.vouchers[:made] != reached.vouchers:
        return None
    verdicts = {i: review.verdict for i, review in case.before.reviews.items()}
    decided = {i: wanted.reviews.get(i, verdicts[i]) for i in (*reached.reviews, *wanted.reviews)}
    changed = {i: v for i, v in decided.items() if reached.reviews.get(i, verdicts[i]) is not v}
    if any(v is Verdict.WAITING or (i in reached.reviews and reached.reviews[i] is None) for i, v in changed.items()):
        return None
    goods = {i: wanted.goods.get(i, case.before.goods[i]) for i in (*reached.goods, *wanted.goods)}
    return StaffTarget(
        goods={i: good for i, good in goods.items() if reached.goods.get(i, case.before.goods[i]) != good},
        orders={i: order for i, order in wanted.orders.items() if i not in reached.orders},
        reviews=changed,
        vouchers=wanted.vouchers[made:],
    )
