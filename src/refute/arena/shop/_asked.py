"""What a task asks of the shop, resolved to products: what mutants deviate from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refute.arena.shop._deed import Deed
from refute.arena.shop._message import fact
from refute.arena.shop._resolve import Told, choose, target_of, told
from refute.arena.shop._slots import Slot, slots_of
from refute.arena.shop._target import Product, Target
from refute.arena.shop._views import path_of
from refute.arena.shop._wants import Place, ShipTo, Want
from refute.arena.shop._world import ShopWorld


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a task asks for, resolved to products."""

    wants: tuple[Want, ...]
    world: ShopWorld
    slots: Mapping[str, Slot]
    chosen: Mapping[str, Product]

    @classmethod
    def of(cls, wants: Sequence[Want], world: ShopWorld) -> Asked:
        """Resolve `wants`. Raises `UserError` when nothing satisfies them."""
        return cls(wants=tuple(wants), world=world, slots=slots_of(wants), chosen=choose(wants, world))

    @property
    def target(self) -> Target:
        """The state that is asked for."""
        return target_of(self.wants, self.chosen, self.world)

    @property
    def facts(self) -> tuple[Told, ...]:
        """What the message has to say."""
        return told(self.wants, self.chosen, self.world)

    def deed(self, **changes: Any) -> Deed:
        """What is asked, with changes to the target."""
        return _deed(replace(self.target, **changes), say(self.facts))

    def with_product(self, name: str, product: Product) -> Deed:
        """What somebody does who takes `product` for the right one in the slot `name`, and speaks of it."""
        right = self.chosen[name]
        chosen = {**self.chosen, name: product}
        facts = told(self.wants, chosen, self.world)
        unnamed = {right.id} if self.slots[name].at(Place.MESSAGE) else set[int]()
        return _deed(target_of(self.wants, chosen, self.world), say(facts, unnamed=unnamed))

    def differs(self, other: Asked) -> bool:
        """Whether what `other` asks does something wrong, leaves it undone, or is more than is asked here."""
        if self._places != other._places or any(
            isinstance(want, ShipTo) and want not in other.wants for want in self.wants
        ):
            return True
        if set(self.facts) - set(other.facts) or set(self.target.unwished) - set(other.target.unwished):
            return True
        return any(self._slot_differs(slot, other) for slot in self.slots.values() if slot.places)

    def _slot_differs(self, slot: Slot, other: Asked) -> bool:
        product, theirs = other.chosen.get(slot.name), other.slots.get(slot.name)
        if product is None or theirs is None or not slot.fits(product):
            return True
        best = self.chosen[slot.name]
        if any(r.value_of(product) > r.value_of(best) + 1e-6 for r in slot.rankings):
            return True
        wanted = {p.place: slot.quantity(p.place) for p in slot.places}
        return any(number not in (None, theirs.quantity(place) or 1) for place, number in wanted.items()) or any(
            review not in theirs.reviews for review in slot.reviews
        )

    @property
    def _places(self) -> set[tuple[str, Place]]:
        """Which things have to end up where."""
        return {(slot.name, p.place) for slot in self.slots.values() for p in slot.places}


def say(facts: Sequence[Told], *, unnamed: Collection[int] = ()) -> str:
    """The final message; products whose id is `unnamed` are spoken of without their title."""
    lines = [fact(a, replace(p, title="It") if p.id in unnamed else p) for a, p in facts]
    return " ".join(f"{line}." for line in lines) or "Everything that was asked for is done."


def hedges(true: str, other: str) -> tuple[str, ...]:
    """The fact `true` beside that of `other`, a sentence like it, and only nearly: *it costs $3 or $4*, *about $3*.

    The two are as many words; nothing comes of a sentence that is the same.
    """
    if true == other:
        return ()
    right, wrong = true.split(), other.split()
    first = next(n for n, (word, another) in enumerate(zip(right, wrong, strict=True)) if word != another)
    end = next(n for n in range(len(right)) if right[len(right) - 1 - n] != wrong[len(wrong) - 1 - n])
    said, offered = right[first : len(right) - end], wrong[first : len(wrong) - end]
    at = next((n for n, word in enumerate(said) if any(c.isdigit() for c in word)), 0)
    either = (*right[:first], *said, "or", *offered, *right[len(right) - end :])
    nearly = (*right[: first + at], "about", *right[first + at :])
    return " ".join(either), " ".join(nearly)


def trail(target: Target) -> tuple[str, ...]:
    """The address paths that somebody opens who reaches `target`, oldest first."""
    looked = (*(p.path for p in target.inspected), *(path_of(view) for view in target.looked_at))
    ordered = ("/checkout/thank-you/",) if target.order else ()
    left = (path_of(target.left_open),) if target.left_open is not None else ()
    return ("/", *dict.fromkeys(looked), *ordered, *left)


def _deed(target: Target, message: str) -> Deed:
    return Deed(target=target, message=message, visited=trail(target))
