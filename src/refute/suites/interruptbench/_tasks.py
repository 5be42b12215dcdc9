"""Records as our tasks: the original task's truth, with the updates as revisions of its goal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from refute.goals import Constraint, Milestone, RevisionKind, Source, Task, TaskRevision
from refute.suites._reward import is_drawn
from refute.suites.interruptbench._milestones import Milestones, milestones_of
from refute.suites.interruptbench._records import Record, RowProblem, Trouble, UpdateType

BENCHMARK = "interruptbench"
LICENCE = "MIT"

_KINDS = {
    UpdateType.ADDITION: RevisionKind.ADDITIVE,
    UpdateType.MODIFICATION: RevisionKind.UNCONDITIONAL,
    UpdateType.RETRACTION: RevisionKind.RETRACTION,
}


def import_records(
    records: Sequence[Record], originals: Mapping[str, Task], milestones: Milestones | None
) -> Iterator[tuple[Task, Task] | RowProblem]:
    """For each record the imported task and the original one, or why there is none.

    `originals` by the record's `task_id`. Without `milestones` the tasks' milestones are empty words: their revisions
    can only come at fixed positions.
    """
    taken: dict[str, Record] = {}
    for record in records:
        try:
            original = _original(record, originals)
            task = import_record(record, original, _due(record, milestones))
            _claim(task, record, taken)
        except _NoTask as error:
            field, trouble, what, cure = error.told
            file, row, line = f"{record.file}.json", record.row, record.line
            yield RowProblem(file=file, row=row, line=line, field=field, trouble=trouble, what=what, cure=cure)
        else:
            yield task, original


class _NoTask(Exception):
    """No task can be made of a record."""

    def __init__(self, field: str, trouble: Trouble, what: str, cure: str) -> None:
        super().__init__(what)
        self.told = (field, trouble, what, cure)


def _original(record: Record, originals: Mapping[str, Task]) -> Task:
    original = originals.get(record.task_id)
    if original is None:
        raise _NoTask("task_id", Trouble.NO_TASK, f"there is no task {record.task_id!r}", _known(originals))
    if original.conditions:
        what = "the final goal of its task depends on a condition, which updates cannot say"
        raise _NoTask("task_id", Trouble.NO_TASK, what, "choose a task without one")
    if _states_its_goal(original) and plain(original.static_instruction) != plain(record.intent):
        what = f"the final intent is not that of the task whose truth judges it, {original.static_instruction!r}"
        raise _NoTask("intent", Trouble.OTHER_INTENT, what, "write the task's own goal")
    return original


def _claim(task: Task, record: Record, taken: dict[str, Record]) -> None:
    """Note whose the task's id is: it has only what a folder's name may have, so two records can come to one."""
    first = taken.setdefault(task.id, record)
    if first is not record:
        what = f"the id of its task would be {task.id!r}, which row {first.row} (line {first.line}) has already"
        raise _NoTask("task_id", Trouble.DUPLICATE, what, "give one of them another id")


def _states_its_goal(original: Task) -> bool:
    """Whether the goal is known before the page is there."""
    return bool(original.evaluators) or not is_drawn(original)


def _known(originals: Mapping[str, Task]) -> str:
    ids = list(originals)
    return f"the ids are {ids[0]} to {ids[-1]}" if ids else "the suite has no tasks"


def _due(record: Record, milestones: Milestones | None) -> tuple[str, ...] | None:
    if milestones is None:
        return None
    try:
        return milestones_of(record, milestones)
    except ValueError as error:
        raise _NoTask("updates", Trouble.MILESTONES, str(error), "add one for each update, in order") from error


def import_record(record: Record, original: Task, milestones: Sequence[str] | None = None) -> Task:
    """The task of one record. An addition is additive; a modification overrides, and a retraction drops, something of
    the initial intent, which the record does not name.

    What an original task requires from the start stays bound to the initial instruction; the verdict of a reward, which
    is about the final goal as a whole, is bound to the last update (decision 21c).
    """
    last = len(record.updates)
    due = milestones or [f"(no milestone is known for update {n})" for n in range(1, last + 1)]
    changed = [n for n, update in enumerate(record.updates, start=1) if update.type is not UpdateType.ADDITION]
    fields: dict[str, Any] = {
        **original.model_dump(exclude={"constraints", "revisions"}),
        "id": re.sub(r"[^A-Za-z0-9._~-]+", "-", f"{record.file}.{record.task_id}").lstrip("._~-")[:120],
        "category": record.file,
        "source": Source(benchmark=BENCHMARK, task_id=record.task_id, licence=LICENCE, raw=_raw(record)),
        "initial_instruction": record.initial,
        "static_instruction": record.intent,
        "final_instruction": record.intent,
        "revisions": [
            TaskRevision(
                text=update.text,
                kind=_KINDS[update.type],
                milestone=Milestone(text=text),
                targets=(_changed(n),) if n in changed else (),
            )
            for n, (update, text) in enumerate(zip(record.updates, due, strict=True), start=1)
        ],
        "constraints": [
            *(Constraint(id=_changed(n), text=f"What update {n} takes back.", bound_to=0) for n in changed),
            *_requirements(original, record, last),
        ],
    }
    return Task.model_validate(fields)


def plain(text: str) -> str:
    """A goal without what makes no difference: case, spaces, the full stop at its end."""
    return " ".join(text.split()).casefold().rstrip(". ")


def _changed(number: int) -> str:
    return f"before-update-{number}"


def _requirements(original: Task, record: Record, last: int) -> list[Constraint]:
    """What the original task asks for in the end."""
    if is_drawn(original):
        return [original.constraints[0].model_copy(update={"text": record.intent, "bound_to": last})]
    return [c.model_copy(update={"bound_to": min(c.bound_to, last)}) for c in original.judged({})]


def _raw(record: Record) -> dict[str, Any]:
    return {
        "task_id": record.task_id,
        "intent": record.intent,
        "transformed_initial_intent": record.initial,
        "updates": [update.text for update in record.updates],
        "updates_type": [update.type.value for update in record.updates],
    }
