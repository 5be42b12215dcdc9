"""What a hand does in the shop, right or wrong, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from refute.arena.shop._target import Product, Target
from refute.arena.shop._wants import Place


@dataclass(frozen=True, kw_only=True)
class Stray:
    """A piece of a product that nobody asked for, in the account's basket, on its wish list, or reviewed by it."""

    product: Product
    place: Place


@dataclass(frozen=True, kw_only=True)
class GoneAddress:
    """A saved address is deleted."""

    address: int
    """Id of its row."""


@dataclass(frozen=True, kw_only=True)
class NewName:
    """An account goes by another first name."""

    account: str
    name: str


@dataclass(frozen=True, kw_only=True)
class TheirBasket:
    """A product lands in another customer's basket."""

    account: str
    product: Product


@dataclass(frozen=True, kw_only=True)
class Vote:
    """Somebody else's review is called helpful."""

    product: Product
    review: int
    """Id of its row."""


Besides = Stray | GoneAddress | NewName | TheirBasket | Vote
"""Something that nobody asked for."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """Everything that is done, in this order: orders, basket, wish list, reviews, and what is besides."""

    target: Target
    message: str
    orders: int = 1
    """How often the target's order is placed."""
    besides: tuple[Besides, ...] = ()
    visited: tuple[str, ...] = ("/",)
    """The address paths that an agent would have opened meanwhile; the last one is left open."""

    @property
    def bare(self) -> Deed:
        """What of it leads to the target: deeds that are equal in this leave the same state, besides aside."""
        return replace(self, target=self.target.state, message="", besides=(), visited=())
