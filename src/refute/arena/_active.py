"""Which constraints are in force when only some revisions were taken in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from refute.goals import Constraint, Task


def active_with(task: Task, taken: Collection[int], branches: Mapping[str, bool]) -> tuple[Constraint, ...]:
    """The constraints in force for somebody who took in the revisions `taken` (1…) and no others.

    Like `Task.active`, but with gaps: a revision that was overheard neither adds nor replaces anything.
    """
    gone = {target for k in taken for target in task.revisions[k - 1].targets}
    return tuple(
        c
        for c in task.constraints
        if (c.bound_to == 0 or c.bound_to in taken)
        and c.id not in gone
        and (c.branch is None or branches.get(c.branch.condition) is c.branch.when)
    )


def revisions_in(task: Task, texts: Sequence[str]) -> frozenset[int]:
    """The revisions (1…) whose text stands, word for word, in one of `texts`; a merged text carries its sources.

    All of them where the final goal was told at once.
    """
    if told_at_once(task, texts):
        return frozenset(range(1, len(task.revisions) + 1))
    return frozenset(k for k, revision in enumerate(task.revisions, start=1) if any(revision.text in t for t in texts))


def told_at_once(task: Task, texts: Sequence[str]) -> bool:
    """Whether the final goal stands in `texts` as one instruction."""
    return task.static_instruction in texts
