"""One goal on any address: no site, no truth, no revisions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from refute._errors import UserError
from refute.agents import open_agent
from refute.browser import BrowserHost
from refute.budget import Budget, RealClock
from refute.goals import Constraint, Reference, Task
from refute.llm import RoleModel
from refute.revisions import EpisodeEnded, EpisodeStarted, PredicateTrigger
from refute.run._episode import Stage, run_episode
from refute.run._settings import RunRecord, RunSettings, write_run
from refute.trace import Recorder


@dataclass(frozen=True, kw_only=True)
class GoalResult:
    """How it ended, and where the trace lies."""

    ended: EpisodeEnded
    folder: Path


def goal_task(instruction: str, url: str, *, max_steps: int) -> Task:
    """A static task for a goal on an address. Raises `UserError` for an address that is none."""
    if urlsplit(url).scheme not in ("http", "https", "file"):
        raise UserError(f"--url {url!r} is not an address: it must start with http://, https:// or file://")
    if not instruction.strip():
        raise UserError("the task is empty: say in words what is to be done")
    slug = re.sub(r"[^a-z0-9]+", "-", instruction.lower()).strip("-")[:48].strip("-") or "task"
    return Task(
        id=slug,
        template="goal",
        start_urls=(url,),
        initial_instruction=instruction,
        static_instruction=instruction,
        constraints=(Constraint(id="goal", text=instruction, bound_to=0),),
        max_steps=max_steps,
    )


async def run_goal(
    task: Task,
    settings: RunSettings,
    out: Path,
    *,
    headed: bool = False,
    on_step: Callable[[int, str], None] = lambda step, text: None,
) -> GoalResult:
    """Work on `task` with a real model; the trace goes to ``OUT/<run-id>/<task>/<n>/``.

    Raises `UserError` for an unknown agent or model; an unreachable address or provider ends as a harness error.
    """
    agent = open_agent(settings.agent)
    backend = settings.open_backend()
    folder = out / settings.run_id
    repeat = next(n for n in range(1_000_000) if not (folder / task.id / str(n)).exists())
    clock = RealClock()
    try:
        async with BrowserHost(headless=not headed) as host:
            write_run(folder, RunRecord.of(settings, browser=host.version))
            with Recorder(folder / task.id / str(repeat), now=clock.now) as recorder:
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
                session = await host.session()
                try:
                    stage = Stage(
                        task=task,
                        start_url=task.start_urls[0],
                        session=session,
                        agent=agent,
                        model=RoleModel(backend, recorder=recorder, budget=budget, clock=clock),
                        trigger=PredicateTrigger(_never),
                        strategy=settings.strategy,
                        recorder=recorder,
                        budget=budget,
                        clock=clock,
                        screenshots=settings.screenshots,
                        on_step=on_step,
                    )
                    ended = await run_episode(stage)
                finally:
                    await session.close()
        return GoalResult(ended=ended, folder=recorder.folder)
    finally:
        await backend.close()


def _never(predicate: Reference) -> bool:
    return False
