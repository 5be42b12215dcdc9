"""The staff's procedures around orders."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import Confirmation, Falsifier, Scope
from refute.arena._procedure import Move
from refute.arena.shop._procedures import ShopProcedure, falsified_anywhere, sees
from refute.arena.shop._procedures_page import Page
from refute.arena.shop.dashboard import _moves as moves
from refute.arena.shop.dashboard._page import StaffPage


@dataclass(frozen=True)
class ListOrders(ShopProcedure):
    """Look at the orders with a status."""

    form = "List the orders with the status {status}."
    status: str

    def move(self, page: Page) -> Move:
        """By the advanced search."""
        return moves.list_orders(StaffPage(page.observation, page.steps), self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list, and its filter."""
        return sees("The search of orders is open", f"Order status is {self.status}")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Nothing found."""
        return (*falsified_anywhere(), Falsifier(scope=Scope.PLANNING, statement="No orders found"))


@dataclass(frozen=True)
class OpenOrder(ShopProcedure):
    """Open an order, found by its number."""

    form = "Open order {number}."
    number: str

    def move(self, page: Page) -> Move:
        """By a search for its number."""
        return moves.open_order(StaffPage(page.observation, page.steps), self.number)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its page."""
        return sees(f"Order {self.number} is searched for", f"The page of order #{self.number} is open")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another order."""
        return _other_order(self.number)


@dataclass(frozen=True)
class OpenListedOrder(ShopProcedure):
    """Open an order, found in the list."""

    form = "Open order {number} from the list of orders."
    number: str

    def move(self, page: Page) -> Move:
        """By its link, page by page."""
        return moves.open_listed_order(StaffPage(page.observation, page.steps), self.number)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its page."""
        return sees(f"The list of orders shows {self.number}", f"The page of order #{self.number} is open")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another order."""
        return _other_order(self.number)


@dataclass(frozen=True)
class SetStatus(ShopProcedure):
    """Change an order's status on its own page."""

    form = "Change the status of order {number} to {status}."
    number: str
    status: str

    def move(self, page: Page) -> Move:
        """Choose it below the order's lines."""
        return moves.set_status(StaffPage(page.observation, page.steps), self.number, self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return _status_changed(self.number, self.status)

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another order, or a status that it cannot take."""
        return (*_other_order(self.number), *rash("Change status", "order"))


@dataclass(frozen=True)
class SetListedStatus(ShopProcedure):
    """Change an order's status in the list."""

    form = "Tick order {number} in the list of orders and change its status to {status}."
    number: str
    status: str

    def move(self, page: Page) -> Move:
        """Tick it, and choose below the list."""
        return moves.set_listed_status(StaffPage(page.observation, page.steps), self.number, self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return _status_changed(self.number, self.status)

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another order, or a status that it cannot take."""
        return (*_other_order(self.number), *rash("Change status", "order"))


@dataclass(frozen=True)
class AddNote(ShopProcedure):
    """Write a note to an order."""

    form = "Add the note {note} to order {number}."
    note: str
    number: str

    def move(self, page: Page) -> Move:
        """In the form below the order."""
        return moves.add_note(StaffPage(page.observation, page.steps), self.number, self.note)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The dashboard's confirmation."""
        return sees(f"The notes of order #{self.number} are shown", "Note saved")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another order."""
        return _other_order(self.number)


def _status_changed(number: str, status: str) -> tuple[Confirmation, ...]:
    return sees(f"Order {number} can be given the status {status}", f"Order status changed to '{status}'")


def _other_order(number: str) -> tuple[Falsifier, ...]:
    return (
        Falsifier(scope=Scope.EXECUTION, statement=f"The page of an order other than #{number} is open"),
        Falsifier(scope=Scope.PLANNING, statement=f"There is no order {number}"),
        *falsified_anywhere(),
    )


def rash(button: str, thing: str) -> tuple[Falsifier, ...]:
    """What would be wrong before `button` is pressed, which nobody can take back."""
    statement = f'The button "{button}" is pressed for a wrong {thing}'
    return (Falsifier(scope=Scope.PLANNING, statement=statement, before_action=True),)
