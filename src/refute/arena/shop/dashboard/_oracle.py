"""The staff's oracle: from the database and the active constraints to the procedures that remain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._procedures import Report, ShopProcedure
from refute.arena.shop._procedures_page import flat
from refute.arena.shop.dashboard._facts import CustomerReview, Good, Verdict, Voucher
from refute.arena.shop.dashboard._likeness import What
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
from refute.arena.shop.dashboard._slots import Case
from refute.arena.shop.dashboard._target import USAGE, OrderTarget, StaffTarget, resolve_staff
from refute.arena.shop.dashboard._wants import GoodsCounted, OrdersCounted
from refute.arena.shop.dashboard._world import StaffWorld, parted
from refute.browser import Action, Goto, Observation, Scroll
from refute.goals import Constraint, Task

LABELS = {Verdict.WAITING: "Requires moderation", Verdict.APPROVED: "Approved", Verdict.REJECTED: "Rejected"}
"""How the dashboard calls what became of a review."""
_WAY = {"Being processed": "Pending", "Complete": "Being processed"}
"""The status from which an order comes to a status; any order that is not over can be cancelled."""
_OVER = ("Complete", "Cancelled")
_PATIENCE = 2
_CODES = {"0": "Requires moderation", "1": "Approved", "2": "Rejected"}


class StaffOracle(ShopOracle):
    """Finds the next step of the staff from any page. Never an agent under test.

    Route 0 finds products by their title, orders by their number, and decides on reviews in the list; route 1 finds
    products by their UPC and orders in the list, changes status there, and decides on reviews in their forms.
    """

    def __init__(self, task: Task, world: StaffWorld, *, route: int = 0) -> None:
        super().__init__(task, world)
        self._staff_world = world
        self._route = route

    # ---- what remains --------------------------------------------------------------------------------------------

    def staff_target(self, active: Sequence[Constraint], *, swapped: Mapping[int, int] | None = None) -> StaffTarget:
        """The wanted state of the staff's things; `swapped` puts others in the place of the right ones, by id."""
        return resolve_staff(parted(active)[0], self._staff_world.case(), swap=swapped)

    def staff_remaining(
        self, active: Sequence[Constraint], *, swapped: Mapping[int, int] | None = None
    ) -> tuple[ShopProcedure, ...]:
        """The procedures that lead to the target, without the final report; a customer's part of a task comes first."""
        target, case = self.staff_target(active, swapped=swapped), self._staff_world.case()
        plan = [
            *super().remaining(parted(active)[1]),
            *self._to_inspect(target, case),
            *self._goods(target, case),
            *self._orders(target, case),
            *self._reviews(target, case),
            *(v for v in target.vouchers if not self.finished(v)),
        ]
        return tuple(dict.fromkeys(plan))

    def remaining(self, active: Sequence[Constraint], *, swap: object = None) -> tuple[ShopProcedure, ...]:
        """The procedures that remain, without the final report."""
        return self.staff_remaining(active)

    def staff_report(self, active: Sequence[Constraint], *, swapped: Mapping[int, int] | None = None) -> Report:
        """The final message: every fact asked for, and what cannot be undone."""
        target = self.staff_target(active, swapped=swapped)
        facts = [f"{fact}." for fact in (*target.facts, *super().target(parted(active)[1]).facts)]
        return Report(message=" ".join((*(facts or [_DONE]), *self._for_good(target))))

    def report(self, active: Sequence[Constraint], *, swap: object = None) -> Report:
        """The final message."""
        return self.staff_report(active)

    def finished(self, procedure: ShopProcedure) -> bool:
        """Whether the shop's state (or, for looking, the addresses visited) shows that it was carried out."""
        case = self._staff_world.case()
        now = case.now
        match procedure:
            case OpenGood(title=title) | OpenGoodByUpc(title=title):
                return any(self._opened_form(i) for i, g in now.goods.items() if g.title == title)
            case SetStock(title=title, number=number):
                return any(g.title == title and g.stock == number for g in now.goods.values())
            case SetPrice(title=title, price=price):
                return any(g.title == title and str(g.price) == price for g in now.goods.values())
            case SetThreshold(title=title, number=number):
                return any(g.title == title and g.threshold == number for g in now.goods.values())
            case ListOrders(status=status):
                return self._asked("/dashboard/orders/", status)
            case ListReviews(status=status):
                return self._asked("/dashboard/reviews/", status)
            case OpenOrder(number=number) | OpenListedOrder(number=number):
                return self._opened_order(number)
            case SetStatus(number=number, status=status) | SetListedStatus(number=number, status=status):
                return any(o.number == number and _reached(o.status, status) for o in now.orders.values())
            case AddNote(number=number, note=note):
                return any(o.number == number and note in o.notes for o in now.orders.values())
            case DecideInList() | DecideOnPage():
                return any(_is(procedure, r) and LABELS[r.verdict] == procedure.status for r in now.reviews.values())
            case DeleteReview():
                return not any(_is(procedure, r) for r in now.reviews.values())
            case MakeVoucher():
                return any(_is_voucher(procedure, v, case.now.offers) for v in case.now.vouchers.values())
            case _:
                return super().finished(procedure)

    def obstacle(self, procedure: ShopProcedure, active: Sequence[Constraint]) -> str:
        """Why carrying out `procedure` now would commit a wrong state for good; empty when it would not."""
        match procedure:
            case SetStatus() | SetListedStatus() | DeleteReview():
                return "" if procedure in self.remaining(active) else "nobody asked for this"
            case Report(message=message):
                remaining = self.remaining(active)
                if remaining:
                    return f"the work is not done; still to do: {remaining[0].sentence()}"
                missing = [f for f in self.staff_target(active).facts if flat(f) not in flat(message)]
                return f"the report does not say: {missing[0]}" if missing else ""
            case _:
                return super().obstacle(procedure, parted(active)[1])

    def irreversible(self, action: Action, observation: Observation) -> bool:
        """Whether the action does something that the shop cannot undo: another status of an order, a deletion."""
        element = observation.element(getattr(action, "target", None) or 0)
        last = action.name == "click" and element is not None and element.name in ("Change status", "Delete")
        return last or super().irreversible(action, observation)

    # ---- parts of the plan ---------------------------------------------------------------------------------------

    def _to_inspect(self, target: StaffTarget, case: Case) -> list[ShopProcedure]:
        """What has to be looked at before it can be reported."""
        plan: list[ShopProcedure] = []
        for want in target.counted:
            if isinstance(want, OrdersCounted) and not self._asked("/dashboard/orders/", want.status or ""):
                plan.append(ListOrders(status=want.status or ""))
            elif not isinstance(want, OrdersCounted | GoodsCounted):
                label = LABELS[want.verdict or Verdict.WAITING]
                plan += [] if self._asked("/dashboard/reviews/", label) else [ListReviews(status=label)]
        for what, i in target.inspected:
            if what is What.GOODS and not self._opened_form(i):
                plan.append(self._open_good(case.before.goods[i]))
            elif what is What.ORDERS and not self._opened_order(case.before.orders[i].number):
                plan.append(self._open_order(case.before.orders[i].number))
        return plan

    def _goods(self, target: StaffTarget, case: Case) -> list[ShopProcedure]:
        """Stock records that are not as they shall be; those that nobody asked for go back."""
        touched = case.touched(What.GOODS)
        strays = {i: g for i, g in case.before.goods.items() if i in touched and i not in target.goods}
        plan: list[ShopProcedure] = []
        for i, wanted in {**target.goods, **strays}.items():
            now = case.now.goods.get(i)
            if now is None or now == wanted:
                continue
            if not self._opened_form(i):
                plan.append(self._open_good(wanted))
            if now.stock != wanted.stock:
                plan.append(SetStock(title=wanted.title, number=wanted.stock))
            if now.price != wanted.price:
                plan.append(SetPrice(title=wanted.title, price=str(wanted.price)))
            if now.threshold != wanted.threshold and wanted.threshold is not None:
                plan.append(SetThreshold(title=wanted.title, number=wanted.threshold))
        return plan

    def _orders(self, target: StaffTarget, case: Case) -> list[ShopProcedure]:
        plan: list[ShopProcedure] = []
        for i, wanted in target.orders.items():
            order = case.now.orders.get(i)
            if order is None:
                continue
            steps = _statuses(order.status, wanted.status)
            noted = not wanted.note or wanted.note in case.new_notes(i)
            if steps and not self._seen_orders():
                plan.append(ListOrders(status=order.status))
            if ((steps and not self._route) or not noted) and not self._opened_order(order.number):
                plan.append(self._open_order(order.number))
            change = SetListedStatus if self._route else SetStatus
            plan += [change(number=order.number, status=status) for status in steps]
            plan += [] if noted else [AddNote(note=wanted.note, number=order.number)]
        return plan

    def _reviews(self, target: StaffTarget, case: Case) -> list[ShopProcedure]:
        """Reviews that are not as they shall be; what nobody asked for goes back, where that is possible."""
        touched = case.touched(What.REVIEWS)
        back: dict[int, Verdict | None] = {
            i: r.verdict
            for i, r in case.before.reviews.items()
            if i in touched and i not in target.reviews and r.verdict is not Verdict.WAITING
        }
        plan: list[ShopProcedure] = []
        for i, verdict in {**target.reviews, **back}.items():
            review = case.now.reviews.get(i)
            if review is None or review.verdict is verdict:
                continue
            if not any(urlsplit(url).path == "/dashboard/reviews/" for url in self._visited):
                plan.append(ListReviews(status=LABELS[review.verdict]))
            row = (review.headline, review.title, review.customer)
            decide = DecideOnPage if self._route else DecideInList
            plan.append(DeleteReview(*row) if verdict is None else decide(*row, LABELS[verdict]))
        return plan

    def _for_good(self, target: StaffTarget) -> list[str]:
        """Sentences on what was done for good although it is not wanted (any more)."""
        case = self._staff_world.case()
        notes = [
            f"Order {o.number} is {o.status.lower()} now, which cannot be undone."
            for i, o in case.now.orders.items()
            if i in case.before.orders
            and o.status != case.before.orders[i].status
            and not _reached_way(o.status, target.orders.get(i, OrderTarget()).status)
        ]
        gone = [r for i, r in case.before.reviews.items() if i not in case.now.reviews and target.reviews.get(i, r)]
        return [*notes, *(f'The review "{r.headline}" was deleted, which cannot be undone.' for r in gone)]

    def _open_good(self, good: Good) -> ShopProcedure:
        return OpenGoodByUpc(title=good.title, upc=good.upc) if self._route else OpenGood(title=good.title)

    def _open_order(self, number: str) -> ShopProcedure:
        return OpenListedOrder(number=number) if self._route else OpenOrder(number=number)

    # ---- what was looked at --------------------------------------------------------------------------------------

    def _opened_form(self, product: int) -> bool:
        return any(urlsplit(url).path == f"/dashboard/catalogue/products/{product}/" for url in self._visited)

    def _opened_order(self, number: str) -> bool:
        return any(urlsplit(url).path == f"/dashboard/orders/{number}/" for url in self._visited)

    def _seen_orders(self) -> bool:
        return any(urlsplit(url).path.startswith("/dashboard/orders/") for url in self._visited)

    def _asked(self, path: str, status: str) -> bool:
        """Whether the list at `path` was searched for this status."""
        for url in self._visited:
            parts = urlsplit(url)
            asked = " ".join(parse_qs(parts.query).get("status", []))
            if parts.path == path and status in (asked, _CODES.get(asked)):
                return True
        return False

    def _way_out(self, stage: ShopProcedure, observation: Observation) -> Action:
        """The page shows nothing to do although something remains: look from the top, then start over."""
        self._stuck += 1
        if observation.scroll_y > 0 and self._stuck <= _PATIENCE:
            return Scroll(direction="up")
        return Goto(url=f"{self._staff_world.origin}/dashboard/")


