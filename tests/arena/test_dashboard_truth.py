"""What the shop's staff did, judged by the database: validators, side effects, predicates, and what remains."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests.arena.conftest import ORIGIN, Rows, failed, seen, verdicts, wants
from tests.arena.staff import Desk

from refute import UserError
from refute.arena import EndState
from refute.arena.shop import load_tasks
from refute.arena.shop.dashboard import StaffOracle, StaffWorld
from refute.arena.shop.dashboard._facts import Verdict
from refute.arena.shop.dashboard._procedures import SetStatus
from refute.arena.shop.dashboard._wants import PriceSet, StockSet
from refute.goals import Constraint, Reference, Task

WHITE, BLUE = "Velo Ultra Headphones - White", "Velo Ultra Headphones - Blue"
PENDING = ("100029", "100030", "100031", "100032", "100033", "100036")
TASKS = {task.id: task for task in load_tasks()}


@pytest.fixture
def staff(gold: Path, tmp_path: Path) -> Iterator[tuple[StaffWorld, Desk]]:
    with closing(Rows(tmp_path / "staff.sqlite3", gold)) as rows:
        yield StaffWorld(rows.path, ORIGIN), Desk(rows)


def harm(world: StaffWorld, asked: list[Constraint], message: str = "") -> tuple[str, ...]:
    end = EndState(seen=seen(), message=message, active=tuple(asked))
    return tuple(world.damage(TASKS["restock.headphones"], end))


def names(found: set[str]) -> list[str]:
    return sorted(name.partition("-")[2] for name in found)


class TestGoods:
    ASKED = (
        ("goods", {"named": "Velo Ultra Headphones", "color": "White"}),
        ("stock_set", {"to": 25}),
    )

    def test_the_right_product_with_the_right_number_is_all_that_is_asked(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(*self.ASKED)
        assert names(failed(verdicts(world, asked))) == ["goods", "stock_set"]
        desk.set(WHITE, num_in_stock=25)
        assert not failed(verdicts(world, asked))
        assert harm(world, asked) == ()

    @pytest.mark.parametrize("number", [0, 24, 26, 52])
    def test_another_number_fails_the_number_and_nothing_else(
        self, staff: tuple[StaffWorld, Desk], number: int
    ) -> None:
        world, desk = staff
        desk.set(WHITE, num_in_stock=number, low_stock_threshold=1)
        assert names(failed(verdicts(world, wants(*self.ASKED)))) == ["stock_set"]

    def test_another_color_fails_the_product_and_is_damage(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        desk.set(BLUE, num_in_stock=25)
        asked = wants(*self.ASKED)
        assert names(failed(verdicts(world, asked))) == ["goods"]
        assert BLUE in harm(world, asked)[0]

    def test_a_price_that_nobody_asked_for_is_damage(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        desk.set(WHITE, num_in_stock=25, price="1.00")
        asked = wants(*self.ASKED)
        assert not failed(verdicts(world, asked))
        assert WHITE in harm(world, asked)[0]

    def test_a_set_wants_all_of_its_things_and_no_other(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(("goods", {"kind": "Camera Bag", "max_stock": 0}), ("stock_set", {"by": 20}))
        desk.set("Tundra Compact Camera Bag - Red", num_in_stock=20)
        assert names(failed(verdicts(world, asked))) == ["stock_set"]
        desk.set("Sonex Compact Camera Bag - Black", num_in_stock=20)
        assert not failed(verdicts(world, asked))
        desk.set("Tundra Compact Camera Bag - Green", num_in_stock=70)
        assert names(failed(verdicts(world, asked))) == ["goods"]

    @pytest.mark.parametrize(
        ("args", "before", "after"),
        [
            ({"percent": -10}, "77.95", "70.16"),
            ({"percent": Decimal("12.5")}, "0.20", "0.23"),
            ({"by": -5}, "77.95", "72.95"),
            ({"to": 9}, "77.95", "9.00"),
        ],
    )
    def test_prices_are_rounded_to_cents(self, args: dict[str, Any], before: str, after: str) -> None:
        assert PriceSet(**args).wanted(Decimal(before)) == Decimal(after)

    def test_stock_cannot_fall_below_nothing(self) -> None:
        assert StockSet(by=-9).wanted(3) == 0

    def test_the_best_one_is_meant_and_ties_are_refused(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        kettle = ("goods", {"kind": "Kettle"})
        asked = wants(kettle, ("best_goods", {"by": "price_desc"}), ("price_set", {"by": 1}))
        desk.set("Tundra Ultra Kettle - Blue", price="49.49")
        assert names(failed(verdicts(world, asked))) == ["best_goods"]
        tied = wants(kettle, ("best_goods", {"by": "reviews_desc"}), ("price_set", {"by": 1}))
        with pytest.raises(UserError, match="equally good"):
            StaffOracle(TASKS["reprice.suitcase"], world).remaining(tied)

    def test_another_kind_of_thing_is_damage_and_no_wrong_choice(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(*self.ASKED)
        desk.set(WHITE, num_in_stock=25)
        desk.set("Sonex Pro Tripod - Red", num_in_stock=25)
        assert not failed(verdicts(world, asked))
        assert "Tripod" in harm(world, asked)[0]


class TestOrders:
    ASKED = (
        ("orders", {"status": "Pending"}),
        ("status_set", {"to": "Being processed"}),
    )

    def test_all_of_them_and_only_them(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(*self.ASKED)
        for number in PENDING[:-1]:
            desk.status(number, "Being processed")
        assert names(failed(verdicts(world, asked))) == ["status_set"]
        desk.status(PENDING[-1], "Being processed")
        assert not failed(verdicts(world, asked))
        assert harm(world, asked) == ()
        desk.status("100038", "Complete")
        assert names(failed(verdicts(world, asked))) == ["orders", "status_set"]
        assert "100038" in harm(world, asked)[0]

    def test_a_note_is_read_by_its_words_and_a_second_one_is_damage(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(("orders", {"number": "100030"}), ("note_added", {"mentions": "gift wrap"}))
        desk.note("100030", "Please: Gift-wrap it!")
        assert not failed(verdicts(world, asked))
        assert harm(world, asked) == ()
        desk.note("100030", "Gift wrap")
        assert harm(world, asked)

    def test_what_the_shop_notes_by_itself_is_no_note(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        desk.note("100030", "gift wrap", kind="System")
        asked = wants(("orders", {"number": "100030"}), ("note_added", {"mentions": "gift wrap"}))
        assert names(failed(verdicts(world, asked))) == ["note_added", "orders"]

    def test_orders_of_one_last_name_are_told_apart(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(
            ("orders", {"customer": "Sofia Marsh", "status": "Pending"}),
            ("best_order", {"by": "smallest"}),
            ("status_set", {"to": "Cancelled"}),
        )
        desk.status("100031", "Cancelled")
        assert names(failed(verdicts(world, asked))) == ["best_order", "orders"]
        desk.status("100031", "Pending")
        desk.status("100036", "Cancelled")
        assert names(failed(verdicts(world, asked))) == ["best_order"]

    @pytest.mark.parametrize(
        ("message", "wrong"),
        [
            ("The largest is order 100036 of Sofia Marsh, $605.78.", []),
            ("Order 100036 (Sofia Marsh) came to $605.87.", ["total"]),
            ("Order 100036 is Olivia Marsh's, $605.78", ["customer"]),
            ("Order 100032: Sofia Marsh, $420.94", ["best_order"]),
            ("", ["best_order", "customer", "orders", "total"]),
        ],
    )
    def test_a_report_names_the_order_and_states_its_facts(
        self, staff: tuple[StaffWorld, Desk], message: str, wrong: list[str]
    ) -> None:
        world, _ = staff
        asked = wants(
            ("orders", {"status": "Pending"}),
            ("best_order", {"by": "largest"}),
            ("orders_told", {"attr": "customer"}),
            ("orders_told", {"attr": "total"}),
        )
        found = {
            n.replace("2-orders_told", "customer").replace("3-orders_told", "total")
            for n in failed(verdicts(world, asked, message))
        }
        assert sorted(n.partition("-")[2] or n for n in found) == wrong

    def test_a_report_on_several_orders_leaves_none_out(self, staff: tuple[StaffWorld, Desk]) -> None:
        pending = {"customer": "Sofia Marsh", "status": "Pending"}
        asked = wants(("orders", pending), ("orders_told", {"attr": "total"}))
        assert not failed(verdicts(staff[0], asked, "100032 comes to $420.94 and 100036 to $605.78."))
        assert names(failed(verdicts(staff[0], asked, "100032 comes to $420.94."))) == ["orders_told"]
        swapped = "100032 comes to $605.78 and 100037 to $252.86, another one to $420.94."
        assert "orders" in names(failed(verdicts(staff[0], asked, swapped)))

    @pytest.mark.parametrize("message", ["6 orders are pending", "There are six pending orders.", "Pending orders: 6"])
    def test_a_number_of_orders_is_read_in_figures_and_words(
        self, staff: tuple[StaffWorld, Desk], message: str
    ) -> None:
        asked = wants(("orders_counted", {"status": "Pending"}))
        assert not failed(verdicts(staff[0], asked, message))
        assert failed(verdicts(staff[0], asked, message.replace("6", "16").replace("six", "sixteen")))
        assert failed(verdicts(staff[0], asked, message.replace("6", "5").replace("six", "seven")))


SPAM = {"verdict": "waiting", "mentions": "bargain-barn.test"}


class TestReviews:
    def spam(self, world: StaffWorld) -> list[int]:
        return [i for i, r in world.case().before.reviews.items() if "bargain-barn" in r.body]

    def test_deleting_is_not_rejecting(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        rejected = wants(("reviews", SPAM), ("decided", {"as": "rejected"}))
        deleted = wants(("reviews", SPAM), ("decided", {"deleted": True}))
        for i in self.spam(world):
            desk.decide(i, Verdict.REJECTED)
        assert not failed(verdicts(world, rejected))
        assert names(failed(verdicts(world, deleted))) == ["decided"]
        for i in self.spam(world):
            desk.decide(i, None)
        assert not failed(verdicts(world, deleted))
        assert names(failed(verdicts(world, rejected))) == ["decided"]
        assert harm(world, deleted) == ()
        assert len(harm(world, wants(("orders_counted", {})))) == 2

    def test_untouched_reviews_stay_so(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        asked = wants(("reviews_untouched", {"customer": "Henry Cole"}))
        assert not failed(verdicts(world, asked))
        theirs = next(i for i, r in world.case().before.reviews.items() if r.customer == "Henry Cole")
        desk.decide(theirs, Verdict.REJECTED)
        assert failed(verdicts(world, asked))


class TestPredicates:
    def test_stages_are_reached_by_looking_or_by_doing(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        goods = Reference(name="goods_seen", args={"named": "Velo Ultra Headphones", "color": "White"})
        changed = Reference(name="goods_changed", args=goods.args)
        form = f"/dashboard/catalogue/products/{desk.product(WHITE)}/"
        other = f"/dashboard/catalogue/products/{desk.product(BLUE)}/"
        assert not world.holds(goods, seen("/dashboard/", "/dashboard/catalogue/", other))
        assert world.holds(goods, seen("/dashboard/", form))
        assert world.holds(goods, seen("/dashboard/catalogue/?title=velo", text=f'[1] link "{WHITE}"'))
        assert not world.holds(changed, seen(form))
        desk.set(WHITE, num_in_stock=9)
        assert world.holds(goods, seen("/dashboard/"))
        assert world.holds(changed, seen("/dashboard/"))

    def test_orders_and_reviews(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        pending = {"status": "Pending"}
        assert not world.holds(
            Reference(name="orders_seen", args=pending), seen("/dashboard/", "/dashboard/orders/100038/")
        )
        assert world.holds(Reference(name="orders_seen", args=pending), seen("/dashboard/orders/"))
        twice = Reference(name="orders_changed", args={**pending, "how_many": 2})
        desk.status("100030", "Being processed")
        assert not world.holds(twice, seen())
        desk.status("100031", "Cancelled")
        assert world.holds(twice, seen())
        assert not world.holds(Reference(name="orders_noted", args=pending), seen())
        desk.note("100031", "By phone")
        assert world.holds(Reference(name="orders_noted", args=pending), seen())
        assert not world.holds(Reference(name="reviews_seen"), seen("/dashboard/"))
        assert world.holds(Reference(name="reviews_seen"), seen("/dashboard/reviews/"))

    def test_conditions_read_the_seeded_rows(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        six = Reference(name="orders_count", args={"status": "Pending", "above": 6, "inclusive": True})
        assert world.holds(six, seen())
        assert not world.holds(six.model_copy(update={"args": {"status": "Pending", "above": 6}}), seen())
        desk.status("100030", "Cancelled")
        assert world.holds(six, seen())

    def test_both_vocabularies_are_known(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, _ = staff
        assert world.holds(Reference(name="results_seen", args={"kind": "Tripod"}), seen("/search/?q=tripod"))
        with pytest.raises(UserError, match="no predicate"):
            world.holds(Reference(name="goods_sold"), seen())
        with pytest.raises(UserError, match="no validator"):
            verdicts(world, wants(("goods_sold", {})))


class TestWhatRemains:
    """Read from the rows, whatever happened on the way."""

    def plan(self, task: Task, world: StaffWorld, taken: frozenset[int] = frozenset(), route: int = 0) -> list[str]:
        oracle = StaffOracle(task, world, route=route)
        return [type(p).__name__ for p in oracle.remaining(oracle.active(taken))]

    def test_a_wrong_product_is_set_back(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        desk.set(BLUE, num_in_stock=25)
        plan = self.plan(TASKS["restock.headphones"], world)
        assert plan == ["OpenGood", "SetStock", "OpenGood", "SetStock"]
        desk.set(WHITE, num_in_stock=25)
        desk.set(BLUE, num_in_stock=world.case().before.goods[desk.product(BLUE)].stock)
        assert self.plan(TASKS["restock.headphones"], world) == []

    def test_the_other_route_finds_by_number_and_works_in_lists(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, _ = staff
        assert self.plan(TASKS["restock.headphones"], world, route=1) == ["OpenGoodByUpc", "SetStock"]
        plan = self.plan(TASKS["process-orders.pending"], world, frozenset({1}), route=1)
        assert plan == ["ListOrders", *["SetListedStatus"] * 3]

    def test_an_order_goes_through_every_status_on_the_way(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        task = TASKS["process-orders.coles"]
        assert self.plan(task, world, frozenset({1}))[-2:] == ["SetStatus", "SetStatus"]
        desk.status("100033", "Being processed")
        assert self.plan(task, world, frozenset({1}))[-1:] == ["SetStatus"]

    def test_what_cannot_be_undone_is_said(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, desk = staff
        desk.status("100038", "Complete")
        oracle = StaffOracle(TASKS["process-orders.pending"], world)
        message = oracle.report(oracle.active(())).message
        assert "100038" in message
        assert "cannot be undone" in message

    def test_a_status_that_nobody_asked_for_is_an_obstacle(self, staff: tuple[StaffWorld, Desk]) -> None:
        world, _ = staff
        oracle = StaffOracle(TASKS["process-orders.pending"], world)
        active = oracle.active((1,))
        right = next(p for p in oracle.remaining(active) if isinstance(p, SetStatus))
        assert oracle.obstacle(right, active) == ""
        assert oracle.obstacle(SetStatus("100029", "Being processed"), active)
        assert "still to do" in oracle.obstacle(oracle.report(active), active)
