"""Verdicts: what the shop's rows and the final message say about each constraint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product as combinations
from math import prod

from refute.arena.shop import _message
from refute.arena.shop._facts import Catalogue, Facts, WrittenReview
from refute.arena.shop._slots import Slot, best_match, slots_of
from refute.arena.shop._target import Line, PageKind, Product, View
from refute.arena.shop._views import is_at, was_open
from refute.arena.shop._wants import (
    BestItem,
    InBasket,
    Item,
    LeftOpen,
    LookedAt,
    MessageStates,
    NothingOrdered,
    OffWishList,
    OnlyBasket,
    OnlyOrder,
    Ordered,
    Place,
    Placed,
    Reviewed,
    ShipTo,
    Want,
)
from refute.goals import Finding

_GOODS = (Place.ORDER, Place.BASKET, Place.WISHLIST)
"""Places that hold goods, as opposed to words about them."""
_MOST_WAYS = 20_000
"""Beyond this many ways to fill the slots, only the four best fillings of each are looked at."""


@dataclass(frozen=True, kw_only=True)
class Filling:
    """Something at a place that may be what a slot asks for."""

    line: Line
    review: WrittenReview | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How an episode left the shop: everything beyond the seeded state, and the final message."""

    catalogue: Catalogue
    done: Facts
    """Rows beyond the seeded ones; the basket and the wish list hold everything."""
    message: str
    visited: tuple[str, ...] = ()
    """Every address visited, oldest first; the last one is open at the end."""

    def at(self, place: Place) -> tuple[Filling, ...]:
        """What is there now, one entry per product (or review)."""
        match place:
            case Place.ORDER:
                return _merge([line for order in self.done.orders.values() for line in order.lines])
            case Place.BASKET:
                return _merge(list(self.done.basket.values()))
            case Place.WISHLIST:
                return _merge(list(self.done.wishlist.values()))
            case Place.REVIEW:
                return tuple(Filling(line=Line(product=r.product), review=r) for r in self.done.reviews.values())
            case Place.MESSAGE:
                return tuple(Filling(line=Line(product=p)) for p in self.catalogue if _message.names(self.message, p))

    def fill(self, slots: Mapping[str, Slot], place: Place, *, also: Slot | None = None) -> dict[str, Filling]:
        """Which slot is filled by what at `place`: the pairing that satisfies the most constraints.

        Slots that are wanted there take part, and `also`.
        """
        there = self.at(place)
        wanted = [s for s in slots.values() if s.at(place) or s is also]
        options = [[*(f for f in there if slot.is_one(f.line.product)), None] for slot in wanted]
        if prod(len(choice) for choice in options) > _MOST_WAYS:
            options = [
                sorted(choice, key=lambda f, slot=slot: -_merit(slot, f, place))[:4]
                for slot, choice in zip(wanted, options, strict=True)
            ]
        best: tuple[Filling | None, ...] = ()
        most = -1
        for way in combinations(*options):
            used = [id(f) for f in way if f is not None]
            merit = sum(_merit(slot, f, place) for slot, f in zip(wanted, way, strict=True))
            if len(set(used)) == len(used) and merit > most:
                best, most = way, merit
        return {slot.name: f for slot, f in zip(wanted, best, strict=False) if f is not None}

    def found(self, slots: Mapping[str, Slot], slot: Slot) -> dict[Place, Product]:
        """What was taken for `slot`: at the places where it is wanted, or else wherever it ended up instead."""
        wanted = tuple(dict.fromkeys(p.place for p in slot.places))
        elsewhere = tuple(p for p in _GOODS if p not in wanted) if any(p in _GOODS for p in wanted) else ()
        for places in (wanted, elsewhere):
            fillings = {place: self.fill(slots, place, also=slot).get(slot.name) for place in places}
            taken = {place: f.line.product for place, f in fillings.items() if f is not None}
            if taken:
                return taken
        return {}


