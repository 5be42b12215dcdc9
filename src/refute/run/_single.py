"""One goal on any address: no site and no truth; the user may say beforehand when the goal changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from refute._errors import TraceError, UserError
from refute.agents import open_agent
from refute.browser import BrowserHost, Policy, Secrets
from refute.budget import Budget, RealClock
from refute.goals import Constraint, RevisionKind, Task, TaskRevision
from refute.llm import RoleModel
from refute.revisions import EpisodeStarted, StepTrigger, steps_taken
from refute.run._episode import Stage, run_episode
from refute.run._settings import GOAL_SUITE, RunRecord, RunSettings, write_run
from refute.trace import DOWNLOADS, Event, Recorder


class ReviseAfter(NamedTuple):
    """A change of mind that is known beforehand: `text` reaches the agent before the action after step `step`."""

    step: int
    text: str


def goal_task(instruction: str, url: str, *, max_steps: int, revisions: Sequence[ReviseAfter] = ()) -> Task:
    """The task that a goal on an address is. Raises `UserError` for an address that is none, or texts that are empty.

    Each revision is bound to the milestone `steps_taken`. It counts as additive, since only its reader can tell what
    it replaces.
    """
    if not instruction.strip():
        raise UserError("the task is empty: say in words what is to be done")
    ordered = sorted(revisions, key=lambda revision: revision.step)
    for revision in ordered:
        if not revision.text.strip():
            raise UserError(f"the revision after step {revision.step} is empty: say in words what changes")
        if not 0 <= revision.step < max_steps:
            raise UserError(
                f"a revision after step {revision.step} never comes: with a budget of {max_steps} steps it must be "
                f"between 0 and {max_steps - 1}"
            )
    texts = (instruction, *(revision.text for revision in ordered))
    return Task(
        id=re.sub(r"[^a-z0-9]+", "-", instruction.lower()).strip("-")[:48].strip("-") or "task",
        template=GOAL_SUITE,
        start_urls=(_address(url),),
        initial_instruction=instruction,
        static_instruction="\n".join(texts),
        revisions=tuple(
            TaskRevision(text=revision.text, kind=RevisionKind.ADDITIVE, milestone=steps_taken(revision.step))
            for revision in ordered
        ),
        constraints=tuple(
            Constraint(id=f"revision-{k}" if k else "goal", text=text, bound_to=k) for k, text in enumerate(texts)
        ),
        max_steps=max_steps,
    )


async def run_single(
    task: Task,
    settings: RunSettings,
    out: Path,
    *,
    policy: Policy,
    secrets: Secrets,
    uploads: Iterable[Path] = (),
    headed: bool = False,
    listen: Callable[[Event], None] | None = None,
) -> Path:
    """Work on `task` with a real model; the folder of its trace, which is the next free ``OUT/<run-id>/<task>/<n>``.

    `policy`: what its tabs and pages may reach. `secrets`: values that the task calls by name. `uploads`: files that
    the agent may upload, by name. `listen` is handed each event once it is written. An unreachable address or provider
    ends the episode as a harness error. Cancelled, it leaves a trace without an end. Raises `UserError` for an unknown
    agent or model, `BrowserMissing`, and `BrowserError` when the browser does not start.
    """
    agent = open_agent(settings.agent)
    backend = settings.open_backend()
    clock = RealClock()
    try:
        async with BrowserHost(headless=not headed) as host:
            write_run(out / settings.run_id, RunRecord.of(settings, browser=host.version))
            folder, repeat = _claim(out / settings.run_id / task.id)
            with Recorder(folder, now=clock.now, listen=listen) as recorder:
                recorder.record(
                    EpisodeStarted(
                        run_id=settings.run_id,
                        task=task,
                        repeat=repeat,
                        agent=settings.agent,
                        model=settings.model,
                        simulated=False,
                        seed=settings.seed,
                        browser=host.version,
                    )
                )
                budget = Budget(settings.limits(task), started=clock.now())
                async with await host.session(
                    policy=policy, secrets=secrets, uploads=uploads, downloads=folder / DOWNLOADS
                ) as session:
                    await run_episode(
                        Stage(
                            task=task,
                            start_url=task.start_urls[0],
                            session=session,
                            agent=agent,
                            model=RoleModel(backend, recorder=recorder, budget=budget, clock=clock),
                            trigger=StepTrigger(lambda: recorder.step),
                            strategy=settings.strategy,
                            recorder=recorder,
                            budget=budget,
                            clock=clock,
                            screenshots=settings.screenshots,
                            check=session.check,
                        )
                    )
        return folder
    finally:
        await backend.close()


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


def _claim(parent: Path) -> tuple[Path, int]:
    """Make the next free folder below `parent`, which no other process can take as well."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        for number in range(1_000_000):
            folder = parent / str(number)
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            return folder, number
    except OSError as error:
        raise TraceError(f"cannot make a folder in {parent}: {error.strerror}; give another --out") from error
    raise TraceError(f"{parent} holds a million runs of this goal; give another --out")
