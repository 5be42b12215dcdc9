"""Faults of the shop: what a customer sees of each, what the log says, and that the oracle lives through them."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.places import own_host, own_shop

from refute import SiteError
from refute.agents import Scope
from refute.arena import Fault, FaultKind, OracleAgent, draw_faults
from refute.arena.shop import Product, Shop, ShopInstance, ShopWorld, load_tasks
from refute.browser import Action, Back, BrowserHost, Cause, Click, Deadlines, Goto, Observation, Outcome, Session
from refute.budget import VirtualClock
from refute.goals import FaultEnded, FaultStarted, Task, TruthVerdict
from refute.revisions import Ending, EpisodeEnded, TriggerMode
from refute.run import RunSettings
from refute.run._casting import Cast, NoModel, set_stage
from refute.run._episode import run_episode
from refute.suites import Ground, Suite, arena_suite
from refute.suites._arena import ArenaPlace
from refute.trace import Recorder, Trace, read_trace

TASKS = {task.id: task for task in load_tasks()}
LAMPS = "/search/?q=desk+lamp"
TO_BASKET = Task.model_validate(
    {
        "id": "lamp-to-basket",
        "template": "lamp",
        "start_urls": [f"__SITE__{LAMPS}"],
        "account": "emma",
        "initial_instruction": "Put a Tundra desk lamp in green into the basket.",
        "static_instruction": "Put a Tundra desk lamp in green into the basket.",
        "max_steps": 30,
        "constraints": [
            {
                "id": "lamp",
                "text": "It is a Tundra desk lamp in green.",
                "bound_to": 0,
                "validator": {"name": "item", "args": {"kind": "Desk Lamp", "brand": "Tundra", "color": "Green"}},
            },
            {"id": "waits", "text": "It is in the basket.", "bound_to": 0, "validator": {"name": "in_basket"}},
        ],
    }
)
"""Three steps."""


shop = pytest.fixture(scope="module")(own_shop)
host = pytest.fixture(scope="module")(own_host)


# ---- the draw ---------------------------------------------------------------------------------------------------


@given(st.sets(st.sampled_from(FaultKind)), st.integers(), st.text(max_size=20))
def test_a_draw_depends_on_seed_task_and_kind_alone(kinds: set[FaultKind], seed: int, task: str) -> None:
    drawn = draw_faults(kinds, seed=seed, task=task)
    assert {fault.kind for fault in drawn} == kinds
    assert drawn == draw_faults(sorted(kinds, reverse=True), seed=seed, task=task)
    assert set(drawn) <= set(draw_faults(FaultKind, seed=seed, task=task))


def test_draws_differ_between_tasks_and_nothing_that_stops_the_work_lasts_for_ever() -> None:
    drawn = [draw_faults(FaultKind, seed=seed, task=task) for seed in range(4) for task in TASKS]
    assert len(set(drawn)) > len(drawn) / 2
    endless = {fault.kind for faults in drawn for fault in faults if fault.lasts == 0}
    assert endless == {FaultKind.MOVED_BUTTON, FaultKind.RENAMED_LABEL}


def test_every_kind_has_a_scope() -> None:
    assert {kind.scope for kind in FaultKind} == set(Scope)


# ---- what a customer sees ---------------------------------------------------------------------------------------


@dataclass
class Visit:
    """Emma at the shop. She finds things by role and name, and sees whole pages."""

    shop: ShopInstance
    session: Session
    page: Observation

    async def do(self, action: Action) -> Outcome:
        outcome, self.page = await self.session.step(action)
        return outcome

    async def goto(self, path: str) -> Outcome:
        return await self.do(Goto(url=f"{self.shop.origin}{path}"))

    async def click(self, name: str, *, last: bool = False) -> Outcome:
        named = [e for e in self.page.elements if re.fullmatch(name, e.name)]
        return await self.do(Click(target=named[-1 if last else 0].id))

    def sees(self, *texts: str) -> bool:
        return all(text in self.page.text for text in texts)

    def serve(self, kind: FaultKind, *, onset: int = 1, lasts: int = 1, seconds: float = 0.0) -> None:
        self.shop.set_faults([Fault(kind=kind, onset=onset, lasts=lasts, seconds=seconds)])

    def log(self) -> list[tuple[str, str]]:
        return [(note.what, note.path) for note in self.shop.fault_log()]


@pytest.fixture
async def visit(shop: ShopInstance, host: BrowserHost) -> AsyncIterator[Visit]:
    await shop.reset()
    async with await host.session(storage_state=shop.storage_state("emma"), extent="page") as session:
        yield Visit(shop, session, await session.observe())


@pytest.fixture(scope="module")
def lamp(shop: ShopInstance) -> Product:
    """Something that can be bought."""
    world = shop.world()
    assert isinstance(world, ShopWorld)
    return next(p for p in world.catalogue if p.kind == "Desk Lamp" and p.stock > 5)


async def test_a_server_error_looks_like_one_and_is_over_when_the_page_is_asked_for_again(visit: Visit) -> None:
    visit.serve(FaultKind.SERVER_ERROR, onset=2, lasts=2)
    await visit.goto("/basket/")
    assert not visit.page.failed
    assert (await visit.goto(LAMPS)).cause is Cause.NAVIGATION
    assert (visit.page.status, visit.sees("Something went wrong", "error 500")) == (500, True)
    await visit.click("Try again")
    assert visit.page.failed
    await visit.click("Try again")
    assert visit.sees('Products matching "desk lamp"')
    assert visit.log() == [("started", LAMPS), ("ended", LAMPS)]


async def test_a_slow_page_comes_after_a_browser_has_stopped_waiting(visit: Visit, host: BrowserHost) -> None:
    visit.serve(FaultKind.SLOW_PAGE, seconds=4)
    async with await host.session(deadlines=Deadlines(navigation=2.0)) as hasty:
        outcome, _ = await hasty.step(Goto(url=f"{visit.shop.origin}{LAMPS}"))
    assert outcome.cause is Cause.TIMEOUT
    assert (await visit.goto(LAMPS)).ok
    assert visit.log() == [("started", LAMPS), ("ended", LAMPS)]
    assert visit.shop.fault_log()[0].detail == "the page took 4 s"


async def test_an_expired_session_goes_on_after_one_click(visit: Visit) -> None:
    visit.serve(FaultKind.EXPIRED_SESSION, onset=2)
    await visit.goto("/basket/")
    assert visit.sees("Logout")
    await visit.goto("/accounts/profile/")
    assert visit.sees("Your session has expired", "Login or register")
    assert not visit.sees("Logout")
    await visit.goto("/basket/")
    assert not visit.sees("Logout")
    await visit.do(Back())
    await visit.click("Continue as Emma Lindqvist")
    assert visit.sees("Logout", "emma@juniper.test")
    assert visit.log() == [("started", "/accounts/profile/"), ("ended", "/accounts/profile/")]


async def test_a_moved_button_still_works_where_it_is(visit: Visit, lamp: Product) -> None:
    await visit.goto(lamp.path)
    assert visit.page.text.index('button "Add to basket"') < visit.page.text.index("Customer Reviews")
    visit.serve(FaultKind.MOVED_BUTTON, lasts=2)
    await visit.goto(lamp.path)
    reviews, above, button = (visit.page.text.index(t) for t in ("Customer Reviews", f"Buy {lamp.title}", '"Add to ba'))
    assert reviews < above < button
    await visit.click("Add to basket")
    assert visit.sees(f"{lamp.title} has been added to your basket")
    await visit.goto("/basket/")
    assert visit.sees(lamp.title, "Proceed to checkout")
    assert [what for what, _ in visit.log()] == ["started", "ended"]


async def test_a_renamed_label_means_the_same(visit: Visit, lamp: Product) -> None:
    visit.serve(FaultKind.RENAMED_LABEL, lasts=1)
    await visit.goto(lamp.path)
    assert visit.sees('button "Add to bag"', '"Save for later"')
    assert not visit.sees("Add to basket")
    await visit.click("Add to bag")
    assert visit.sees(f"{lamp.title} has been added to your basket", 'button "Add to basket"')
    note, _ = visit.shop.fault_log()
    assert '"Add to basket" is called "Add to bag"' in note.detail


async def test_a_popup_covers_the_page_until_it_is_closed(visit: Visit) -> None:
    visit.serve(FaultKind.POPUP)
    await visit.goto(LAMPS)
    assert visit.sees("Letters from Juniper Lane")
    assert (await visit.click("View basket")).cause is Cause.COVERED
    await visit.click("No, thanks")
    assert not visit.sees("Letters from Juniper Lane")
    assert (await visit.click("View basket")).ok
    assert visit.log() == [("started", LAMPS), ("ended", "/basket/")]


async def test_what_is_sold_out_cannot_be_bought_anywhere_until_it_is_back(visit: Visit, lamp: Product) -> None:
    search = f"/search/?q={lamp.title.replace(' ', '+')}"
    await visit.goto(search)
    in_stock = visit.page.text.count('button "Add to basket"')
    visit.serve(FaultKind.OUT_OF_STOCK, lasts=2)
    await visit.goto(lamp.path)
    assert visit.sees("Sold out for the moment", "look again in a minute")
    assert not visit.sees('button "Add to basket"')
    await visit.goto(search)
    assert visit.page.text.count('button "Add to basket"') == in_stock - 1
    await visit.goto(lamp.path)
    assert visit.sees("Sold out for the moment")
    await visit.goto(lamp.path)
    assert visit.sees("In stock", 'button "Add to basket"')
    assert visit.log() == [("started", lamp.path), ("ended", lamp.path)]


async def test_a_form_comes_back_without_a_word_and_without_having_done_anything(visit: Visit, lamp: Product) -> None:
    visit.serve(FaultKind.SILENT_VALIDATION)
    await visit.goto(lamp.path)
    text = visit.page.digest
    assert (await visit.click("Add to basket")).ok
    assert visit.page.digest == text
    world = visit.shop.world()
    assert isinstance(world, ShopWorld)
    assert not world.done().basket
    await visit.click("Add to basket")
    assert [line.product.title for line in world.done().basket.values()] == [lamp.title]
    assert [what for what, _ in visit.log()] == ["started", "ended"]


async def test_a_contaminated_search_holds_what_does_not_match_and_all_that_does(visit: Visit) -> None:
    await visit.goto(LAMPS)
    clean = titles(visit.page)
    assert clean
    visit.serve(FaultKind.CONTAMINATED_SEARCH)
    await visit.goto(LAMPS)
    strangers = titles(visit.page) - clean
    assert titles(visit.page) > clean
    assert not any("lamp" in title.casefold() for title in strangers)
    await visit.goto(LAMPS)
    assert titles(visit.page) == clean
    note, _ = visit.shop.fault_log()
    assert all(title in note.detail for title in strangers)
    visit.serve(FaultKind.CONTAMINATED_SEARCH)
    await visit.goto(LAMPS)
    assert titles(visit.page) - clean == strangers


def titles(page: Observation) -> set[str]:
    """The products in a list."""
    return {match[1] for match in re.finditer(r'link "([^"]+)" -> /catalogue/[^/]+_\d+/', page.text)}


# ---- the file ---------------------------------------------------------------------------------------------------


def html(shop: ShopInstance, path: str) -> str:
    """A page as it is sent to a visitor, without its tokens."""
    with urllib.request.urlopen(shop.origin + path, timeout=30) as answer:
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.read().decode())


async def test_without_the_file_pages_are_what_they_are_without_faults(shop: ShopInstance, lamp: Product) -> None:
    await shop.reset()
    paths = ("/catalogue/", LAMPS, lamp.path, "/basket/", "/accounts/login/")
    plain = [html(shop, path) for path in paths]
    shop.set_faults([Fault(kind=kind, lasts=0) for kind in (FaultKind.POPUP, FaultKind.RENAMED_LABEL)])
    assert not any(page == before for page, before in zip([html(shop, p) for p in paths], plain, strict=True))
    await shop.reset()
    assert [html(shop, path) for path in paths] == plain
    assert shop.fault_log() == ()


async def test_counters_begin_anew_with_each_episode(shop: ShopInstance) -> None:
    for _ in range(2):
        await shop.reset()
        shop.set_faults([Fault(kind=FaultKind.POPUP, onset=2)])
        seen = ["Letters from Juniper Lane" in html(shop, "/catalogue/") for _ in range(3)]
        assert seen == [False, True, False]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "damaged"),
        ('{"faults": [{"kind": "popup"}]}', "damaged"),
        ('{"faults": [{"kind": "earthquake", "onset": 1, "lasts": 1, "seconds": 0}]}', "earthquake"),
    ],
)
async def test_a_file_that_the_shop_cannot_read_is_an_error_and_no_silence(
    shop: ShopInstance, text: str, why: str
) -> None:
    await shop.reset()
    (shop.database.parent / "faults.json").write_text(text, encoding="utf-8")
    with pytest.raises(urllib.error.HTTPError, match="500"):
        html(shop, "/catalogue/")
    with pytest.raises(SiteError, match=rf"cannot serve the faults.*{why}"):
        shop.fault_log()
    await shop.reset()
    assert shop.fault_log() == ()
    assert html(shop, "/catalogue/")


# ---- the oracle -------------------------------------------------------------------------------------------------


def oracle(suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int) -> Cast:
    assert ground.oracle is not None
    return Cast(agent=OracleAgent(task, ground.oracle), backend=NoModel())


async def episode(shop: ShopInstance, host: BrowserHost, task: Task, faults: Sequence[Fault], folder: Path) -> Trace:
    """The oracle's trace under `faults`."""
    suite, clock = arena_suite(Shop()), VirtualClock()
    settings = RunSettings(
        suite=suite.name, agent="oracle", model="none", trigger=TriggerMode.PREDICATE, screenshots=False
    )
    with Recorder(folder, now=clock.now) as recorder:
        start = await ArenaPlace(Shop(), shop).start(host, task, recorder)
        stage = set_stage(oracle, suite, start, settings, 0, recorder, clock)
        shop.set_faults(faults)
        async with start.session:
            await run_episode(stage)
    return read_trace(folder)


