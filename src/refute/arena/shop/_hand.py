"""A hand that works in the shop without a browser: it sends the shop's own forms, signed in as a customer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from refute._errors import SiteError
from refute.arena._site import Instance
from refute.arena._visitor import Answer, Visitor
from refute.arena.shop._deed import Besides, Deed, GoneAddress, NewName, Stray, TheirBasket, Vote
from refute.arena.shop._target import Line, Product, WantedReview
from refute.arena.shop._wants import Place
from refute.arena.shop._world import ShopWorld

_WISH = re.compile(r'href="(/accounts/wishlists/\w+/add/)\d+/"')
_NEW_LIST = "/accounts/wishlists/add/"
"""For an account without a list: the shop makes one."""
_LIST = re.compile(r'href="(/accounts/wishlists/(?!create/)\w+/)"')


class Hand:
    """Works in the shop that `world` tells of, as its account; what a first page told need not be opened again."""

    def __init__(self, world: ShopWorld) -> None:
        self._world = world
        self._tokens: dict[str, str] = {}
        self._wish_link = ""

    async def reach(self, deed: Deed, instance: Instance) -> None:
        """Do what leads to the target of `deed` on `instance`, which was just reset.

        Raises `SiteError` when the shop did not take it: what lies there then is not what was meant to be judged.
        """
        account = self._world.account
        async with self._visit(instance, account) as visitor:
            await self._begin(visitor, account)
            await self._reach(deed, visitor)
        _confirm(deed.bare, self._world)

    async def add(self, deed: Deed, instance: Instance) -> None:
        """Do what is besides in `deed`, after `reach`. Raises `SiteError` in the same way."""
        account = self._world.account
        async with self._visit(instance, account) as visitor:
            await self._begin(visitor, account)
            for extra in deed.besides:
                await self._do(visitor, instance, extra)
        _confirm(deed, self._world)

    def _visit(self, instance: Instance, account: str) -> Visitor:
        return Visitor(instance.origin, instance.storage_state(account), token=self._tokens.get(account, ""))

    async def _begin(self, visitor: Visitor, account: str) -> None:
        """Look at a page with forms, unless that was done in an earlier visit."""
        if not visitor.token:
            any_product = next(p for p in self._world.catalogue if p.stock > 0)
            page = await visitor.open(any_product.path)
            self._tokens[account] = visitor.token
            link = _WISH.search(page.body)
            if account == self._world.account and link is not None:
                self._wish_link = link[1]

    async def _reach(self, deed: Deed, visitor: Visitor) -> None:
        target = deed.target
        for _ in range(deed.orders if target.order else 0):
            await self._fill_basket(visitor, target.order or ())
            await self._check_out(visitor, target.address)
        await self._fill_basket(visitor, target.basket or ())
        kept = {line.product.id for line in self._world.baseline.wishlist.values()}
        for product in target.wishlist:
            if product.id not in kept:
                await self._wish(visitor, product)
        for product in target.unwished:
            await self._unwish(visitor, product)
        for review in target.reviews:
            await self._review(visitor, review)

    async def _fill_basket(self, visitor: Visitor, lines: Sequence[Line]) -> None:
        for line in lines:
            _taken(await visitor.post(f"/basket/add/{line.product.id}/", {"quantity": str(line.quantity)}))

    async def _check_out(self, visitor: Visitor, address: str | None) -> None:
        saved = self._world.baseline.addresses
        ids = [row for row, text in saved.items() if address is None or address.casefold() in text.casefold()]
        if not ids:
            raise SiteError(f"the shop has no saved address {address!r} for {self._world.account}")
        choice = {"action": "ship_to", "address_id": str(ids[0])}
        _taken(await visitor.post("/checkout/shipping-address/", choice))
        _taken(await visitor.follow("/checkout/shipping-method/"))  # the only one is chosen
        _taken(await visitor.post("/checkout/preview/", {"action": "place_order"}))

    async def _wish(self, visitor: Visitor, product: Product) -> None:
        _taken(await visitor.follow(f"{self._wish_link or _NEW_LIST}{product.id}/"))

    async def _unwish(self, visitor: Visitor, product: Product) -> None:
        page = await visitor.open("/accounts/wishlists/")
        link = _LIST.search(page.body)
        if link is None:
            raise SiteError("the shop shows no wish list")
        path = f"{link[1]}products/{product.id}/delete/"
        await visitor.open(path)
        _taken(await visitor.post(path, {}))

    async def _review(self, visitor: Visitor, review: WantedReview) -> None:
        fields = {"title": review.title, "score": str(review.score), "body": review.body}
        _taken(await visitor.post(f"{review.product.path}reviews/add/", fields))

    async def _do(self, visitor: Visitor, instance: Instance, extra: Besides) -> None:
        match extra:
            case Stray(product=product, place=Place.BASKET):
                await self._fill_basket(visitor, [Line(product=product)])
            case Stray(product=product, place=Place.REVIEW):
                review = WantedReview(product=product, score=4, title="Also good", body="I have had it for a while.")
                await self._review(visitor, review)
            case Stray(product=product):
                await self._wish(visitor, product)
            case GoneAddress(address=address):
                _taken(await visitor.post(f"/accounts/addresses/{address}/delete/", {}))
            case Vote(product=product, review=review):
                _taken(await visitor.post(f"{product.path}reviews/{review}/vote/", {"delta": "1"}))
            case NewName(account=account, name=name):
                async with self._visit(instance, account) as customer:
                    await _rename(customer, name)
            case TheirBasket(account=account, product=product):
                async with self._visit(instance, account) as customer:
                    await self._begin(customer, account)
                    await self._fill_basket(customer, [Line(product=product)])


async def _rename(visitor: Visitor, name: str) -> None:
    page = await visitor.open("/accounts/profile/edit/")
    form = next((f for f in page.forms() if f.id == "profile_form"), None)
    if form is None:
        raise SiteError("the shop shows no form for the account's name")
    _taken(await visitor.post(form.action, {**form.fields, "first_name": name}))


def _taken(answer: Answer) -> None:
    """The shop sends on after what it takes, and shows again what it does not take."""
    if not answer.location:
        raise SiteError(f"the shop did not take what was sent to {answer.path}")


def _confirm(deed: Deed, world: ShopWorld) -> None:
    """Raise `SiteError` unless the shop now holds what was meant: it refuses some things with a mere notice."""
    done, target = world.done(), deed.target
    ordered = (line for order in done.orders.values() for line in order.lines)
    meant = [line for line in target.order or () for _ in range(deed.orders)]
    _same("orders", _pieces(ordered), _pieces(meant))
    strays = {
        place: [Line(product=e.product) for e in deed.besides if isinstance(e, Stray) and e.place is place]
        for place in Place
    }
    _same("basket", _pieces(done.basket.values()), _pieces((*(target.basket or ()), *strays[Place.BASKET])))
    before = [line for line in world.baseline.wishlist.values() if line.product not in target.unwished]
    added = [p for p in target.wishlist if p not in [line.product for line in before]]
    wished = [*before, *(Line(product=p) for p in added), *strays[Place.WISHLIST]]
    _same("wish list", _pieces(done.wishlist.values()), _pieces(wished))
    written = [Line(product=r.product) for r in done.reviews.values()]
    reviewed = [*(Line(product=r.product) for r in target.reviews), *strays[Place.REVIEW]]
    _same("reviews", _pieces(written), _pieces(reviewed))


def _pieces(lines: Iterable[Line]) -> Counter[str]:
    count: Counter[str] = Counter()
    for line in lines:
        count[line.product.title] += line.quantity
    return count


def _same(what: str, found: Counter[str], meant: Counter[str]) -> None:
    if found != meant:
        raise SiteError(f"the shop's {what} hold {dict(found)} instead of {dict(meant)}")
