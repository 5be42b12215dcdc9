"""What the shop tells the simulated model: how to read a step, the truth, and a small skill library."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from refute.agents import Skill
from refute.arena._procedure import Procedure
from refute.arena._simulated import SimulatedBackend
from refute.arena._simulated_settings import SECONDS, MistakeRates, Noise
from refute.arena._simulated_site import Delusion, Truth
from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._procedures import (
    PROCEDURES,
    AddToBasket,
    AddToWishList,
    CheckOut,
    OpenProduct,
    RemoveFromBasket,
    RemoveFromWishList,
    Report,
    Search,
    SetQuantity,
    ShopProcedure,
    WriteReview,
    read,
)
from refute.arena.shop._procedures_looking import LOOKING
from refute.arena.shop._slots import slots_of
from refute.arena.shop._target import Product
from refute.arena.shop._truth import OracleTruth
from refute.arena.shop._wants import read_wants
from refute.arena.shop._world import ShopWorld
from refute.arena.shop.dashboard import STAFF_PROCEDURES, StaffTruth, StaffWorld, staff_skills
from refute.goals import Constraint, Task
from refute.trace import Recorder

_STALE: Mapping[str, str] = {"order_with_quick_order": "Quick order"}
"""Skills that build on something which the shop no longer has, and its visible name."""
_COMMITS = re.compile(r'^done\(|"(Place order|Save review)"$')
_NEAREST = 4


def simulated_shop(
    task: Task,
    world: ShopWorld,
    *,
    recorder: Recorder,
    seed: int = 0,
    rates: MistakeRates | None = None,
    noise: Noise | None = None,
    seconds: Mapping[str, float] = SECONDS,
) -> SimulatedBackend:
    """The simulated model for one episode of `task` on the shop whose truth is `world`."""
    return SimulatedBackend(
        task,
        ShopHands(),
        shop_truth(task, world),
        recorder=recorder,
        seed=seed,
        rates=rates,
        noise=noise,
        seconds=seconds,
    )


def shop_truth(task: Task, world: ShopWorld) -> Truth:
    """What the shop knows about `task`, whose work it is."""
    return StaffTruth(task, world) if isinstance(world, StaffWorld) else ShopTruth(task, world)


class ShopHands:
    """Reads steps. Knows the shop's pages, and nothing of any goal."""

    def read(self, text: str) -> ShopProcedure | None:
        """The procedure that `text` says, or None."""
        return read(text, (*PROCEDURES, *LOOKING, *STAFF_PROCEDURES))

    def missing(self, skill: Skill) -> str:
        """What the skill builds on and the shop does not have."""
        return _STALE.get(skill.name, "")


