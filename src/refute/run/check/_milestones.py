"""Whether a milestone is one: it comes true once, stays true, and at the same stage whatever way is taken.

A *stage* is the place among the task's milestones at which it comes true, and how many procedures of the goal before
the revision remain then, by the first route's measure. Two routes agree when the places are equal and the numbers
differ by no more than `SLACK`: one way of looking for a thing may take a procedure more than another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute.goals import Task, TruthStep
from refute.run.check._result import Milestones, Stage
from refute.trace import Trace

SLACK = 1


def check_milestones(task: Task, traces: Mapping[str, Trace]) -> Milestones:
    """Compare when the milestones of `task` came true in the oracle's episodes `traces`, by the name of the proof.

    Episodes in other states than the task's own are only checked for coming true once: there another branch may ask
    for other work.
    """
    stages = {name: _stages(trace.of(TruthStep)) for name, trace in traces.items()}
    problems = [problem for name, trace in traces.items() for problem in _unsteady(name, trace.of(TruthStep))]
    if not problems:
        routes = {name: found for name, found in stages.items() if not name.startswith("edition-")}
        problems = _differing(task, routes)
    return Milestones(stages=stages, problem="; ".join(problems))


def _stages(steps: Sequence[TruthStep]) -> dict[int, Stage]:
    first: dict[int, int] = {}
    for n, step in enumerate(steps):
        for k, holds in step.milestones.items():
            if holds:
                first.setdefault(k, n)
    order = sorted(set(first.values()))
    return {k: Stage(step=n, order=order.index(n), remaining=steps[n].distance or 0) for k, n in sorted(first.items())}


def _unsteady(name: str, steps: Sequence[TruthStep]) -> list[str]:
    problems: list[str] = []
    for k in sorted({k for step in steps for k in step.milestones}):
        held = [step.milestones.get(k, False) for step in steps]
        if True in held and not all(held[held.index(True) :]):
            problems.append(f"milestone {k} was true and goes back to false ({name})")
    return problems


def _differing(task: Task, routes: Mapping[str, Mapping[int, Stage]]) -> list[str]:
    problems: list[str] = []
    (first, *others) = routes
    for k in range(1, len(task.revisions) + 1):
        here = routes[first].get(k)
        for other in others:
            there = routes[other].get(k)
            if here is None or there is None:
                continue  # the oracle's own proof says that it did not come
            if here.order != there.order:
                places = f"{here.order + 1} ({first}) or {there.order + 1} ({other})"
                problems.append(f"milestone {k} comes in place {places}")
            elif abs(here.remaining - there.remaining) > SLACK:
                left = f"{here.remaining} procedures left ({first}) or {there.remaining} ({other})"
                problems.append(f"milestone {k} comes with {left}")
    return problems
