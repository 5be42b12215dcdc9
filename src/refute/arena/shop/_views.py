"""Pages of the shop that somebody looked at, or left open: which address is which."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from refute.arena.shop._criteria import plain
from refute.arena.shop._target import PageKind, View

_THANKS = "/checkout/thank-you/"


def is_at(view: View, url: str) -> bool:
    """Whether the page has the address `url`. A search may hold more words, in any order."""
    parts = urlsplit(url)
    path, home = parts.path, view.product.path if view.product is not None else None
    match view.page:
        case PageKind.PRODUCT:
            return path == home
        case PageKind.REVIEWS:
            return home is not None and path.startswith(f"{home}reviews/") and not path.endswith("/add/")
        case PageKind.BASKET:
            return path == "/basket/"
        case PageKind.WISH_LIST:
            return path.startswith("/accounts/wishlists/") and path.count("/") == 4 and not path.endswith("/create/")
        case PageKind.SEARCH:
            asked = plain(" ".join(parse_qs(parts.query).get("q", []))).split()
            return path.startswith("/search") and set(plain(view.words).split()) <= set(asked)
        case PageKind.CATEGORY:
            slug = "-".join(plain(view.words).split())
            return path.startswith("/catalogue/category/") and path.split("/")[-2].startswith(f"{slug}_")


def was_open(view: View, visited: Sequence[str]) -> bool:
    """Whether the page was open at one of the addresses `visited`, before the order if that is asked.

    Its reviews show all that counts of a product's page.
    """
    before = visited
    if view.before_order:
        placed = next((n for n, url in enumerate(visited) if urlsplit(url).path.startswith(_THANKS)), len(visited))
        before = visited[:placed]
    reviews = View(page=PageKind.REVIEWS, product=view.product)
    return any(is_at(view, u) or (view.page is PageKind.PRODUCT and is_at(reviews, u)) for u in before)


def path_of(view: View) -> str:
    """An address path of the page. A wish list has a name of its own that is not known here: its overview's instead."""
    match view.page:
        case PageKind.PRODUCT:
            return view.product.path if view.product is not None else "/"
        case PageKind.REVIEWS:
            return f"{view.product.path}reviews/" if view.product is not None else "/"
        case PageKind.BASKET:
            return "/basket/"
        case PageKind.WISH_LIST:
            return "/accounts/wishlists/mine/"
        case PageKind.SEARCH:
            return f"/search/?q={'+'.join(plain(view.words).split())}"
        case PageKind.CATEGORY:
            return f"/catalogue/category/{'-'.join(plain(view.words).split())}_0/"
