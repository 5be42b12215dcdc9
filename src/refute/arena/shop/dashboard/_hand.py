"""A hand that works in the dashboard without a browser: it sends the dashboard's own forms, signed in as staff."""

from __future__ import annotations

from refute._errors import SiteError
from refute.arena._site import Instance
from refute.arena._visitor import Answer, Form, Visitor
from refute.arena.shop.dashboard._facts import Good, Verdict
from refute.arena.shop.dashboard._procedures import MakeVoucher
from refute.arena.shop.dashboard._slots import Case
from refute.arena.shop.dashboard._target import OrderTarget, StaffTarget
from refute.arena.shop.dashboard._world import StaffWorld

_CODES = {Verdict.APPROVED: "1", Verdict.REJECTED: "2"}
_WAY = {"Complete": ("Being processed", "Complete")}
"""Statuses that an order takes before it comes to one; the others are one step away."""


class StaffHand:
    """Works in the dashboard that `world` tells of, as its account.

    Forms that were read once are filled in again without opening their page: of one edition, they hold the same each
    time, but for what is written into them.
    """

    def __init__(self, world: StaffWorld) -> None:
        self._world = world
        self._token = ""
        self._pages: dict[str, Answer] = {}

    async def enact(self, target: StaffTarget, instance: Instance) -> None:
        """Do all that `target` asks.

        Raises `SiteError` when the shop did not take it: what lies there then is not what was meant to be judged.
        """
        case, world = self._world.case(), self._world
        async with Visitor(instance.origin, instance.storage_state(world.account), token=self._token) as visitor:
            for i, good in target.goods.items():
                await self._set_good(visitor, i, good)
            for i, order in target.orders.items():
                await self._set_order(visitor, case, i, order)
            for i, verdict in target.reviews.items():
                await self._set_review(visitor, i, verdict)
            for voucher in target.vouchers:
                await self._make_voucher(visitor, voucher)
            self._token = visitor.token
        _confirm(target, world.case())

    async def _page(self, visitor: Visitor, path: str) -> Answer:
        """The page as it was when it was opened first; it also tells what proves that forms come from the shop."""
        if path not in self._pages:
            self._pages[path] = await visitor.open(path)
        return self._pages[path]

    async def _set_good(self, visitor: Visitor, i: int, good: Good) -> None:
        form = _form(await self._page(visitor, f"/dashboard/catalogue/products/{i}/"), "stockrecords-0-price")
        threshold = "" if good.threshold is None else str(good.threshold)
        changes = {
            "stockrecords-0-price": str(good.price),
            "stockrecords-0-num_in_stock": str(good.stock),
            "stockrecords-0-low_stock_threshold": threshold,
            "action": "save",
        }
        _taken(await visitor.post(form.action, {**form.fields, **changes}))

    async def _set_order(self, visitor: Visitor, case: Case, i: int, wanted: OrderTarget) -> None:
        order = case.now.orders[i]
        path = f"/dashboard/orders/{order.number}/"
        if not visitor.token:
            await visitor.open(path)
        way = _WAY.get(wanted.status or "", (wanted.status,))
        for status in way[way.index(order.status) + 1 :] if order.status in way else way:
            if status is not None:
                _taken(await visitor.post(path, {"order_action": "change_order_status", "new_status": status}))
        if wanted.note:
            _taken(await visitor.post(path, {"order_action": "save_note", "message": wanted.note}))

    async def _set_review(self, visitor: Visitor, i: int, verdict: Verdict | None) -> None:
        if verdict is None:
            path = f"/dashboard/reviews/{i}/delete/"
            if not visitor.token:
                await visitor.open(path)
            _taken(await visitor.post(path, {}))
            return
        form = _form(await self._page(visitor, f"/dashboard/reviews/{i}/"), "body")
        _taken(await visitor.post(form.action, {**form.fields, "status": _CODES[verdict]}))

    async def _make_voucher(self, visitor: Visitor, voucher: MakeVoucher) -> None:
        page = await self._page(visitor, "/dashboard/vouchers/create/")
        form = _form(page, "start_datetime")
        fields = {
            "name": voucher.name,
            "code": voucher.code,
            "start_datetime": voucher.starts,
            "end_datetime": voucher.ends,
            "usage": _option(page, voucher.usage),
            "offers": _option(page, voucher.offer),
        }
        _taken(await visitor.post(form.action, {**form.fields, **fields}))


def _confirm(target: StaffTarget, case: Case) -> None:
    """Raise `SiteError` where the database does not say what was done."""
    wrong = [g.title for i, g in target.goods.items() if case.now.goods[i] != g]
    wrong += [
        f"order {case.now.orders[i].number}"
        for i, o in target.orders.items()
        if o.status not in (None, case.now.orders[i].status) or (o.note and o.note not in case.now.orders[i].notes)
    ]
    verdicts = {i: review.verdict for i, review in case.now.reviews.items()}
    wrong += [f"review {i}" for i, verdict in target.reviews.items() if verdicts.get(i) != verdict]
    codes = {v.code for v in case.now.vouchers.values()}
    wrong += [f"voucher {v.code}" for v in target.vouchers if v.code not in codes]
    if wrong:
        raise SiteError(f"the dashboard did not take what was sent for {', '.join(wrong)}")


def _form(page: Answer, field: str) -> Form:
    form = next((f for f in page.forms() if field in f.fields), None)
    if form is None:
        raise SiteError(f"the dashboard's page {page.path} shows no form with {field!r}")
    return form


def _option(page: Answer, label: str) -> str:
    """The value of the option that the page shows as `label`."""
    before = page.body.partition(f">{label}</option>")[0]
    value = before.rpartition('value="')[2].partition('"')[0]
    if before == page.body or not value:
        raise SiteError(f"the dashboard's page {page.path} has no choice {label!r}")
    return value


def _taken(answer: Answer) -> None:
    if not answer.location:
        raise SiteError(f"the dashboard did not take what was sent to {answer.path}")