LIVED_THROUGH = (
    Fault(kind=FaultKind.SERVER_ERROR, onset=2, lasts=2),
    Fault(kind=FaultKind.SLOW_PAGE, onset=2, seconds=0.5),
    Fault(kind=FaultKind.EXPIRED_SESSION, onset=2),
    Fault(kind=FaultKind.MOVED_BUTTON, lasts=0),
    Fault(kind=FaultKind.RENAMED_LABEL, lasts=0),
    Fault(kind=FaultKind.POPUP, onset=1, lasts=2),
    Fault(kind=FaultKind.OUT_OF_STOCK, lasts=2),
    Fault(kind=FaultKind.SILENT_VALIDATION),
    Fault(kind=FaultKind.CONTAMINATED_SEARCH, lasts=0),
)


@pytest.mark.parametrize("fault", LIVED_THROUGH, ids=[fault.kind for fault in LIVED_THROUGH])
async def test_the_oracle_lives_through_it_and_the_trace_tells_of_it(
    shop: ShopInstance, host: BrowserHost, fault: Fault, tmp_path: Path
) -> None:
    trace = await episode(shop, host, TO_BASKET, [fault], tmp_path)
    assert trace.of(EpisodeEnded)[-1].ending is Ending.DONE
    verdict = trace.of(TruthVerdict)[-1]
    assert all(finding.satisfied for finding in verdict.findings.values())
    assert verdict.damage == ()
    (started,) = trace.of(FaultStarted)
    assert (started.fault, started.scope, started.lasts) == (fault.kind, fault.kind.scope, fault.lasts)
    assert started.detail
    assert [event.id for event in trace.of(FaultEnded)] == ([] if fault.lasts == 0 else [started.id])