def judge(want: Want, outcome: Outcome, active: Sequence[Want]) -> Finding:
    """The verdict on `want`, be it `active` or not; what counts at the end decides which product is whose."""
    slots = slots_of(active)
    if isinstance(want, Item | BestItem | Placed) and want.slot not in slots:
        slots = slots_of((*active, want))
    match want:
        case Item() | BestItem():
            return _product(want, slots, outcome)
        case Placed():
            return _placed(want, slots, outcome)
        case OffWishList():
            return _off(want, outcome)
        case MessageStates():
            return _stated(want, slots, outcome)
        case ShipTo(line1=line1):
            return _shipped(line1, outcome)
        case OnlyOrder():
            return _only_order(slots, outcome)
        case OnlyBasket():
            return _only_basket(slots, outcome)
        case LookedAt():
            return _looked_at(want, slots, outcome)
        case LeftOpen():
            return _left_open(want, slots, outcome)
        case NothingOrdered():
            orders = outcome.done.orders.values()
            return Finding(satisfied=not orders, evidence=_orders(outcome) if orders else "no order was placed")


def strays(slots: Mapping[str, Slot], outcome: Outcome, place: Place) -> tuple[Filling, ...]:
    """What is at `place` although no slot asks for it."""
    taken = {id(f.line.product) for f in outcome.fill(slots, place).values()}
    return tuple(f for f in outcome.at(place) if id(f.line.product) not in taken)


