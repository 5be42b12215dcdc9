"""Verdicts: what the shop's rows and the final message say about each constraint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from refute.arena.shop import _message
from refute.arena.shop._facts import Catalogue
from refute.arena.shop._outcome import Outcome, as_reviewed, strays
from refute.arena.shop._slots import Slot, best_match, slots_of
from refute.arena.shop._target import PageKind, Product, View
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
            satisfied=as_reviewed(want, found.review),
            evidence=f"{seen}: {found.review.score} of 5, {found.review.title!r}, {_short(found.review.body)!r}",
        )
    titles = _message.titles_of(outcome.catalogue)
    if want.place is Place.MESSAGE and _message.hesitates(outcome.message, line.product.title, titles):
        return Finding(satisfied=False, evidence=f"{seen}, but as one of several ({_short(outcome.message)!r})")
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
    # Without the origin: it names the instance, and verdicts must not differ between instances.
    place = urlsplit(front)._replace(scheme="", netloc="").geturl() or front or "no page"
    return Finding(satisfied=False, evidence=f"{place} is open at the end, and not {wanted}")


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


def _beats(want: BestItem, other: Product, product: Product) -> bool:
    return other.id != product.id and want.by.value_of(other) < want.by.value_of(product) - 1e-9


def _kind(slot: Slot) -> str:
    return next(
        (c.kind or c.title or c.named or c.category or slot.name for c in slot.criteria if c.identifies), slot.name
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
