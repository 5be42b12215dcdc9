"""What products, orders and reviews are like, in the words of the staff."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import StrEnum

from pydantic import Field

from refute.arena.shop._criteria import Arguments, Criteria, plain
from refute.arena.shop._target import Product
from refute.arena.shop.dashboard._facts import CustomerOrder, CustomerReview, Verdict


class What(StrEnum):
    """What a slot holds."""

    GOODS = "product"
    ORDERS = "order"
    REVIEWS = "review"
    VOUCHERS = "voucher"


class GoodsLike(Criteria):
    """A product is like this: everything that the storefront's `Criteria` know, and how few there are at most."""

    max_stock: int | None = Field(default=None, description="at most so many pieces")

    def fits(self, product: Product) -> bool:
        """Whether `product` is like this."""
        return super().fits(product) and (self.max_stock is None or product.stock <= self.max_stock)


class OrdersLike(Arguments):
    """An order is like this. Days are those of the purchase, in UTC, bounds included; totals are US dollars."""

    number: str | None = None
    customer: str | None = Field(default=None, description="first and last name")
    not_customer: str | None = None
    status: str | None = None
    product: str | None = Field(default=None, description="words that one of its products' titles holds in a row")
    not_product: str | None = None
    min_total: Decimal | None = None
    max_total: Decimal | None = None
    min_pieces: int | None = None
    max_pieces: int | None = None
    placed_from: date | None = None
    placed_until: date | None = None

    def fits(self, order: CustomerOrder) -> bool:
        """Whether `order` is like this."""
        return (
            _same(self.number, order.number)
            and _same(self.customer, order.customer)
            and (self.not_customer is None or not _same(self.not_customer, order.customer))
            and _same(self.status, order.status)
            and (self.product is None or _holds(self.product, *order.products))
            and (self.not_product is None or not _holds(self.not_product, *order.products))
            and (self.min_total is None or order.total >= self.min_total)
            and (self.max_total is None or order.total <= self.max_total)
            and (self.min_pieces is None or order.pieces >= self.min_pieces)
            and (self.max_pieces is None or order.pieces <= self.max_pieces)
            and (self.placed_from is None or order.placed >= self.placed_from)
            and (self.placed_until is None or order.placed <= self.placed_until)
        )


class ReviewsLike(Arguments):
    """A review is like this; scores are 1–5, bounds included."""

    verdict: Verdict | None = None
    customer: str | None = None
    not_customer: str | None = None
    product: str | None = Field(default=None, description="words that its product's title holds in a row")
    headline: str | None = None
    mentions: str | None = Field(default=None, description="words that headline or text hold in a row")
    not_mentions: str | None = None
    min_score: int | None = Field(default=None, ge=1, le=5)
    max_score: int | None = Field(default=None, ge=1, le=5)

    def fits(self, review: CustomerReview) -> bool:
        """Whether `review` is like this."""
        said = (review.headline, review.body)
        return (
            self.verdict in (None, review.verdict)
            and _same(self.customer, review.customer)
            and (self.not_customer is None or not _same(self.not_customer, review.customer))
            and (self.product is None or _holds(self.product, review.title))
            and _same(self.headline, review.headline)
            and (self.mentions is None or _holds(self.mentions, *said))
            and (self.not_mentions is None or not _holds(self.not_mentions, *said))
            and (self.min_score is None or review.score >= self.min_score)
            and (self.max_score is None or review.score <= self.max_score)
        )


def _same(wanted: str | None, found: str) -> bool:
    return wanted is None or plain(wanted) == plain(found)


def _holds(words: str, *texts: str) -> bool:
    return any(f" {plain(words)} " in f" {plain(text)} " for text in texts)
