"""A visitor of the shop without a browser, and what pages and tables say."""

from __future__ import annotations

import asyncio
import http.cookiejar
import re
import sqlite3
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

from refute.arena.shop import ShopInstance

PATIENCE = 60.0


class Visitor:
    """A browser without a screen: keeps cookies, sends forms with their token."""

    def __init__(self, instance: ShopInstance, account: str = "") -> None:
        self.origin = instance.origin
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        for cookie in instance.storage_state(account)["cookies"]:
            self.jar.set_cookie(as_cookie(cookie))
        self.url = ""

    async def get(self, path: str) -> str:
        """The HTML that `path` leads to."""
        return await asyncio.to_thread(self._open, path, None)

    async def post(self, path: str, **fields: str) -> str:
        """Send a form to `path`; the page at `path` must have been seen before."""
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token or "", **fields}).encode()
        return await asyncio.to_thread(self._open, path, data)

    def _open(self, path: str, data: bytes | None) -> str:
        with self.opener.open(self.origin + path, data, timeout=PATIENCE) as answer:
            self.url = answer.url.removeprefix(self.origin)
            return answer.read().decode()


def as_cookie(cookie: dict[str, Any]) -> http.cookiejar.Cookie:
    return http.cookiejar.Cookie(
        version=0,
        name=cookie["name"],
        value=cookie["value"],
        port=None,
        port_specified=False,
        domain=cookie["domain"],
        domain_specified=True,
        domain_initial_dot=False,
        path=cookie["path"],
        path_specified=True,
        secure=cookie["secure"],
        expires=None,
        discard=True,
        comment=None,
        comment_url=None,
        rest={},
    )


def text_of(page: str) -> str:
    """What a reader sees of a page, on one line."""
    visible = re.sub(r"<(script|style|head)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", visible)).replace("&#x27;", "'")


def products_in(page: str) -> list[str]:
    """The titles in a list of products, in its order."""
    return re.findall(r'<h3[^>]*><a href="[^"]+">([^<]+)</a>', page)


def rows(database: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


PRODUCTS = """
    select p.id, p.title, p.rating, s.price, s.num_in_stock, '/catalogue/' || p.slug || '_' || p.id || '/',
           (select count(*) from reviews_productreview r where r.product_id = p.id and r.status = 1)
    from catalogue_product p join partner_stockrecord s on s.product_id = p.id order by p.id
"""
