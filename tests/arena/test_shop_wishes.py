"""What is on the wish list from the start: asked to go, asked to stay, and gone unasked; and one of several named."""

from __future__ import annotations

from typing import Any

import pytest
from tests.arena.conftest import Rows, failed, product, seen, verdicts, wants

from refute.arena import EndState
from refute.arena.shop import ShopWorld, load_tasks, resolve
from refute.goals import Constraint, Reference

ROPE, BOTTLE = "Polar Studio Jump Rope - Red", "Kivu Lite Water Bottle - Red"
OFF = ("off_wish_list", {"kind": "Jump Rope"})
KEPT = (("item", {"slot": "rope", "title": ROPE}), ("on_wish_list", {"slot": "rope"}))


@pytest.fixture
def damage(world: ShopWorld) -> Any:
    task = load_tasks()[0]

    def found(asked: list[Constraint]) -> list[str]:
        return list(world.damage(task, EndState(seen=seen(), message="", active=tuple(asked))))

    return found


def take_off(rows: Rows, world: ShopWorld, title: str) -> None:
    rows.run("DELETE FROM wishlists_line WHERE product_id = ?", product(world, title).id)


def test_a_wish_that_has_to_go_is_wrong_until_it_is_gone(rows: Rows, world: ShopWorld, damage: Any) -> None:
    asked = wants(OFF)
    assert failed(verdicts(world, asked)) == {"0-off_wish_list"}
    assert [p.title for p in resolve(asked, world).unwished] == [ROPE]
    take_off(rows, world, ROPE)
    assert not failed(verdicts(world, asked))
    assert damage(asked) == []
    take_off(rows, world, BOTTLE)
    assert damage(asked) == [f"{BOTTLE} was removed from the wish list"]


def test_without_criteria_everything_has_to_go(world: ShopWorld) -> None:
    asked = wants(("off_wish_list", {}))
    assert {p.title for p in resolve(asked, world).unwished} == {ROPE, BOTTLE}


def test_a_wish_that_was_taken_off_and_put_back_is_no_damage(rows: Rows, world: ShopWorld, damage: Any) -> None:
    asked = wants(*KEPT)
    assert not failed(verdicts(world, asked))
    take_off(rows, world, ROPE)
    assert "1-on_wish_list" in failed(verdicts(world, asked))
    assert damage(asked) == [f"{ROPE} was removed from the wish list"]
    rows.wish(product(world, ROPE))
    assert not failed(verdicts(world, asked))
    assert damage(asked) == []


def test_that_a_wish_is_gone_is_a_stage_and_that_it_was_there_is_none(rows: Rows, world: ShopWorld) -> None:
    gone = Reference(name="item_off_wish_list", args={"kind": "Jump Rope"})
    found = Reference(name="results_seen", args={"kind": "Jump Rope"})
    assert not world.holds(gone, seen())
    assert not world.holds(found, seen())
    assert world.holds(found, seen("/", "/accounts/wishlists/jlemma/", text=f'link "{ROPE}"'))
    take_off(rows, world, ROPE)
    assert world.holds(gone, seen())


def test_one_of_several_named_products_is_compared_with_the_others_only(rows: Rows, world: ShopWorld) -> None:
    two = {"one_of": ["Tundra Studio Kettle - White", "Velo Studio Kettle - White"]}
    asked = wants(("item", two), ("best_item", {"by": "rating_desc"}), ("on_wish_list", {}))
    assert [p.title for p in resolve(asked, world).wishlist] == ["Velo Studio Kettle - White"]
    rows.wish(product(world, "Velo Studio Kettle - Green"))  # rated better, and none of the two
    assert failed(verdicts(world, asked)) == {"0-item", "1-best_item", "2-on_wish_list"}
    rows.wish(product(world, "Tundra Studio Kettle - White"))
    assert failed(verdicts(world, asked)) == {"1-best_item"}
