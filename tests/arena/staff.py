"""A pen that writes into a copy of the shop's rows what its staff would do in the dashboard."""

from __future__ import annotations

from tests.arena.conftest import Rows

from refute.arena.shop.dashboard._facts import Verdict
from refute.arena.shop.dashboard._procedures import MakeVoucher
from refute.arena.shop.dashboard._target import USAGE, StaffTarget

CODES = {Verdict.WAITING: 0, Verdict.APPROVED: 1, Verdict.REJECTED: 2}


class Desk:
    """Writes stock, orders, reviews and vouchers."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def product(self, title: str) -> int:
        return int(self._rows.run("SELECT id FROM catalogue_product WHERE title = ?", title)[0]["id"])

    def set(self, title: str, **columns: object) -> None:
        for name, value in columns.items():
            self._rows.run(
                f"UPDATE partner_stockrecord SET {name} = ? WHERE product_id = ?", value, self.product(title)
            )

    def status(self, number: str, status: str) -> None:
        self._rows.run("UPDATE order_order SET status = ? WHERE number = ?", status, number)
        self.note(number, f"Order status changed to '{status}'", kind="System")

    def note(self, number: str, message: str, *, kind: str = "Info") -> None:
        self._rows.run(
            "INSERT INTO order_ordernote (order_id, note_type, message, date_created, date_updated) "
            "SELECT id, ?, ?, date_placed, date_placed FROM order_order WHERE number = ?",
            kind,
            message,
            number,
        )

    def decide(self, review: int, verdict: Verdict | None) -> None:
        if verdict is None:
            self._rows.run("DELETE FROM reviews_productreview WHERE id = ?", review)
        else:
            self._rows.run("UPDATE reviews_productreview SET status = ? WHERE id = ?", CODES[verdict], review)

    def make(self, voucher: MakeVoucher) -> None:
        usage = next(short for short, long in USAGE.items() if long == voucher.usage)
        made = self._rows.copy(
            "voucher_voucher",
            name=voucher.name,
            code=voucher.code,
            usage=usage,
            start_datetime=voucher.starts,
            end_datetime=voucher.ends,
        )
        offer = self._rows.run("SELECT id FROM offer_conditionaloffer WHERE name = ?", voucher.offer)[0]["id"]
        self._rows.copy("voucher_voucher_offers", voucher_id=made, conditionaloffer_id=offer)

    def reach(self, target: StaffTarget) -> str:
        """Write everything that `target` asks for; returns the final message."""
        for good in target.goods.values():
            self.set(good.title, price=str(good.price), num_in_stock=good.stock, low_stock_threshold=good.threshold)
        numbers = {row["id"]: row["number"] for row in self._rows.run("SELECT id, number FROM order_order")}
        for i, order in target.orders.items():
            if order.status is not None:
                self.status(numbers[i], order.status)
            if order.note:
                self.note(numbers[i], order.note)
        for i, verdict in target.reviews.items():
            self.decide(i, verdict)
        for voucher in target.vouchers:
            self.make(voucher)
        return "Done. " + ". ".join(target.facts)