async def test_the_same_seed_gives_the_same_faults_at_the_same_requests(
    shop: ShopInstance, host: BrowserHost, tmp_path: Path
) -> None:
    told: list[list[tuple[str, int, str]]] = []
    for run in ("one", "two"):
        drawn = draw_faults(set(FaultKind) - {FaultKind.SLOW_PAGE}, seed=3, task=TO_BASKET.id)
        trace = await episode(shop, host, TO_BASKET, drawn, tmp_path / run)
        events = [e for e in trace.events if isinstance(e, FaultStarted | FaultEnded)]
        told.append([(event.kind, event.step, event.path) for event in events])
    assert told[0] == told[1]
    assert len(told[0]) >= 2


async def test_the_oracle_lives_through_all_that_is_drawn_at_once(
    shop: ShopInstance, host: BrowserHost, tmp_path: Path
) -> None:
    task = TASKS["buy-one.yoga-mat"]
    drawn = [fault.model_copy(update={"seconds": 0.1}) for fault in draw_faults(FaultKind, seed=3, task=task.id)]
    trace = await episode(shop, host, task, drawn, tmp_path)
    verdict = trace.of(TruthVerdict)[-1]
    assert all(verdict.findings[c.id].satisfied for c in task.judged(verdict.branches))
    assert len(trace.of(FaultStarted)) >= 7