def _product(want: Item | BestItem, slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    slot = slots[want.slot]
    found = outcome.found(slots, slot)
    if not found:
        where = " or ".join(dict.fromkeys(p.place for p in slot.places)) or "wanted"
        return Finding(satisfied=False, evidence=f"no {_kind(slot)} is {where}")
    for place, product in found.items():
        fault = _fault(want, slot, product, outcome.catalogue)
        if fault:
            return Finding(satisfied=False, evidence=f"{place}: {describe(product)}, {fault}")
    return Finding(satisfied=True, evidence="; ".join(f"{place}: {describe(p)}" for place, p in found.items()))


def _fault(want: Item | BestItem, slot: Slot, product: Product, catalogue: Catalogue) -> str:
    """What is wrong with `product`; empty when nothing is."""
    if isinstance(want, Item):
        return "" if want.fits(product) else f"not {want}"
    better = next((p for p in slot.candidates(catalogue) if _beats(want, p, product)), None)
    return f"but better: {describe(better)}" if better is not None else ""


def _placed(want: Placed, slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    slot = slots[want.slot]
    found = outcome.fill(slots, want.place, also=slot).get(slot.name)
    if found is None:
        return Finding(satisfied=False, evidence=f"no {_kind(slot)} is {want.place}")
    line = found.line
    seen = f"{want.place}: {line.product.title}"
    if isinstance(want, Ordered | InBasket):
        satisfied = want.quantity is None or line.quantity == want.quantity
        wanted = "" if satisfied else f", {want.quantity} wanted"
        return Finding(satisfied=satisfied, evidence=f"{seen}, {line.quantity} piece(s){wanted}")
    if isinstance(want, Reviewed) and found.review is not None:
        return Finding(
            satisfied=_as_reviewed(want, found.review),
            evidence=f"{seen}: {found.review.score} of 5, {found.review.title!r}, {_short(found.review.body)!r}",
        )
    return Finding(satisfied=True, evidence=seen)


def _off(want: OffWishList, outcome: Outcome) -> Finding:
    there = [f.line.product.title for f in outcome.at(Place.WISHLIST) if want.fits(f.line.product)]
    return Finding(satisfied=not there, evidence=f"on the wish list: {', '.join(there) or 'no such thing'}")


def _stated(want: MessageStates, slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    if not outcome.message:
        return Finding(satisfied=False, evidence="there is no final message")
    products = _subjects(want, slots, outcome)
    if not products:
        return Finding(satisfied=False, evidence="nothing was found that the message could be about")
    said = [p for p in products if _message.states(outcome.message, want.attr, p, outcome.catalogue)]
    product = (said or products)[0]
    verb = "states" if said else "does not state"
    return Finding(
        satisfied=bool(said),
        evidence=f"the message {verb}: {_message.fact(want.attr, product)} (it says {_short(outcome.message)!r})",
    )


def _subjects(want: MessageStates, slots: Mapping[str, Slot], outcome: Outcome) -> list[Product]:
    if want.of is not None:
        best = best_match(outcome.catalogue, want.of, want.of.by)
        return [best] if best is not None else []
    slot = slots.get(want.slot or "item")
    if slot is None:
        return []
    return [f.line.product for p in slot.places if (f := outcome.fill(slots, p.place).get(slot.name)) is not None]


def _shipped(line1: str, outcome: Outcome) -> Finding:
    orders = list(outcome.done.orders.values())
    start = line1.casefold()
    satisfied = bool(orders) and all(o.address.casefold().startswith(start) for o in orders)
    return Finding(satisfied=satisfied, evidence=_orders(outcome))


def _only_order(slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    stray = strays(slots, outcome, Place.ORDER)
    if len(outcome.done.orders) != 1 or not stray:
        return Finding(satisfied=len(outcome.done.orders) == 1, evidence=_orders(outcome))
    return Finding(satisfied=False, evidence=f"also ordered: {', '.join(f.line.product.title for f in stray)}")


def _only_basket(slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    there = outcome.at(Place.BASKET)
    stray = strays(slots, outcome, Place.BASKET)
    holds = ", ".join(f"{f.line.quantity} x {f.line.product.title}" for f in there) or "nothing"
    return Finding(satisfied=bool(there) and not stray, evidence=f"the basket holds {holds}")


def _looked_at(want: LookedAt, slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    before = want.before == "order"
    views = [View(page=want.page, product=p, before_order=before) for p in _concerned(want, slots, outcome)]
    opened = next((view for view in views if was_open(view, outcome.visited)), None)
    when = " before the order" if before else ""
    if opened is not None:
        return Finding(satisfied=True, evidence=f"{opened} was open{when}")
    missed = str(views[0]) if views else f"the {want.page} of what was asked for"
    return Finding(satisfied=False, evidence=f"{missed} was not open{when}")


def _left_open(want: LeftOpen, slots: Mapping[str, Slot], outcome: Outcome) -> Finding:
    front = outcome.visited[-1] if outcome.visited else ""
    views = [View(page=want.page, words=want.words)]
    if want.page in (PageKind.PRODUCT, PageKind.REVIEWS):
        views = [View(page=want.page, product=p) for p in _concerned(want, slots, outcome)]
    left = next((view for view in views if is_at(view, front)), None)
    if left is not None:
        return Finding(satisfied=True, evidence=f"{left} is open at the end")
    wanted = str(views[0]) if views else f"the {want.page} of what was asked for"
    return Finding(satisfied=False, evidence=f"{front or 'no page'} is open at the end, and not {wanted}")


def _concerned(want: LookedAt | LeftOpen, slots: Mapping[str, Slot], outcome: Outcome) -> list[Product]:
    """The products whose pages are meant."""
    if want.of is not None:
        return [p for p in outcome.catalogue if want.of.fits(p)]
    slot = slots.get(want.slot)
    return list(outcome.found(slots, slot).values()) if slot is not None else []


def describe(product: Product) -> str:
    """One line about a product."""
    rating = f"rated {product.rating:.1f}" if product.rating is not None else "not rated"
    return f"{product.title} (${product.price}, {rating}, {product.reviews} reviews, {product.stock} in stock)"


def _orders(outcome: Outcome) -> str:
    if not outcome.done.orders:
        return "no order was placed"
    return "; ".join(
        f"order {o.number} to {o.address or 'no address'}: "
        + ", ".join(f"{line.quantity} x {line.product.title}" for line in o.lines)
        for o in outcome.done.orders.values()
    )


def _merge(lines: list[Line]) -> tuple[Filling, ...]:
    counts: dict[int, Line] = {}
    for line in lines:
        before = counts.get(line.product.id)
        quantity = line.quantity + (before.quantity if before else 0)
        counts[line.product.id] = Line(product=line.product, quantity=quantity)
    return tuple(Filling(line=line) for line in counts.values())


def _merit(slot: Slot, filling: Filling | None, place: Place) -> int:
    """How many of the slot's constraints `filling` satisfies, plus one for being there at all."""
    if filling is None:
        return 0
    line, review = filling.line, filling.review
    merit = 1 + sum(c.fits(line.product) for c in slot.criteria)
    merit += slot.quantity(place) in (None, line.quantity)
    if review is not None:
        merit += sum(_as_reviewed(want, review) for want in slot.reviews)
    return merit


def _beats(want: BestItem, other: Product, product: Product) -> bool:
    return other.id != product.id and want.by.value_of(other) < want.by.value_of(product) - 1e-9


def _as_reviewed(want: Reviewed, review: WrittenReview) -> bool:
    return (
        (want.score is None or review.score == want.score)
        and (want.title is None or _flat(review.title) == _flat(want.title))
        and (want.mentions is None or _flat(want.mentions) in _flat(review.body))
    )


def _kind(slot: Slot) -> str:
    return next(
        (c.kind or c.title or c.named or c.category or slot.name for c in slot.criteria if c.identifies), slot.name
    )


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!")


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
