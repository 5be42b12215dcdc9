"""The shop's procedures: each is said in one sentence, and each sentence is read back into an equal procedure.

What a sentence leaves out, the pages must tell: a procedure knows its own parameters and the page in front, and never
the goal behind it. Texts inside a sentence are quoted as in JSON, so that any title or message can be said.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from refute.agents import Confirmation, Falsifier, Scope, Stage, Step
from refute.arena._procedure import Move
from refute.arena.shop import _procedures_moves as moves
from refute.arena.shop._procedures_moves import DEFAULT_ADDRESS
from refute.arena.shop._procedures_page import Page
from refute.browser import Done, Observation

_QUOTED = r'"(?:[^"\\]|\\.)*"'


@dataclass(frozen=True)
class ShopProcedure(ABC):
    """Base of all: `form` is the sentence with ``{parameter}`` in place of each value."""

    form: ClassVar[str]

    def sentence(self) -> str:
        """The procedure in one sentence."""
        return self.form.format(**{f.name: _said(getattr(self, f.name)) for f in fields(self)})

    @classmethod
    @cache
    def pattern(cls) -> re.Pattern[str]:
        """Finds the sentence, wherever it stands in a text."""
        pattern = re.escape(cls.form)
        for field in fields(cls):
            value = r"\d{1,6}" if field.type == "int" else _QUOTED
            pattern = pattern.replace(re.escape("{" + field.name + "}"), f"(?P<{field.name}>{value})")
        return re.compile(pattern)

    @classmethod
    def of_match(cls, match: re.Match[str]) -> ShopProcedure:
        """The procedure that a match of `pattern` says."""
        return cls(**{name: json.loads(value) for name, value in match.groupdict().items()})

    def next_move(self, observation: Observation, steps: Sequence[Step]) -> Move:
        """The next move from this page: first past what keeps anybody from working on it."""
        page = Page(observation, steps)
        return moves.past_trouble(page) or self.move(page)

    @abstractmethod
    def move(self, page: Page) -> Move:
        """The next move on a page that can be worked on."""

    @abstractmethod
    def confirming(self) -> tuple[Confirmation, ...]:
        """What a reader sees if it goes well."""

    @abstractmethod
    def falsifying(self) -> tuple[Falsifier, ...]:
        """What a reader would see if it went wrong."""


@dataclass(frozen=True)
class Search(ShopProcedure):
    """Look at what the shop has for some words."""

    form = "Search the shop for {query}."
    query: str

    def move(self, page: Page) -> Move:
        """Type and send, once."""
        return moves.search(page, self.query)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The list of results."""
        return sees(f'The search box holds "{self.query}"', f'The page shows products matching "{self.query}"')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """No results, or those of another search."""
        return (
            *falsified_anywhere(),
            Falsifier(scope=Scope.PLANNING, statement=f'A search for "{self.query}" found 0 results'),
        )


