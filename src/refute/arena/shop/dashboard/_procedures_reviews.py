"""The staff's procedures around reviews."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import Confirmation, Falsifier, Scope
from refute.arena._procedure import Move
from refute.arena.shop._procedures import ShopProcedure, falsified_anywhere, sees
from refute.arena.shop._procedures_page import Page
from refute.arena.shop.dashboard import _moves as moves
from refute.arena.shop.dashboard._page import StaffPage
from refute.arena.shop.dashboard._procedures_orders import rash


@dataclass(frozen=True)
class ListReviews(ShopProcedure):
    """Look at the reviews with a status."""

    form = "List the reviews with the status {status}."
    status: str

    def move(self, page: Page) -> Move:
        """By the search above the list."""
        return moves.list_reviews(StaffPage(page.observation, page.steps), self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list, and its filter."""
        return sees("The search of reviews is open", f"All reviews with status matching '{self.status}'")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Nothing found."""
        return (*falsified_anywhere(), Falsifier(scope=Scope.PLANNING, statement="No reviews found"))


@dataclass(frozen=True)
class DecideInList(ShopProcedure):
    """Approve or reject a review in the list."""

    form = "Tick the review {headline} of {title} by {customer} in the list of reviews and update it to {status}."
    headline: str
    title: str
    customer: str
    status: str

    def move(self, page: Page) -> Move:
        """Tick it, and choose above the list."""
        page = StaffPage(page.observation, page.steps)
        return moves.decide_in_list(page, self.headline, self.title, self.customer, self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list shows it."""
        return sees(
            f'The list shows the review "{self.headline}"', f'The review "{self.headline}" is shown as {self.status}'
        )

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another review."""
        return _other_review(self.headline)


@dataclass(frozen=True)
class DecideOnPage(ShopProcedure):
    """Approve or reject a review in its own form."""

    form = "Open the review {headline} of {title} by {customer} and save it as {status}."
    headline: str
    title: str
    customer: str
    status: str

    def move(self, page: Page) -> Move:
        """Open it, choose, save."""
        page = StaffPage(page.observation, page.steps)
        return moves.decide_on_page(page, self.headline, self.title, self.customer, self.status)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list shows it."""
        return sees(
            f'The form of the review "{self.headline}" is open',
            f'The review "{self.headline}" is shown as {self.status}',
        )

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another review."""
        return _other_review(self.headline)


@dataclass(frozen=True)
class DeleteReview(ShopProcedure):
    """Remove a review for good."""

    form = "Delete the review {headline} of {title} by {customer}."
    headline: str
    title: str
    customer: str

    def move(self, page: Page) -> Move:
        """By the actions in its row."""
        return moves.delete_review(StaffPage(page.observation, page.steps), self.headline, self.title, self.customer)

    def confirming(self) -> tuple[Confirmation, ...]:
        """It is gone."""
        return sees(f'Delete review "{self.headline}"?', f'The list no longer shows the review "{self.headline}"')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another review."""
        return (*_other_review(self.headline), *rash("Delete", "review"))


def _other_review(headline: str) -> tuple[Falsifier, ...]:
    return (
        Falsifier(scope=Scope.EXECUTION, statement=f'A review other than "{headline}" is ticked or open'),
        Falsifier(scope=Scope.PLANNING, statement="No reviews found"),
        *falsified_anywhere(),
    )
