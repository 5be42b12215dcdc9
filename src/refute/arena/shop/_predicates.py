"""Predicates: whether a stage of the shopping has been reached, and how conditions come out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qs, urlsplit

from pydantic import model_validator

from refute._errors import UserError
from refute.arena._site import Seen
from refute.arena.shop._criteria import Attribute, Criteria, Search, plain, words
from refute.arena.shop._facts import Catalogue, Facts
from refute.arena.shop._slots import best_match

_FRONT = ("", "/", "/catalogue/")
"""Where every visit begins: what happens to be shown there is nobody's finding."""
_CATEGORY = re.compile(r"^/catalogue/category/.*_(\d+)/")


class ResultsSeen(Criteria):
    """``results_seen``: a search for such a thing, a category that holds it, or one such product has been looked at.

    A search that finds nothing counts too.
    """


class ProductSeen(Criteria):
    """``product_seen``: the page of such a product has been open."""


class InBasketOrOrdered(Criteria):
    """``item_in_basket``: such a product is in the basket, or was ordered already."""


class WasOrdered(Criteria):
    """``item_ordered``: such a product was ordered."""


class OnList(Criteria):
    """``item_on_wish_list``: such a product is on a wish list."""


class OffList(Criteria):
    """``item_off_wish_list``: no such product is on a wish list (any more)."""


class ReviewBegun(Criteria):
    """``review_begun``: the form for a review of such a product was open, or one was written."""


class WasReviewed(Criteria):
    """``review_written``: a review of such a product was written."""


class BestMatch(Search):
    """``best_match``: how a fact about the best match compares with a bound.

    Decided by the shop's data before the episode, not by what anybody did. True without a match, for `below`.
    """

    attr: Attribute
    below: float | None = None
    above: float | None = None
    inclusive: bool = False

    @model_validator(mode="after")
    def _one_bound(self) -> BestMatch:
        if (self.below is None) == (self.above is None):
            raise ValueError("give either `below` or `above`")
        if self.attr is Attribute.TITLE:
            raise ValueError("a title does not compare with a number")
        return self


Milestone = ResultsSeen | ProductSeen | InBasketOrOrdered | WasOrdered | OnList | OffList | ReviewBegun | WasReviewed
"""Stages that shopping reaches."""

PREDICATES: Mapping[str, type[Milestone | BestMatch]] = {
    "results_seen": ResultsSeen,
    "product_seen": ProductSeen,
    "item_in_basket": InBasketOrOrdered,
    "item_ordered": WasOrdered,
    "item_on_wish_list": OnList,
    "item_off_wish_list": OffList,
    "review_begun": ReviewBegun,
    "review_written": WasReviewed,
    "best_match": BestMatch,
}
"""Every predicate of the shop by the name that task files use."""


def holds(predicate: Milestone, catalogue: Catalogue, done: Facts, seen: Seen, origin: str, *, before: Facts) -> bool:
    """Whether the stage has been reached by now.

    `done` holds the rows beyond the seeded ones `before`, and the whole basket and wish list.
    """
    ordered = [line.product for order in done.orders.values() for line in order.lines]
    basket = [line.product for line in done.basket.values()]
    wished = [line.product for line in done.wishlist.values()]
    reviewed = [review.product for review in done.reviews.values()]
    match predicate:
        case ResultsSeen():
            added = [line.product for key, line in done.wishlist.items() if key not in before.wishlist]
            touched = any(predicate.fits(p) for p in (*ordered, *basket, *added, *reviewed))
            return touched or _looked_at(predicate, catalogue, seen, origin)
        case ProductSeen():
            opened = [catalogue.at(path) for path, _ in _addresses(seen, origin)]
            return any(p is not None and predicate.fits(p) for p in opened)
        case InBasketOrOrdered():
            return any(predicate.fits(p) for p in (*ordered, *basket))
        case WasOrdered():
            return any(predicate.fits(p) for p in ordered)
        case OnList():
            return any(predicate.fits(p) for p in wished)
        case OffList():
            return not any(predicate.fits(p) for p in wished)
        case ReviewBegun():
            begun = {f"{p.path}reviews/add/" for p in catalogue if predicate.fits(p)}
            return any(predicate.fits(p) for p in reviewed) or any(
                path in begun for path, _ in _addresses(seen, origin)
            )
        case WasReviewed():
            return any(predicate.fits(p) for p in reviewed)


def compares(predicate: BestMatch, catalogue: Catalogue) -> bool:
    """How the condition comes out on the seeded catalogue."""
    product = best_match(catalogue, predicate, predicate.by)
    if product is None:
        return predicate.below is not None
    value = float(getattr(product, predicate.attr.value) or 0)
    if predicate.below is not None:
        return value <= predicate.below if predicate.inclusive else value < predicate.below
    if predicate.above is not None:
        return value >= predicate.above if predicate.inclusive else value > predicate.above
    raise UserError("`best_match` needs `below` or `above`")


def _looked_at(criteria: Criteria, catalogue: Catalogue, seen: Seen, origin: str) -> bool:
    fitting = [p for p in catalogue if criteria.fits(p)]
    ids = {p.id for p in fitting}
    kinds = {_stem(plain(criteria.kind or p.kind).split()[-1]) for p in fitting}
    for path, query in _addresses(seen, origin):
        if path.startswith("/search") and kinds & {_stem(word) for word in plain(query).split()}:
            return True
        category = _CATEGORY.match(path)
        if category and ids & catalogue.categories.get(int(category[1]), frozenset()):
            return True
        product = catalogue.at(path)
        if product is not None and product.id in ids:
            return True
    front = urlsplit(seen.observation.url)
    if front.path in _FRONT and not front.query:
        return False
    shown = f" {words(seen.observation.text)} "
    return any(f" {plain(p.title)} " in shown for p in fitting)


def _addresses(seen: Seen, origin: str) -> Iterable[tuple[str, str]]:
    """Path and search words of every address of this shop visited so far."""
    for url in dict.fromkeys((*seen.visited, seen.here)):
        if url == origin or url.startswith(f"{origin}/"):
            parts = urlsplit(url)
            yield parts.path, " ".join(parse_qs(parts.query).get("q", []))


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word