@dataclass(frozen=True)
class OpenProduct(ShopProcedure):
    """Open a product's page."""

    form = "Open the page of {title}."
    title: str

    def move(self, page: Page) -> Move:
        """By a link in sight, else by a search for the title."""
        return moves.open_product(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Its page."""
        return sees(f'A link to "{self.title}" is in the list', f'The page of "{self.title}" is open with its price')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product's page."""
        return (*_other_product(self.title), *falsified_anywhere())


@dataclass(frozen=True)
class AddToBasket(ShopProcedure):
    """Have some pieces of a product in the basket that is not there yet."""

    form = "Put {quantity} of {title} into the basket."
    quantity: int
    title: str

    def move(self, page: Page) -> Move:
        """Add one on its page, then set the number in the basket."""
        return moves.add_to_basket(page, page.steps, self.title, self.quantity)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The shop's confirmation, or the basket's line."""
        return (
            *sees(
                f'The page of "{self.title}" has a button to add it', f'"{self.title}" has been added to your basket'
            ),
            Confirmation(stage=Stage.COMPLETION, statement=f'The basket lists {self.quantity} of "{self.title}"'),
        )

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product, or none left."""
        return (
            *_other_product(self.title),
            *falsified_anywhere(),
            Falsifier(scope=Scope.PLANNING, statement=f'"{self.title}" is unavailable'),
        )


@dataclass(frozen=True)
class SetQuantity(ShopProcedure):
    """Change how many pieces of a product wait in the basket."""

    form = "Change the quantity of {title} in the basket to {quantity}."
    title: str
    quantity: int

    def move(self, page: Page) -> Move:
        """Fill the line's number and update."""
        return moves.set_quantity(page, page.steps, self.title, self.quantity)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The line's new number."""
        return sees(
            f'The basket lists "{self.title}"', f'The quantity of "{self.title}" in the basket is {self.quantity}'
        )

    def falsifying(self) -> tuple[Falsifier, ...]:
        """The line is gone."""
        return (
            *falsified_anywhere(),
            Falsifier(scope=Scope.PLANNING, statement=f'"{self.title}" is not in the basket'),
        )


@dataclass(frozen=True)
class RemoveFromBasket(ShopProcedure):
    """Take a product out of the basket."""

    form = "Take {title} out of the basket."
    title: str

    def move(self, page: Page) -> Move:
        """Press the line's remove link."""
        return moves.remove_from_basket(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The line is gone."""
        return sees(f'The basket lists "{self.title}" with a link to remove it', f'"{self.title}" was removed')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another line went."""
        return falsified_anywhere()


@dataclass(frozen=True)
class CheckOut(ShopProcedure):
    """Order everything in the basket."""

    form = "Check out everything in the basket, ship it to the saved address {address}, and place the order."
    address: str

    def move(self, page: Page) -> Move:
        """From the basket through address, payment and preview."""
        return moves.check_out(page, self.address)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The order's confirmation."""
        shown = f'The checkout shows the shipping address "{self.address}"'
        progress = shown if self.address != DEFAULT_ADDRESS else "The checkout shows the shipping address"
        return sees(progress, "Your order has been placed and has an order number")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """An empty basket, another address, an order that holds the wrong things."""
        wrong = f'The order preview ships to another address than "{self.address}"'
        return (
            *falsified_anywhere(),
            Falsifier(scope=Scope.PLANNING, statement="Your basket is empty before the order is placed"),
            Falsifier(
                scope=Scope.PLANNING,
                statement='The button "Place order" is pressed while the basket or the address is wrong',
                before_action=True,
            ),
            *((Falsifier(scope=Scope.EXECUTION, statement=wrong),) if self.address != DEFAULT_ADDRESS else ()),
        )


@dataclass(frozen=True)
class AddToWishList(ShopProcedure):
    """Put a product on the wish list."""

    form = "Put {title} on the wish list."
    title: str

    def move(self, page: Page) -> Move:
        """By the button on its page, and the list's name in the menu that this opens."""
        return moves.add_to_wish_list(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The page says so."""
        return sees(
            f'The page of "{self.title}" has a button "Add to wish list"', f'"{self.title}" was added to your wish list'
        )

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product."""
        return (*_other_product(self.title), *falsified_anywhere())


@dataclass(frozen=True)
class RemoveFromWishList(ShopProcedure):
    """Take a product off the wish list."""

    form = "Take {title} off the wish list."
    title: str

    def move(self, page: Page) -> Move:
        """By the button on its page."""
        return moves.remove_from_wish_list(page, self.title)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The page says so."""
        return sees(f'"{self.title}" is in a wish list', f'"{self.title}" was removed from your wish list')

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product."""
        return (*_other_product(self.title), *falsified_anywhere())


@dataclass(frozen=True)
class WriteReview(ShopProcedure):
    """Write a review of a product."""

    form = "Write a review of {title} with {score} of 5 stars, the headline {headline} and the text {body}."
    title: str
    score: int
    headline: str
    body: str

    def move(self, page: Page) -> Move:
        """Fill the form behind the link on its page."""
        return moves.write_review(page, self.title, self.score, self.headline, self.body)

    def confirming(self) -> tuple[Confirmation, ...]:
        """The shop's thanks."""
        return sees(f'The review form of "{self.title}" is open', "Thank you for reviewing this product")

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Another product, or a review that exists already."""
        return (
            *_other_product(self.title),
            *falsified_anywhere(),
            Falsifier(scope=Scope.PLANNING, statement="You have already reviewed this product"),
            Falsifier(
                scope=Scope.PLANNING,
                statement='The button "Save review" is pressed with words or stars that the user did not ask for',
                before_action=True,
            ),
        )


@dataclass(frozen=True)
class Report(ShopProcedure):
    """Say that the work is done, and what the user wants to know."""

    form = "Report to the user: {message}"
    message: str

    def next_move(self, observation: Observation, steps: Sequence[Step]) -> Move:
        """Say it, whatever the page is."""
        return self.move(Page(observation, steps))

    def move(self, page: Page) -> Move:
        """Say it."""
        return Move(action=Done(message=self.message), why="everything is done: report", completes=True)

    def confirming(self) -> tuple[Confirmation, ...]:
        """Nothing on a page shows a report."""
        return ()

    def falsifying(self) -> tuple[Falsifier, ...]:
        """Something is still missing."""
        return (
            Falsifier(
                scope=Scope.PLANNING, statement="Something that the user asked for is still missing", before_action=True
            ),
        )


PROCEDURES: tuple[type[ShopProcedure], ...] = (
    Search,
    OpenProduct,
    AddToBasket,
    SetQuantity,
    RemoveFromBasket,
    CheckOut,
    AddToWishList,
    RemoveFromWishList,
    WriteReview,
    Report,
)
"""Every procedure of the shop."""


def read(text: str, kinds: Sequence[type[ShopProcedure]] = PROCEDURES) -> ShopProcedure | None:
    """The first procedure of `kinds` that `text` says, or None.

    What stands inside the quotes of a sentence is not searched.
    """
    found = [(match, kind) for kind in kinds if (match := kind.pattern().search(text))]
    if not found:
        return None
    match, kind = min(found, key=lambda pair: pair[0].start())
    return kind.of_match(match)


def _said(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sees(progress: str, completion: str) -> tuple[Confirmation, ...]:
    """What a reader sees on the way, and at the end."""
    return (
        Confirmation(stage=Stage.PROGRESS, statement=progress),
        Confirmation(stage=Stage.COMPLETION, statement=completion),
    )


def _other_product(title: str) -> tuple[Falsifier, ...]:
    return (
        Falsifier(scope=Scope.EXECUTION, statement=f'The page of a product other than "{title}" is open'),
        Falsifier(scope=Scope.PLANNING, statement=f'The search for "{title}" found 0 results'),
    )


def falsified_anywhere() -> tuple[Falsifier, ...]:
    """What would go wrong in any procedure."""
    return (
        Falsifier(scope=Scope.EXECUTION, statement="The page has nothing to do with this step"),
        Falsifier(scope=Scope.SKILL, statement="A button or page that the procedure names does not exist"),
    )
