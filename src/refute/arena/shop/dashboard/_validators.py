"""Verdicts: what the database and the final message say about each constraint on the staff's work."""

from __future__ import annotations

from collections.abc import Sequence

from refute._errors import UserError
from refute.arena.shop.dashboard._facts import CustomerOrder, CustomerReview, Good, Voucher
from refute.arena.shop.dashboard._likeness import What
from refute.arena.shop.dashboard._slots import Case, Slot, slots_of, value
from refute.arena.shop.dashboard._told import count_fact, fact, names, states, states_count
from refute.arena.shop.dashboard._wants import (
    BestGoods,
    BestOrder,
    Change,
    Goods,
    GoodsCounted,
    GoodsTold,
    GoodsUntouched,
    Orders,
    OrdersCounted,
    OrdersTold,
    OrdersUntouched,
    Reviews,
    ReviewsCounted,
    ReviewsUntouched,
    StaffWant,
    Told,
    Untouched,
    Which,
)
from refute.goals import Finding


def judge(want: StaffWant, case: Case, message: str, active: Sequence[StaffWant]) -> Finding:
    """The verdict on `want`, be it `active` or not; what counts at the end decides which thing is whose."""
    match want:
        case Which() | Change() | GoodsTold() | OrdersTold():
            slots = slots_of(active)
            if want.slot not in slots:
                slots = slots_of((*active, want))
            taken = taken_for(slots[want.slot], slots, case, message)
            return _in_slot(want, slots[want.slot], case, message, taken)
        case GoodsCounted() | OrdersCounted() | ReviewsCounted():
            said = states_count(want, case, message)
            return Finding(satisfied=said, evidence=f"{_says(said)}: {count_fact(want, case)} ({_short(message)!r})")
        case GoodsUntouched() | OrdersUntouched() | ReviewsUntouched():
            return _untouched(want, case)


def taken_for(slot: Slot, slots: dict[str, Slot], case: Case, message: str) -> tuple[int, ...]:
    """Ids of the things that were taken for the slot's.

    What was changed, or, where nothing is to be changed, what the message names. A thing belongs to every slot whose
    descriptions it fits; one that fits none belongs to the slot of whose constraints it satisfies the largest share,
    unless it is another kind of product altogether.
    """
    if slot.changes or not slot.told:
        there = sorted(case.touched(slot.what))
        rivals = [s for s in slots.values() if s.what is slot.what and s.changes]
    else:
        there = [i for i in case.had(slot.what) if names(case, slot.what, i, message)]
        rivals = [s for s in slots.values() if s.what is slot.what and s.told and not s.changes]
    return tuple(i for i in there if slot in _owners(i, rivals or [slot], case))


def _owners(i: int, slots: Sequence[Slot], case: Case) -> list[Slot]:
    fitting = [s for s in slots if s.which and s.described(case, i)]
    alike = [s for s in slots if s.is_one(case, i)]
    return fitting or ([max(alike, key=lambda s: _share(s, case, i))] if alike else [])


def _share(slot: Slot, case: Case, i: int) -> float:
    met = [case.like(w, i) for w in slot.which if isinstance(w, Goods | Orders | Reviews)]
    met += [case.done(c, i) for c in slot.changes]
    return sum(met) / len(met) if met else 0.0


def _in_slot(want: Which | Change | Told, slot: Slot, case: Case, message: str, taken: tuple[int, ...]) -> Finding:
    if not taken:
        return Finding(satisfied=False, evidence=f"no {slot.what} was {'changed' if slot.changes else 'named'}")
    faults = [
        f"{describe(case, slot.what, i)}: {fault}" for i in taken if (fault := _fault(want, slot, case, message, i))
    ]
    wanted = _wanted(want, slot, case)
    if len(taken) < wanted:
        faults.append(f"only {len(taken)} of {wanted} {slot.what}s")
    if isinstance(want, BestGoods | BestOrder) and len(taken) > 1:
        faults.append(f"{len(taken)} {slot.what}s instead of one")
    seen = "; ".join(faults or [describe(case, slot.what, i) for i in taken])
    return Finding(satisfied=not faults, evidence=seen)


def _wanted(want: Which | Change | Told, slot: Slot, case: Case) -> int:
    """How many things have to be taken for `want`: descriptions only speak of those that were."""
    match want:
        case Change():
            return len(slot.needing(case)) if slot.which else 1
        case GoodsTold() | OrdersTold():
            return len(slot.expected(case))
        case _:
            return 1


def _fault(want: Which | Change | Told, slot: Slot, case: Case, message: str, i: int) -> str:
    """What is wrong with thing `i`; empty when nothing is."""
    match want:
        case Goods() | Orders() | Reviews():
            return "" if case.like(want, i) else f"was not {asked(want)}"
        case BestGoods() | BestOrder():
            if not slot.described(case, i) or i not in case.had(slot.what):
                return "was not one of those to choose from"
            better = [c for c in slot.candidates(case) if value(want, case, c) < value(want, case, i)]
            return f"but {describe(case, slot.what, better[0])} comes first by {want.by}" if better else ""
        case Change():
            return "" if case.done(want, i) else f"not {asked(want)}"
        case GoodsTold() | OrdersTold():
            said = i in case.had(slot.what) and states(want, case, i, message)
            missing = fact(want, case, i) if i in case.had(slot.what) else "it"
            return "" if said else f"{_says(said)}: {missing} ({_short(message)!r})"
        case _:
            raise UserError(f"the dashboard cannot judge {type(want).__name__}")


def _untouched(want: Untouched, case: Case) -> Finding:
    what = {GoodsUntouched: What.GOODS, OrdersUntouched: What.ORDERS, ReviewsUntouched: What.REVIEWS}[type(want)]
    changed = [describe(case, what, i) for i in sorted(case.touched(what)) if case.like(want, i)]
    return Finding(satisfied=not changed, evidence="; ".join(changed) or f"no such {what} was changed")


def describe(case: Case, what: What, i: int) -> str:
    """One line about a thing as it is now, or as it was where it is gone."""
    gone = i not in case.has(what)
    thing = case.had(what)[i] if gone else case.has(what)[i]
    end = " (gone)" if gone else ""
    match thing:
        case Good():
            return f"{thing.title} (${thing.price}, {thing.stock} in stock){end}"
        case CustomerOrder():
            return f"order {thing.number} of {thing.customer} ({thing.status}, {len(thing.notes)} notes){end}"
        case CustomerReview():
            return f"review {thing.headline!r} of {thing.title} by {thing.customer} ({thing.verdict}){end}"
        case Voucher():
            gives = f"{thing.value:f} {thing.benefit}".strip()
            return f"voucher {thing.name!r} {thing.code} ({gives}, {thing.usage}, {thing.starts} to {thing.ends}){end}"


def asked(want: Which | Change) -> str:
    """What it asks, in a few words."""
    given = {k: v for k, v in want.model_dump(exclude_defaults=True).items() if k != "slot"}
    return ", ".join(f"{k.strip('_').replace('_', ' ')} {v}" for k, v in given.items()) or "as asked"


def _says(said: bool) -> str:
    return "the message states" if said else "the message does not state"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
