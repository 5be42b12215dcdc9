"""Proofs that need no browser: doing nothing, and mutants, carried out on an instance and judged by its truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from refute._errors import SiteError, UserError
from refute.arena import EndState, Instance, Mutant, MutantKind, Seen, Site, World
from refute.browser import Observation
from refute.goals import Task
from refute.run.check._ends import Ends
from refute.run.check._judge import ignored_problem, noop_problem
from refute.run.check._result import Mutants, Proof


class Direct:
    """One instance of `site`, and what is proven of one task after the other on it."""

    def __init__(self, site: Site, instance: Instance) -> None:
        self._site = site
        self._instance = instance

    async def branches(self, task: Task) -> list[dict[str, bool]]:
        """How the conditions of `task` come out in each state that the site can begin with, by its seed."""
        found: list[dict[str, bool]] = []
        for seed in range(self._site.editions):
            world = await self._begin(task, seed)
            found.append(dict(world.branches(task, self._start(task))))
        return found

    async def noop(self, task: Task) -> Proof:
        """The end of an episode in which nothing is done."""
        began = perf_counter()
        world = await self._begin(task, task.seed)
        failed, _ = self._judge(task, world, self._start(task), "")
        active = task.judged(world.branches(task, self._start(task)))
        seconds = round(perf_counter() - began, 2)
        return Proof(
            name="noop", seed=task.seed, seconds=seconds, failed=tuple(failed), problem=noop_problem(active, failed)
        )

    async def mutants(self, task: Task) -> tuple[Mutants, tuple[Proof, ...]]:
        """Carry out every mutant of `task`, and what is right for somebody who ignored a revision.

        Those that cannot be carried out prove nothing and are a problem.
        """
        world = await self._begin(task, task.seed)
        try:
            mutants = self._site.mutants(task, world)
        except UserError as error:
            return Mutants(problem=str(error)), ()
        tally, ignored = _Tally(), list[Proof]()
        ends = Ends(self._instance, task.seed, mutants)
        for mutant in ends.mutants:
            began = perf_counter()
            try:
                await ends.bring_about(mutant)
                failed, damage = self._end_of(task, world, mutant)
            except SiteError as error:
                await self._instance.check()
                tally.lost(mutant, error)
                continue
            if mutant.kind is MutantKind.IGNORED:
                ignored.append(_ignored(task, world, mutant, failed, damage, perf_counter() - began, self._start(task)))
            else:
                tally.add(mutant, [*failed, *damage])
        return tally.result(), tuple(ignored)

    def _end_of(self, task: Task, world: World, mutant: Mutant) -> tuple[list[str], Sequence[str]]:
        """What is not satisfied by the end that `mutant` has brought about, and what it has damaged."""
        visited = tuple(f"{self._instance.origin}{path}" for path in mutant.visited)
        return self._judge(task, world, Seen(observation=Observation(url=visited[-1]), visited=visited), mutant.message)

    def _judge(self, task: Task, world: World, seen: Seen, message: str) -> tuple[list[str], Sequence[str]]:
        active = task.judged(world.branches(task, seen))
        end = EndState(seen=seen, message=message, active=active)
        return [c.id for c in active if not world.validate(c, end).satisfied], world.damage(task, end)

    async def _begin(self, task: Task, seed: int) -> World:
        await self._instance.reset(seed)
        return self._instance.world(task.account)

    def _start(self, task: Task) -> Seen:
        """What somebody has seen who has only opened the first page."""
        url = task.start_urls[0].replace("__SITE__", self._instance.origin)
        return Seen(observation=Observation(url=url), visited=(url,))


def _ignored(
    task: Task, world: World, mutant: Mutant, failed: list[str], damage: Sequence[str], seconds: float, start: Seen
) -> Proof:
    k, active = mutant.ignores, task.judged(world.branches(task, start))
    problem = ignored_problem(task, k, active, failed, damage)
    return Proof(
        name=f"ignore-{k}", seed=task.seed, seconds=round(seconds, 2), failed=tuple(sorted(failed)), problem=problem
    )


class _Tally:
    """Counts mutants, and whether they were noticed."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()
        self._caught = 0
        self._controls = 0
        self._missed: list[str] = []
        self._problems: list[str] = []

    def lost(self, mutant: Mutant, error: SiteError) -> None:
        """It could not be carried out."""
        self._kinds[mutant.kind] += mutant.kind not in (MutantKind.CONTROL, MutantKind.IGNORED)
        self._controls += mutant.kind is MutantKind.CONTROL
        self._problems.append(f"{mutant.kind} could not be carried out ({mutant.detail}): {error}")

    def add(self, mutant: Mutant, noticed: Sequence[str]) -> None:
        """It was carried out, and `noticed` is what the truth has against it."""
        if mutant.kind is MutantKind.CONTROL:
            self._controls += 1
            self._problems += [f"what is asked is not accepted: {'; '.join(noticed)}"] if noticed else []
            return
        self._kinds[mutant.kind] += 1
        self._caught += bool(noticed)
        self._missed += [] if noticed else [f"{mutant.kind}: {mutant.detail}"]

    def result(self) -> Mutants:
        """Everything together."""
        problems = self._problems if self._controls else ["there is no control", *self._problems]
        kinds = {str(kind): number for kind, number in sorted(self._kinds.items()) if number}
        return Mutants(
            made=sum(kinds.values()),
            caught=self._caught,
            kinds=kinds,
            missed=tuple(self._missed),
            problem="; ".join(problems),
        )
