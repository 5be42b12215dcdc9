"""What products are like: criteria, rankings and facts."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field

from refute.arena.shop._target import Product


class Ranking(StrEnum):
    """What *best* means."""

    CHEAPEST = "price_asc"
    DEAREST = "price_desc"
    TOP_RATED = "rating_desc"
    MOST_REVIEWED = "reviews_desc"

    def value_of(self, product: Product) -> float:
        """Smaller is better."""
        match self:
            case Ranking.CHEAPEST:
                return float(product.price)
            case Ranking.DEAREST:
                return -float(product.price)
            case Ranking.TOP_RATED:
                return -(product.rating or 0.0)
            case Ranking.MOST_REVIEWED:
                return -float(product.reviews)


class Attribute(StrEnum):
    """A fact about a product that its page shows."""

    TITLE = "title"
    PRICE = "price"
    RATING = "rating"
    REVIEWS = "reviews"
    STOCK = "stock"


class Arguments(BaseModel):
    """Base of everything that a reference's arguments are read into."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Criteria(Arguments):
    """What a product must be like. Texts are compared without case; prices are US dollars, bounds included."""

    kind: str | None = None
    brand: str | None = None
    color: str | None = None
    not_brand: str | None = None
    not_color: str | None = None
    category: str | None = Field(default=None, description="name of its category or of one above")
    title: str | None = Field(default=None, description="the whole title")
    named: str | None = Field(default=None, description="words that its title holds in a row")
    one_of: tuple[str, ...] | None = Field(default=None, description="whole titles, one of which is its own")
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    min_rating: float | None = None
    min_reviews: int | None = None
    in_stock: int | None = Field(default=None, description="at least so many pieces")

    @property
    def identifies(self) -> bool:
        """Whether it says what the thing is, and not merely which one."""
        return any(part is not None for part in (self.kind, self.title, self.named, self.one_of, self.category))

    @property
    def identity(self) -> Criteria:
        """Only the part that says what the thing is, without colour, price and the like."""
        return Criteria(kind=self.kind, title=self.title, named=self.named, one_of=self.one_of, category=self.category)

    def fits(self, product: Product) -> bool:
        """Whether `product` is like this."""
        return (
            _same(self.kind, product.kind)
            and _same(self.brand, product.brand)
            and _same(self.color, product.color)
            and (self.not_brand is None or not _same(self.not_brand, product.brand))
            and (self.not_color is None or not _same(self.not_color, product.color))
            and (self.category is None or any(_same(self.category, c) for c in product.category.split(" > ")))
            and _same(self.title, product.title)
            and (self.named is None or f" {plain(self.named)} " in f" {plain(product.title)} ")
            and (self.one_of is None or any(_same(title, product.title) for title in self.one_of))
            and (self.min_price is None or product.price >= self.min_price)
            and (self.max_price is None or product.price <= self.max_price)
            and (self.min_rating is None or (product.rating or 0.0) >= self.min_rating)
            and (self.min_reviews is None or product.reviews >= self.min_reviews)
            and (self.in_stock is None or product.stock >= self.in_stock)
        )

    def __str__(self) -> str:
        names = Criteria.model_fields
        given = {k: v for k in names if (v := getattr(self, k)) is not None}
        return ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in given.items()) or "anything"


class Search(Criteria):
    """Criteria, and what makes one the best of those that fit (the cheapest, unless said otherwise)."""

    by: Ranking = Ranking.CHEAPEST


def words(text: str) -> str:
    """Lower-case words and numbers with single spaces between them."""
    return " ".join(re.findall(r"[a-z0-9]+", text.casefold()))


plain = lru_cache(maxsize=4096)(words)
"""`words` of something short: titles, kinds and colours are compared thousands of times an episode."""


def _same(wanted: str | None, found: str) -> bool:
    return wanted is None or plain(wanted) == plain(found)
