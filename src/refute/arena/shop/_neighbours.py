"""Plausible wrong products: what somebody takes who overlooks one property, or stops just outside a bound."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from refute.arena.shop._criteria import Criteria
from refute.arena.shop._facts import Catalogue
from refute.arena.shop._slots import Slot
from refute.arena.shop._target import Product
from refute.arena.shop._wants import Place

_BOUNDED: Mapping[str, Callable[[Product], float]] = {
    "min_price": lambda p: float(p.price),
    "max_price": lambda p: float(p.price),
    "min_rating": lambda p: p.rating or 0.0,
    "min_reviews": lambda p: p.reviews,
    "in_stock": lambda p: p.stock,
}


@dataclass(frozen=True, kw_only=True)
class Neighbour:
    """A product that looks right for a slot and is not."""

    product: Product
    fault: str
    """What it violates."""
    boundary: bool
    """Whether it is right but for a bound, and no product is closer to it from outside."""


def neighbours(
    slot: Slot, right: Product, catalogue: Catalogue, *, others: Collection[Slot] = (), taken: Collection[int] = ()
) -> Iterator[Neighbour]:
    """One product for each property that the slot asks for, and the next best one where it asks for the best.

    Each violates its property and as few others as possible, and is most like `right`. A product that satisfies the
    slot is none, nor one that fits one of the `others` or is `taken` by id.
    """
    pieces = max(
        (slot.quantity(p.place) or 1 for p in slot.places if p.place in (Place.ORDER, Place.BASKET)), default=0
    )
    pool = [
        p
        for p in catalogue
        if p.stock >= pieces and p.id not in taken and not slot.fits(p) and not any(o.fits(p) for o in others)
    ]
    parts = [Criteria(**{name: value}) for c in slot.criteria for name, value in _given(c)]
    for part in parts:
        (name, bound), *_ = _given(part)
        outside = [p for p in pool if not part.fits(p)]
        measure = _BOUNDED.get(name)
        if measure is not None:
            outside = [p for p in outside if all(other.fits(p) for other in parts if other != part)]
            outside.sort(key=lambda p, measure=measure, bound=bound: (abs(measure(p) - float(bound)), p.id))
        else:
            outside.sort(key=lambda p: (p.kind != right.kind, sum(not o.fits(p) for o in parts), _unlike(p, right)))
        if outside:
            yield Neighbour(product=outside[0], fault=f"not {part}", boundary=measure is not None)
    yield from _next_best(slot, right, catalogue, taken)


def _next_best(slot: Slot, right: Product, catalogue: Catalogue, taken: Collection[int]) -> Iterator[Neighbour]:
    for ranking in slot.rankings:
        best = ranking.value_of(right)
        worse = [p for p in slot.candidates(catalogue) if ranking.value_of(p) > best + 1e-6 and p.id not in taken]
        if worse:
            nearest = min(worse, key=lambda p, ranking=ranking: (ranking.value_of(p), p.id))
            yield Neighbour(product=nearest, fault=f"only the second by {ranking}", boundary=False)


def _given(criteria: Criteria) -> list[tuple[str, Any]]:
    return [(name, value) for name in Criteria.model_fields if (value := getattr(criteria, name)) is not None]


def _unlike(product: Product, right: Product) -> tuple[int, float, int]:
    """Small for products that are easily taken for each other."""
    same = sum(getattr(product, name) == getattr(right, name) for name in ("brand", "color", "category"))
    return -same, abs(float(product.price - right.price)), product.id
