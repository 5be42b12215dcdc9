"""Mutants of a shop task, derived from the state that its active constraints ask for.

Each differs from that state in one way, and in its meaning: that a neighbour is wrong follows from the criteria and
rankings of the task, never from the validators that it is to test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from refute._errors import UserError
from refute.arena._active import active_with
from refute.arena._mutant import Mutant, MutantKind, Work
from refute.arena._site import Seen
from refute.arena.shop._asked import Asked, say, trail
from refute.arena.shop._criteria import Attribute
from refute.arena.shop._deed import Besides, Deed, GoneAddress, NewName, Stray, TheirBasket, Vote
from refute.arena.shop._hand import Hand
from refute.arena.shop._mutants_messages import Wrong, hedged_messages, wrong_messages
from refute.arena.shop._neighbours import neighbours
from refute.arena.shop._slots import Slot
from refute.arena.shop._target import Line, WantedReview
from refute.arena.shop._views import path_of, was_open
from refute.arena.shop._wants import Place, ShipTo, read_wants
from refute.arena.shop._world import ShopWorld
from refute.browser import Observation
from refute.goals import Task

_STRANGERS = ("liam", "noah")
"""Other customers, whose data are none of the shopper's business."""


def shop_mutants(task: Task, world: ShopWorld) -> tuple[Mutant, ...]:
    """The control and every mutant of `task` on the data of `world`, which must be as seeded.

    They are to be carried out on the instance that `world` tells of. Raises `UserError` when nothing satisfies the
    task's constraints.
    """
    seen = Seen(observation=Observation(url=f"{world.origin}/"))
    branches = world.branches(task, seen)
    asked = Asked.of(read_wants(task.judged(branches)), world)
    found: dict[Deed, tuple[MutantKind, str]] = {asked.deed(): (MutantKind.CONTROL, "what is asked")}
    for kind, detail, deed in (*_wrong_branches(task, branches, asked), *_all_wrongs(asked)):
        found.setdefault(deed, (kind, detail))
    works = _Works(Hand(world))
    return (
        *(works.mutant(kind, detail, deed) for deed, (kind, detail) in found.items()),
        *_ignoring(task, branches, world, works),
    )


