"""From active constraints to the concrete state of the shop that satisfies them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute._errors import UserError
from refute.arena.shop._criteria import Attribute
from refute.arena.shop._message import fact
from refute.arena.shop._slots import Slot, best_match, slots_of
from refute.arena.shop._target import Line, PageKind, Product, Target, View, WantedReview
from refute.arena.shop._wants import LeftOpen, LookedAt, MessageStates, OffWishList, Place, ShipTo, Want, read_wants
from refute.arena.shop._world import ShopWorld
from refute.goals import Constraint

Told = tuple[Attribute, Product]
"""A fact that the final message has to state about a product."""


def resolve(active: Sequence[Constraint], world: ShopWorld) -> Target:
    """The state that satisfies every constraint in `active`.

    Products are chosen on the seeded catalogue: the best by the slot's rankings, then the cheapest, then the lowest id;
    two slots never share one. Raises `UserError` when nothing satisfies a slot: such a task is broken.
    """
    wants = read_wants(active)
    return target_of(wants, choose(wants, world), world)


def choose(wants: Sequence[Want], world: ShopWorld) -> dict[str, Product]:
    """The right product of each slot that has to end up somewhere. Raises `UserError` when there is none."""
    chosen: dict[str, Product] = {}
    for slot in slots_of(wants).values():
        if not slot.places:
            continue
        taken = {p.id for p in chosen.values()}
        product = next((p for p in slot.candidates(world.catalogue) if p.id not in taken), None)
        if product is None:
            wanted = "; ".join(str(c) for c in slot.criteria) or "anything"
            raise UserError(
                f"the shop has nothing in stock for {slot.name!r} ({wanted}); change the task's constraints"
            )
        chosen[slot.name] = product
    return chosen


def told(wants: Sequence[Want], chosen: Mapping[str, Product], world: ShopWorld) -> tuple[Told, ...]:
    """What the final message has to say, once each. Raises `UserError` when a fact is about nothing."""
    named = [(Attribute.TITLE, chosen[s.name]) for s in slots_of(wants).values() if s.at(Place.MESSAGE)]
    stated = [_told(want, chosen, world) for want in wants if isinstance(want, MessageStates)]
    return tuple(dict.fromkeys((*named, *stated)))


def target_of(wants: Sequence[Want], chosen: Mapping[str, Product], world: ShopWorld) -> Target:
    """The state that `wants` ask for if the slots are filled with the products `chosen`, right or wrong."""
    slots = slots_of(wants)
    facts = told(wants, chosen, world)
    return Target(
        order=_lines(slots, chosen, Place.ORDER),
        address=next((w.line1 for w in wants if isinstance(w, ShipTo)), None),
        basket=_lines(slots, chosen, Place.BASKET),
        wishlist=tuple(chosen[s.name] for s in slots.values() if s.at(Place.WISHLIST)),
        unwished=_unwished(wants, world),
        reviews=tuple(_review(s, chosen[s.name]) for s in slots.values() if s.reviews),
        facts=tuple(fact(attribute, product) for attribute, product in facts),
        inspected=tuple({p.id: p for _, p in facts}.values()),
        looked_at=tuple(_view(w, chosen, world) for w in wants if isinstance(w, LookedAt)),
        left_open=next((_view(w, chosen, world) for w in wants if isinstance(w, LeftOpen)), None),
    )


def _lines(slots: Mapping[str, Slot], chosen: Mapping[str, Product], place: Place) -> tuple[Line, ...] | None:
    lines = [
        Line(product=chosen[slot.name], quantity=slot.quantity(place) or 1) for slot in slots.values() if slot.at(place)
    ]
    return tuple(lines) or None


def _unwished(wants: Sequence[Want], world: ShopWorld) -> tuple[Product, ...]:
    off = [want for want in wants if isinstance(want, OffWishList)]
    return tuple(line.product for line in world.baseline.wishlist.values() if any(w.fits(line.product) for w in off))


def _review(slot: Slot, product: Product) -> WantedReview:
    asked = slot.reviews
    return WantedReview(
        product=product,
        score=next((r.score for r in asked if r.score is not None), 4),
        title=next((r.title for r in asked if r.title is not None), "My review"),
        body=". ".join(("I have used it for a while", *(r.mentions for r in asked if r.mentions is not None))) + ".",
    )


def _told(want: MessageStates, chosen: Mapping[str, Product], world: ShopWorld) -> Told:
    product = chosen.get(want.slot or "item") if want.of is None else best_match(world.catalogue, want.of, want.of.by)
    if product is None:
        about = want.of if want.of is not None else want.slot or "item"
        raise UserError(f"the shop has nothing for the fact to be reported ({about}); change the task's constraints")
    return want.attr, product


def _view(want: LookedAt | LeftOpen, chosen: Mapping[str, Product], world: ShopWorld) -> View:
    if want.page not in (PageKind.PRODUCT, PageKind.REVIEWS):
        return View(page=want.page, words=want.words if isinstance(want, LeftOpen) else "")
    product = chosen.get(want.slot) if want.of is None else next((p for p in world.catalogue if want.of.fits(p)), None)
    if product is None:
        about = want.of if want.of is not None else want.slot
        raise UserError(f"the shop has no product whose {want.page} could be opened ({about}); change the constraints")
    return View(page=want.page, product=product, before_order=isinstance(want, LookedAt) and want.before == "order")
