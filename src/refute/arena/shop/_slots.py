"""Slots: what the active constraints say about each thing a shopper wants, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refute.arena.shop._criteria import Criteria, Ranking
from refute.arena.shop._facts import Catalogue
from refute.arena.shop._target import Product
from refute.arena.shop._wants import BestItem, InBasket, Item, Ordered, Place, Placed, Reviewed, Want


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One wanted thing: what it must be like, and where it has to end up."""

    name: str
    criteria: tuple[Criteria, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    places: tuple[Placed, ...] = ()

    def at(self, place: Place) -> tuple[Placed, ...]:
        """What is asked about `place`; empty when the thing is not wanted there."""
        return tuple(p for p in self.places if p.place is place)

    @property
    def reviews(self) -> tuple[Reviewed, ...]:
        """What is asked about its review."""
        return tuple(p for p in self.places if isinstance(p, Reviewed))

    def quantity(self, place: Place) -> int | None:
        """How many pieces are wanted there; None = any number."""
        counts = [p.quantity for p in self.at(place) if isinstance(p, Ordered | InBasket) and p.quantity is not None]
        return max(counts, default=None)

    def is_one(self, product: Product) -> bool:
        """Whether `product` is this kind of thing at all, be it the right one or not."""
        return all(c.identity.fits(product) for c in self.criteria)

    def fits(self, product: Product) -> bool:
        """Whether `product` satisfies everything but the rankings."""
        return all(c.fits(product) for c in self.criteria)

    def candidates(self, catalogue: Catalogue) -> tuple[Product, ...]:
        """The products that fit and of which enough are in stock, best first; then the cheapest, then the lowest id.

        Things that are only wished for, reviewed or reported need no stock.
        """
        bought = [p for p in self.places if p.place in (Place.ORDER, Place.BASKET)]
        pieces = max((self.quantity(p.place) or 1 for p in bought), default=0)
        fitting = [p for p in catalogue if self.fits(p) and p.stock >= pieces]
        return tuple(
            sorted(fitting, key=lambda p: (*(ranking.value_of(p) for ranking in self.rankings), p.price, p.id))
        )


def slots_of(wants: Sequence[Want]) -> dict[str, Slot]:
    """The slots that `wants` speak of, by name, in order of their first mention."""
    names: dict[str, None] = {}
    for want in wants:
        if isinstance(want, Item | BestItem | Placed):
            names.setdefault(want.slot)
    return {
        name: Slot(
            name=name,
            criteria=tuple(w for w in wants if isinstance(w, Item) and w.slot == name),
            rankings=tuple(w.by for w in wants if isinstance(w, BestItem) and w.slot == name),
            places=tuple(w for w in wants if isinstance(w, Placed) and w.slot == name),
        )
        for name in names
    }


def best_match(catalogue: Catalogue, criteria: Criteria, by: Ranking = Ranking.CHEAPEST) -> Product | None:
    """The product in stock that fits best; among equals the cheapest, then the lowest id."""
    fitting = [p for p in catalogue if criteria.fits(p) and p.stock > 0]
    return min(fitting, key=lambda p: (by.value_of(p), p.price, p.id), default=None)
