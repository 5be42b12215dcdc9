"""What the shop's database says: read-only, short connections, typed rows.

Table and column names are django-oscar 4.2.1's.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from refute._errors import SiteError
from refute.arena.shop._target import Line, Product

_BUSY_SECONDS = 5.0
_APPROVED = 1
"""Reviews wait for nobody in this shop; only approved ones are shown."""
_STEP = 4
"""Characters per level in a category's materialised path (django-treebeard)."""


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Everything on sale, as it was when it was read."""

    products: Mapping[int, Product]
    categories: Mapping[int, frozenset[int]]
    """Ids of the products below each category, by the category's id; subcategories included."""

    def __iter__(self) -> Iterator[Product]:
        return iter(self.products.values())

    def at(self, path: str) -> Product | None:
        """The product whose page, or a page below it such as its reviews, has this address path."""
        return next((p for p in self if path.startswith(p.path)), None)


@dataclass(frozen=True, kw_only=True)
class PlacedOrder:
    """An order as it was placed."""

    number: str
    lines: tuple[Line, ...]
    address: str
    """First line of the shipping address; empty without one."""
    owner: str = ""
    """Name of the account that placed it; empty for a guest."""


@dataclass(frozen=True, kw_only=True)
class WrittenReview:
    """A review as it was written."""

    product: Product
    score: int
    title: str
    body: str
    votes: int = 0
    owner: str = ""
    """Name of the account that wrote it; empty for a guest."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What customers have done so far, by row id. Orders and reviews are everybody's; basket, wish lists, addresses and
    profile are the account's own.
    """

    orders: Mapping[int, PlacedOrder]
    reviews: Mapping[int, WrittenReview]
    basket: Mapping[int, Line]
    wishlist: Mapping[int, Line]
    addresses: Mapping[int, str]
    profile: tuple[str, ...] = ()
    theirs: Mapping[str, str] = field(default_factory=dict[str, str])
    """What other customers keep: the content of each line and address and profile, by its name."""
    stock: Mapping[int, int] = field(default_factory=dict[int, int])
    """Pieces that can be bought, by product id."""

    def own(self, account: str) -> Facts:
        """Without the orders and reviews of anybody else."""
        return replace(
            self,
            orders={k: v for k, v in self.orders.items() if v.owner == account},
            reviews={k: v for k, v in self.reviews.items() if v.owner == account},
        )

    def since(self, baseline: Facts) -> Facts:
        """Only the rows that `baseline` does not have."""
        return Facts(
            orders={k: v for k, v in self.orders.items() if k not in baseline.orders},
            reviews={k: v for k, v in self.reviews.items() if k not in baseline.reviews},
            basket={k: v for k, v in self.basket.items() if k not in baseline.basket},
            wishlist={k: v for k, v in self.wishlist.items() if k not in baseline.wishlist},
            addresses={k: v for k, v in self.addresses.items() if k not in baseline.addresses},
        )


def read_catalogue(db: Path) -> Catalogue:
    """Read every public product. Raises `SiteError` when the database does not answer or holds none."""
    with connect(db) as rows:
        attributes: dict[int, dict[str, str]] = {}
        for row in rows(_ATTRIBUTES):
            attributes.setdefault(row["product_id"], {})[row["code"]] = row["value_text"] or ""
        names = {row["path"]: row["name"] for row in rows("SELECT path, name FROM catalogue_category")}
        products = {
            row["id"]: _product(row, attributes.get(row["id"], {}), names) for row in rows(_PRODUCTS, (_APPROVED,))
        }
        categories: dict[int, set[int]] = {}
        for row in rows(_MEMBERS):
            categories.setdefault(row["category_id"], set()).add(row["product_id"])
    if not products:
        raise SiteError(f"the shop's database {db} holds no products; run `refute arena build shop`")
    return Catalogue(products=products, categories={k: frozenset(v) for k, v in categories.items()})


