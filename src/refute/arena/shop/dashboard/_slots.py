"""Slots: the things that active constraints speak of, and what has become of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refute._errors import UserError
from refute.arena.shop._criteria import plain
from refute.arena.shop._facts import Catalogue
from refute.arena.shop.dashboard._facts import CustomerOrder, CustomerReview, Good, StaffFacts, Voucher
from refute.arena.shop.dashboard._likeness import GoodsLike, OrdersLike, ReviewsLike, What
from refute.arena.shop.dashboard._wants import (
    BestGoods,
    BestOrder,
    Change,
    Decided,
    Goods,
    GoodsTold,
    NoteAdded,
    Orders,
    OrdersTold,
    PriceSet,
    Reviews,
    StaffWant,
    StatusSet,
    StockSet,
    ThresholdSet,
    Told,
    VoucherMade,
    Which,
)

Thing = Good | CustomerOrder | CustomerReview | Voucher


@dataclass(frozen=True, kw_only=True)
class Case:
    """The shop before the episode and now."""

    catalogue: Catalogue
    before: StaffFacts
    now: StaffFacts

    def had(self, what: What) -> Mapping[int, Thing]:
        """The things that there were, by id."""
        return _things(self.before, what)

    def has(self, what: What) -> Mapping[int, Thing]:
        """The things that there are, by id."""
        return _things(self.now, what)

    def touched(self, what: What) -> frozenset[int]:
        """Ids of the things that were changed, added or removed."""
        had, has = self.had(what), self.has(what)
        return frozenset(i for i in had.keys() | has.keys() if had.get(i) != has.get(i))

    def like(self, likeness: GoodsLike | OrdersLike | ReviewsLike, i: int) -> bool:
        """Whether thing `i` was like this before the episode; never true of what was not there."""
        match likeness:
            case GoodsLike():
                product = self.catalogue.products.get(i)
                return product is not None and likeness.fits(product)
            case OrdersLike():
                order = self.before.orders.get(i)
                return order is not None and likeness.fits(order)
            case ReviewsLike():
                review = self.before.reviews.get(i)
                return review is not None and likeness.fits(review)

    def done(self, change: Change, i: int) -> bool:
        """Whether `change` has come to thing `i`."""
        match change:
            case StockSet():
                was, now = self.before.goods.get(i), self.now.goods.get(i)
                return was is not None and now is not None and now.stock == change.wanted(was.stock)
            case PriceSet():
                was, now = self.before.goods.get(i), self.now.goods.get(i)
                return was is not None and now is not None and now.price == change.wanted(was.price)
            case ThresholdSet():
                now = self.now.goods.get(i)
                return now is not None and now.threshold == change.to
            case StatusSet():
                order = self.now.orders.get(i)
                return order is not None and plain(order.status) == plain(change.to)
            case NoteAdded():
                return any(f" {plain(change.mentions)} " in f" {plain(note)} " for note in self.new_notes(i))
            case Decided():
                review = self.now.reviews.get(i)
                return review is None if change.deleted else review is not None and review.verdict is change.as_
            case VoucherMade():
                voucher = self.now.vouchers.get(i)
                return voucher is not None and i not in self.before.vouchers and as_made(change, voucher)
            case _:
                raise UserError(f"the dashboard cannot tell whether {type(change).__name__} was done")

    def new_notes(self, i: int) -> tuple[str, ...]:
        """The notes that order `i` has now and did not have before."""
        was, now = self.before.orders.get(i), self.now.orders.get(i)
        notes = list(now.notes) if now is not None else []
        for note in was.notes if was is not None else ():
            if note in notes:
                notes.remove(note)
        return tuple(notes)


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A set of things: which ones, and what is asked of all of them."""

    name: str
    what: What
    which: tuple[Which, ...] = ()
    changes: tuple[Change, ...] = ()
    told: tuple[Told, ...] = ()

    def described(self, case: Case, i: int) -> bool:
        """Whether thing `i` fits every description, rankings aside."""
        return all(case.like(w, i) for w in self.which if isinstance(w, Goods | Orders | Reviews))

    def is_one(self, case: Case, i: int) -> bool:
        """Whether thing `i` is this kind of thing at all, be it the right one or not."""
        product = case.catalogue.products.get(i) if self.what is What.GOODS else None
        return product is None or all(w.identity.fits(product) for w in self.which if isinstance(w, Goods))

    def candidates(self, case: Case) -> tuple[int, ...]:
        """Ids of the things that fit, the best by the slot's rankings first."""
        fitting = [i for i in case.had(self.what) if self.which and self.described(case, i)]
        return tuple(sorted(fitting, key=lambda i: (*(value(w, case, i) for w in self.which), i)))

    def expected(self, case: Case) -> tuple[int, ...]:
        """Ids of the things that are meant: all that fit, or the best one where a ranking asks for it.

        Raises `UserError` when two are equally good: nobody could know which one is meant.
        """
        found = self.candidates(case)
        rankings = [w for w in self.which if isinstance(w, BestGoods | BestOrder)]
        if not rankings or not found:
            return found
        if len(found) > 1 and all(value(w, case, found[0]) == value(w, case, found[1]) for w in rankings):
            raise UserError(f"two things are equally good for {self.name!r}; change the task's constraints")
        return found[:1]

    def needing(self, case: Case) -> tuple[int, ...]:
        """Those of the things that are meant which were not as they shall be from the start."""
        start = Case(catalogue=case.catalogue, before=case.before, now=case.before)
        return tuple(i for i in self.expected(case) if not all(start.done(c, i) for c in self.changes))


