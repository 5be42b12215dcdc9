"""Failures that recur, found in a trace without a judge (dynarev §7.4).

Each is a sign and no proof: what an agent meant is not in a trace. The rows say at which step to look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from refute.agents import Planned
from refute.browser import Acted, Observed
from refute.goals import Branch, Task, TaskRevision, TruthStep, TruthVerdict
from refute.revisions import Delivered
from refute.tables._behaviour_rows import FailureMode, FailureRow
from refute.tables._keys import EpisodeKey
from refute.tables._rows import ConstraintRow
from refute.trace import Trace

WINDOW = 3
"""Actions after a delivery in which an agent is looked at for a reaction (decision 17)."""
AGAIN = 3
"""So often the same action on the same page is a loop; so many pages seen again after a reset are progress lost."""


def failures(trace: Trace, key: EpisodeKey, task: Task, constraints: Sequence[ConstraintRow]) -> tuple[FailureRow, ...]:
    """All signs of failure; those that need the truth only where it is known."""
    unsatisfied = {c.round for c in constraints if c.active and c.satisfied is False}
    rows = [*_loops(trace, key)]
    delivered = trace.of(Delivered)
    if unsatisfied:
        rows += _resets(trace, key, delivered)
    for event in delivered:
        if event.revision not in unsatisfied or event.revision > len(task.revisions):
            continue
        revision = task.revisions[event.revision - 1]
        changed = reacted(trace, event)
        if changed is not None:
            mode = FailureMode.ADAPTED if changed else FailureMode.OVERHEARD
            rows.append(FailureRow(key=key, mode=mode, step=event.step, revision=event.revision, detail=event.text))
        rows += _condition(trace, key, task, event, revision)
    return tuple(sorted(rows, key=lambda row: row.step))


def _loops(trace: Trace, key: EpisodeKey) -> Iterator[FailureRow]:
    """One row an episode, at the first repetition that makes a loop."""
    seen: Counter[tuple[str, str]] = Counter()
    first: Acted | None = None
    page = ""
    for event in trace.events:
        if isinstance(event, Observed):
            page = event.digest or event.url
        elif isinstance(event, Acted) and page:
            seen[page, event.text] += 1
            if first is None and seen[page, event.text] == AGAIN:
                first = event
    if first is not None:
        loops = sum(count >= AGAIN for count in seen.values())
        detail = f"{first.text} {first.target}".strip() + (f", and {loops - 1} more" if loops > 1 else "")
        yield FailureRow(key=key, mode=FailureMode.LOOP, step=first.step, detail=detail)


def _resets(trace: Trace, key: EpisodeKey, delivered: Sequence[Delivered]) -> Iterator[FailureRow]:
    for event in delivered:
        if "reset" in event.strategy.value:
            before = {o.url for o in trace.of(Observed) if o.step <= event.step}
            again = {o.url for o in trace.of(Observed) if o.step > event.step} & before
            if len(again) >= AGAIN:
                detail = f"{len(again)} of {len(before)} pages were visited again"
                yield FailureRow(
                    key=key, mode=FailureMode.RESET, step=event.step, revision=event.revision, detail=detail
                )


def reacted(trace: Trace, delivery: Delivered) -> bool | None:
    """Whether the plan was rewritten for the revision, or the oracle's distance fell within the window.

    The distance at the delivery is that of the goal before it, so the first one that can be compared with is the one
    after the first action: what that action gained is not seen. None = the truth tells of fewer than two distances, so
    nobody can say that nothing was done.
    """
    if any(p.reason == "revision" and p.step == delivery.step for p in trace.of(Planned)):
        return True
    window = [
        t.distance
        for t in trace.of(TruthStep)
        if t.distance is not None and delivery.step < t.step <= delivery.step + WINDOW
    ]
    return any(later < earlier for earlier, later in pairwise(window)) if len(window) > 1 else None


def _condition(trace: Trace, key: EpisodeKey, task: Task, event: Delivered, revision: TaskRevision) -> list[FailureRow]:
    verdict = next(iter(reversed(trace.of(TruthVerdict))), None)
    condition = revision.condition.id if revision.condition is not None else ""
    held = verdict.branches.get(condition) if verdict is not None else None
    if verdict is None or held is None:
        return []
    counting = {c.id for c in task.judged(verdict.branches)}
    known = {name: finding.satisfied for name, finding in verdict.findings.items()}
    real, unreal = (Branch(condition=condition, when=when) for when in (held, not held))
    if not any(c.branch == real and c.id in counting and known.get(c.id) is False for c in task.constraints):
        return []
    other = any(c.branch == unreal and known.get(c.id) is True for c in task.constraints)
    detail = "the other branch was carried out" if other else "neither branch was carried out"
    return [FailureRow(key=key, mode=FailureMode.CONDITION, step=event.step, revision=event.revision, detail=detail)]
