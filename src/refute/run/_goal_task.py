"""The task that a goal on any address is, with the revisions that its user knows beforehand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from refute._errors import UserError
from refute.goals import Constraint, Milestone, RevisionKind, Task, TaskRevision
from refute.revisions import steps_taken
from refute.run._settings import GOAL_SUITE


class ReviseAfter(NamedTuple):
    """A change of mind that is known beforehand: `text` reaches the agent before the action after step `step`."""

    step: int
    text: str


class ReviseAt(NamedTuple):
    """A change of mind that is known beforehand: `text` reaches the agent once `milestone` is reached.

    `milestone` says in words what the page shows then; the run's model watches for it.
    """

    milestone: str
    text: str


def goal_task(
    instruction: str, url: str, *, max_steps: int, revisions: Sequence[ReviseAfter] | Sequence[ReviseAt] = ()
) -> Task:
    """The task that a goal on an address is. Raises `UserError` for an address that is none, or texts that are empty.

    A revision counts as additive, since only its reader can tell what it replaces. Those after a step are put in the
    order of their steps, those at a milestone come in the order given.
    """
    if not instruction.strip():
        raise UserError("the task is empty: say in words what is to be done")
    planned = _milestones(revisions, max_steps=max_steps)
    texts = (instruction, *(text for text, _ in planned))
    return Task(
        id=re.sub(r"[^a-z0-9]+", "-", instruction.lower()).strip("-")[:48].strip("-") or "task",
        template=GOAL_SUITE,
        start_urls=(_address(url),),
        initial_instruction=instruction,
        static_instruction="\n".join(texts),
        revisions=tuple(
            TaskRevision(text=text, kind=RevisionKind.ADDITIVE, milestone=milestone) for text, milestone in planned
        ),
        constraints=tuple(
            Constraint(id=f"revision-{k}" if k else "goal", text=text, bound_to=k) for k, text in enumerate(texts)
        ),
        max_steps=max_steps,
    )


def _milestones(
    revisions: Sequence[ReviseAfter] | Sequence[ReviseAt], *, max_steps: int
) -> tuple[tuple[str, Milestone], ...]:
    after = sorted((r for r in revisions if isinstance(r, ReviseAfter)), key=lambda revision: revision.step)
    at = [r for r in revisions if isinstance(r, ReviseAt)]
    for revision in after:
        if not revision.text.strip():
            raise UserError(f"the revision after step {revision.step} is empty: say in words what changes")
        if not 0 <= revision.step < max_steps:
            raise UserError(
                f"a revision after step {revision.step} never comes: with a budget of {max_steps} steps it must be "
                f"between 0 and {max_steps - 1}"
            )
    for revision in at:
        if not revision.text.strip() or not revision.milestone.strip():
            raise UserError("a revision at a milestone needs two texts: what the page shows then, and what changes")
    return (
        *((revision.text, steps_taken(revision.step)) for revision in after),
        *((revision.text, Milestone(text=revision.milestone)) for revision in at),
    )


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https", "file") and bool(parts.hostname or parts.scheme == "file")
        usable = usable and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if usable:
        return url
    guess = f"; did you mean https://{url} ?" if re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?(/\S*)?", url) else ""
    raise UserError(f"{url!r} is not an address: it must start with http://, https:// or file://{guess}")
