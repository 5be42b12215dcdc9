"""What the shop's staff can change, as the database has it: stock records, orders, reviews, vouchers.

Table and column names are django-oscar 4.2.1's.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from refute.arena.shop._facts import Rows, connect


class Verdict(StrEnum):
    """What staff think of a review."""

    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"


_VERDICTS = {0: Verdict.WAITING, 1: Verdict.APPROVED, 2: Verdict.REJECTED}


@dataclass(frozen=True, kw_only=True)
class Good:
    """A product with its stock record, as staff see it. `product` is its id."""

    product: int
    title: str
    upc: str
    price: Decimal
    stock: int
    threshold: int | None
    """Below so many pieces the shop warns; None = never."""
    public: bool
    records: int = 1
    """How many stock records it has; the first one counts."""


@dataclass(frozen=True, kw_only=True)
class CustomerOrder:
    """An order as staff see it."""

    number: str
    customer: str
    """First and last name."""
    status: str
    total: Decimal
    pieces: int
    placed: date
    """The day in UTC."""
    products: tuple[str, ...]
    """Titles, in the order of its lines."""
    address: str
    notes: tuple[str, ...]
    """What people wrote; notes that the shop itself makes of a change are left out."""


@dataclass(frozen=True, kw_only=True)
class CustomerReview:
    """A review as staff see it. `product` is the product's id."""

    product: int
    title: str
    """The product's title."""
    customer: str
    score: int
    headline: str
    body: str
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Voucher:
    """A voucher, with what its first offer gives."""

    name: str
    code: str
    usage: str
    """Single use, Multi-use, or Once per customer."""
    starts: date
    ends: date
    benefit: str
    """Percentage, Absolute, …; empty without an offer."""
    value: Decimal
    offers: int = 1


@dataclass(frozen=True, kw_only=True)
class StaffFacts:
    """All of it, by row id; goods by the product's."""

    goods: Mapping[int, Good]
    orders: Mapping[int, CustomerOrder]
    reviews: Mapping[int, CustomerReview]
    vouchers: Mapping[int, Voucher]
    offers: Mapping[str, Decimal]
    """Percent off by the name of each offer that a voucher can give."""


def read_staff_facts(db: Path) -> StaffFacts:
    """Read everything in one transaction. Raises `SiteError` when the database does not answer."""
    with connect(db) as rows:
        return StaffFacts(
            goods={row["product_id"]: _good(row) for row in rows(_GOODS)},
            orders=_orders(rows),
            reviews={row["id"]: _review(row) for row in rows(_REVIEWS)},
            vouchers={row["id"]: _voucher(row) for row in rows(_VOUCHERS)},
            offers={row["name"]: _money(row["value"]) for row in rows(_OFFERS)},
        )


_GOODS = """
SELECT p.id AS product_id, p.title, p.upc, p.is_public, s.price, s.num_in_stock, s.low_stock_threshold,
       (SELECT count(*) FROM partner_stockrecord r WHERE r.product_id = p.id) AS records
FROM catalogue_product p JOIN partner_stockrecord s
  ON s.id = (SELECT min(id) FROM partner_stockrecord r WHERE r.product_id = p.id) ORDER BY p.id
"""
_ORDERS = """
SELECT o.id, o.number, o.status, o.total_incl_tax, o.date_placed, u.first_name, u.last_name, a.line1
FROM order_order o LEFT JOIN auth_user u ON u.id = o.user_id
LEFT JOIN order_shippingaddress a ON a.id = o.shipping_address_id ORDER BY o.id
"""
_REVIEWS = """
SELECT r.id, r.product_id, p.title AS product, r.score, r.title, r.body, r.status, u.first_name, u.last_name
FROM reviews_productreview r JOIN catalogue_product p ON p.id = r.product_id
LEFT JOIN auth_user u ON u.id = r.user_id ORDER BY r.id
"""
_NOTES = "SELECT order_id, message FROM order_ordernote WHERE note_type != 'System' ORDER BY id"
_VOUCHERS = """
SELECT v.id, v.name, v.code, v.usage, v.start_datetime, v.end_datetime, b.type, b.value, count(o.id) AS offers
FROM voucher_voucher v LEFT JOIN voucher_voucher_offers vo ON vo.voucher_id = v.id
LEFT JOIN offer_conditionaloffer o ON o.id = vo.conditionaloffer_id LEFT JOIN offer_benefit b ON b.id = o.benefit_id
GROUP BY v.id ORDER BY v.id
"""
_OFFERS = """
SELECT o.name, b.value FROM offer_conditionaloffer o JOIN offer_benefit b ON b.id = o.benefit_id
WHERE o.offer_type = 'Voucher' AND b.type = 'Percentage' ORDER BY o.id
"""


def _good(row: sqlite3.Row) -> Good:
    return Good(
        product=row["product_id"],
        title=row["title"],
        upc=row["upc"] or "",
        price=_money(row["price"]),
        stock=row["num_in_stock"] or 0,
        threshold=row["low_stock_threshold"],
        public=bool(row["is_public"]),
        records=row["records"],
    )


def _orders(rows: Rows) -> dict[int, CustomerOrder]:
    lines: dict[int, list[sqlite3.Row]] = {}
    for row in rows("SELECT order_id, title, quantity FROM order_line ORDER BY id"):
        lines.setdefault(row["order_id"], []).append(row)
    notes: dict[int, list[str]] = {}
    for row in rows(_NOTES):
        notes.setdefault(row["order_id"], []).append(row["message"])
    return {
        row["id"]: CustomerOrder(
            number=str(row["number"]),
            customer=_person(row),
            status=row["status"],
            total=_money(row["total_incl_tax"]),
            pieces=sum(line["quantity"] for line in lines.get(row["id"], [])),
            placed=datetime.fromisoformat(row["date_placed"]).date(),
            products=tuple(line["title"] for line in lines.get(row["id"], [])),
            address=row["line1"] or "",
            notes=tuple(notes.get(row["id"], ())),
        )
        for row in rows(_ORDERS)
    }


def _review(row: sqlite3.Row) -> CustomerReview:
    return CustomerReview(
        product=row["product_id"],
        title=row["product"],
        customer=_person(row),
        score=row["score"],
        headline=row["title"],
        body=row["body"],
        verdict=_VERDICTS[row["status"]],
    )


def _voucher(row: sqlite3.Row) -> Voucher:
    return Voucher(
        name=row["name"],
        code=row["code"],
        usage=row["usage"],
        starts=datetime.fromisoformat(row["start_datetime"]).date(),
        ends=datetime.fromisoformat(row["end_datetime"]).date(),
        benefit=row["type"] or "",
        value=_money(row["value"] or 0),
        offers=row["offers"],
    )


def _person(row: sqlite3.Row) -> str:
    return f"{row['first_name'] or ''} {row['last_name'] or ''}".strip()


def _money(value: object) -> Decimal:
    return Decimal(str(value)).quantize(Decimal("0.01"))
