"""The shop as a site: its environment, its gold, its instances."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refute._errors import UserError
from refute.agents import Skill
from refute.arena._environment import Environment, Progress, own_environment, quiet, run
from refute.arena._gold import pack, unpack, unpacked
from refute.arena._mutant import Mutant
from refute.arena._process import SiteProcess
from refute.arena._simulated import SimulatedBackend
from refute.arena._simulated_settings import MistakeRates, Noise
from refute.arena._simulated_site import Truth
from refute.arena._site import World
from refute.arena.shop._instance import EDITIONS, ShopInstance, restore
from refute.arena.shop._mutants import shop_mutants
from refute.arena.shop._oracle import ShopOracle
from refute.arena.shop._simulated import shop_skills, shop_truth, simulated_shop
from refute.arena.shop._tasks import load_tasks
from refute.arena.shop._world import ShopWorld
from refute.arena.shop.dashboard import StaffOracle, StaffWorld, staff_mutants
from refute.goals import Task
from refute.trace import Recorder

HERE = Path(__file__).parent
APPLICATION = HERE / "site"
GOLD = HERE / "seed.zip"
BUILD_DEADLINE = 600.0
LAUNCH_DEADLINE = 60.0
"""Seconds; a launch takes two to five on an idle machine."""

WorldMaker = Callable[[Path, str, str], World]
"""Makes the truth about an instance from its database file, its origin and the name of an account."""


def shop_world(db: Path, origin: str, account: str) -> ShopWorld:
    """The truth as far as it is `account`'s business: staff can change more than customers, so more is known."""
    kind = StaffWorld if account in staff() else ShopWorld
    return kind(db, origin, account=account)


class Shop:
    """django-oscar with the catalogue, customers and orders of ``site/seed``."""

    name = "shop"
    editions = EDITIONS

    def __init__(self, *, gold: Path = GOLD, world: WorldMaker = shop_world) -> None:
        self._gold = gold
        self._world = world
        self._environment = Environment(
            name="shop",
            requirements=(HERE / "requirements-build.txt", HERE / "requirements.txt"),
            from_source=("django-haystack",),
        )

    def ready(self) -> bool:
        """Whether `setup` was done for this version."""
        return self._environment.ready() and unpacked(self.name, self._gold).is_dir()

    async def setup(self, progress: Progress = quiet) -> None:
        """Make the environment and unpack the gold; does nothing when both are there. Raises `SiteError`."""
        await self._environment.make(progress)
        await unpack(self.name, self._gold)

    async def build(self, out: Path, progress: Progress = quiet) -> None:
        """Make the gold anew and write it to the file `out`. Raises `SiteError`."""
        await self._environment.make(progress)
        with tempfile.TemporaryDirectory(prefix="refute-shop-") as data:
            await run(
                [str(self._environment.python), "build.py"],
                what="build the shop",
                deadline=BUILD_DEADLINE,
                show=lambda line: progress(f"shop: {line}"),
                environment=own_environment(SHOP_DATA=data),
                cwd=APPLICATION,
            )
            await asyncio.to_thread(pack, Path(data), out)

    async def launch(self) -> ShopInstance:
        """Start an instance with data of its own, in edition 0. Raises `UserError` before `setup`, and `SiteError`."""
        if not self.ready():
            raise UserError("the shop is not set up yet; run: refute arena setup shop")
        gold = unpacked(self.name, self._gold)
        data = Path(tempfile.mkdtemp(prefix="refute-shop-"))
        try:
            await asyncio.to_thread(restore, gold, data, 0)
            process = await SiteProcess.start(
                self.name,
                [str(self._environment.python), "serve.py"],
                environment=own_environment(SHOP_DATA=str(data)),
                cwd=APPLICATION,
                log=data / "site.log",
                health="/catalogue/",
                pulse="/static/shop/shop.css",
                deadline=LAUNCH_DEADLINE,
            )
        except BaseException:
            shutil.rmtree(data, ignore_errors=True)
            raise
        return ShopInstance(process, gold=gold, data=data, accounts=accounts(), world=self._world)

    def tasks(self) -> tuple[Task, ...]:
        """The dynamic tasks that ship with it."""
        return load_tasks()

    def skills(self) -> tuple[Skill, ...]:
        """The shop's procedures as skills, one of them stale."""
        return shop_skills()

    def oracle(self, task: Task, world: World, route: int = 0) -> ShopOracle:
        """Who knows the way, for one episode of `task`."""
        if isinstance(world, StaffWorld):
            return StaffOracle(task, world, route=route)
        return ShopOracle(task, _shop_world(world), route=route)

    def truth(self, task: Task, world: World) -> Truth:
        """What the shop knows about `task`."""
        return shop_truth(task, _shop_world(world))

    def mutants(self, task: Task, world: World) -> tuple[Mutant, ...]:
        """Ends of `task` that are wrong in one way each, and one control."""
        if isinstance(world, StaffWorld):
            return staff_mutants(task, world)
        return shop_mutants(task, _shop_world(world))

    def simulated(
        self,
        task: Task,
        world: World,
        *,
        recorder: Recorder,
        seed: int,
        rates: MistakeRates | None = None,
        noise: Noise | None = None,
    ) -> SimulatedBackend:
        """The simulated model for one episode of `task`."""
        return simulated_shop(task, _shop_world(world), recorder=recorder, seed=seed, rates=rates, noise=noise)


def _shop_world(world: World) -> ShopWorld:
    if not isinstance(world, ShopWorld):
        raise UserError(f"the shop's oracle needs the shop's world, not {type(world).__name__}")
    return world


def accounts() -> tuple[str, ...]:
    """The names of the accounts that exist from the start."""
    return tuple(_accounts())


def staff() -> frozenset[str]:
    """Those of them who may use the dashboard."""
    return frozenset(name for name, account in _accounts().items() if account.get("staff"))


def _accounts() -> dict[str, dict[str, Any]]:
    return json.loads((APPLICATION / "accounts.json").read_text(encoding="utf-8"))
