"""What a constraint's validator asks of the shop's staff, as typed data.

As on the storefront, a task speaks of *slots*; here a slot is a set of things: goods, orders, reviews or vouchers.
Some constraints say which things (`Goods`, `Orders`, `Reviews`: they add up), others what becomes of all of them
(`StockSet`, `StatusSet`, …) or what the final message says about them. Descriptions read the data as it was before
the episode, so that “every pending order” still means something when none is pending any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import ClassVar

from pydantic import Field, model_validator

from refute.arena.shop._criteria import Ranking
from refute.arena.shop._wants import Slotted
from refute.arena.shop.dashboard._facts import CustomerOrder, Verdict
from refute.arena.shop.dashboard._likeness import GoodsLike, OrdersLike, ReviewsLike, What

_CENT = Decimal("0.01")


# ---- which things -----------------------------------------------------------------------------------------------


class Which(Slotted):
    """Says which things a slot holds."""

    what: ClassVar[What]


class Goods(Which, GoodsLike):
    """``goods``: the slot's products are like this."""

    what = What.GOODS


class BestGoods(Which):
    """``best_goods``: of those that fit, only the best one. There must be one: ties break a task."""

    what = What.GOODS
    by: Ranking


class Orders(Which, OrdersLike):
    """``orders``: the slot's orders are like this."""

    what = What.ORDERS


class OrderRanking(StrEnum):
    """Which order comes first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"
    SMALLEST = "smallest"

    def value_of(self, order: CustomerOrder) -> float:
        """Smaller comes first. Orders of one day count as equal."""
        match self:
            case OrderRanking.NEWEST:
                return -float(order.placed.toordinal())
            case OrderRanking.OLDEST:
                return float(order.placed.toordinal())
            case OrderRanking.LARGEST:
                return -float(order.total)
            case OrderRanking.SMALLEST:
                return float(order.total)


class BestOrder(Which):
    """``best_order``: of those that fit, only the newest, oldest, largest or smallest. Ties break a task."""

    what = What.ORDERS
    by: OrderRanking


class Reviews(Which, ReviewsLike):
    """``reviews``: the slot's reviews are like this."""

    what = What.REVIEWS


# ---- what becomes of them ---------------------------------------------------------------------------------------


class Change(Slotted):
    """Says what becomes of each of the slot's things."""

    what: ClassVar[What]


class StockSet(Change):
    """``stock_set``: so many pieces are in stock, or so many more (fewer) than before."""

    what = What.GOODS
    to: int | None = Field(default=None, ge=0)
    by: int | None = None

    @model_validator(mode="after")
    def _one_way(self) -> StockSet:
        if (self.to is None) == (self.by is None):
            raise ValueError("give either `to` or `by`")
        return self

    def wanted(self, before: int) -> int:
        """The number at the end."""
        return self.to if self.to is not None else max(0, before + (self.by or 0))


class PriceSet(Change):
    """``price_set``: it costs so much, so much more (less), or so many percent more (less), rounded to cents."""

    what = What.GOODS
    to: Decimal | None = Field(default=None, ge=0)
    by: Decimal | None = None
    percent: Decimal | None = None

    @model_validator(mode="after")
    def _one_way(self) -> PriceSet:
        if sum(way is not None for way in (self.to, self.by, self.percent)) != 1:
            raise ValueError("give one of `to`, `by` and `percent`")
        return self

    def wanted(self, before: Decimal) -> Decimal:
        """The price at the end."""
        if self.to is not None:
            return self.to.quantize(_CENT)
        if self.by is not None:
            return (before + self.by).quantize(_CENT)
        return (before * (100 + (self.percent or Decimal(0))) / 100).quantize(_CENT, rounding=ROUND_HALF_UP)


class ThresholdSet(Change):
    """``threshold_set``: the shop warns below so many pieces."""

    what = What.GOODS
    to: int = Field(ge=0)


class StatusSet(Change):
    """``status_set``: the order's status."""

    what = What.ORDERS
    to: str


class NoteAdded(Change):
    """``note_added``: one more note, which holds these words in a row. Several of these ask for several words."""

    what = What.ORDERS
    mentions: str


class Decided(Change):
    """``decided``: the review is shown (approved), hidden (rejected), or gone (deleted)."""

    what = What.REVIEWS
    as_: Verdict | None = Field(default=None, alias="as")
    deleted: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> Decided:
        if (self.as_ is None) == (not self.deleted) or self.as_ is Verdict.WAITING:
            raise ValueError("give either `as` (approved or rejected) or `deleted = true`")
        return self


class VoucherMade(Change):
    """``voucher_made``: there is a new voucher, with what is given here. Several of these add up."""

    what = What.VOUCHERS
    name: str | None = None
    code: str | None = None
    usage: str | None = Field(default=None, description="Single use, Multi-use or Once per customer")
    starts: date | None = None
    ends: date | None = None
    percent: Decimal | None = Field(default=None, gt=0, le=100)


# ---- what the final message says --------------------------------------------------------------------------------


class GoodsFact(StrEnum):
    """A fact about a product, as it was before the episode."""

    TITLE = "title"
    PRICE = "price"
    STOCK = "stock"


class OrderFact(StrEnum):
    """A fact about an order."""

    NUMBER = "number"
    CUSTOMER = "customer"
    TOTAL = "total"
    PIECES = "pieces"


class GoodsTold(Slotted):
    """``goods_told``: the final message states this fact about every product of the slot, as it was before."""

    attr: GoodsFact


class OrdersTold(Slotted):
    """``orders_told``: the final message states this fact about every order of the slot."""

    attr: OrderFact


class GoodsCounted(GoodsLike):
    """``goods_counted``: the final message says how many products were like this."""


class OrdersCounted(OrdersLike):
    """``orders_counted``: the final message says how many orders were like this."""


class ReviewsCounted(ReviewsLike):
    """``reviews_counted``: the final message says how many reviews were like this."""


Told = GoodsTold | OrdersTold
Counted = GoodsCounted | OrdersCounted | ReviewsCounted

# ---- what stays -------------------------------------------------------------------------------------------------


class GoodsUntouched(GoodsLike):
    """``goods_untouched``: no such product was changed. Holds from the start: set ``action = false``."""


class OrdersUntouched(OrdersLike):
    """``orders_untouched``: no such order was changed. Holds from the start: set ``action = false``."""


class ReviewsUntouched(ReviewsLike):
    """``reviews_untouched``: no such review was changed. Holds from the start: set ``action = false``."""


Untouched = GoodsUntouched | OrdersUntouched | ReviewsUntouched

StaffWant = Which | Change | Told | Counted | Untouched
"""Anything that a constraint can ask of the shop's staff."""

STAFF_VALIDATORS: Mapping[str, type[StaffWant]] = {
    "goods": Goods,
    "best_goods": BestGoods,
    "orders": Orders,
    "best_order": BestOrder,
    "reviews": Reviews,
    "stock_set": StockSet,
    "price_set": PriceSet,
    "threshold_set": ThresholdSet,
    "status_set": StatusSet,
    "note_added": NoteAdded,
    "decided": Decided,
    "voucher_made": VoucherMade,
    "goods_told": GoodsTold,
    "orders_told": OrdersTold,
    "goods_counted": GoodsCounted,
    "orders_counted": OrdersCounted,
    "reviews_counted": ReviewsCounted,
    "goods_untouched": GoodsUntouched,
    "orders_untouched": OrdersUntouched,
    "reviews_untouched": ReviewsUntouched,
}
"""Every validator of the dashboard by the name that task files use."""
