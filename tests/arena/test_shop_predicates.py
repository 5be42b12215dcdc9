"""Milestones and conditions of the shop."""

from __future__ import annotations

from typing import Any

import pytest
from tests.arena.conftest import ORIGIN, Rows, product, seen

from refute.arena import Seen
from refute.arena.shop import Line, ShopWorld
from refute.browser import Observation
from refute.goals import Reference


@pytest.mark.parametrize(
    ("visited", "text", "reached"),
    [
        (("/", "/search/?q=white+kettles"), "", True),
        (("/", "/search/?q=pan"), "", False),
        (("/search/?q=kettle", "/basket/"), "", True),
        (("/", "/search/?q=tundra"), 'link "Tundra Studio Kettle - White"', True),
        (("/", "/catalogue/"), 'link "Tundra Studio Kettle - White"', False),
        (("/", "/catalogue/tundra-studio-kettle-white_76/"), "", True),
        (("/", "/catalogue/kivu-ultra-frying-pan-white_62/"), "", False),
    ],
)
def test_results_are_seen_by_search_or_page(
    world: ShopWorld, visited: tuple[str, ...], text: str, reached: bool
) -> None:
    predicate = Reference(name="results_seen", args={"kind": "Kettle"})
    assert world.holds(predicate, seen(*visited, text=text)) is reached


def test_results_are_seen_in_a_category(rows: Rows, world: ShopWorld) -> None:
    predicate = Reference(name="results_seen", args={"kind": "Kettle"})
    ids = {row["name"]: row["id"] for row in rows.run("SELECT id, name FROM catalogue_category")}
    assert not world.holds(predicate, seen(f"/catalogue/category/outdoors_{ids['Outdoors']}/"))
    assert world.holds(predicate, seen(f"/catalogue/category/home_{ids['Home']}/"))


def test_a_page_elsewhere_is_no_page_of_the_shop(world: ShopWorld) -> None:
    elsewhere = Seen(
        observation=Observation(url=f"{ORIGIN}/"), visited=(f"{ORIGIN}.example/search/?q=kettle", "about:blank")
    )
    assert not world.holds(Reference(name="results_seen", args={"kind": "Kettle"}), elsewhere)


def test_a_products_page_and_its_reviews_count_as_seen(world: ShopWorld) -> None:
    kettle = product(world, "Tundra Studio Kettle - White")
    predicate = Reference(name="product_seen", args={"kind": "Kettle", "color": "White"})
    assert not world.holds(predicate, seen(product(world, "Tundra Studio Kettle - Black").path))
    assert not world.holds(predicate, seen("/search/?q=kettle"))
    assert world.holds(predicate, seen(f"{kettle.path}reviews/"))
    tundra = Reference(name="product_seen", args={"kind": "Kettle", "brand": "Tundra"})
    assert world.holds(tundra, seen(kettle.path, "/basket/"))


def test_a_stage_that_was_reached_stays_reached(rows: Rows, world: ShopWorld) -> None:
    predicate = Reference(name="item_in_basket", args={"kind": "Kettle"})
    kettle = Line(product=product(world, "Tundra Studio Kettle - White"))
    white = Reference(name="item_in_basket", args={"kind": "Kettle", "color": "White"})
    assert not world.holds(predicate, seen())
    rows.put_in_basket(kettle)
    assert world.holds(predicate, seen())
    rows.run("UPDATE basket_basket SET status = 'Submitted'")
    assert world.holds(predicate, seen()), "it has been chosen, although it was put back"
    assert not world.holds(white, seen()), "nobody looked while it was there"
    rows.order(kettle)
    assert world.holds(white, seen())
    assert world.holds(Reference(name="item_ordered", args={"kind": "Kettle"}), seen())


def test_conditions_respect_their_bound(world: ShopWorld) -> None:
    def holds(**args: Any) -> bool:
        return world.holds(Reference(name="best_match", args={"kind": "Kettle", "color": "White", **args}), seen())

    assert holds(attr="price", below=26)
    assert not holds(attr="price", above=25.99)
    assert holds(attr="price", above=25.99, inclusive=True)
    assert holds(attr="stock", below=5)
    assert holds(attr="reviews", above=5)
    assert not holds(attr="rating", above=3)
    assert holds(attr="rating", above=4, by="price_desc")
