"""From active constraints to the concrete state of the shop that satisfies them."""

from __future__ import annotations

from collections.abc import Sequence

from refute._errors import UserError
from refute.arena.shop._message import fact
from refute.arena.shop._slots import Slot, best_match, slots_of
from refute.arena.shop._target import Line, Product, Target, WantedReview
from refute.arena.shop._wants import Attribute, MessageStates, Place, ShipTo, read_wants
from refute.arena.shop._world import ShopWorld
from refute.goals import Constraint


def resolve(active: Sequence[Constraint], world: ShopWorld) -> Target:
    """The state that satisfies every constraint in `active`.

    Products are chosen on the seeded catalogue: the best by the slot's rankings, then the cheapest, then the lowest id;
    two slots never share one. Raises `UserError` when nothing satisfies a slot: such a task is broken.
    """
    wants = read_wants(active)
    slots = slots_of(wants)
    chosen = _choose(slots, world)
    told = [_told(want, chosen, world) for want in wants if isinstance(want, MessageStates)]
    named = [chosen[s.name] for s in slots.values() if s.at(Place.MESSAGE)]
    pairs = [*((Attribute.TITLE, p) for p in named), *told]
    return Target(
        order=_lines(slots, chosen, Place.ORDER),
        address=next((w.line1 for w in wants if isinstance(w, ShipTo)), None),
        basket=_lines(slots, chosen, Place.BASKET),
        wishlist=tuple(chosen[s.name] for s in slots.values() if s.at(Place.WISHLIST)),
        reviews=tuple(_review(s, chosen[s.name]) for s in slots.values() if s.reviews),
        facts=tuple(dict.fromkeys(fact(attribute, product) for attribute, product in pairs)),
        inspected=tuple({p.id: p for _, p in pairs}.values()),
    )


def _choose(slots: dict[str, Slot], world: ShopWorld) -> dict[str, Product]:
    chosen: dict[str, Product] = {}
    for slot in slots.values():
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


def _lines(slots: dict[str, Slot], chosen: dict[str, Product], place: Place) -> tuple[Line, ...] | None:
    lines = [
        Line(product=chosen[slot.name], quantity=slot.quantity(place) or 1) for slot in slots.values() if slot.at(place)
    ]
    return tuple(lines) or None


def _review(slot: Slot, product: Product) -> WantedReview:
    asked = slot.reviews
    return WantedReview(
        product=product,
        score=next((r.score for r in asked if r.score is not None), 4),
        title=next((r.title for r in asked if r.title is not None), "My review"),
        body=". ".join(("I have used it for a while", *(r.mentions for r in asked if r.mentions is not None))) + ".",
    )


def _told(want: MessageStates, chosen: dict[str, Product], world: ShopWorld) -> tuple[Attribute, Product]:
    product = chosen.get(want.slot or "item") if want.of is None else best_match(world.catalogue, want.of, want.of.by)
    if product is None:
        about = want.of if want.of is not None else want.slot or "item"
        raise UserError(f"the shop has nothing for the fact to be reported ({about}); change the task's constraints")
    return want.attr, product
