"""How an episode left the shop, and what there was taken for which of the wanted things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product as combinations
from math import prod

from refute.arena.shop import _message
from refute.arena.shop._facts import Catalogue, Facts, WrittenReview
from refute.arena.shop._slots import Slot
from refute.arena.shop._target import Line, Product
from refute.arena.shop._wants import Place, Reviewed

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


def strays(slots: Mapping[str, Slot], outcome: Outcome, place: Place) -> tuple[Filling, ...]:
    """What is at `place` although no slot asks for it."""
    taken = {id(f.line.product) for f in outcome.fill(slots, place).values()}
    return tuple(f for f in outcome.at(place) if id(f.line.product) not in taken)


def as_reviewed(want: Reviewed, review: WrittenReview) -> bool:
    """Whether `review` is what one constraint asks for."""
    return (
        (want.score is None or review.score == want.score)
        and (want.title is None or _flat(review.title) == _flat(want.title))
        and (want.mentions is None or _flat(want.mentions) in _flat(review.body))
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
        merit += sum(as_reviewed(want, review) for want in slot.reviews)
    return merit


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!")
