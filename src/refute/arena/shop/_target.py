"""The target state of the shop that a set of active constraints asks for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


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
    reviews: tuple[WantedReview, ...] = ()
    facts: tuple[str, ...] = ()
    inspected: tuple[Product, ...] = ()
    """Products whose page must have been opened, because the message names them or reports what it says."""
