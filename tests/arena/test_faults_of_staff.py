"""Faults on the pages of the shop's staff: what they see, and that the oracle lives through them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.arena.places import own_host, own_shop
from tests.arena.test_faults import episode

from refute.arena import Fault, FaultKind
from refute.arena._visitor import Visitor
from refute.arena.shop import ShopInstance, load_tasks
from refute.browser import BrowserHost
from refute.goals import FaultStarted, TruthVerdict
from refute.revisions import Ending, EpisodeEnded

TASKS = {task.id: task for task in load_tasks()}
KETTLES = "/dashboard/catalogue/?title=kettle"


shop = pytest.fixture(scope="module")(own_shop)
host = pytest.fixture(scope="module")(own_host)


@pytest.fixture
async def staff(shop: ShopInstance) -> AsyncIterator[Visitor]:
    await shop.reset()
    async with Visitor(shop.origin, shop.storage_state("admin")) as visitor:
        yield visitor


async def test_a_search_of_the_dashboard_holds_what_does_not_match_and_all_that_does(
    shop: ShopInstance, staff: Visitor
) -> None:
    clean = (await staff.open(KETTLES)).body
    shop.set_faults([Fault(kind=FaultKind.CONTAMINATED_SEARCH)])
    filled = (await staff.open(KETTLES)).body
    (note,) = shop.fault_log()
    strangers = note.detail.partition(" hold: ")[2].split("; ")
    assert len(strangers) == 3
    assert all(title in filled and title not in clean for title in strangers)
    assert all(title in filled for title in ("Velo Studio Kettle - White", "Tundra Studio Kettle - White"))
    assert (await staff.open(KETTLES)).body.count("Kettle") == clean.count("Kettle")


async def test_buttons_of_the_dashboard_are_called_otherwise_and_stand_elsewhere(
    shop: ShopInstance, staff: Visitor
) -> None:
    shop.set_faults([Fault(kind=kind, lasts=0) for kind in (FaultKind.RENAMED_LABEL, FaultKind.MOVED_BUTTON)])
    reviews = (await staff.open("/dashboard/reviews/")).body
    assert ">Apply<" in reviews
    assert ">Update<" not in reviews
    vouchers = (await staff.open("/dashboard/vouchers/")).body
    assert vouchers.index("/container -->") < vouchers.index("Create new voucher")
    assert {note.kind for note in shop.fault_log()} == {FaultKind.RENAMED_LABEL, FaultKind.MOVED_BUTTON}


LIVED_THROUGH = (
    ("reprice.tripod", [Fault(kind=FaultKind.SERVER_ERROR, onset=3), Fault(kind=FaultKind.RENAMED_LABEL, lasts=0)]),
    ("reprice.tripod", [Fault(kind=FaultKind.EXPIRED_SESSION, onset=2), Fault(kind=FaultKind.CONTAMINATED_SEARCH)]),
    (
        "voucher.summer",
        [
            Fault(kind=FaultKind.MOVED_BUTTON, lasts=0),
            Fault(kind=FaultKind.POPUP, onset=2),
            Fault(kind=FaultKind.SILENT_VALIDATION),
            Fault(kind=FaultKind.SLOW_PAGE, onset=3, seconds=0.2),
        ],
    ),
)


@pytest.mark.parametrize(("name", "faults"), LIVED_THROUGH, ids=["reprice", "reprice-again", "voucher"])
async def test_the_staffs_oracle_lives_through_it(
    shop: ShopInstance, host: BrowserHost, name: str, faults: list[Fault], tmp_path: Path
) -> None:
    trace = await episode(shop, host, TASKS[name], faults, tmp_path)
    assert trace.of(EpisodeEnded)[-1].ending is Ending.DONE
    verdict = trace.of(TruthVerdict)[-1]
    active = TASKS[name].judged(verdict.branches)
    assert [c.id for c in active if not verdict.findings[c.id].satisfied] == []
    assert verdict.damage == ()
    assert {event.fault for event in trace.of(FaultStarted)} == {fault.kind for fault in faults}
