"""Predicates of the dashboard: whether a stage of the staff's work has been reached, and how conditions come out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import urlsplit

from pydantic import model_validator

from refute.arena._site import Seen
from refute.arena.shop._criteria import Arguments, Ranking
from refute.arena.shop._message import names
from refute.arena.shop.dashboard._likeness import GoodsLike, OrdersLike, ReviewsLike, What
from refute.arena.shop.dashboard._slots import Case
from refute.arena.shop.dashboard._wants import OrderRanking

_FORM = re.compile(r"^/dashboard/catalogue/products/(\d+)/")
_ORDER = re.compile(r"^/dashboard/orders/([^/]+)/")
_LISTS = {What.ORDERS: "/dashboard/orders/", What.REVIEWS: "/dashboard/reviews/"}


class GoodsSeen(GoodsLike):
    """``goods_seen``: such a product's form or page was open, or a search of the dashboard showed it, or it changed."""


class GoodsOpened(GoodsLike):
    """``goods_opened``: such a product's form was open, or it changed."""


class GoodsChanged(GoodsLike):
    """``goods_changed``: such a product has another price, stock or threshold than before."""


class OrdersSeen(OrdersLike):
    """``orders_seen``: the list of orders or such an order was open, or such an order changed."""


class OrdersChanged(OrdersLike):
    """``orders_changed``: such an order has another status, or a note more; `how_many` of them at least."""

    how_many: int = 1


class OrdersNoted(OrdersLike):
    """``orders_noted``: such an order has a note more than before."""


class ReviewsSeen(ReviewsLike):
    """``reviews_seen``: the list of reviews was open, or such a review changed."""


class ReviewsChanged(ReviewsLike):
    """``reviews_changed``: such a review was approved, rejected, edited or deleted; `how_many` of them at least."""

    how_many: int = 1


class VouchersSeen(Arguments):
    """``vouchers_seen``: the vouchers, or the form for a new one, were open, or there is a new voucher."""


class VoucherChanged(Arguments):
    """``voucher_changed``: there is a new voucher, or another than before."""


class Bounded(Arguments):
    """Compares a number with one bound."""

    below: float | None = None
    above: float | None = None
    inclusive: bool = False

    @model_validator(mode="after")
    def _one_bound(self) -> Bounded:
        if (self.below is None) == (self.above is None):
            raise ValueError("give either `below` or `above`")
        return self

    def takes(self, number: float) -> bool:
        """Whether `number` lies on the asked side."""
        if self.below is not None:
            return number <= self.below if self.inclusive else number < self.below
        bound = self.above or 0.0
        return number >= bound if self.inclusive else number > bound


class GoodsCount(GoodsLike, Bounded):
    """``goods_count``: how many such products there were before the episode."""


class OrdersCount(OrdersLike, Bounded):
    """``orders_count``: how many such orders there were before the episode."""


class ReviewsCount(ReviewsLike, Bounded):
    """``reviews_count``: how many such reviews there were before the episode."""


class GoodCompares(GoodsLike, Bounded):
    """``good_compares``: a fact about the best such product by `by`, in stock or not. Without one, true for `below`."""

    by: Ranking = Ranking.CHEAPEST
    attr: Literal["price", "stock", "rating", "reviews"] = "stock"


class OrderCompares(OrdersLike, Bounded):
    """``order_compares``: a fact about the first such order by `by`. Without one, true for `below`."""

    by: OrderRanking = OrderRanking.NEWEST
    attr: Literal["total", "pieces"] = "total"


StaffPredicate = (
    GoodsSeen
    | GoodsOpened
    | GoodsChanged
    | OrdersSeen
    | OrdersChanged
    | OrdersNoted
    | ReviewsSeen
    | ReviewsChanged
    | VouchersSeen
    | VoucherChanged
    | GoodsCount
    | OrdersCount
    | ReviewsCount
    | GoodCompares
    | OrderCompares
)

STAFF_PREDICATES: Mapping[str, type[StaffPredicate]] = {
    "goods_seen": GoodsSeen,
    "goods_opened": GoodsOpened,
    "goods_changed": GoodsChanged,
    "orders_seen": OrdersSeen,
    "orders_changed": OrdersChanged,
    "orders_noted": OrdersNoted,
    "reviews_seen": ReviewsSeen,
    "reviews_changed": ReviewsChanged,
    "vouchers_seen": VouchersSeen,
    "voucher_changed": VoucherChanged,
    "goods_count": GoodsCount,
    "orders_count": OrdersCount,
    "reviews_count": ReviewsCount,
    "good_compares": GoodCompares,
    "order_compares": OrderCompares,
}
"""Every predicate of the dashboard by the name that task files use."""


