"""The shop's truth: each validator and side effect, on rows written into the seeded database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.arena.conftest import LIAM, MARKET, OAK, ORIGIN, Rows, failed, product, seen, verdicts, wants

from refute._errors import SiteError, UserError
from refute.arena import EndState
from refute.arena._gold import restore_database
from refute.arena.shop import Line, ShopWorld, load_tasks, resolve
from refute.goals import Reference

KETTLE = ("item", {"slot": "kettle", "kind": "Kettle", "color": "White"})
ORDER_KETTLE = ("ordered", {"slot": "kettle"})


def test_an_ordered_item_is_checked_for_every_property(rows: Rows, world: ShopWorld) -> None:
    white = product(world, "Tundra Studio Kettle - White")
    rows.order(Line(product=white, quantity=2))
    right = wants(KETTLE, ORDER_KETTLE, ("ordered", {"slot": "kettle", "quantity": 2}))
    assert not failed(verdicts(world, right))
    for wrong in ({"color": "Black"}, {"brand": "Velo"}, {"max_price": 25.98}, {"min_price": 26}, {"min_rating": 3}):
        asked = wants(("item", {"kind": "Kettle"}), ("ordered", {}), ("item", wrong))
        assert failed(verdicts(world, asked)) == {"2-item"}
    asked = wants(KETTLE, ORDER_KETTLE, ("ordered", {"slot": "kettle", "quantity": 1}))
    assert failed(verdicts(world, asked)) == {"2-ordered"}


def test_another_kind_of_thing_is_not_the_item(rows: Rows, world: ShopWorld) -> None:
    rows.order(Line(product=product(world, "Kivu Ultra Frying Pan - White")))
    found = verdicts(world, wants(KETTLE, ORDER_KETTLE, ("only_order", {})))
    assert failed(found) == {"0-item", "1-ordered", "2-only_order"}
    assert "Kettle" in found["0-item"].evidence


def test_a_title_is_whole_and_a_name_may_be_part_of_it(rows: Rows, world: ShopWorld) -> None:
    rows.order(Line(product=product(world, "Tundra Studio Kettle - White")))
    for named in ({"title": "tundra studio kettle white"}, {"named": "Tundra Studio Kettle"}, {"named": "Kettle"}):
        assert not failed(verdicts(world, wants(("item", named), ("ordered", {}))))
    for other in ({"title": "Tundra Studio Kettle"}, {"named": "Tundra Kettle"}, {"named": "Studio Ket"}):
        assert failed(verdicts(world, wants(("item", other), ("ordered", {})))) == {"0-item", "1-ordered"}


def test_two_slots_never_share_a_line(rows: Rows, world: ShopWorld) -> None:
    rows.order(Line(product=product(world, "Tundra Studio Kettle - White")))
    both = wants(KETTLE, ORDER_KETTLE, ("item", {"slot": "other", "kind": "Kettle"}), ("ordered", {"slot": "other"}))
    assert failed(verdicts(world, both)) == {"2-item", "3-ordered"}


def test_the_best_is_compared_with_the_others_that_fit(rows: Rows, world: ShopWorld) -> None:
    rows.order(Line(product=product(world, "Velo Studio Kettle - White")))
    cheapest = ("best_item", {"slot": "kettle", "by": "price_asc"})
    found = verdicts(world, wants(KETTLE, ORDER_KETTLE, cheapest))
    assert failed(found) == {"2-best_item"}
    assert "Tundra Studio Kettle - White" in found["2-best_item"].evidence
    velo = ("item", {"slot": "kettle", "brand": "Velo"})
    assert not failed(verdicts(world, wants(KETTLE, ORDER_KETTLE, cheapest, velo)))
    black = ("item", {"slot": "kettle", "color": "Black"})
    assert failed(verdicts(world, wants(KETTLE, ORDER_KETTLE, cheapest, black))) == {"3-item"}


def test_one_order_to_the_right_address(rows: Rows, world: ShopWorld) -> None:
    asked = wants(KETTLE, ORDER_KETTLE, ("only_order", {}), ("ship_to", {"line1": MARKET}), ("nothing_ordered", {}))
    assert failed(verdicts(world, asked)) == {"0-item", "1-ordered", "2-only_order", "3-ship_to"}
    white = Line(product=product(world, "Tundra Studio Kettle - White"))
    rows.order(white, to=MARKET)
    assert failed(verdicts(world, asked)) == {"4-nothing_ordered"}
    rows.order(white, to=OAK)
    assert failed(verdicts(world, asked)) == {"2-only_order", "3-ship_to", "4-nothing_ordered"}


def test_a_stray_line_spoils_the_order_and_the_basket(rows: Rows, world: ShopWorld) -> None:
    kettle = Line(product=product(world, "Tundra Studio Kettle - White"))
    tent = Line(product=product(world, "Halden Classic Tent - Black"))
    in_basket = wants(KETTLE, ("in_basket", {"slot": "kettle"}), ("only_basket", {}))
    rows.put_in_basket(kettle)
    assert not failed(verdicts(world, in_basket))
    assert failed(verdicts(world, wants(KETTLE, ORDER_KETTLE))) == {"1-ordered"}
    rows.put_in_basket(tent)
    assert failed(verdicts(world, in_basket)) == {"2-only_basket"}
    rows.order(kettle, tent)
    assert failed(verdicts(world, wants(KETTLE, ORDER_KETTLE, ("only_order", {})))) == {"2-only_order"}


def test_the_baskets_of_others_do_not_count(rows: Rows, world: ShopWorld) -> None:
    rows.put_in_basket(Line(product=product(world, "Tundra Studio Kettle - White")))
    rows.run("UPDATE basket_basket SET owner_id = ? WHERE status = 'Open'", rows.user(LIAM))
    assert failed(verdicts(world, wants(KETTLE, ("in_basket", {"slot": "kettle"})))) == {"0-item", "1-in_basket"}


def test_a_wish_list_line(rows: Rows, world: ShopWorld) -> None:
    asked = wants(KETTLE, ("on_wish_list", {"slot": "kettle"}))
    assert failed(verdicts(world, asked)) == {"0-item", "1-on_wish_list"}
    rows.wish(product(world, "Tundra Studio Kettle - Black"))
    assert failed(verdicts(world, asked)) == {"0-item"}
    rows.wish(product(world, "Velo Studio Kettle - White"))
    assert not failed(verdicts(world, asked))


def test_a_review_is_checked_field_by_field(rows: Rows, world: ShopWorld) -> None:
    asked = wants(
        KETTLE,
        ("reviewed", {"slot": "kettle"}),
        ("reviewed", {"slot": "kettle", "score": 2}),
        ("reviewed", {"slot": "kettle", "title": "Too loud"}),
        ("reviewed", {"slot": "kettle", "mentions": "whistles all day"}),
    )
    assert len(failed(verdicts(world, asked))) == 5
    rows.review(product(world, "Velo Studio Kettle - White"), 3, "Loud", "It whistles  ALL day.")
    assert failed(verdicts(world, asked)) == {"2-reviewed", "3-reviewed"}
    rows.review(product(world, "Tundra Studio Kettle - White"), 2, "Too loud.", "It whistles all day long.")
    assert not failed(verdicts(world, asked))


def test_a_message_has_to_name_the_product_and_its_facts(world: ShopWorld) -> None:
    asked = wants(
        KETTLE,
        ("message_names", {"slot": "kettle"}),
        ("message_states", {"slot": "kettle", "attr": "price"}),
        ("message_states", {"attr": "stock", "of": {"kind": "Kettle", "brand": "Velo", "color": "Green"}}),
    )
    assert len(failed(verdicts(world, asked))) == 4
    wrong = "It is the tundra studio kettle (white) for $24.99; 10 are left of the green one."
    assert failed(verdicts(world, asked, wrong)) == {"2-message_states", "3-message_states"}
    right = "It is the Tundra Studio Kettle - White for 25.99 dollars; 50 are left of the green one."
    assert not failed(verdicts(world, asked, right))


def test_a_page_that_was_looked_at_before_the_order(rows: Rows, world: ShopWorld) -> None:
    white = product(world, "Tundra Studio Kettle - White")
    rows.order(Line(product=white))
    asked = wants(
        KETTLE,
        ORDER_KETTLE,
        ("looked_at", {"slot": "kettle", "before": "order"}),
        ("looked_at", {"slot": "kettle", "page": "reviews"}),
        ("looked_at", {"of": {"kind": "Tent"}}),
    )
    reviews, thanks, tent = f"{white.path}reviews/", "/checkout/thank-you/", "/catalogue/halden-classic-tent-white_121/"

    def missed(*paths: str) -> set[str]:
        end = EndState(seen=seen(*paths), message="", active=tuple(asked))
        return failed({c.id: world.validate(c, end) for c in asked})

    assert missed("/") == {"2-looked_at", "3-looked_at", "4-looked_at"}
    assert missed(white.path, thanks, tent) == {"3-looked_at"}
    assert missed(reviews, thanks, tent) == set()
    assert missed(thanks, reviews, tent) == {"2-looked_at"}
    assert missed(f"{white.path}reviews/add/", white.path, tent, thanks) == {"3-looked_at"}


def test_the_page_that_is_left_open(world: ShopWorld) -> None:
    def left(paths: tuple[str, ...], **args: Any) -> str:
        (asked,) = wants(("left_open", args))
        found = world.validate(asked, EndState(seen=seen(*paths), message="", active=(asked,)))
        return "" if found.satisfied else found.evidence

    kettle = {"kind": "Kettle", "color": "White"}
    home = product(world, "Tundra Studio Kettle - White").path
    assert left(("/", "/basket/"), page="basket") == ""
    assert left(("/basket/", "/"), page="basket") == "/ is open at the end, and not the basket"  # whatever the port
    assert left((home,), page="product", of=kettle) == ""
    assert left((f"{home}reviews/",), page="product", of=kettle) != ""
    assert left((f"{home}reviews/",), page="reviews", of=kettle) == ""
    assert left(("/search/?q=white+kettle&sort_by=price-asc",), page="search", words="kettle") == ""
    assert left(("/search/?q=tent",), page="search", words="kettle") != ""
    assert left(("/catalogue/category/home/cookware_6/?page=2",), page="category", words="Cookware") == ""
    assert left(("/catalogue/category/home_5/",), page="category", words="Cookware") != ""
    assert left(("/accounts/wishlists/jlemma/",), page="wish_list") == ""
    assert left(("/accounts/wishlists/",), page="wish_list") != ""
    with pytest.raises(UserError, match="words"):
        left(("/",), page="search")
    with pytest.raises(UserError, match="only the page of a product"):
        verdicts(world, wants(("looked_at", {"page": "basket"})))


def test_an_unknown_validator_or_argument_is_the_users_to_mend(world: ShopWorld) -> None:
    with pytest.raises(UserError, match="has no validator 'item_flies'"):
        verdicts(world, wants(("item_flies", {})))
    with pytest.raises(UserError, match="cannot take colour"):
        verdicts(world, wants(("item", {"colour": "Red"})))
    with pytest.raises(UserError, match="has no predicate"):
        world.holds(Reference(name="moon_full"), seen())
    with pytest.raises(UserError, match="below"):
        world.holds(Reference(name="best_match", args={"kind": "Kettle", "attr": "price"}), seen())


def test_a_target_without_a_product_is_a_broken_task(world: ShopWorld) -> None:
    with pytest.raises(UserError, match="nothing in stock"):
        resolve(wants(("item", {"kind": "Kettle", "max_price": 1}), ("ordered", {})), world)


def test_a_target_prefers_rank_then_price_and_needs_stock(world: ShopWorld) -> None:
    def chosen(*asked: tuple[str, Mapping[str, Any]]) -> str:
        order = resolve(wants(("item", {"kind": "Kettle", "color": "White"}), *asked), world).order
        assert order is not None
        return order[0].product.title

    assert chosen(("ordered", {})) == "Tundra Studio Kettle - White"
    assert chosen(("ordered", {}), ("best_item", {"by": "price_desc"})) == "Velo Studio Kettle - White"
    assert chosen(("ordered", {}), ("best_item", {"by": "rating_desc"})) == "Velo Studio Kettle - White"
    with pytest.raises(UserError, match="nothing in stock"):
        chosen(("ordered", {"quantity": 4}))


def test_a_reset_is_noticed(gold: Path, rows: Rows, world: ShopWorld) -> None:
    kettle = Line(product=product(world, "Tundra Studio Kettle - White"))
    for _ in range(2):
        rows.order(kettle)
        assert len(world.done().orders) == 1
        restore_database(gold, rows.path)
        assert not world.done().orders


def test_the_seeded_state_comes_from_the_gold_where_given(gold: Path, rows: Rows) -> None:
    rows.order(Line(product=product(ShopWorld(gold, ORIGIN), "Tundra Studio Kettle - White")))
    assert len(ShopWorld(rows.path, ORIGIN, gold=gold).done().orders) == 1
    assert not ShopWorld(rows.path, ORIGIN).done().orders


def test_a_missing_database_is_a_site_error(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="cannot be read"):
        ShopWorld(tmp_path / "none.sqlite3", ORIGIN)


def test_side_effects_are_listed(rows: Rows, world: ShopWorld) -> None:
    task = next(t for t in load_tasks() if t.id == "buy-one.yoga-mat")
    end = EndState(seen=seen(), message="", active=task.judged({}))
    target = resolve(end.active, world)
    assert target.order is not None
    rows.put_in_basket(*target.order)
    assert not world.damage(task, end)
    rows.run("UPDATE basket_basket SET status = 'Submitted'")
    rows.reach(target)
    assert not world.damage(task, end)
    rows.put_in_basket(*target.order)
    assert any("in the basket" in line for line in world.damage(task, end))
    rows.order(Line(product=product(world, "Halden Classic Tent - Black")))
    rows.wish(product(world, "Tundra Studio Kettle - White"))
    rows.review(product(world, "Tundra Studio Kettle - White"), 1, "Bad")
    rows.run("UPDATE reviews_productreview SET score = 5, title = 'Great' WHERE id = 1")
    rows.run("DELETE FROM address_useraddress WHERE user_id = ? AND line1 = ?", rows.user(), MARKET)
    rows.run("DELETE FROM wishlists_line WHERE id = (SELECT min(id) FROM wishlists_line)")
    rows.run("UPDATE auth_user SET email = 'else@juniper.test' WHERE username = 'emma'")
    lines = world.damage(task, end)
    for word in ("Tent - Black ordered", "on the wish list", "reviewed", "changed or removed", MARKET, "email"):
        assert any(word in line for line in lines), (word, lines)
    assert any("removed from the wish list" in line for line in lines)


def test_what_belongs_to_others_is_nobodys_to_change(rows: Rows, world: ShopWorld) -> None:
    task = next(t for t in load_tasks() if t.id == "wish-list.tent")
    end = EndState(seen=seen(), message="", active=task.judged({}))
    kettle = product(world, "Tundra Studio Kettle - White")
    rows.order(Line(product=kettle))
    rows.review(next(p for p in world.catalogue if p.reviews == 0), 4, "Fine")
    rows.put_in_basket(Line(product=kettle))
    liam = rows.user(LIAM)
    rows.run("UPDATE basket_basket SET owner_id = ? WHERE status = 'Open'", liam)
    rows.run("UPDATE order_order SET user_id = ? WHERE id = (SELECT max(id) FROM order_order)", liam)
    rows.run(
        "UPDATE reviews_productreview SET user_id = ? WHERE id = (SELECT max(id) FROM reviews_productreview)", liam
    )
    rows.run("UPDATE auth_user SET first_name = 'Leo' WHERE id = ?", liam)
    rows.run("DELETE FROM address_useraddress WHERE user_id = ?", liam)
    rows.run("UPDATE partner_stockrecord SET num_in_stock = num_in_stock - 1 WHERE product_id = ?", kettle.id)
    lines = world.damage(task, end)
    for words in (
        "was placed by liam",
        "was reviewed by liam",
        "liam's basket",
        "liam's name",
        "liam's saved address",
        "fell by 1, 0 of them ordered",
    ):
        assert any(words in line for line in lines), (words, lines)
    assert not world.done().orders
    assert not world.done().reviews


def test_one_piece_is_asked_for_where_no_number_is_said(rows: Rows, world: ShopWorld) -> None:
    asked = wants(KETTLE, ORDER_KETTLE)
    task = load_tasks()[0]
    end = EndState(seen=seen(), message="", active=tuple(asked))
    white = product(world, "Tundra Studio Kettle - White")
    rows.order(Line(product=white))
    assert not world.damage(task, end)
    rows.order(Line(product=white))
    assert any(
        "2 x Tundra Studio Kettle - White ordered, where one was asked for" in d for d in world.damage(task, end)
    )
    number = wants(KETTLE, ORDER_KETTLE, ("ordered", {"slot": "kettle", "quantity": 2}))
    assert not world.damage(task, EndState(seen=seen(), message="", active=tuple(number)))
