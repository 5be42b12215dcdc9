"""Mutants of a staff task, derived from the state that its active constraints ask for.

Each differs from that state in one way. That a neighbour is wrong follows from the descriptions of the task, never
from the validators that it is to test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from refute._errors import UserError
from refute.arena._active import active_with
from refute.arena._mutant import Mutant, MutantKind, Work
from refute.arena._site import Seen
from refute.arena.shop._mutants import shop_mutants
from refute.arena.shop.dashboard._facts import Good, Verdict
from refute.arena.shop.dashboard._hand import StaffHand
from refute.arena.shop.dashboard._likeness import What
from refute.arena.shop.dashboard._mutants_messages import hedged_messages, in_all, wrong_messages
from refute.arena.shop.dashboard._mutants_pairs import in_pairs
from refute.arena.shop.dashboard._simulated import name_of, neighbours, violated
from refute.arena.shop.dashboard._slots import Case, Slot, slots_of
from refute.arena.shop.dashboard._target import USAGE, OrderTarget, StaffTarget, beyond, resolve_staff
from refute.arena.shop.dashboard._wants import PriceSet, StaffWant, VoucherMade
from refute.arena.shop.dashboard._world import StaffWorld, parted
from refute.browser import Observation
from refute.goals import Task

_FEW = 3
_VISITED = ("/dashboard/",)
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class _Deed:
    """What is done, and what is said in the end."""

    target: StaffTarget
    message: str


Wrong = tuple[MutantKind, str, _Deed]


def staff_mutants(task: Task, world: StaffWorld) -> tuple[Mutant, ...]:
    """The control and every mutant of `task` on the data of `world`, which must be as seeded.

    They are to be carried out on the instance that `world` tells of. What a task asks of its account as a customer is
    done after the staff's part, and each mutant is wrong in one of the two. Raises `UserError` when nothing satisfies
    the task's constraints.
    """
    mine = _staff_mutants(task, world)
    theirs = parted(task.constraints)[1]
    if not theirs:
        return mine
    return in_pairs(mine, shop_mutants(task.model_copy(update={"constraints": theirs}), world))


def _staff_mutants(task: Task, world: StaffWorld) -> tuple[Mutant, ...]:
    seen = Seen(observation=Observation(url=f"{world.origin}/"))
    branches = world.branches(task, seen)
    wants = parted(task.judged(branches))[0]
    case = world.case()
    right = _deed(wants, case)
    works = _Works(StaffHand(world), right.target, case)
    found: list[Wrong] = [(MutantKind.CONTROL, "what is asked", right)]
    for wrong in (*_wrong_branches(task, branches, case), *_all_wrongs(wants, case, right)):
        if all(wrong[2] != deed for _, _, deed in found):
            found.append(wrong)
    return (
        *(works.mutant(kind, detail, deed) for kind, detail, deed in found),
        *_ignoring(task, branches, works, case),
    )


class _Works:
    """Makes mutants out of deeds. Most of them do what is right and then go on from there."""

    def __init__(self, hand: StaffHand, right: StaffTarget, case: Case) -> None:
        self._hand = hand
        self._right = right
        self._case = case
        self._reach = partial(hand.enact, right)

    def mutant(self, kind: MutantKind, detail: str, deed: _Deed, *, ignores: int = 0) -> Mutant:
        rest = beyond(self._right, deed.target, self._case)
        works: tuple[Work, ...] = (self._reach,)
        if rest is None:
            works = (partial(self._hand.enact, deed.target),)
        elif rest != StaffTarget():
            works = (self._reach, partial(self._hand.enact, rest))
        return Mutant(kind=kind, detail=detail, works=works, message=deed.message, visited=_VISITED, ignores=ignores)


def _ignoring(task: Task, branches: Mapping[str, bool], works: _Works, case: Case) -> Iterator[Mutant]:
    everything = frozenset(range(1, len(task.revisions) + 1))
    for k in sorted(everything):
        try:
            deed = _deed(parted(active_with(task, everything - {k}, branches))[0], case)
        except UserError:
            continue  # without the revision nothing satisfies the rest
        yield works.mutant(MutantKind.IGNORED, f"revision {k} is ignored", deed, ignores=k)


def _deed(wants: tuple[StaffWant, ...], case: Case, swap: Mapping[int, int] | None = None) -> _Deed:
    target = resolve_staff(wants, case, swap=swap)
    return _Deed(target, in_all(target.facts))


def _all_wrongs(wants: tuple[StaffWant, ...], case: Case, right: _Deed) -> Iterator[Wrong]:
    slots = [s for s in slots_of(wants).values() if s.which and s.changes]
    for slot in slots:
        yield from _wrong_things(slot, wants, case)
        yield from _one_too_many(slot, case, right)
    yield from _wrong_numbers(slots, case, right)
    yield from _wrong_decisions(case, right)
    yield from _missing(case, right)
    yield from _wrong_vouchers(wants, case, right)
    yield from _damages(case, right)
    for kind, message in (*wrong_messages(right.target.facts), *hedged_messages(right.target.facts, case)):
        yield kind, message, _Deed(right.target, message)


def _wrong_branches(task: Task, branches: Mapping[str, bool], case: Case) -> Iterator[Wrong]:
    for name, outcome in branches.items():
        try:
            other = _deed(parted(task.judged({**branches, name: not outcome}))[0], case)
        except UserError:
            continue  # nobody can do what the other outcome asks
        yield MutantKind.WRONG_BRANCH, f"as if {name} were {str(not outcome).lower()}", other


def _wrong_things(slot: Slot, wants: tuple[StaffWant, ...], case: Case) -> Iterator[Wrong]:
    """A neighbour in the place of one of the things that are meant."""
    meant = slot.expected(case)
    for right, wrong in zip((meant[0], meant[-1], meant[0]), neighbours(slot, case)[:_FEW], strict=False):
        detail = f"{name_of(case, slot.what, wrong)} instead of {name_of(case, slot.what, right)}"
        yield MutantKind.WRONG_ITEM, f"{detail}: {violated(slot, case, wrong)}", _deed(wants, case, {right: wrong})


def _one_too_many(slot: Slot, case: Case, right: _Deed) -> Iterator[Wrong]:
    """The same is done to one more thing: the closest that is just not meant."""
    for extra in neighbours(slot, case)[:1]:
        target = deepcopy(right.target)
        first = slot.expected(case)[0]
        match slot.what:
            case What.GOODS:
                was = case.before.goods[extra]
                target.goods[extra] = replace(was, stock=was.stock + 7, price=was.price + 1)
            case What.ORDERS:
                target.orders[extra] = deepcopy(target.orders[first])
            case What.REVIEWS:
                target.reviews[extra] = target.reviews[first]
            case What.VOUCHERS:
                return
        yield MutantKind.BOUNDARY, f"{name_of(case, slot.what, extra)} as well", _Deed(target, right.message)


def _wrong_numbers(slots: list[Slot], case: Case, right: _Deed) -> Iterator[Wrong]:
    for i, good in right.target.goods.items():
        was = case.before.goods[i]
        wrongs: list[tuple[MutantKind, Good]] = []
        if good.stock != was.stock:
            wrongs += [(MutantKind.BOUNDARY, replace(good, stock=good.stock + 1))]
            wrongs += [(MutantKind.BOUNDARY, replace(good, stock=max(0, good.stock - 1)))]
            wrongs += [(MutantKind.WRONG_QUANTITY, replace(good, stock=good.stock + 30))]
        if good.price != was.price:
            wrongs += [(MutantKind.BOUNDARY, replace(good, price=good.price + _CENT))]
            wrongs += [(MutantKind.WRONG_QUANTITY, replace(good, price=was.price + (was.price - good.price)))]
        if good.threshold not in (was.threshold, None):
            wrongs += [(MutantKind.BOUNDARY, replace(good, threshold=(good.threshold or 0) + 1))]
        for kind, wrong in wrongs:
            target = deepcopy(right.target)
            target.goods[i] = wrong
            said = f"{wrong.title}: {wrong.stock} pieces, ${wrong.price}, warned below {wrong.threshold}"
            yield kind, said, _Deed(target, right.message)
    if any(isinstance(c, PriceSet) and c.percent is not None for s in slots for c in s.changes):
        target = deepcopy(right.target)
        for i, good in target.goods.items():
            was = case.before.goods[i].price
            target.goods[i] = replace(good, price=was + Decimal(round(good.price - was)))
        yield MutantKind.BOUNDARY, "prices changed by whole dollars", _Deed(target, right.message)


def _wrong_decisions(case: Case, right: _Deed) -> Iterator[Wrong]:
    for i, order in list(right.target.orders.items())[:_FEW]:
        if order.status is not None:
            target = deepcopy(right.target)
            target.orders[i].status = "Complete" if order.status == "Cancelled" else "Cancelled"
            detail = f"order {case.before.orders[i].number} is {target.orders[i].status}, not {order.status}"
            yield MutantKind.WRONG_ITEM, detail, _Deed(target, right.message)
        if order.note:
            target = deepcopy(right.target)
            target.orders[i].note = "Done"
            yield MutantKind.WRONG_ITEM, "another note", _Deed(target, right.message)
    for i, verdict in list(right.target.reviews.items())[:_FEW]:
        target = deepcopy(right.target)
        target.reviews[i] = Verdict.REJECTED if verdict is not Verdict.REJECTED else Verdict.APPROVED
        detail = f"review {case.before.reviews[i].headline!r} is {target.reviews[i]}, not {verdict or 'deleted'}"
        yield MutantKind.WRONG_ITEM, detail, _Deed(target, right.message)


def _missing(case: Case, right: _Deed) -> Iterator[Wrong]:
    """One thing is left out, or one of the changes to it."""
    for what in ("goods", "orders", "reviews", "vouchers"):
        if getattr(right.target, what):
            target = deepcopy(right.target)
            things = getattr(target, what)
            things.pop(*(() if what == "vouchers" else (list(things)[-1],)))
            yield MutantKind.MISSING, f"one of the {what} is left out", _Deed(target, right.message)
    for i, order in list(right.target.orders.items())[:1]:
        if order.note and order.status:
            target = deepcopy(right.target)
            target.orders[i] = OrderTarget(status=order.status)
            yield MutantKind.MISSING, "a note is left out", _Deed(target, right.message)
    for i, good in list(right.target.goods.items())[:1]:
        was = case.before.goods[i]
        for name in ("stock", "price", "threshold"):
            kept = replace(good, **{name: getattr(was, name)})
            if kept not in (good, was):
                target = deepcopy(right.target)
                target.goods[i] = kept
                yield MutantKind.MISSING, f"the {name} is left as it was", _Deed(target, right.message)


def _wrong_vouchers(wants: tuple[StaffWant, ...], case: Case, right: _Deed) -> Iterator[Wrong]:
    """Each property that is asked for, another way; what nobody asked for may be as it likes."""
    made = [want for want in wants if isinstance(want, VoucherMade)]
    for voucher in right.target.vouchers:
        other = next((name for name in case.before.offers if name != voucher.offer), voucher.offer)
        usage = next(text for text in USAGE.values() if text != voucher.usage)
        for asked, detail, wrong in (
            ("percent", "another percentage", replace(voucher, offer=other)),
            ("code", "another code", replace(voucher, code=f"{voucher.code}1")),
            ("name", "another name", replace(voucher, name=f"{voucher.name} too")),
            ("usage", "another usage", replace(voucher, usage=usage)),
            ("ends", "another end", replace(voucher, ends=f"2027{voucher.ends[4:]}")),
        ):
            if any(getattr(want, asked) is not None for want in made):
                target = deepcopy(right.target)
                target.vouchers = [wrong]
                yield MutantKind.WRONG_ITEM, detail, _Deed(target, right.message)


def _damages(case: Case, right: _Deed) -> Iterator[Wrong]:
    """Everything right, and something besides that nobody asked for."""
    product = next(i for i in sorted(case.before.goods, reverse=True) if i not in right.target.goods)
    for detail, changes in (("price", {"price": Decimal("1.00")}), ("stock", {"stock": 777})):
        target = deepcopy(right.target)
        target.goods[product] = replace(case.before.goods[product], **changes)
        yield MutantKind.DAMAGE, f"another product's {detail} changes too", _Deed(target, right.message)
    under_way = [i for i, o in case.before.orders.items() if o.status == "Being processed"]
    order = next((i for i in under_way if i not in right.target.orders), None)
    if order is not None:
        for detail, wanted in (("completed", OrderTarget(status="Complete")), ("noted", OrderTarget(note="Call back"))):
            target = deepcopy(right.target)
            target.orders[order] = wanted
            yield MutantKind.DAMAGE, f"another order is {detail} too", _Deed(target, right.message)
    review = next(i for i in case.before.reviews if i not in right.target.reviews)
    target = deepcopy(right.target)
    target.reviews[review] = None
    yield MutantKind.DAMAGE, "another review is deleted too", _Deed(target, right.message)
