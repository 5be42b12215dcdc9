"""The shop as a site: set up once, launched many times, gone without a trace."""

import asyncio
import json
import os
import re
import signal
import socket
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from tests.arena.visitor import PATIENCE, PRODUCTS, Visitor, products_in, rows, text_of

import refute
from refute import SiteError, UserError
from refute.arena import site
from refute.arena._environment import Environment
from refute.arena._gold import unpack
from refute.arena.shop import Shop, ShopInstance

ARCHIVE = Path(refute.__file__).parent / "arena" / "shop" / "seed.zip"


# --- names and environment -------------------------------------------------------------------------------------------


def test_unknown_site_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"'bank'.*shop"):
        site("bank")


async def test_launch_before_setup_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUTE_CACHE", str(tmp_path))
    assert not site("shop").ready()
    with pytest.raises(UserError, match="refute arena setup shop"):
        await site("shop").launch()


async def test_environment_is_reused(shop: Shop) -> None:
    lines: list[str] = []
    assert shop.ready()
    await shop.setup(lines.append)
    assert lines == []


async def test_half_made_environment_is_made_anew_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFUTE_CACHE", str(tmp_path))
    nothing = tmp_path / "requirements.txt"
    nothing.write_text("# nothing\n", encoding="utf-8")
    environment = Environment(name="tiny", requirements=(nothing,))
    environment.folder.mkdir(parents=True)
    (environment.folder / "left-over").write_text("x", encoding="utf-8")
    lines: list[str] = []
    await asyncio.gather(environment.make(lines.append), environment.make(lines.append))
    assert environment.ready()
    assert environment.python.exists()
    assert not (environment.folder / "left-over").exists()
    assert len([line for line in lines if "making an environment" in line]) == 1


