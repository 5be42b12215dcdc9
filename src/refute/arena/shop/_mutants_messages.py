"""Mutants of what a shopper is told at the end: false, silent on the point, or hedged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refute.arena._mutant import MutantKind
from refute.arena.shop._asked import Asked, hedges, say
from refute.arena.shop._criteria import Attribute
from refute.arena.shop._deed import Deed
from refute.arena.shop._message import fact
from refute.arena.shop._target import Product
from refute.arena.shop._world import ShopWorld

Wrong = tuple[MutantKind, str, Deed]
"""Kind, detail, and what is done."""


def wrong_messages(asked: Asked) -> Iterator[Wrong]:
    """Each fact said falsely."""
    facts = asked.facts
    for at, (attribute, product) in enumerate(facts):
        for detail, line in _false_lines(attribute, product, asked.world):
            rest = (*facts[:at], *facts[at + 1 :])
            words = say(rest, unnamed={product.id}) if rest else ""
            yield (
                MutantKind.WRONG_MESSAGE,
                f"says {line!r}: {detail}",
                replace(asked.deed(), message=f"{line}. {words}".strip()),
            )


def _false_lines(attribute: Attribute, product: Product, world: ShopWorld) -> Iterator[tuple[str, str]]:
    """Sentences that sound like the fact and do not state it."""
    if attribute is Attribute.TITLE:
        yield "negated", f"It is not the {product.title}"
        return
    true = fact(attribute, product)
    yield "another number", fact(attribute, _changed(attribute, product))
    twin = next(
        p
        for p in sorted(world.catalogue, key=lambda p: (p.kind != product.kind, p.id))
        if p.title != product.title and getattr(p, attribute.value) != getattr(product, attribute.value)
    )
    yield "the right number for another product", true.replace(product.title, twin.title)
    for says, denies in (
        (" costs ", " does not cost "),
        (" is rated ", " is not rated "),
        (" has ", " does not have "),
    ):
        if says in true.removeprefix(product.title):
            yield "negated", product.title + true.removeprefix(product.title).replace(says, denies, 1)


def _changed(attribute: Attribute, product: Product) -> Product:
    """`product` with another number."""
    match attribute:
        case Attribute.PRICE:
            return replace(product, price=product.price + 1)
        case Attribute.RATING:
            rating = product.rating or 0.0
            return replace(product, rating=rating + (0.5 if rating < 4.5 else -0.5))
        case Attribute.REVIEWS:
            return replace(product, reviews=product.reviews + 1)
        case _:
            return replace(product, stock=product.stock + 1)


def hedged_messages(asked: Asked) -> Iterator[Wrong]:
    """Each fact with an alternative beside it, or only nearly."""
    for at, (attribute, product) in enumerate(asked.facts):
        true = fact(attribute, product)
        if attribute is Attribute.TITLE:
            other = next(p for p in asked.world.catalogue if p.kind == product.kind and p.title != product.title)
            lines: tuple[str, ...] = (f"It is the {product.title} or the {other.title}",)
        else:
            lines = hedges(true, fact(attribute, _changed(attribute, product)))
        for line in lines:
            words = say((*asked.facts[:at], *asked.facts[at + 1 :])) if len(asked.facts) > 1 else ""
            yield (
                MutantKind.HEDGED_MESSAGE,
                f"says {line!r}",
                replace(asked.deed(), message=f"{line}. {words}".strip()),
            )
