"""The staff's tasks on the real shop: by the oracle in a browser, by mutants over HTTP, and by an agent."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.arena.places import own_host, own_shop
from tests.arena.test_oracle import run

from refute.arena import EndState, Instance, MistakeRates, Mutant, MutantKind, Noise, OracleAgent, Seen
from refute.arena.shop import Shop, ShopWorld, load_tasks
from refute.arena.shop.dashboard import StaffOracle, StaffWorld, staff_mutants
from refute.browser import BrowserHost, Observation
from refute.goals import Task
from refute.report import summary
from refute.revisions import Ending
from refute.run import RunSettings, open_suite, run_suite

TASKS = {task.id: task for task in load_tasks()}
ADMIN = "admin"


shop = pytest.fixture(scope="module")(own_shop)
host = pytest.fixture(scope="module")(own_host)


async def world_of(shop: Instance, task: Task) -> StaffWorld:
    await shop.reset(task.seed)
    world = shop.world(task.account)
    assert isinstance(world, StaffWorld)
    return world


async def test_staff_and_customers_see_their_own_truth(shop: Instance) -> None:
    assert type(shop.world("emma")) is ShopWorld
    assert type(shop.world("")) is ShopWorld
    world = await world_of(shop, TASKS["restock.headphones"])
    assert isinstance(Shop().oracle(TASKS["restock.headphones"], world), StaffOracle)
    assert not isinstance(Shop().oracle(TASKS["buy-one.headphones"], shop.world("emma")), StaffOracle)


@pytest.mark.parametrize(
    ("name", "route"),
    [("restock.headphones", 1), ("voucher.summer", 0), ("moderate-reviews.spam", 1), ("process-orders.coles", 0)],
)
async def test_the_oracle_satisfies_every_constraint(
    host: BrowserHost, shop: Instance, name: str, route: int, tmp_path: Path
) -> None:
    task = TASKS[name]
    world = await world_of(shop, task)
    ended = await run(host, shop, task, OracleAgent(task, StaffOracle(task, world, route=route)), tmp_path)
    assert ended.failed == set(), ended
    assert ended.damage == ()
    assert ended.delivered == len(task.revisions)


def one_of_each_kind(mutants: tuple[Mutant, ...]) -> list[Mutant]:
    return list({mutant.kind: mutant for mutant in mutants if mutant.kind is not MutantKind.IGNORED}.values())


@pytest.mark.parametrize("name", ["reprice.tripod", "process-orders.coles", "moderate-reviews.spam", "voucher.summer"])
async def test_what_is_wrong_in_one_way_is_noticed(shop: Instance, name: str) -> None:
    task = TASKS[name]
    for mutant in one_of_each_kind(staff_mutants(task, await world_of(shop, task))):
        world = await world_of(shop, task)
        await mutant.carry_out(shop)
        seen = Seen(observation=Observation(url=f"{shop.origin}{mutant.visited[-1]}"))
        active = task.judged(world.branches(task, seen))
        end = EndState(seen=seen, message=mutant.message, active=active)
        wrong = [c.id for c in active if not world.validate(c, end).satisfied] + list(world.damage(task, end))
        assert bool(wrong) is (mutant.kind is not MutantKind.CONTROL), (mutant.detail, wrong)


async def test_without_mistakes_the_agent_satisfies_every_constraint(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("restock.headphones")
    calm = RunSettings(
        suite="arena:shop", agent="fcp", model="simulated", rates=MistakeRates.none(), noise=Noise.none()
    )
    result = await run_suite(suite, calm, tmp_path)
    assert [end.ending for end in result.ended] == [Ending.DONE]
    figures = summary(tmp_path)
    assert (figures["n"], figures["score"], figures["tsr"], figures["forced"]) == (1, 1.0, 1.0, 0)
