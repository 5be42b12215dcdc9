"""All rows together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from refute.tables._behaviour_rows import CheckRow, FailureRow, PlanRow, RepairRow, RoleRow
from refute.tables._keys import EpisodeKey
from refute.tables._rows import ConstraintRow, DeliveryRow, EpisodeRow, FaultRow, MistakeRow, RunRow, TriggerRow

K = TypeVar("K")


@dataclass(frozen=True, kw_only=True)
class Tables:
    """All rows below one folder, or several."""

    out: Path
    runs: tuple[RunRow, ...] = ()
    episodes: tuple[EpisodeRow, ...] = ()
    constraints: tuple[ConstraintRow, ...] = ()
    deliveries: tuple[DeliveryRow, ...] = ()
    triggers: tuple[TriggerRow, ...] = ()
    mistakes: tuple[MistakeRow, ...] = ()
    faults: tuple[FaultRow, ...] = ()
    plans: tuple[PlanRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    repairs: tuple[RepairRow, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    failures: tuple[FailureRow, ...] = ()

    @classmethod
    def joined(cls, out: Path, parts: Sequence[Tables]) -> Tables:
        """The rows of all `parts`; no run may be in two of them."""
        rows: dict[str, Any] = {
            name: tuple(row for part in parts for row in getattr(part, name)) for name in ("runs", *_KEYED)
        }
        return cls(out=out, **rows)

    @property
    def simulated(self) -> bool:
        """Whether any figure rests on a simulated model."""
        return any(r.simulated for r in self.runs) or any(e.simulated for e in self.episodes)

    def run(self, name: str) -> Tables:
        """The rows of one run."""
        own = self._by_run.get(name) or self.only(set())
        return replace(own, runs=tuple(r for r in self.runs if r.run == name))

    def episode(self, key: EpisodeKey) -> Tables:
        """The rows of one episode; the runs stay."""
        return self._by_episode.get(key) or self.only(set())

    def only(self, keys: Set[EpisodeKey]) -> Tables:
        """The rows of some episodes; the runs stay."""
        return self._each(lambda rows: tuple(row for row in rows if row.key in keys))

    def moved(self, prefix: str) -> Tables:
        """The same rows with `prefix` before each run's name, so that the runs of several folders can be told apart."""
        moved = self._each(
            lambda rows: tuple(replace(row, key=row.key._replace(run=f"{prefix}{row.key.run}")) for row in rows)
        )
        return replace(moved, runs=tuple(replace(r, run=f"{prefix}{r.run}") for r in self.runs))

    def keyed(self, key: EpisodeKey) -> Tables:
        """The same rows, all of them under `key`."""
        return self._each(lambda rows: tuple(replace(row, key=key) for row in rows))

    @cached_property
    def _by_run(self) -> Mapping[str, Tables]:
        return self._split(lambda key: key.run)

    @cached_property
    def _by_episode(self) -> Mapping[EpisodeKey, Tables]:
        return self._split(lambda key: key)

    def _split(self, place: Callable[[EpisodeKey], K]) -> Mapping[K, Tables]:
        """Every row once, by the place of its key: looking through all rows for each place would be quadratic."""
        found: defaultdict[K, dict[str, list[Any]]] = defaultdict(dict)
        for name in _KEYED:
            for row in getattr(self, name):
                found[place(row.key)].setdefault(name, []).append(row)
        parts: dict[K, Tables] = {}
        for where, tables in found.items():
            rows: dict[str, Any] = {name: tuple(own) for name, own in tables.items()}
            parts[where] = Tables(out=self.out, runs=self.runs, **rows)
        return parts

    def _each(self, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Tables:
        """Change the rows of every table that is joined by episode."""
        rows: dict[str, Any] = {name: change(getattr(self, name)) for name in _KEYED}
        return replace(self, **rows)


_KEYED = tuple(f.name for f in fields(Tables) if f.name not in ("out", "runs"))
"""The tables whose rows have a `key`."""