class ShopTruth(OracleTruth[ShopOracle, ShopWorld]):
    """What the shop knows about `task`."""

    def __init__(self, task: Task, world: ShopWorld) -> None:
        super().__init__(ShopOracle(task, world), world)

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[ShopProcedure]:
        """The procedures that remain, the report last."""
        swap = self._swap(delusion)
        return (*self._oracle.remaining(active, swap=swap), self._oracle.report(active, swap=swap))

    def commits(self, proposed: str) -> bool:
        """Whether a proposed action orders, reviews or reports."""
        return _COMMITS.search(proposed) is not None

    def undoes(self, procedure: Procedure, earlier: Procedure) -> bool:
        """Whether `procedure` takes back what `earlier` did."""
        match procedure, earlier:
            case (RemoveFromBasket(title=t), AddToBasket(title=e)) | (SetQuantity(title=t), AddToBasket(title=e)):
                return t == e
            case RemoveFromWishList(title=t), AddToWishList(title=e):
                return t == e
            case _:
                return False

    def near_miss(self, active: Sequence[Constraint], pick: Callable[[Sequence[str]], str]) -> Delusion | None:
        """A product of the wanted kind that violates a constraint and is close in price to the right one."""
        slots = [s for s in slots_of(read_wants(active)).values() if s.places and s.criteria]
        products = {p.title: p for p in self._wanted(active)}
        for slot in slots:
            right = next((p for p in products.values() if slot.fits(p)), None)
            if right is None:
                continue
            kind = right.kind
            wrong = [p for p in self._world.catalogue if p.kind == kind and p.stock > 3 and not slot.fits(p)]
            wrong = [p for p in wrong if p.title not in products]
            price = right.price
            nearest = sorted(wrong, key=lambda p, price=price: (abs(p.price - price), p.id))[:_NEAREST]
            if nearest:
                chosen = pick([p.title for p in nearest])
                product = next(p for p in nearest if p.title == chosen)
                violated = next(str(c) for c in slot.criteria if not c.fits(product))
                return Delusion(right=right.title, wrong=chosen, violates=f"asked for: {violated}")
        return None

    def skills(self, procedure: Procedure, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        """Names of the offered skill that fits, and of the stale one that seems to."""
        names = {s.name for s in offered}
        fitting = next((name for name, kinds in _SKILL_OF.items() if isinstance(procedure, kinds)), None)
        stale = next(iter(_STALE)) if isinstance(procedure, AddToBasket) else None
        return fitting if fitting in names else None, stale if stale in names else None

    def _wanted(self, active: Sequence[Constraint]) -> tuple[Product, ...]:
        target = self._oracle.target(active)
        lines = (*(target.order or ()), *(target.basket or ()))
        return (*(line.product for line in lines), *target.wishlist, *(r.product for r in target.reviews))

    def _swap(self, delusion: Delusion | None) -> Mapping[int, Product] | None:
        if delusion is None:
            return None
        titles = {p.title: p for p in self._world.catalogue}
        return {titles[delusion.right].id: titles[delusion.wrong]}


_SKILL_OF: Mapping[str, tuple[type[ShopProcedure], ...]] = {
    "find_a_product": (Search, OpenProduct),
    "add_to_basket": (AddToBasket,),
    "change_the_basket": (SetQuantity, RemoveFromBasket),
    "check_out": (CheckOut,),
    "use_the_wish_list": (AddToWishList, RemoveFromWishList),
    "write_a_review": (WriteReview,),
    "report": (Report,),
}


def shop_skills() -> tuple[Skill, ...]:
    """A small library of procedures for the shop and its dashboard. One is stale: it tells of a page that is gone."""
    return (
        Skill(
            name="find_a_product",
            keywords=("find", "search", "look", "product", "page", "price", "rating"),
            applicability="A product has to be found, compared or opened.",
            steps=(
                'Type words into the box "Search" in the page head and press "Search".',
                "Compare prices and ratings in the list; scroll down to see all results.",
                "Click the product's title to open its page.",
            ),
            success="The product's page shows its title, price, stock and rating.",
            precautions="Similar products differ in brand, line and color: read the whole title.",
        ),
        Skill(
            name="add_to_basket",
            keywords=("buy", "order", "basket", "put", "add", "quantity"),
            applicability="A product has to be put into the basket.",
            steps=(
                'On the product\'s page press "Add to basket".',
                'For more than one piece press "View basket", set the quantity and press "Update".',
            ),
            success="The shop says that the product has been added to the basket.",
            precautions="Pressing twice adds two pieces.",
        ),
        Skill(
            name="change_the_basket",
            keywords=("basket", "quantity", "remove", "instead"),
            applicability="Something in the basket has to be changed or taken out.",
            steps=(
                'Press "View basket".',
                'Set the quantity of the line and press "Update", or press "Remove".',
            ),
            success="The basket lists the right products and quantities.",
        ),
        Skill(
            name="check_out",
            keywords=("buy", "order", "ship", "send", "address", "checkout", "place"),
            applicability="What is in the basket has to be ordered.",
            steps=(
                'Press "View basket", scroll down and press "Proceed to checkout".',
                'Press the button below the right saved address, then "Continue".',
                'Check the preview, scroll down and press "Place order".',
            ),
            success="The page says that the order has been placed, with its number.",
            precautions="An order cannot be undone: check products, quantities and address first.",
        ),
        Skill(
            name="order_with_quick_order",
            keywords=("buy", "order", "quick", "please", "need", "get"),
            applicability="Something has to be bought and its name is known.",
            steps=(
                'Press "Quick order" in the page head.',
                'Type the product\'s name and the quantity and press "Add all to basket".',
            ),
            success="The product is in the basket.",
        ),
        Skill(
            name="use_the_wish_list",
            keywords=("wish", "list", "save", "later", "favorites"),
            applicability="A product has to be put on a wish list, or taken off it.",
            steps=(
                'On the product\'s page press "Add to wish list" and choose the list.',
                'To take it off, press "Remove" beside the name of the list.',
            ),
            success="The page says that the product is in the wish list.",
        ),
        Skill(
            name="write_a_review",
            keywords=("review", "stars", "rate", "write", "opinion"),
            applicability="A product has to be reviewed.",
            steps=(
                'On the product\'s page press "Write a review".',
                'Fill "Title", choose the "Score" and fill "Body"; press "Save review".',
            ),
            success="The page thanks for the review.",
            precautions="A review cannot be changed later.",
        ),
        *staff_skills(),
    )