async def test_failed_installation_shows_why_and_is_not_taken_for_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFUTE_CACHE", str(tmp_path))
    wrong = tmp_path / "requirements.txt"
    wrong.write_text(f"./absent-1.0-py3-none-any.whl --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    environment = Environment(name="broken", requirements=(wrong,))
    with pytest.raises(SiteError, match=r"could not install requirements\.txt.*(?s:.*)absent"):
        await environment.make()
    assert not environment.ready()


def test_requirements_hold_hashes_and_no_address() -> None:
    for path in (ARCHIVE.with_name("requirements.txt"), ARCHIVE.with_name("requirements-build.txt")):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        assert all("--hash=sha256:" in part for part in re.split(r"\n(?=\S+==)", text))


# --- an instance -----------------------------------------------------------------------------------------------------


async def test_session_of_an_account_is_signed_in_from_the_start(instance: ShopInstance) -> None:
    emma = Visitor(instance, "emma")
    assert "Emma Lindqvist" in text_of(await emma.get("/accounts/profile/"))
    assert emma.url == "/accounts/profile/"
    stranger = Visitor(instance)
    await stranger.get("/accounts/profile/")
    assert stranger.url.startswith("/accounts/login/")
    admin = Visitor(instance, "admin")
    assert "Dashboard" in text_of(await admin.get("/dashboard/"))
    with pytest.raises(UserError, match=r"'bob'.*emma"):
        instance.storage_state("bob")


async def test_password_works_as_well_as_the_session(instance: ShopInstance) -> None:
    visitor = Visitor(instance)
    await visitor.get("/accounts/login/")
    page = await visitor.post(
        "/accounts/login/",
        **{"login-username": "emma@juniper.test", "login-password": "shopper12345", "login_submit": "Log In"},
    )
    assert "Welcome back" in text_of(page)


async def test_pages_say_what_the_database_knows(instance: ShopInstance) -> None:
    visitor = Visitor(instance)
    known = rows(instance.database, PRODUCTS)
    sold_out = next(row for row in known if row[4] == 0)
    unrated = next(row for row in known if row[2] is None)
    few = next(row for row in known if row[4] == 3 and row[2] is not None)
    for _, title, rating, price, stock, path, reviews in (sold_out, unrated, few):
        text = text_of(await visitor.get(path))
        assert title in text
        assert f"${price:.2f}" in text
        assert ("Unavailable" if stock == 0 else f"In stock ({stock} available)") in text
        plural = "" if reviews == 1 else "s"
        assert (f"Rated {rating:.1f} out of 5 ({reviews} review{plural})" if reviews else "No reviews yet") in text


async def test_search_orders_by_price_rating_and_arrival(instance: ShopInstance) -> None:
    visitor = Visitor(instance)
    facts = {row[1]: row for row in rows(instance.database, PRODUCTS)}
    arrivals = dict(rows(instance.database, "select title, date_created from catalogue_product"))

    async def found(order: str) -> list[str]:
        return products_in(await visitor.get(f"/search/?q=desk+lamp&sort_by={order}"))

    by_price = await found("price-asc")
    assert len(by_price) >= 7
    assert by_price == sorted(by_price, key=lambda title: facts[title][3])
    by_rating = [facts[title][2] or 0 for title in await found("rating")]
    assert by_rating == sorted(by_rating, reverse=True)
    by_arrival = [arrivals[title] for title in await found("newest")]
    assert by_arrival == sorted(by_arrival, reverse=True)


async def test_two_instances_do_not_see_each_other(shop: Shop, instance: ShopInstance) -> None:
    other = await shop.launch()
    try:
        assert other.origin != instance.origin
        product = next(row for row in rows(instance.database, PRODUCTS) if row[4] == 50)
        here, there = Visitor(instance, "emma"), Visitor(other, "emma")
        await here.get(product[5])
        await here.post(f"/basket/add/{product[0]}/", quantity="1", next="/basket/")
        assert product[1] in text_of(await here.get("/basket/"))
        assert "Your basket is empty" in text_of(await there.get("/basket/"))
    finally:
        await other.close()
    assert not listens(other.origin)
    assert not other.database.parent.exists()


async def test_no_page_asks_another_host(instance: ShopInstance) -> None:
    emma, admin = Visitor(instance, "emma"), Visitor(instance, "admin")
    product = rows(instance.database, PRODUCTS)[0]
    await emma.get(product[5])
    await emma.post(f"/basket/add/{product[0]}/", quantity="1", next="/basket/")
    order = rows(instance.database, "select number from order_order where user_id = 2 limit 1")[0][0]
    pages = [
        await emma.get(path)
        for path in (
            "/catalogue/",
            "/catalogue/category/home_5/",
            "/search/?q=lamp",
            product[5],
            product[5] + "reviews/",
            product[5] + "reviews/add/",
            "/basket/",
            "/checkout/shipping-address/",
            "/checkout/payment-details/",
            "/accounts/login/",
            "/accounts/orders/",
            f"/accounts/orders/{order}/",
            "/accounts/wishlists/",
            "/accounts/addresses/",
        )
    ]
    pages += [await admin.get(path) for path in ("/dashboard/", "/dashboard/orders/", "/dashboard/catalogue/")]
    asked = [address for page in pages for address in re.findall(r'(?:src|href|action)\s*=\s*["\']([^"\']+)', page)]
    assert len(asked) > 100
    elsewhere = {
        address
        for address in asked
        if re.match(r"(?:\w+:)?//", address) and not address.startswith(instance.origin + "/")
    }
    assert elsewhere == set()


async def test_world_is_made_from_the_database_the_origin_and_the_account(shop: Shop) -> None:
    seen: list[tuple[Path, str, str]] = []

    def remember(database: Path, origin: str, account: str) -> Any:
        seen.append((database, origin, account))
        return "the truth"

    instance = await Shop(world=remember).launch()
    try:
        assert cast(object, instance.world("liam")) == "the truth"
        assert seen == [(instance.database, instance.origin, "liam")]
    finally:
        await instance.close()


# --- the process -----------------------------------------------------------------------------------------------------


async def test_killed_process_is_a_site_error_with_the_log(shop: Shop) -> None:
    instance = await shop.launch()
    try:
        with (instance.database.parent / "site.log").open("a", encoding="utf-8") as log:
            log.write("the last words\n")
        os.killpg(instance.pid, signal.SIGKILL)
        with pytest.raises(SiteError, match=r"shop (stopped|does not answer)(?s:.*)the last words"):
            await instance.reset()
    finally:
        await instance.close()
    assert not instance.database.parent.exists()


async def test_damaged_gold_is_a_site_error_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFUTE_CACHE", str(tmp_path))
    broken = tmp_path / "seed.zip"
    broken.write_bytes(ARCHIVE.read_bytes()[:1000])
    with pytest.raises(SiteError, match=r"cannot unpack .*seed\.zip"):
        await unpack("shop", broken)


ABANDON = """
import asyncio, json, os, signal
from refute.arena import site

async def main():
    instance = await site("shop").launch()
    print(json.dumps([instance.origin, str(instance.database.parent)]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_nothing_is_left_when_the_parent_is_killed(shop: Shop) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        ABANDON,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(refute.__file__).parents[1])},
    )
    assert parent.stdout is not None
    async with asyncio.timeout(PATIENCE):
        origin, data = json.loads(await parent.stdout.readline())
        await parent.wait()
    assert await asyncio.to_thread(gone, origin, Path(data))


def gone(origin: str, data: Path) -> bool:
    """Whether neither the server nor its data are there any more, after some patience."""
    until = time.monotonic() + PATIENCE
    while listens(origin) or data.exists():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def listens(origin: str) -> bool:
    address, port = origin.removeprefix("http://").split(":")
    with closing(socket.socket()) as attempt:
        return attempt.connect_ex((address, int(port))) == 0
