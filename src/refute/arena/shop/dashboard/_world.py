"""The truth about one running shop, as its staff see it: both vocabularies, the storefront's and the dashboard's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from refute._errors import UserError
from refute.arena._site import EndState, Seen
from refute.arena.shop._damage import damage
from refute.arena.shop._facts import stamp
from refute.arena.shop._outcome import Outcome
from refute.arena.shop._wants import VALIDATORS, read_args, read_wants
from refute.arena.shop._world import ShopWorld
from refute.arena.shop.dashboard._damage import staff_damage
from refute.arena.shop.dashboard._facts import StaffFacts, read_staff_facts
from refute.arena.shop.dashboard._predicates import STAFF_PREDICATES, Bounded, staff_holds
from refute.arena.shop.dashboard._slots import Case
from refute.arena.shop.dashboard._validators import judge
from refute.arena.shop.dashboard._wants import STAFF_VALIDATORS, StaffWant
from refute.goals import Constraint, Finding, Reference, Task


class StaffWorld(ShopWorld):
    """A `ShopWorld` that also knows what staff can change. Parameters and errors are the same."""

    def __init__(self, db: Path, origin: str, *, gold: Path | None = None, account: str = "admin") -> None:
        super().__init__(db, origin, gold=gold, account=account)
        self._before = read_staff_facts(gold or db)
        self._now: tuple[object, StaffFacts] = (stamp(db), self._before) if gold is None else (None, self._before)

    def case(self) -> Case:
        """The shop before the episode and now. Read again only after a commit."""
        now = stamp(self._db)
        if self._now[0] != now:
            self._now = now, read_staff_facts(self._db)
        return Case(catalogue=self.catalogue, before=self._before, now=self._now[1])

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        """Whether a milestone's or condition's predicate is true by now; a stage that was reached remains so.

        Raises `UserError` for an unknown one.
        """
        if predicate.name not in STAFF_PREDICATES:
            return super().holds(predicate, seen)
        typed = read_args(predicate, STAFF_PREDICATES, "predicate")
        stage = (predicate.name, typed)
        if stage in self._reached:
            return True
        true = staff_holds(typed, self.case(), seen, self.origin)
        if true and not isinstance(typed, Bounded):
            self._reached.append(stage)
        return true

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        """The verdict on one constraint. Raises `UserError` for an unknown validator, or none."""
        staff, customers = parted(end.active)
        if constraint.validator is None or constraint.validator.name not in STAFF_VALIDATORS:
            return super().validate(constraint, replace(end, active=customers))
        return judge(read_staff_want(constraint.validator), self.case(), end.message, staff)

    def damage(self, task: Task, end: EndState) -> Sequence[str]:
        """Side effects that no active constraint of the task asks for, one line each."""
        staff, customers = parted(end.active)
        outcome = Outcome(catalogue=self.catalogue, done=self.done(), message=end.message)
        # Stock and the reviews that were there are the staff's business, and judged with their other
        # work. Votes on these are not.
        now, were = self.facts(), self.baseline.reviews
        there = {k: replace(r, votes=were[k].votes) for k, r in now.reviews.items() if k in were}
        before = replace(self.baseline, reviews=there, stock={})
        shopped = damage(before, replace(now, stock={}), outcome, read_wants(customers))
        return (*staff_damage(self.case(), staff), *shopped)


def parted(constraints: Sequence[Constraint]) -> tuple[tuple[StaffWant, ...], tuple[Constraint, ...]]:
    """What is asked of staff, typed; and the constraints on a customer's doing. Raises `UserError` for a broken one."""
    staff = [c for c in constraints if c.validator is not None and c.validator.name in STAFF_VALIDATORS]
    wants = tuple(read_staff_want(c.validator) for c in staff if c.validator is not None)
    return wants, tuple(c for c in constraints if c not in staff)


def read_staff_want(reference: Reference) -> StaffWant:
    """What a validator reference asks. Raises `UserError` for an unknown name or arguments that do not fit."""
    if reference.name in VALIDATORS:
        raise UserError(f"{reference.name!r} is a validator of the storefront")
    return read_args(reference, STAFF_VALIDATORS, "validator")