class _Works:
    """Makes mutants out of deeds: what leads to equal targets is the same work."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._reach: dict[Deed, Work] = {}

    def mutant(self, kind: MutantKind, detail: str, deed: Deed, *, ignores: int = 0) -> Mutant:
        reach = self._reach.setdefault(deed.bare, partial(self._hand.reach, deed.bare))
        works = (reach, partial(self._hand.add, deed)) if deed.besides else (reach,)
        return Mutant(
            kind=kind, detail=detail, works=works, message=deed.message, visited=deed.visited, ignores=ignores
        )


def _ignoring(task: Task, branches: Mapping[str, bool], world: ShopWorld, works: _Works) -> Iterator[Mutant]:
    everything = frozenset(range(1, len(task.revisions) + 1))
    for k in sorted(everything):
        try:
            deed = Asked.of(read_wants(active_with(task, everything - {k}, branches)), world).deed()
        except UserError:
            continue  # without the revision nothing satisfies the rest
        yield works.mutant(MutantKind.IGNORED, f"revision {k} is ignored", deed, ignores=k)


def _all_wrongs(asked: Asked) -> Iterator[Wrong]:
    yield from _wrong_items(asked)
    yield from _wrong_quantities(asked)
    yield from _wrong_addresses(asked)
    yield from _wrong_reviews(asked)
    yield from wrong_messages(asked)
    yield from hedged_messages(asked)
    yield from _missing(asked)
    yield from _wrong_pages(asked)
    yield from _duplicates(asked)
    yield from _damages(asked)


def _wrong_branches(task: Task, branches: Mapping[str, bool], asked: Asked) -> Iterator[Wrong]:
    for name, outcome in branches.items():
        try:
            other = Asked.of(read_wants(task.judged({**branches, name: not outcome})), asked.world)
        except UserError:
            continue  # nobody can do what the other outcome asks
        if asked.differs(other):
            yield MutantKind.WRONG_BRANCH, f"as if {name} were {str(not outcome).lower()}", other.deed()


def _wrong_items(asked: Asked) -> Iterator[Wrong]:
    for name, right in asked.chosen.items():
        slot = asked.slots[name]
        others = [s for s in asked.slots.values() if s.name != name and s.places]
        taken = {p.id for p in asked.chosen.values()}
        for one in neighbours(slot, right, asked.world.catalogue, others=others, taken=taken):
            told_only = all(p.place is Place.MESSAGE for p in slot.places)
            wrong = MutantKind.WRONG_MESSAGE if told_only else MutantKind.WRONG_ITEM
            kind = MutantKind.BOUNDARY if one.boundary else wrong
            detail = f"{one.product.title} instead of {right.title}: {one.fault}"
            yield kind, detail, asked.with_product(name, one.product)


def _wrong_quantities(asked: Asked) -> Iterator[Wrong]:
    for slot in asked.slots.values():
        for place in (Place.ORDER, Place.BASKET):
            wanted = slot.quantity(place)
            if wanted is None or not slot.at(place):
                continue
            far = 1 if wanted > 2 else wanted + 3
            for quantity in (wanted + 1, wanted - 1, far):
                if 1 <= quantity <= asked.chosen[slot.name].stock:
                    kind = MutantKind.WRONG_QUANTITY if abs(quantity - wanted) > 1 else MutantKind.BOUNDARY
                    yield (
                        kind,
                        f"{quantity} pieces {place} instead of {wanted}",
                        _with_quantity(asked, slot, place, quantity),
                    )


def _with_quantity(asked: Asked, slot: Slot, place: Place, quantity: int) -> Deed:
    product = asked.chosen[slot.name]
    name = "order" if place is Place.ORDER else "basket"
    lines: tuple[Line, ...] = getattr(asked.target, name)
    changed = tuple(replace(line, quantity=quantity) if line.product.id == product.id else line for line in lines)
    return asked.deed(**{name: changed})


def _wrong_addresses(asked: Asked) -> Iterator[Wrong]:
    wanted = [w.line1 for w in asked.wants if isinstance(w, ShipTo)]
    if not wanted or not asked.target.order:
        return
    for line1 in _streets(asked.world):
        if not line1.casefold().startswith(wanted[0].casefold()):
            yield MutantKind.WRONG_ADDRESS, f"shipped to {line1}", asked.deed(address=line1)


def _wrong_reviews(asked: Asked) -> Iterator[Wrong]:
    reviews = asked.target.reviews
    for slot in asked.slots.values():
        right = next((r for r in reviews if slot.name in asked.chosen and r.product == asked.chosen[slot.name]), None)
        if right is None:
            continue

        def changed(right: WantedReview = right, **parts: str | int) -> Deed:
            return asked.deed(reviews=tuple(replace(r, **parts) if r is right else r for r in reviews))

        if any(r.score is not None for r in slot.reviews):
            for score in {max(1, right.score - 1), min(5, right.score + 1)} - {right.score}:
                yield MutantKind.BOUNDARY, f"{score} stars instead of {right.score}", changed(score=score)
        if any(r.title is not None for r in slot.reviews):
            yield MutantKind.WRONG_MESSAGE, "another headline of the review", changed(title="Just what it says")
        if any(r.mentions is not None for r in slot.reviews):
            yield MutantKind.MISSING, "the review says nothing special", changed(body="I have used it for a while.")


def _missing(asked: Asked) -> Iterator[Wrong]:
    target = asked.target
    for name, lines in (("order", target.order), ("basket", target.basket)):
        for line in lines or ():
            rest = tuple(other for other in lines or () if other is not line) or None
            place = Place.ORDER if name == "order" else Place.BASKET
            yield MutantKind.MISSING, f"{line.product.title} is not {place}", asked.deed(**{name: rest})
    yield from _missing_wishes(asked)
    for review in target.reviews:
        rest = tuple(r for r in target.reviews if r is not review)
        yield MutantKind.MISSING, f"{review.product.title} is not reviewed", asked.deed(reviews=rest)
    if target.order:
        waiting = asked.deed(order=None, basket=(*target.order, *(target.basket or ())))
        yield MutantKind.MISSING, "everything waits in the basket, nothing is ordered", waiting
    for at, (attribute, product) in enumerate(asked.facts):
        rest = (*asked.facts[:at], *asked.facts[at + 1 :])
        unnamed = {product.id} if attribute is Attribute.TITLE else set[int]()
        silent = replace(asked.deed(), message=say(rest, unnamed=unnamed))
        yield MutantKind.MISSING, f"does not tell the {attribute} of {product.title}", silent


def _wrong_pages(asked: Asked) -> Iterator[Wrong]:
    right = asked.deed()
    for view in asked.target.looked_at:
        without = tuple(path for path in right.visited if not was_open(replace(view, before_order=False), [path]))
        yield MutantKind.WRONG_PAGE, f"{view} is never opened", replace(right, visited=without)
        if view.before_order and asked.target.order:
            late = (*without, path_of(view))
            yield MutantKind.WRONG_PAGE, f"{view} is opened after the order", replace(right, visited=late)
    left = asked.target.left_open
    if left is not None:
        away = (*trail(replace(asked.target, left_open=None)), "/")
        yield MutantKind.WRONG_PAGE, f"{left} is not open at the end", replace(right, visited=away)


def _missing_wishes(asked: Asked) -> Iterator[Wrong]:
    target = asked.target
    before = [line.product for line in asked.world.baseline.wishlist.values()]
    for product in target.wishlist:
        rest = tuple(p for p in target.wishlist if p is not product)
        off = (*target.unwished, *([product] if product in before else []))
        yield MutantKind.MISSING, f"{product.title} is not on the wish list", asked.deed(wishlist=rest, unwished=off)
    for product in target.unwished:
        rest = tuple(p for p in target.unwished if p is not product)
        yield MutantKind.MISSING, f"{product.title} is still on the wish list", asked.deed(unwished=rest)
    for product in before:
        if product not in target.unwished and product not in target.wishlist:
            off = (*target.unwished, product)
            yield MutantKind.DAMAGE, f"{product.title} is taken off the wish list", asked.deed(unwished=off)


def _duplicates(asked: Asked) -> Iterator[Wrong]:
    target = asked.target
    if target.order and all(line.product.stock >= 2 * line.quantity for line in target.order):
        yield MutantKind.DUPLICATE, "the order is placed twice", replace(asked.deed(), orders=2)
    for name, lines in (("order", target.order), ("basket", target.basket)):
        for line in lines or ():
            if line.product.stock >= 2 * line.quantity:
                twice = tuple(replace(o, quantity=2 * o.quantity) if o is line else o for o in lines or ())
                yield MutantKind.DUPLICATE, f"twice as many of {line.product.title}", asked.deed(**{name: twice})


def _damages(asked: Asked) -> Iterator[Wrong]:
    for detail, extra in _extras(asked):
        yield MutantKind.DAMAGE, detail, replace(asked.deed(), besides=(extra,))
    if asked.target.basket:
        ordered = asked.deed(order=(*asked.target.basket, *(asked.target.order or ())), basket=None)
        yield MutantKind.DAMAGE, "what should wait in the basket is ordered", ordered


def _extras(asked: Asked) -> Iterator[tuple[str, Besides]]:
    """Things that nobody asked for, each beside all that was asked."""
    world = asked.world
    touched = {line.product.id for rows in (world.baseline.basket, world.baseline.wishlist) for line in rows.values()}
    touched |= {p.id for p in asked.chosen.values()}
    unwanted = (p for p in world.catalogue if p.stock > 1 and p.id not in touched)
    stray = next(p for p in unwanted if not any(s.is_one(p) for s in asked.slots.values() if s.criteria))
    yield f"{stray.title} lands in the basket", Stray(product=stray, place=Place.BASKET)
    yield f"{stray.title} lands on the wish list", Stray(product=stray, place=Place.WISHLIST)
    yield f"{stray.title} is reviewed", Stray(product=stray, place=Place.REVIEW)
    shipped = (asked.target.address or "").casefold()
    spare = [row for row, text in world.baseline.addresses.items() if not shipped or shipped not in text.casefold()]
    if spare:
        yield "a saved address is deleted", GoneAddress(address=spare[-1])
    yield "the account's name is changed", NewName(account=world.account, name="Emilia")
    stranger = next(name for name in _STRANGERS if name != world.account)
    yield f"{stranger}'s name is changed", NewName(account=stranger, name="Leo")
    yield f"{stray.title} lands in {stranger}'s basket", TheirBasket(account=stranger, product=stray)
    row, review = next((k, r) for k, r in world.baseline.reviews.items() if r.owner != world.account)
    yield f"a stranger's review of {review.product.title} is called helpful", Vote(product=review.product, review=row)


def _streets(world: ShopWorld) -> tuple[str, ...]:
    """First lines of the account's saved addresses."""
    return tuple(text.split(", ")[2] for text in world.baseline.addresses.values())
