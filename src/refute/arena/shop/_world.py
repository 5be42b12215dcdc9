"""The truth about one running shop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from refute._errors import UserError
from refute.arena._site import EndState, Seen
from refute.arena.shop._damage import damage
from refute.arena.shop._facts import Catalogue, Facts, read_catalogue, read_facts, stamp
from refute.arena.shop._outcome import Outcome
from refute.arena.shop._predicates import PREDICATES, BestMatch, compares, holds
from refute.arena.shop._validators import judge
from refute.arena.shop._wants import read_args, read_want, read_wants
from refute.goals import Constraint, Finding, Reference, Task


class ShopWorld:
    """Reads the shop's SQLite file `db` and compares it with the seeded state; never writes.

    The seeded state is read once, from `gold` where given (a file that no episode touches), else from `db` at
    construction: then construct it right after a reset. `origin` is scheme, host and port, without a trailing slash.
    Raises `SiteError` when a file cannot be read.
    """

    def __init__(self, db: Path, origin: str, *, gold: Path | None = None, account: str = "emma") -> None:
        self.origin = origin.rstrip("/")
        self._db = db
        self.account = account
        """Whose basket, lists, orders and profile count as the shopper's own."""
        self.catalogue: Catalogue = read_catalogue(gold or db)
        """Every product as seeded: conditions and targets do not move with what an agent does."""
        self.baseline: Facts = read_facts(gold or db, self.catalogue, account=account)
        """What customers had done before the episode."""
        self._read: tuple[object, Facts, Facts] | None = None
        self._reached: list[tuple[str, object]] = []
        """Stages that were true once: that something *has been chosen* stays true when it is put back."""

    def facts(self) -> Facts:
        """What customers have done by now, the seeded rows included."""
        return self._both()[0]

    def done(self) -> Facts:
        """What the account did since the seeded state: new rows, and the whole basket and wish list."""
        return self._both()[1]

    def _both(self) -> tuple[Facts, Facts]:
        """Everything, and what is new of it. Read again only after a commit."""
        now = stamp(self._db)
        if self._read is None or self._read[0] != now:
            facts = read_facts(self._db, self.catalogue, account=self.account)
            own = facts.own(self.account)
            done = replace(own.since(self.baseline), basket=own.basket, wishlist=own.wishlist)
            self._read = now, facts, done
        return self._read[1], self._read[2]

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        """Whether a milestone's or condition's predicate is true by now; a stage that was reached remains so.

        Raises `UserError` for an unknown one.
        """
        typed = read_args(predicate, PREDICATES, "predicate")
        if isinstance(typed, BestMatch):
            return compares(typed, self.catalogue)
        stage = (predicate.name, typed)
        if stage not in self._reached:
            now = holds(typed, self.catalogue, self.done(), seen, self.origin, before=self.baseline)
            self._reached += [stage] if now else []
        return stage in self._reached

    def branches(self, task: Task, seen: Seen) -> Mapping[str, bool]:
        """How each condition really comes out, by id. Raises `UserError` for a condition without a predicate."""
        found: dict[str, bool] = {}
        for name, condition in task.conditions.items():
            if condition.predicate is None:
                raise UserError(f"condition {name!r} of task {task.id!r} has no predicate; the shop cannot decide it")
            found[name] = self.holds(condition.predicate, seen)
        return found

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        """The verdict on one constraint. Raises `UserError` for an unknown validator, or none."""
        if constraint.validator is None:
            raise UserError(f"constraint {constraint.id!r} has no validator; the shop cannot decide it")
        visited = (*end.seen.visited, end.seen.here)
        outcome = Outcome(catalogue=self.catalogue, done=self.done(), message=end.message, visited=visited)
        return judge(read_want(constraint.validator), outcome, read_wants(end.active))

    def damage(self, task: Task, end: EndState) -> Sequence[str]:
        """Side effects that no active constraint of the task asks for, one line each."""
        outcome = Outcome(catalogue=self.catalogue, done=self.done(), message=end.message)
        return damage(self.baseline, self.facts(), outcome, read_wants(end.active))
