"""Procedures that only look: they change nothing in the shop, and what they open can be asked for or left open."""

from __future__ import annotations

from dataclasses import dataclass

from refute.agents import Confirmation, Falsifier, Scope
from refute.arena._procedure import Move
from refute.arena.shop import _procedures_moves as moves
from refute.arena.shop._facts import Catalogue
from refute.arena.shop._procedures import ShopProcedure, falsified_anywhere, sees
from refute.arena.shop._procedures_page import Page
from refute.arena.shop._target import PageKind, View


@dataclass(frozen=True)
class OpenCategory(ShopProcedure):
    """Look at what a category holds."""

    form = "Look through the category {name}."
    name: str

    def move(self, page: Page) -> Move:
        """By its link beside any list of products."""
        return moves.open_category(page, self.name)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The category's list."""
        return sees(f'A link to the category "{self.name}" is in sight', f'The products of "{self.name}" are listed')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another category."""
        wrong = Falsifier(scope=Scope.EXECUTION, statement=f'The page lists another category than "{self.name}"')
        return (wrong, *falsified_anywhere())


@dataclass(frozen=True)
class OpenReviews(ShopProcedure):
    """Read what customers say of a product."""

    form = "Read the reviews of {title}."
    title: str

    def move(self, page: Page) -> Move:
        """By the link on its page."""
        return moves.open_reviews(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list of reviews."""
        return sees(f'The page of "{self.title}" is open', f'The customer reviews of "{self.title}" are listed')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product's reviews."""
        wrong = Falsifier(scope=Scope.EXECUTION, statement=f'The page shows another product than "{self.title}"')
        return (wrong, *falsified_anywhere())


@dataclass(frozen=True)
class OpenBasket(ShopProcedure):
    """Look into the basket."""

    form = "Open the basket."

    def move(self, page: Page) -> Move:
        """By its button in the page head."""
        return moves.open_basket(page)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The basket."""
        return sees('The page head has a button "View basket"', "The basket is open")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Something else."""
        return falsified_anywhere()


@dataclass(frozen=True)
class OpenWishList(ShopProcedure):
    """Look at the wish list."""

    form = "Open the wish list."

    def move(self, page: Page) -> Move:
        """From the account's page."""
        return moves.open_wish_list(page)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list."""
        return sees("The account's wish lists are in sight", "The products of the wish list are in sight")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Something else."""
        return falsified_anywhere()


@dataclass(frozen=True)
class BackToProduct(ShopProcedure):
    """Leave a product's page open, wherever the work has led."""

    form = "Leave the page of {title} open."
    title: str

    def move(self, page: Page) -> Move:
        """By a link in sight, else by a search for the title."""
        return moves.open_product(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its page."""
        return sees(f'A link to "{self.title}" is in sight', f'The page of "{self.title}" is in front')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product's page."""
        wrong = Falsifier(scope=Scope.EXECUTION, statement=f'The page shows another product than "{self.title}"')
        return (wrong, *falsified_anywhere())


@dataclass(frozen=True)
class BackToSearch(ShopProcedure):
    """Leave the results of a search open."""

    form = "Leave the results of a search for {query} open."
    query: str

    def move(self, page: Page) -> Move:
        """Type and send."""
        return moves.search(page, self.query)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The results."""
        return sees(f'The search box holds "{self.query}"', f'The products matching "{self.query}" are in front')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Something else."""
        return falsified_anywhere()


LOOKING: tuple[type[ShopProcedure], ...] = (
    OpenCategory,
    OpenReviews,
    OpenBasket,
    OpenWishList,
    BackToProduct,
    BackToSearch,
)
"""Every procedure that only looks, beside searching and opening a product's page."""


def leave_open(view: View) -> ShopProcedure:
    """What brings the page to the front."""
    title = view.product.title if view.product is not None else ""
    match view.page:
        case PageKind.PRODUCT:
            return BackToProduct(title=title)
        case PageKind.REVIEWS:
            return OpenReviews(title=title)
        case PageKind.BASKET:
            return OpenBasket()
        case PageKind.WISH_LIST:
            return OpenWishList()
        case PageKind.SEARCH:
            return BackToSearch(query=view.words)
        case PageKind.CATEGORY:
            return OpenCategory(name=view.words)


def view_of(procedure: ShopProcedure, catalogue: Catalogue) -> View | None:
    """The page that one of `LOOKING` brings to the front; None for any other procedure."""
    title = getattr(procedure, "title", None)
    product = next((p for p in catalogue if p.title == title), None)
    match procedure:
        case OpenCategory(name=name):
            return View(page=PageKind.CATEGORY, words=name)
        case OpenReviews():
            return View(page=PageKind.REVIEWS, product=product)
        case OpenBasket():
            return View(page=PageKind.BASKET)
        case OpenWishList():
            return View(page=PageKind.WISH_LIST)
        case BackToProduct():
            return View(page=PageKind.PRODUCT, product=product)
        case BackToSearch(query=query):
            return View(page=PageKind.SEARCH, words=query)
        case _:
            return None
