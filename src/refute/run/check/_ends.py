"""Brings about the ends of mutants, one after the other, and does what several of them begin with only once."""

from __future__ import annotations

from collections.abc import Sequence

from refute.arena import Instance, Mutant, Work


class Ends:
    """The ends of `mutants` on `instance`, each as if it had been reset to the state of `seed` just before."""

    def __init__(self, instance: Instance, seed: int, mutants: Sequence[Mutant]) -> None:
        self._instance = instance
        self._seed = seed
        self._at: tuple[Work, ...] | None = None
        """What has led to the present state; None = nobody knows."""
        self._kept: Work | None = None
        """The first work whose state was kept."""
        first = {work: n for n, work in reversed([*enumerate(m.works[0] for m in mutants)])}
        self.mutants = tuple(sorted(mutants, key=lambda m: (first[m.works[0]], len(m.works))))
        """In the order in which they are brought about most cheaply."""

    async def bring_about(self, mutant: Mutant) -> None:
        """Do all that `mutant` does. Raises `SiteError` when the site does not do it."""
        if mutant.works == self._at:
            return
        first, *rest = mutant.works
        at, self._at = self._at, None
        if self._kept is first:
            await self._instance.go_back()
        elif at != (first,):
            await self._instance.reset(self._seed)
            await first(self._instance)
        if rest and self._kept is not first:
            await self._instance.keep()
            self._kept = first
        for work in rest:
            await work(self._instance)
        self._at = mutant.works
