"""The target state of the shop that a set of active constraints asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum


@dataclass(frozen=True, kw_only=True)
class Product:
    """A product as the database knows it."""

    id: int
    title: str
    brand: str
    kind: str
    color: str
    category: str
    price: Decimal
    stock: int
    rating: float | None
    """Mean review score 1-5 as the storefront shows it; None without reviews."""
    reviews: int
    path: str
    """Address path of its page, such as ``/catalogue/…_12/``."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Some pieces of one product."""

    product: Product
    quantity: int = 1


@dataclass(frozen=True, kw_only=True)
class WantedReview:
    """A review to be written."""

    product: Product
    score: int
    title: str
    body: str


class PageKind(StrEnum):
    """What a page of the shop is about."""

    PRODUCT = "product"
    REVIEWS = "reviews"
    """The reviews of a product, all of them or one."""
    BASKET = "basket"
    WISH_LIST = "wish_list"
    SEARCH = "search"
    CATEGORY = "category"


@dataclass(frozen=True, kw_only=True)
class View:
    """A page that has to be looked at, or to stay open."""

    page: PageKind
    product: Product | None = None
    words: str = ""
    """What is searched for, or the name of the category."""
    before_order: bool = False
    """Whether it has to be looked at before the order is placed."""

    def __str__(self) -> str:
        match self.page:
            case PageKind.PRODUCT | PageKind.REVIEWS:
                of = "page" if self.page is PageKind.PRODUCT else "reviews"
                return f"the {of} of {self.product.title if self.product is not None else 'a product'}"
            case PageKind.SEARCH | PageKind.CATEGORY:
                return f"the {self.page} {self.words!r}"
            case _:
                return f"the {self.page.replace('_', ' ')}"


@dataclass(frozen=True, kw_only=True)
class Target:
    """What must be true of the shop at the end, resolved to concrete products by the database.

    `order` is a set of lines to be ordered (in one order) and shipped to the saved address that starts with
    `address`; None = no order is asked for. `facts` are texts that the final message must hold.
    """

    order: tuple[Line, ...] | None = None
    address: str | None = None
    basket: tuple[Line, ...] | None = None
    """Lines that stay in the basket without being ordered."""
    wishlist: tuple[Product, ...] = ()
    unwished: tuple[Product, ...] = ()
    """What is on the wish list from the start and must not stay there."""
    reviews: tuple[WantedReview, ...] = ()
    facts: tuple[str, ...] = ()
    inspected: tuple[Product, ...] = ()
    """Products whose page must have been opened, because the message names them or reports what it says."""
    looked_at: tuple[View, ...] = ()
    """Pages that must have been open."""
    left_open: View | None = None
    """The page that is open at the end."""

    @property
    def state(self) -> Target:
        """What of it the shop's data show: without words and pages."""
        address = self.address if self.order else None
        return replace(self, address=address, facts=(), inspected=(), looked_at=(), left_open=None)
