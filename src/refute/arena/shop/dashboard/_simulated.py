"""What the dashboard tells the simulated model: the truth for staff, and their skills."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from refute.agents import Skill
from refute.arena._procedure import Procedure
from refute.arena._simulated_site import Delusion
from refute.arena.shop._procedures import Report, ShopProcedure
from refute.arena.shop._truth import OracleTruth
from refute.arena.shop.dashboard._likeness import What
from refute.arena.shop.dashboard._oracle import StaffOracle
from refute.arena.shop.dashboard._procedures import (
    AddNote,
    DecideInList,
    DecideOnPage,
    DeleteReview,
    ListOrders,
    ListReviews,
    MakeVoucher,
    OpenGood,
    OpenGoodByUpc,
    OpenListedOrder,
    OpenOrder,
    SetListedStatus,
    SetPrice,
    SetStatus,
    SetStock,
    SetThreshold,
)
from refute.arena.shop.dashboard._slots import Case, Slot, slots_of
from refute.arena.shop.dashboard._wants import Goods, Orders, Reviews
from refute.arena.shop.dashboard._world import StaffWorld, parted
from refute.goals import Constraint, Task

_COMMITS = re.compile(r'^done\(|"(Change status|Delete)"$')
_NEAREST = 4


class StaffTruth(OracleTruth[StaffOracle, StaffWorld]):
    """What the shop knows about a task of its staff."""

    def __init__(self, task: Task, world: StaffWorld) -> None:
        super().__init__(StaffOracle(task, world), world)

    def plan(self, active: Sequence[Constraint], delusion: Delusion | None) -> Sequence[ShopProcedure]:
        """The procedures that remain, the report last."""
        swap = self._swap(active, delusion)
        return (
            *self._oracle.staff_remaining(active, swapped=swap),
            self._oracle.staff_report(active, swapped=swap),
        )

    def commits(self, proposed: str) -> bool:
        """Whether a proposed action changes an order's status, deletes or reports."""
        return _COMMITS.search(proposed) is not None

    def undoes(self, procedure: Procedure, earlier: Procedure) -> bool:
        """Whether `procedure` takes back what `earlier` did."""
        match procedure, earlier:
            case (SetStock(title=t), SetStock(title=e)) | (SetPrice(title=t), SetPrice(title=e)):
                return t == e and procedure != earlier
            case DecideInList() as now, DecideInList():
                return now != earlier and replace(now, status=earlier.status) == earlier
            case _:
                return False

    def near_miss(self, active: Sequence[Constraint], pick: Callable[[Sequence[str]], str]) -> Delusion | None:
        """A neighbour of the right thing that violates a constraint: a product close in price, an order, a review.

        What goes by the same name as another thing, or is wanted for something else, is none: nobody could tell from
        the plan that it is wrong.
        """
        case, wanted = self._world.case(), " ".join(p.sentence() for p in self.plan(active, None))
        for slot in slots_of(parted(active)[0]).values():
            if not slot.changes or slot.what is What.VOUCHERS:
                continue
            meant = slot.expected(case)
            often = Counter(_in_plans(case, slot.what, i) for i in case.had(slot.what))
            named = {_in_plans(case, slot.what, i): i for i in neighbours(slot, case)}
            near = [name for name in named if often[name] == 1 and name not in wanted][:_NEAREST]
            names = {name: named[name] for name in near}
            if meant and names:
                chosen = pick(list(names))
                return Delusion(
                    right=_in_plans(case, slot.what, meant[0]),
                    wrong=chosen,
                    violates=violated(slot, case, names[chosen]),
                )
        return None

    def skills(self, procedure: Procedure, offered: Sequence[Skill]) -> tuple[str | None, str | None]:
        """Names of the offered skill that fits; none of the dashboard's is stale."""
        names = {s.name for s in offered}
        fitting = next((name for name, kinds in _SKILL_OF.items() if isinstance(procedure, kinds)), None)
        return fitting if fitting in names else None, None

    def _swap(self, active: Sequence[Constraint], delusion: Delusion | None) -> Mapping[int, int] | None:
        if delusion is None:
            return None
        case = self._world.case()
        for slot in slots_of(parted(active)[0]).values():
            rights = {_in_plans(case, slot.what, i): i for i in reversed(slot.expected(case))} if slot.changes else {}
            wrongs = {_in_plans(case, slot.what, i): i for i in case.had(slot.what)}
            if delusion.right in rights and delusion.wrong in wrongs:
                return {rights[delusion.right]: wrongs[delusion.wrong]}
        return None


def name_of(case: Case, what: What, i: int) -> str:
    """What people call thing `i`: a product's title, an order's number, a review's headline."""
    match what:
        case What.GOODS:
            return case.before.goods[i].title
        case What.ORDERS:
            return case.before.orders[i].number
        case What.REVIEWS:
            return case.before.reviews[i].headline
        case What.VOUCHERS:
            return case.before.vouchers[i].code


def _in_plans(case: Case, what: What, i: int) -> str:
    """What plans call thing `i`: reviews share headlines, and are told apart by their products and writers."""
    if what is not What.REVIEWS:
        return name_of(case, what, i)
    review = case.before.reviews[i]
    return f'"{review.headline}" of "{review.title}" by "{review.customer}"'


