"""The staff's procedures around stock records."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import Confirmation, Falsifier, Scope
from refute.arena._procedure import Move
from refute.arena.shop._procedures import ShopProcedure, falsified_anywhere, sees
from refute.arena.shop._procedures_page import Page
from refute.arena.shop.dashboard import _moves as moves
from refute.arena.shop.dashboard._page import StaffPage


@dataclass(frozen=True)
class OpenGood(ShopProcedure):
    """Open a product's form."""

    form = "Open {title} in the dashboard."
    title: str

    def move(self, page: Page) -> Move:
        """By a search for its title."""
        return moves.open_good(StaffPage(page.observation, page.steps), self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its form."""
        return sees(f'"{self.title}" is in the list of products', f'The form of the product "{self.title}" is open')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product's form."""
        return (*_other_good(self.title), *falsified_anywhere())


@dataclass(frozen=True)
class OpenGoodByUpc(ShopProcedure):
    """Open a product's form, found by its number."""

    form = "Open {title} in the dashboard by its UPC {upc}."
    title: str
    upc: str

    def move(self, page: Page) -> Move:
        """By a search for its UPC."""
        return moves.open_good(StaffPage(page.observation, page.steps), self.title, upc=self.upc)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its form."""
        return sees(f"{self.upc} is in the list of products", f'The form of the product "{self.title}" is open')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product's form."""
        return (*_other_good(self.title), *falsified_anywhere())


@dataclass(frozen=True)
class SetStock(ShopProcedure):
    """Say how many pieces of a product are in stock."""

    form = "Set the number in stock of {title} to {number}."
    title: str
    number: int

    def move(self, page: Page) -> Move:
        """In its stock record."""
        page = StaffPage(page.observation, page.steps)
        return moves.set_in_stock_record(page, self.title, "Num in stock", str(self.number))

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return _saved(self.title, f"The number in stock is {self.number}")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product, or a number that the form rejects."""
        return _not_saved(self.title)


@dataclass(frozen=True)
class SetPrice(ShopProcedure):
    """Say what a product costs, in dollars."""

    form = "Set the price of {title} to {price}."
    title: str
    price: str

    def move(self, page: Page) -> Move:
        """In its stock record."""
        return moves.set_in_stock_record(StaffPage(page.observation, page.steps), self.title, "Price", self.price)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return _saved(self.title, f"The price is {self.price}")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product, or a price that the form rejects."""
        return _not_saved(self.title)


@dataclass(frozen=True)
class SetThreshold(ShopProcedure):
    """Say below which number of pieces the shop warns."""

    form = "Set the low stock threshold of {title} to {number}."
    title: str
    number: int

    def move(self, page: Page) -> Move:
        """In its stock record."""
        page = StaffPage(page.observation, page.steps)
        return moves.set_in_stock_record(page, self.title, "Low stock threshold", str(self.number))

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return _saved(self.title, f"The low stock threshold is {self.number}")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product, or a number that the form rejects."""
        return _not_saved(self.title)


def _saved(title: str, progress: str) -> tuple[Confirmation, ...]:
    return sees(progress, f"Updated product '{title}'")


def _not_saved(title: str) -> tuple[Falsifier, ...]:
    rejected = Falsifier(scope=Scope.EXECUTION, statement="Your submitted data was not valid")
    return (*_other_good(title), *falsified_anywhere(), rejected)


def _other_good(title: str) -> tuple[Falsifier, ...]:
    return (
        Falsifier(scope=Scope.EXECUTION, statement=f'The form of a product other than "{title}" is open'),
        Falsifier(scope=Scope.PLANNING, statement=f'The dashboard has no product "{title}"'),
    )