_DONE = "Everything that was asked for is done."


def _statuses(now: str, wanted: str | None) -> list[str]:
    """The statuses through which an order comes from `now` to `wanted`; empty when it is there or cannot come there."""
    if wanted is None or now in (wanted, *_OVER):
        return []
    if wanted == "Cancelled":
        return [wanted]
    steps: list[str] = []
    at: str | None = wanted
    while at is not None and at != now:
        steps.insert(0, at)
        at = _WAY.get(at)
    return steps if at == now else []


def _reached(now: str, status: str) -> bool:
    """Whether an order that is `now` came by `status`."""
    return now == status or (now == "Complete" and status == "Being processed")


def _reached_way(now: str, wanted: str | None) -> bool:
    """Whether an order that is `now` is, or can still become, what is wanted."""
    return wanted is not None and (now == wanted or bool(_statuses(now, wanted)))


def _is_voucher(wanted: MakeVoucher, found: Voucher, offers: Mapping[str, Decimal]) -> bool:
    return (
        (found.name, found.code, USAGE.get(found.usage)) == (wanted.name, wanted.code, wanted.usage)
        and (f"{found.starts} 09:00:00", f"{found.ends} 09:00:00") == (wanted.starts, wanted.ends)
        and found.value == offers.get(wanted.offer)
    )


def _is(procedure: DecideInList | DecideOnPage | DeleteReview, review: CustomerReview) -> bool:
    row = (procedure.headline, procedure.title, procedure.customer)
    return row == (review.headline, review.title, review.customer)
