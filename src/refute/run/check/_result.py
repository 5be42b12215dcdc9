"""What the proofs of a suite showed: for each task, and in total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, computed_field


class _Shown(BaseModel):
    model_config = ConfigDict(frozen=True)


class Proof(_Shown):
    """One end that was brought about and judged."""

    name: str
    """oracle, other-way, edition-N, noop, or ignore-K."""
    seed: int = 0
    """Which of the site's seeded states it began with."""
    steps: int = 0
    seconds: float = 0.0
    failed: tuple[str, ...] = ()
    """Ids of constraints that count and are not satisfied."""
    problem: str = ""
    """Why the proof fails; empty when it holds."""


class Outcomes(_Shown):
    """How one condition came out, and where an oracle satisfied everything with it."""

    proven: Mapping[str, int]
    """Seed of the state in which it was proven, by ``true`` and ``false``."""
    asked: tuple[str, ...] = ("true", "false")
    """The outcomes that some state of the site has."""
    problem: str = ""


class Mutants(_Shown):
    """Wrong ends, and whether they were noticed."""

    made: int = 0
    caught: int = 0
    kinds: Mapping[str, int] = {}
    """How many were made, by kind."""
    missed: tuple[str, ...] = ()
    """What was done without being noticed: kind and detail."""
    problem: str = ""
    """Why they prove nothing: what is right is not accepted, or could not be carried out."""


class Stage(_Shown):
    """When a milestone came true."""

    step: int
    order: int
    """Its place among the task's milestones; 0 = it was the first. Milestones of the same step share one."""
    remaining: int
    """How many procedures were left of the goal before the revision, by the first route's measure."""


class Milestones(_Shown):
    """When each milestone came true, by the name of the proof and the number of the revision."""

    stages: Mapping[str, Mapping[int, Stage]]
    problem: str = ""


class TaskCheck(_Shown):
    """Every proof of one task."""

    task: str
    oracle: tuple[Proof, ...]
    """On each route, in the state of the task's own seed."""
    editions: tuple[Proof, ...]
    """In other states, where conditions come out the other way."""
    branches: Mapping[str, Outcomes]
    """By the condition's id."""
    noop: Proof
    ignored: tuple[Proof, ...]
    mutants: Mutants
    milestones: Milestones

    @computed_field
    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that is wrong with the task, in words; empty when it is sound."""
        proofs = (*self.oracle, *self.editions, self.noop, *self.ignored)
        lines = [f"[{proof.name}] {proof.problem}" for proof in proofs if proof.problem]
        lines += [f"[branch] {outcomes.problem}" for outcomes in self.branches.values() if outcomes.problem]
        lines += [f"[mutants] not noticed: {missed}" for missed in self.mutants.missed]
        lines += [f"[mutants] {self.mutants.problem}"] if self.mutants.problem else []
        lines += [f"[milestones] {self.milestones.problem}"] if self.milestones.problem else []
        return tuple(lines)


PROOFS = ("oracle", "branches", "noop", "ignored", "mutants", "milestones")
"""What is proven of a task, by the names of the totals."""


class CheckResult(_Shown):
    """What ``refute arena check --json`` prints."""

    suite: str
    tasks: tuple[TaskCheck, ...]
    seconds: Mapping[str, float]
    """How long each kind of proof took, summed over the workers, and how long all took on the clock (``clock``)."""

    @computed_field
    @property
    def totals(self) -> Mapping[str, tuple[int, int]]:
        """How many proofs of each kind hold, of how many; ``tasks``: how many are sound."""
        sound = sum(not task.problems for task in self.tasks)
        return {"tasks": (sound, len(self.tasks)), **{name: self.counted(self.tasks, name) for name in PROOFS}}

    @computed_field
    @property
    def failures(self) -> Mapping[str, tuple[str, ...]]:
        """What is wrong, by task; empty when all are sound."""
        return {task.task: task.problems for task in self.tasks if task.problems}

    @staticmethod
    def counted(tasks: Sequence[TaskCheck], proof: str) -> tuple[int, int]:
        """How many proofs of the kind `proof`, one of `PROOFS`, hold in `tasks`, and of how many."""
        if proof == "mutants":
            return sum(t.mutants.caught for t in tasks), sum(t.mutants.made for t in tasks)
        held = [one for task in tasks for one in _held(task, proof)]
        return sum(held), len(held)


def _held(task: TaskCheck, proof: str) -> list[bool]:
    match proof:
        case "oracle":
            return [not p.problem for p in (*task.oracle, *task.editions)]
        case "branches":
            return [outcome in found.proven for found in task.branches.values() for outcome in found.asked]
        case "noop":
            return [not task.noop.problem]
        case "ignored":
            return [not p.problem for p in task.ignored]
        case _:
            return [not task.milestones.problem]