def neighbours(slot: Slot, case: Case) -> list[int]:
    """Things like the right one that violate a description, the closest first: by price and kind, or by day."""
    meant = slot.expected(case)
    if not meant:
        return []
    wrong = [i for i in case.had(slot.what) if i not in meant]
    if slot.what is What.GOODS:
        right = case.catalogue.products[meant[0]]
        others = [p for i in wrong if (p := case.catalogue.products.get(i)) is not None and p.kind == right.kind]
        return [p.id for p in sorted(others, key=lambda p: (abs(p.price - right.price), p.id))]
    if slot.what is What.ORDERS:
        order = case.before.orders[meant[0]]
        alike = [i for i in wrong if case.before.orders[i].status == order.status] or wrong
        return sorted(alike, key=lambda i: (abs((case.before.orders[i].placed - order.placed).days), i))
    if slot.what is What.REVIEWS:
        review = case.before.reviews[meant[0]]
        alike = [i for i in wrong if case.before.reviews[i].verdict is review.verdict] or wrong
        return sorted(alike, key=lambda i: (abs(case.before.reviews[i].score - review.score), i))
    return wrong


def violated(slot: Slot, case: Case, i: int) -> str:
    """The first description that thing `i` does not fit, in words."""
    for which in slot.which:
        if isinstance(which, Goods | Orders | Reviews) and not case.like(which, i):
            given = which.model_dump(exclude_defaults=True, exclude={"slot"})
            return "asked for: " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in given.items())
    return "asked for: another one of them"


_SKILL_OF: Mapping[str, tuple[type[ShopProcedure], ...]] = {
    "find_a_product_in_the_dashboard": (OpenGood, OpenGoodByUpc),
    "change_stock_or_price": (SetStock, SetPrice, SetThreshold),
    "find_an_order": (ListOrders, OpenOrder, OpenListedOrder),
    "process_an_order": (SetStatus, SetListedStatus, AddNote),
    "moderate_reviews": (ListReviews, DecideInList, DecideOnPage, DeleteReview),
    "make_a_voucher": (MakeVoucher,),
    "report": (Report,),
}


def staff_skills() -> tuple[Skill, ...]:
    """A small library of procedures for the dashboard."""
    return (
        Skill(
            name="find_a_product_in_the_dashboard",
            keywords=("product", "dashboard", "find", "stock", "price", "record"),
            applicability="A product's record has to be found in the dashboard.",
            steps=(
                'Press "Catalogue", then "Products".',
                'Type the title into "Product title:", or the number into "UPC:", and press "Search".',
                "Click the product's title in the list; scroll down or press “next” to see all of them.",
            ),
            success="The product's form is open, with its title in the head.",
            precautions="Similar products differ in brand, line and color: read the whole title.",
        ),
        Skill(
            name="change_stock_or_price",
            keywords=("stock", "price", "set", "change", "raise", "lower", "threshold", "pieces"),
            applicability="The stock, price or low stock threshold of a product has to be changed.",
            steps=(
                'In the product\'s form press "Stock and pricing".',
                'Fill the column "Num in stock", "Price" or "Low stock threshold" of the first row.',
                'Press "Save".',
            ),
            success="The dashboard says that the product was updated.",
            precautions="The second row is for another supplier: leave it empty.",
        ),
        Skill(
            name="find_an_order",
            keywords=("order", "orders", "customer", "pending", "find", "list"),
            applicability="Orders have to be found by number or status.",
            steps=(
                'Press "Fulfilment", then "Orders".',
                'Type the number and press "Search"; or press "Advanced Search" and choose a status.',
            ),
            success="The order's page is open, or the list shows the filter.",
        ),
        Skill(
            name="process_an_order",
            keywords=("order", "status", "process", "complete", "cancel", "note"),
            applicability="An order's status has to be changed, or a note added.",
            steps=(
                'On the order\'s page choose the "New order status" below its lines and press "Change status".',
                'For a note press "Notes", fill "Message" and press "Save note".',
            ),
            success="The dashboard says that the status was changed, or that the note was saved.",
            precautions="A status cannot be taken back: check number and customer first.",
        ),
        Skill(
            name="moderate_reviews",
            keywords=("review", "reviews", "approve", "reject", "delete", "moderate"),
            applicability="Reviews have to be approved, rejected or deleted.",
            steps=(
                'Press "Content", then "Reviews"; search by status or keyword.',
                'Tick the reviews, choose the status above the list and press "Update".',
                'To delete one, press "Actions" in its row, then "Delete", and confirm.',
            ),
            success="The list shows the new status, or no longer shows the review.",
            precautions="Several reviews have the same title: compare product and customer.",
        ),
        Skill(
            name="make_a_voucher",
            keywords=("voucher", "code", "discount", "percent", "off", "coupon"),
            applicability="A voucher has to be made or changed.",
            steps=(
                'Press "Offers", then "Vouchers", then "Create new voucher"; to change one: "Actions", then "Edit".',
                "Fill name, code, start and end; choose the usage and, below, the offer.",
                'Press "Save".',
            ),
            success="The dashboard says that the voucher was created.",
            precautions="A voucher gives what its offer gives: choose the right percentage.",
        ),
    )