def staff_holds(predicate: StaffPredicate, case: Case, seen: Seen, origin: str) -> bool:
    """Whether the stage has been reached by now, or how the condition comes out on the seeded data."""
    match predicate:
        case GoodsSeen():
            return _changed(predicate, What.GOODS, case) > 0 or _good_seen(predicate, case, seen, origin)
        case GoodsOpened():
            return _changed(predicate, What.GOODS, case) > 0 or _good_opened(predicate, case, seen, origin)
        case GoodsChanged():
            return _changed(predicate, What.GOODS, case) > 0
        case OrdersSeen():
            return _changed(predicate, What.ORDERS, case) > 0 or _order_seen(predicate, case, seen, origin)
        case OrdersChanged():
            return _changed(predicate, What.ORDERS, case) >= predicate.how_many
        case OrdersNoted():
            return any(case.like(predicate, i) and case.new_notes(i) for i in case.touched(What.ORDERS))
        case ReviewsSeen():
            return _changed(predicate, What.REVIEWS, case) > 0 or _LISTS[What.REVIEWS] in set(_paths(seen, origin))
        case ReviewsChanged():
            return _changed(predicate, What.REVIEWS, case) >= predicate.how_many
        case VouchersSeen():
            seen_list = any(path.startswith("/dashboard/vouchers/") for path in _paths(seen, origin))
            return seen_list or bool(case.touched(What.VOUCHERS))
        case VoucherChanged():
            return bool(case.touched(What.VOUCHERS))
        case GoodsCount():
            return predicate.takes(_count(predicate, What.GOODS, case))
        case OrdersCount():
            return predicate.takes(_count(predicate, What.ORDERS, case))
        case ReviewsCount():
            return predicate.takes(_count(predicate, What.REVIEWS, case))
        case GoodCompares():
            return _good_compares(predicate, case)
        case OrderCompares():
            return _order_compares(predicate, case)


def _changed(likeness: GoodsLike | OrdersLike | ReviewsLike, what: What, case: Case) -> int:
    return sum(case.like(likeness, i) for i in case.touched(what))


def _count(likeness: GoodsLike | OrdersLike | ReviewsLike, what: What, case: Case) -> int:
    return sum(case.like(likeness, i) for i in case.had(what))


def _good_compares(predicate: GoodCompares, case: Case) -> bool:
    fitting = [p for p in case.catalogue if predicate.fits(p)]
    if not fitting:
        return predicate.below is not None
    first = min(fitting, key=lambda p: (predicate.by.value_of(p), p.id))
    return predicate.takes(float(getattr(first, predicate.attr) or 0))


def _order_compares(predicate: OrderCompares, case: Case) -> bool:
    fitting = [o for o in case.before.orders.values() if predicate.fits(o)]
    if not fitting:
        return predicate.below is not None
    first = min(fitting, key=lambda o: (predicate.by.value_of(o), o.number))
    return predicate.takes(float(first.total if predicate.attr == "total" else first.pieces))


def _good_opened(likeness: GoodsLike, case: Case, seen: Seen, origin: str) -> bool:
    forms = [form for path in _paths(seen, origin) if (form := _FORM.match(path))]
    products = [case.catalogue.products.get(int(form[1])) for form in forms]
    return any(product is not None and likeness.fits(product) for product in products)


def _good_seen(likeness: GoodsLike, case: Case, seen: Seen, origin: str) -> bool:
    for path in _paths(seen, origin):
        form = _FORM.match(path)
        product = case.catalogue.products.get(int(form[1])) if form else case.catalogue.at(path)
        if product is not None and likeness.fits(product):
            return True
    front = urlsplit(seen.observation.url)
    if front.path != "/dashboard/catalogue/" or not front.query:
        return False
    return any(likeness.fits(p) and names(seen.observation.text, p) for p in case.catalogue)


def _order_seen(likeness: OrdersLike, case: Case, seen: Seen, origin: str) -> bool:
    numbers = {o.number for o in case.before.orders.values() if likeness.fits(o)}
    for path in _paths(seen, origin):
        order = _ORDER.match(path)
        if path == _LISTS[What.ORDERS] or (order is not None and order[1] in numbers):
            return True
    return False


def _paths(seen: Seen, origin: str) -> Iterable[str]:
    """Path of every address of this shop visited so far."""
    for url in dict.fromkeys((*seen.visited, seen.here)):
        if url == origin or url.startswith(f"{origin}/"):
            yield urlsplit(url).path
