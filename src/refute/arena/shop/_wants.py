"""What a constraint's validator asks of the shop, as typed data.

A task speaks of *slots*: names for the things a shopper wants, such as ``headphones``. Constraints about one slot add
up: some describe the product (`Item`, `BestItem`), others say where it has to end up (`Ordered`, `InBasket`, …). So a
revision can change one property and leave the rest alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from refute._errors import UserError
from refute.arena.shop._criteria import Arguments, Attribute, Criteria, Ranking, Search
from refute.arena.shop._target import PageKind
from refute.goals import Constraint, Reference


class Place(StrEnum):
    """Where a product can end up."""

    ORDER = "ordered"
    BASKET = "in the basket"
    WISHLIST = "on the wish list"
    REVIEW = "reviewed"
    MESSAGE = "named in the final message"


class Slotted(Arguments):
    """Anything asked about one slot."""

    slot: str = "item"


class Item(Slotted, Criteria):
    """``item``: the product in the slot is like this, wherever it is wanted."""


class BestItem(Slotted):
    """``best_item``: no product in stock that fits the slot's other constraints is better. Ties are fine."""

    by: Ranking


class Placed(Slotted):
    """The slot's product ends up at a place."""

    place: ClassVar[Place]


class Ordered(Placed):
    """``ordered``: it was ordered; `quantity` = exactly so many pieces."""

    place = Place.ORDER
    quantity: int | None = Field(default=None, ge=1)


class InBasket(Placed):
    """``in_basket``: it waits in the basket, not ordered; `quantity` = exactly so many pieces."""

    place = Place.BASKET
    quantity: int | None = Field(default=None, ge=1)


class OnWishList(Placed):
    """``on_wish_list``: it is on a wish list of the account."""

    place = Place.WISHLIST


class OffWishList(Criteria):
    """``off_wish_list``: no such product is on a wish list of the account; without criteria: nothing is."""


class Reviewed(Placed):
    """``reviewed``: a review of it was written, with what is given here. Several of these add up."""

    place = Place.REVIEW
    score: int | None = Field(default=None, ge=1, le=5)
    title: str | None = None
    mentions: str | None = Field(default=None, description="words that its text holds")


class MessageNames(Placed):
    """``message_names``: the final message names it by its title."""

    place = Place.MESSAGE


class MessageStates(Arguments):
    """``message_states``: the final message states a fact about the slot's product, or about the best match of `of`."""

    attr: Attribute
    slot: str | None = None
    of: Search | None = None


class ShipTo(Arguments):
    """``ship_to``: what was ordered goes to the address that starts with `line1`."""

    line1: str


class OnlyOrder(Arguments):
    """``only_order``: exactly one order was placed, and it holds nothing but what was wanted."""


class OnlyBasket(Arguments):
    """``only_basket``: the basket holds something, and nothing but what was wanted."""


class NothingOrdered(Arguments):
    """``nothing_ordered``: no order was placed. Holds from the start: set ``action = false``."""


class LookedAt(Slotted):
    """``looked_at``: the page (or the ``reviews``) of the slot's product was open during the episode.

    With `of`, of any product like that: so for things that end up nowhere. A product's reviews count as its page.
    """

    page: PageKind = PageKind.PRODUCT
    of: Criteria | None = None
    before: Literal["order"] | None = Field(default=None, description="open before the order was placed")

    @field_validator("page")
    @classmethod
    def _of_a_product(cls, page: PageKind) -> PageKind:
        if page not in (PageKind.PRODUCT, PageKind.REVIEWS):
            raise ValueError("only the page of a product, or its reviews, can be asked for")
        return page


class LeftOpen(Slotted):
    """``left_open``: the episode ends on this page.

    A product's page or reviews are those of the slot's product or, with `of`, of any product like that. `words` are
    what a search holds, or the name of a category.
    """

    page: PageKind
    of: Criteria | None = None
    words: str = ""

    @model_validator(mode="after")
    def _says_which(self) -> LeftOpen:
        if (self.page in (PageKind.SEARCH, PageKind.CATEGORY)) != bool(self.words):
            raise ValueError("`words` belong to a search and to a category, and to no other page")
        return self


Want = (
    Item
    | BestItem
    | Ordered
    | InBasket
    | OnWishList
    | OffWishList
    | Reviewed
    | MessageNames
    | MessageStates
    | ShipTo
    | OnlyOrder
    | OnlyBasket
    | NothingOrdered
    | LookedAt
    | LeftOpen
)
"""Anything that a constraint can ask of the shop."""

VALIDATORS: Mapping[str, type[Want]] = {
    "item": Item,
    "best_item": BestItem,
    "ordered": Ordered,
    "in_basket": InBasket,
    "on_wish_list": OnWishList,
    "off_wish_list": OffWishList,
    "reviewed": Reviewed,
    "message_names": MessageNames,
    "message_states": MessageStates,
    "ship_to": ShipTo,
    "only_order": OnlyOrder,
    "only_basket": OnlyBasket,
    "nothing_ordered": NothingOrdered,
    "looked_at": LookedAt,
    "left_open": LeftOpen,
}
"""Every validator of the shop by the name that task files use."""


def read_want(reference: Reference) -> Want:
    """What a validator reference asks. Raises `UserError` for an unknown name or arguments that do not fit."""
    return read_args(reference, VALIDATORS, "validator")


def read_wants(constraints: Sequence[Constraint]) -> tuple[Want, ...]:
    """What several constraints ask together; those without a validator ask nothing."""
    return tuple(read_want(c.validator) for c in constraints if c.validator is not None)


def read_args(reference: Reference, known: Mapping[str, type[Any]], what: str) -> Any:
    """The typed arguments of `reference`. Raises `UserError` that says what is wrong with it."""
    model = known.get(reference.name)
    if model is None:
        raise UserError(f"the shop has no {what} {reference.name!r}; it has {', '.join(sorted(known))}")
    try:
        return model.model_validate(dict(reference.args))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"]) or "arguments"
        raise UserError(f"the {what} {reference.name!r} cannot take {where}: {problem['msg']}") from error