def read_facts(db: Path, catalogue: Catalogue, *, account: str) -> Facts:
    """Read what has been done. Raises `SiteError` when the database does not answer or has no such account."""
    products = catalogue.products
    with connect(db) as rows:
        users = rows("SELECT * FROM auth_user WHERE username = ? OR email LIKE ? || '@%'", (account, account))
        if not users:
            raise SiteError(f"the shop's database {db} has no account {account!r}")
        user = users[0]["id"]
        lines: dict[int, list[Line]] = {}
        for row in rows("SELECT order_id, product_id, quantity FROM order_line ORDER BY id"):
            if row["product_id"] in products:
                line = Line(product=products[row["product_id"]], quantity=row["quantity"])
                lines.setdefault(row["order_id"], []).append(line)
        orders = {row["id"]: _order(row, lines.get(row["id"], [])) for row in rows(_ORDERS)}
        reviews = {
            row["id"]: _review(row, products[row["product_id"]])
            for row in rows(_REVIEWS)
            if row["product_id"] in products
        }
        return Facts(
            orders=orders,
            reviews=reviews,
            basket=_lines(rows(_BASKET, (user,)), products),
            wishlist=_lines(rows(_WISHLIST, (user,)), products),
            addresses={row["id"]: ", ".join(str(row[c]) for c in _ADDRESS) for row in rows(_ADDRESSES, (user,))},
            profile=_profile(users[0]),
            theirs=_theirs(rows, user),
            stock={row["product_id"]: row["stock"] for row in rows(_STOCK)},
        )


def stamp(db: Path) -> tuple[int, int, bytes]:
    """Changes with every commit: time and size of the file, and SQLite's own change counter (rollback journals).

    Raises `SiteError` when the file is gone.
    """
    try:
        with db.open("rb") as file:
            stat = os.fstat(file.fileno())
            return stat.st_mtime_ns, stat.st_size, file.read(28)[24:]
    except OSError as error:
        raise SiteError(f"the shop's database {db} cannot be read: {error.strerror}") from error


_PRODUCTS = """
SELECT p.id, p.title, p.slug, p.rating, s.price, s.num_in_stock - coalesce(s.num_allocated, 0) AS stock,
       (SELECT count(*) FROM reviews_productreview r WHERE r.product_id = p.id AND r.status = ?) AS reviews,
       (SELECT c.path FROM catalogue_productcategory pc JOIN catalogue_category c ON c.id = pc.category_id
        WHERE pc.product_id = p.id ORDER BY pc.id LIMIT 1) AS category
FROM catalogue_product p JOIN partner_stockrecord s ON s.product_id = p.id
WHERE p.is_public = 1 GROUP BY p.id ORDER BY p.id
"""
_ATTRIBUTES = """
SELECT v.product_id, a.code, v.value_text FROM catalogue_productattributevalue v
JOIN catalogue_productattribute a ON a.id = v.attribute_id WHERE a.code IN ('kind', 'brand', 'color')
"""
_MEMBERS = """
SELECT up.id AS category_id, pc.product_id FROM catalogue_productcategory pc
JOIN catalogue_category c ON c.id = pc.category_id
JOIN catalogue_category up ON substr(c.path, 1, length(up.path)) = up.path
"""
_ORDERS = """
SELECT o.id, o.number, a.line1, u.username FROM order_order o
LEFT JOIN order_shippingaddress a ON a.id = o.shipping_address_id LEFT JOIN auth_user u ON u.id = o.user_id
ORDER BY o.id
"""
_REVIEWS = """
SELECT r.*, u.username FROM reviews_productreview r LEFT JOIN auth_user u ON u.id = r.user_id ORDER BY r.id
"""
_STOCK = "SELECT product_id, num_in_stock - coalesce(num_allocated, 0) AS stock FROM partner_stockrecord"
_BASKET = """
SELECT l.id, l.product_id, l.quantity FROM basket_line l JOIN basket_basket b ON b.id = l.basket_id
WHERE b.owner_id = ? AND b.status IN ('Open', 'Frozen') ORDER BY l.id
"""
_WISHLIST = """
SELECT l.id, l.product_id, l.quantity FROM wishlists_line l JOIN wishlists_wishlist w ON w.id = l.wishlist_id
WHERE w.owner_id = ? ORDER BY l.id
"""
_ADDRESSES = "SELECT * FROM address_useraddress WHERE user_id = ? ORDER BY id"
_THEIR_LINES = """
SELECT 'basket' AS place, l.id, l.quantity, p.title, u.username FROM basket_line l
JOIN basket_basket b ON b.id = l.basket_id JOIN auth_user u ON u.id = b.owner_id
JOIN catalogue_product p ON p.id = l.product_id WHERE u.id != :user AND b.status IN ('Open', 'Frozen')
UNION ALL
SELECT 'wish list', l.id, l.quantity, l.title, u.username FROM wishlists_line l
JOIN wishlists_wishlist w ON w.id = l.wishlist_id JOIN auth_user u ON u.id = w.owner_id WHERE u.id != :user
"""
_THEIR_ADDRESSES = """
SELECT a.*, u.username FROM address_useraddress a JOIN auth_user u ON u.id = a.user_id WHERE u.id != :user
"""
_ADDRESS = ("first_name", "last_name", "line1", "line2", "line4", "state", "postcode", "country_id")