def slots_of(wants: Sequence[StaffWant]) -> dict[str, Slot]:
    """The slots that `wants` speak of, by name, in order of their first mention. Raises `UserError` for a mixed one."""
    named = [w for w in wants if isinstance(w, Which | Change | GoodsTold | OrdersTold)]
    slots: dict[str, Slot] = {}
    for name in dict.fromkeys(w.slot for w in named):
        mine = [w for w in named if w.slot == name]
        kinds = {_what(w) for w in mine}
        if len(kinds) != 1:
            raise UserError(f"slot {name!r} mixes {' and '.join(sorted(kinds))}; give each a slot of its own")
        slots[name] = Slot(
            name=name,
            what=kinds.pop(),
            which=tuple(w for w in mine if isinstance(w, Which)),
            changes=tuple(w for w in mine if isinstance(w, Change)),
            told=tuple(w for w in mine if isinstance(w, GoodsTold | OrdersTold)),
        )
    return slots


def value(which: Which, case: Case, i: int) -> float:
    """How thing `i` ranks by `which`: smaller is better, 0 where that is no ranking."""
    if isinstance(which, BestGoods):
        return which.by.value_of(case.catalogue.products[i])
    if isinstance(which, BestOrder):
        return which.by.value_of(case.before.orders[i])
    return 0.0


def as_made(want: VoucherMade, voucher: Voucher) -> bool:
    """Whether `voucher` is what one constraint asks for."""
    percentage = voucher.benefit == "Percentage" and voucher.offers == 1
    return (
        (want.name is None or plain(want.name) == plain(voucher.name))
        and (want.code is None or want.code.upper() == voucher.code.upper())
        and (want.usage is None or want.usage == voucher.usage)
        and want.starts in (None, voucher.starts)
        and want.ends in (None, voucher.ends)
        and (want.percent is None or (percentage and voucher.value == want.percent))
    )


def _what(want: Which | Change | Told) -> What:
    match want:
        case GoodsTold():
            return What.GOODS
        case OrdersTold():
            return What.ORDERS
        case Which() | Change():
            return want.what


def _things(facts: StaffFacts, what: What) -> Mapping[int, Thing]:
    match what:
        case What.GOODS:
            return facts.goods
        case What.ORDERS:
            return facts.orders
        case What.REVIEWS:
            return facts.reviews
        case What.VOUCHERS:
            return facts.vouchers
