"""A running shop; a copy of its seeded rows, and a pen to write into it as the application would."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from tests.arena.simulated import TASK, Model, Open

import refute.arena.shop
from refute.arena import EndState, MistakeRates, Noise, Seen, SimulatedBackend, site
from refute.arena._simulated_site import Truth
from refute.arena.shop import EDITIONS, Line, Product, Shop, ShopInstance, ShopWorld, Target, simulated_shop
from refute.arena.shop._simulated import ShopHands
from refute.browser import Observation
from refute.goals import Constraint, Finding, Reference
from refute.trace import Recorder

ORIGIN = "http://127.0.0.1:8000"
GOLD = Path(refute.arena.shop.__file__).parent / "seed.zip"
EMMA, LIAM = "emma", "liam"
OAK, MARKET = "12 Oak Street", "880 Market St"


class Rows:
    """Writes what customers do: copies of seeded rows with other values."""

    def __init__(self, path: Path, gold: Path) -> None:
        self.path = path
        path.write_bytes(gold.read_bytes())
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self.run("PRAGMA synchronous = OFF")
        self.run("PRAGMA journal_mode = MEMORY")

    def close(self) -> None:
        self._connection.close()

    def run(self, statement: str, *values: Any) -> list[sqlite3.Row]:
        return self._connection.execute(statement, values).fetchall()

    def copy(self, table: str, **changes: Any) -> int:
        row = dict(self.run(f"SELECT * FROM {table} LIMIT 1")[0])
        row |= {"id": self.run(f"SELECT max(id) AS top FROM {table}")[0]["top"] + 1, **changes}
        marks = ", ".join("?" for _ in row)
        self.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *row.values())
        return int(row["id"])

    def user(self, name: str = EMMA) -> int:
        return int(self.run("SELECT id FROM auth_user WHERE username = ?", name)[0]["id"])

    def order(self, *lines: Line, to: str = OAK) -> None:
        address = self.copy("order_shippingaddress", line1=to)
        basket = self.copy("basket_basket", status="Submitted", owner_id=self.user())
        number = str(100000 + basket)
        order = self.copy(
            "order_order", number=number, user_id=self.user(), shipping_address_id=address, basket_id=basket
        )
        for line in lines:
            self.copy("order_line", order_id=order, product_id=line.product.id, quantity=line.quantity)

    def put_in_basket(self, *lines: Line) -> None:
        basket = self.copy("basket_basket", status="Open", owner_id=self.user())
        for line in lines:
            self.copy("basket_line", basket_id=basket, product_id=line.product.id, quantity=line.quantity)

    def wish(self, product: Product) -> None:
        mine = self.run("SELECT id FROM wishlists_wishlist WHERE owner_id = ?", self.user())[0]["id"]
        self.copy("wishlists_line", wishlist_id=mine, product_id=product.id, title=product.title)

    def review(self, product: Product, score: int, title: str, body: str = "Fine.") -> None:
        self.copy(
            "reviews_productreview",
            product_id=product.id,
            user_id=self.user(),
            score=score,
            title=title,
            body=body,
        )

    def reach(self, target: Target) -> str:
        """Write everything that `target` asks for; returns the final message."""
        if target.order is not None:
            self.order(*target.order, to=target.address or OAK)
        if target.basket is not None:
            self.put_in_basket(*target.basket)
        for product in target.wishlist:
            if not self.run("SELECT id FROM wishlists_line WHERE product_id = ?", product.id):
                self.wish(product)
        for product in target.unwished:
            self.run("DELETE FROM wishlists_line WHERE product_id = ?", product.id)
        for review in target.reviews:
            self.review(review.product, review.score, review.title, review.body)
        return "Done. " + ". ".join(target.facts)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shop() -> Shop:
    shop = site("shop")
    await shop.setup()
    assert isinstance(shop, Shop)
    return shop


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running(shop: Shop) -> AsyncIterator[ShopInstance]:
    instance = await shop.launch()
    yield instance
    await instance.close()


@pytest_asyncio.fixture(loop_scope="session")
async def instance(running: ShopInstance) -> ShopInstance:
    await running.reset()
    return running


@pytest.fixture(scope="session")
def editions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """The databases of the seeds 0, 1, …"""
    folder = tmp_path_factory.mktemp("shop")
    with zipfile.ZipFile(GOLD) as archive:
        return tuple(Path(archive.extract(f"edition-{seed}/db.sqlite3", folder)) for seed in range(EDITIONS))


@pytest.fixture(scope="session")
def gold(editions: tuple[Path, ...]) -> Path:
    return editions[0]


@pytest.fixture
def rows(gold: Path, tmp_path: Path) -> Iterator[Rows]:
    with closing(Rows(tmp_path / "db.sqlite3", gold)) as made:
        yield made


@pytest.fixture
def world(rows: Rows) -> ShopWorld:
    return ShopWorld(rows.path, ORIGIN)


@pytest.fixture
def simulated(world: ShopWorld, tmp_path: Path) -> Open:
    def make(*, noise: Noise | None = None, seed: int = 0, truth: Truth | None = None, **rates: float) -> Model:
        folder = tmp_path / f"episode{len(list(tmp_path.iterdir()))}"
        recorder = Recorder(folder)
        chosen = MistakeRates.none().model_copy(update=rates)
        settings: dict[str, Any] = {"recorder": recorder, "seed": seed, "rates": chosen, "noise": noise or Noise.none()}
        if truth is not None:
            backend = SimulatedBackend(TASK, ShopHands(), truth, **settings)
        else:
            backend = simulated_shop(TASK, world, **settings)
        return Model(backend, recorder, folder)

    return make


def seen(*paths: str, text: str = "") -> Seen:
    urls = tuple(f"{ORIGIN}{path}" for path in paths or ("/",))
    return Seen(observation=Observation(url=urls[-1], text=text), visited=urls)


def verdicts(
    world: ShopWorld, constraints: Sequence[Constraint], message: str = "", *, paths: Sequence[str] = ()
) -> dict[str, Finding]:
    end = EndState(seen=seen(*paths), message=message, active=tuple(constraints))
    return {c.id: world.validate(c, end) for c in constraints}


def wants(*asked: tuple[str, Mapping[str, Any]]) -> list[Constraint]:
    return [
        Constraint(id=f"{n}-{name}", text=name, bound_to=0, validator=Reference(name=name, args=args))
        for n, (name, args) in enumerate(asked)
    ]


def product(world: ShopWorld, title: str) -> Product:
    return next(p for p in world.catalogue if p.title == title)


def failed(found: Mapping[str, Finding]) -> set[str]:
    return {name for name, finding in found.items() if not finding.satisfied}