class Rows:
    """Runs queries on one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __call__(self, query: str, values: tuple[Any, ...] | Mapping[str, Any] = ()) -> list[sqlite3.Row]:
        return self._connection.execute(query, values).fetchall()


@contextmanager
def connect(db: Path) -> Generator[Rows]:
    """One read transaction, so that what is read belongs together."""
    try:
        with closing(
            sqlite3.connect(f"{db.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        ) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("BEGIN")
            yield Rows(connection)
    except sqlite3.Error as error:
        raise SiteError(f"the shop's database {db} cannot be read: {error}") from error


def _product(row: sqlite3.Row, attributes: Mapping[str, str], names: Mapping[str, str]) -> Product:
    path = row["category"] or ""
    levels = [names.get(path[: end + _STEP], "") for end in range(0, len(path), _STEP)]
    return Product(
        id=row["id"],
        title=row["title"],
        brand=attributes.get("brand", ""),
        kind=attributes.get("kind", ""),
        color=attributes.get("color", ""),
        category=" > ".join(levels),
        price=Decimal(str(row["price"])).quantize(Decimal("0.01")),
        stock=row["stock"] or 0,
        rating=row["rating"],
        reviews=row["reviews"],
        path=f"/catalogue/{row['slug']}_{row['id']}/",
    )


def _order(row: sqlite3.Row, lines: list[Line]) -> PlacedOrder:
    return PlacedOrder(
        number=str(row["number"]), lines=tuple(lines), address=row["line1"] or "", owner=row["username"] or ""
    )


def _review(row: sqlite3.Row, product: Product) -> WrittenReview:
    return WrittenReview(
        product=product,
        score=row["score"],
        title=row["title"],
        body=row["body"],
        votes=row["delta_votes"],
        owner=row["username"] or "",
    )


def _profile(row: sqlite3.Row) -> tuple[str, ...]:
    return tuple(str(row[column]) for column in ("first_name", "last_name", "email", "password"))


def _theirs(rows: Rows, user: int) -> dict[str, str]:
    """What is kept by everybody but `user`."""
    mine = {"user": user}
    return {
        **{
            f"{r['username']}'s {r['place']} (line {r['id']})": f"{r['quantity']} x {r['title']}"
            for r in rows(_THEIR_LINES, mine)
        },
        **{
            f"{r['username']}'s saved address {r['id']}": ", ".join(str(r[c]) for c in _ADDRESS)
            for r in rows(_THEIR_ADDRESSES, mine)
        },
        **{
            f"{r['username']}'s name, email or password": "|".join(_profile(r))
            for r in rows("SELECT * FROM auth_user WHERE id != :user", mine)
        },
    }


def _lines(rows: list[sqlite3.Row], products: Mapping[int, Product]) -> dict[int, Line]:
    return {
        row["id"]: Line(product=products[row["product_id"]], quantity=row["quantity"])
        for row in rows
        if row["product_id"] in products
    }
