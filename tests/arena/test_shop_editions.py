"""The seeded states of the shop: what differs between them, and what a reset brings back."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.arena.visitor import PRODUCTS, Visitor, products_in, rows, text_of

import refute
from refute.arena._gold import unpack
from refute.arena.shop import EDITIONS, Shop, ShopInstance

ARCHIVE = Path(refute.__file__).parent / "arena" / "shop" / "seed.zip"


async def test_reset_empties_the_basket_and_keeps_the_session(instance: ShopInstance) -> None:
    emma = Visitor(instance, "emma")
    product = next(row for row in rows(instance.database, PRODUCTS) if row[4] == 50)
    await emma.get(product[5])
    await emma.post(f"/basket/add/{product[0]}/", quantity="2", next="/basket/")
    assert product[1] in text_of(await emma.get("/basket/"))
    await instance.reset()
    assert "Your basket is empty" in text_of(await emma.get("/basket/"))
    assert "Emma Lindqvist" in text_of(await emma.get("/accounts/profile/"))


async def test_reset_undoes_what_a_review_did_to_the_search_index(instance: ShopInstance) -> None:
    emma = Visitor(instance, "emma")
    lamps = "/search/?q=desk+lamp&sort_by=rating"
    unrated = next(row for row in rows(instance.database, PRODUCTS) if "Desk Lamp" in row[1] and row[2] is None)

    def place(page: str) -> int:
        return re.findall(r'<h3[^>]*><a href="([^"]+)">', page).index(unrated[5])

    before = place(await emma.get(lamps))
    await emma.get(unrated[5] + "reviews/add/")
    page = await emma.post(unrated[5] + "reviews/add/", title="Bright", score="5", body="It lights my desk.")
    assert "Rated 5.0 out of 5 (1 review)" in text_of(page)
    assert place(await emma.get(lamps)) == 0
    await instance.reset()
    assert place(await emma.get(lamps)) == before
    assert "No reviews yet" in text_of(await emma.get(unrated[5]))


@pytest.mark.parametrize("seed", range(EDITIONS))
async def test_reset_leaves_the_rows_of_the_gold(instance: ShopInstance, seed: int) -> None:
    emma = Visitor(instance, "emma")
    await emma.get("/accounts/addresses/1/delete/")
    await emma.post("/accounts/addresses/1/delete/")
    assert rows(instance.database, "select count(*) from address_useraddress where id = 1") == [(0,)]
    await instance.reset(seed)
    assert tables(instance.database) == tables(await edition(seed))


async def test_each_edition_shows_its_own_prices_stock_and_ratings(instance: ShopInstance) -> None:
    visitor = Visitor(instance)
    lamps = "/search/?q=desk+lamp&sort_by="
    orders: set[tuple[str, ...]] = set()
    for seed in (1, 2, 0, 4):
        await instance.reset(seed)
        known = {row[1]: row for row in rows(await edition(seed % EDITIONS), PRODUCTS)}
        by_price = products_in(await visitor.get(lamps + "price-asc"))
        assert by_price == sorted(by_price, key=lambda title: known[title][3])
        by_rating = products_in(await visitor.get(lamps + "rating"))
        ratings = [known[title][2] or 0 for title in by_rating]
        assert ratings == sorted(ratings, reverse=True)
        _, title, rating, price, *_ = known[by_rating[0]]
        text = text_of(await visitor.get(known[title][5]))
        assert f"${price:.2f}" in text
        assert f"Rated {rating:.1f} out of 5" in text
        orders.add((*by_price, *by_rating))
    assert len(orders) == EDITIONS


async def test_editions_differ_in_prices_stock_and_reviews_only(shop: Shop) -> None:
    first, *others = [tables(await edition(seed)) for seed in range(EDITIONS)]
    redrawn = {"partner_stockrecord", "reviews_productreview", "catalogue_product", "sqlite_sequence"}
    for other in others:
        assert {name for name in first if first[name] != other[name]} <= redrawn
        assert [row[:8] for row in first["catalogue_product"]] == [row[:8] for row in other["catalogue_product"]]
        same = sum(a == b for a, b in zip(first["partner_stockrecord"], other["partner_stockrecord"], strict=True))
        assert same < 10


async def test_mail_is_kept_until_the_next_reset(instance: ShopInstance) -> None:
    visitor = Visitor(instance)
    await visitor.get("/password-reset/")
    await visitor.post("/password-reset/", email="emma@juniper.test")
    (letter,) = instance.mail.iterdir()
    assert "To: emma@juniper.test" in letter.read_text(encoding="utf-8")
    await instance.reset()
    assert not list(instance.mail.iterdir())


async def test_reset_turns_the_clock_back(instance: ShopInstance) -> None:
    clock = instance.database.with_name("opened")
    clock.write_text(str(float(clock.read_text(encoding="ascii")) - 86_400), encoding="ascii")
    assert await written_on(instance) == "2026-06-16"
    await instance.reset()
    assert await written_on(instance) == "2026-06-15"


async def written_on(instance: ShopInstance) -> str:
    """The day that the shop puts on a review which is written now."""
    emma = Visitor(instance, "emma")
    path = next(row[5] for row in rows(instance.database, PRODUCTS) if row[2] is None)
    await emma.get(path + "reviews/add/")
    await emma.post(path + "reviews/add/", title="Today", score="4", body="It came this morning.")
    return rows(instance.database, "select date(date_created) from reviews_productreview where title = 'Today'")[0][0]


# --- what waits for the staff ----------------------------------------------------------------------------------------


async def test_reviews_that_wait_for_moderation_are_neither_shown_nor_counted(instance: ShopInstance) -> None:
    waiting = rows(
        instance.database,
        """select r.title, r.body, '/catalogue/' || p.slug || '_' || p.id || '/',
                  (select count(*) from reviews_productreview a where a.product_id = p.id and a.status = 1)
           from reviews_productreview r join catalogue_product p on p.id = r.product_id where r.status = 0""",
    )
    assert len(waiting) == 12
    visitor = Visitor(instance)
    title, body, path, approved = next(row for row in waiting if row[0] == "Cheaper elsewhere")
    text = text_of(await visitor.get(path))
    assert ("No reviews yet" if approved == 0 else f"({approved} review") in text
    assert title not in text
    assert body not in text_of(await visitor.get(path + "reviews/"))
    admin = Visitor(instance, "admin")
    assert title in text_of(await admin.get("/dashboard/reviews/?status=0"))


async def test_orders_on_their_way_are_many_and_last_names_repeat(instance: ShopInstance) -> None:
    names = [
        name
        for (name,) in rows(
            instance.database,
            """select u.last_name || ', ' || u.first_name from order_order o join auth_user u on u.id = o.user_id
               where o.status in ('Pending', 'Being processed')""",
        )
    ]
    assert len(names) == 14
    assert {"Marsh, Olivia", "Marsh, Sofia", "Cole, Ethan", "Cole, Henry"} <= set(names)


async def test_a_voucher_lowers_the_total_until_it_has_run_out(instance: ShopInstance) -> None:
    emma = Visitor(instance, "emma")
    product = next(row for row in rows(instance.database, PRODUCTS) if row[4] == 50)
    await emma.get(product[5])
    await emma.post(f"/basket/add/{product[0]}/", quantity="1", next="/basket/")
    assert "has expired" in text_of(await emma.post("/basket/vouchers/add/", code="SPRING15"))
    text = text_of(await emma.post("/basket/vouchers/add/", code="WELCOME10"))
    assert f"Order total ${product[3] * 0.9:.2f}" in text


# --- the gold ---------------------------------------------------------------------------------------------------------


async def edition(seed: int) -> Path:
    """The database that a reset to `seed` brings back."""
    return await unpack("shop", ARCHIVE) / f"edition-{seed}" / "db.sqlite3"


def tables(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    names = [name for (name,) in rows(database, "select name from sqlite_master where type = 'table' order by name")]
    return {name: sorted(rows(database, f'select * from "{name}"'), key=repr) for name in names}


@pytest.mark.slow
async def test_building_again_gives_the_rows_that_are_shipped(shop: Shop, tmp_path: Path) -> None:
    await shop.build(tmp_path / "again.zip")
    again = await unpack("test-build", tmp_path / "again.zip")
    for seed in range(EDITIONS):
        fresh, known = tables(again / f"edition-{seed}" / "db.sqlite3"), tables(await edition(seed))
        assert sum(map(len, known.values())) > 3000
        assert fresh.keys() == known.keys()
        assert [name for name in known if fresh[name] != known[name]] == []


def test_gold_is_small() -> None:
    assert ARCHIVE.stat().st_size < 3_000_000
