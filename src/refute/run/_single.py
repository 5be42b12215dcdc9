"""One goal on any address: no site and no truth; the user may say beforehand when the goal changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from refute._errors import TraceError
from refute.agents import Library, Memory, open_agent
from refute.browser import BrowserHost, Policy, Secrets, Session
from refute.budget import Budget, RealClock
from refute.goals import Task
from refute.llm import Backend, Model, RoleModel
from refute.revisions import (
    EpisodeStarted,
    Inbox,
    MilestoneTrigger,
    ModelRewriter,
    StepTrigger,
    Trigger,
    TriggerMode,
)
from refute.run._casting import embedder_of, harness_model, with_kept_replies
from refute.run._episode import Stage, run_episode
from refute.run._settings import RunRecord, RunSettings, write_run
from refute.trace import DOWNLOADS, Event, Recorder


async def run_single(
    task: Task,
    settings: RunSettings,
    out: Path,
    *,
    policy: Policy,
    secrets: Secrets,
    uploads: Iterable[Path] = (),
    library: Library | None = None,
    cache: Path | None = None,
    headed: bool = False,
    inbox: Inbox | None = None,
    listen: Callable[[Event], None] | None = None,
) -> Path:
    """Work on `task` with a real model; the folder of its trace, which is the next free ``OUT/<run-id>/<task>/<n>``.

    `policy`: what its tabs and pages may reach. `secrets`: values that the task calls by name. `uploads`: files that
    the agent may upload, by name. What is put into `inbox` meanwhile changes the goal. `library`: what the agent
    recalls from. `cache`: where replies of the model are kept. `listen` is handed each event once it is written. An
    unreachable address or provider ends the episode as a harness error. Cancelled, it leaves a trace without an end.
    Raises `UserError` for an unknown agent or model, `BrowserMissing`, and `BrowserError` when the browser does not
    start.
    """
    agent = open_agent(
        settings.agent,
        memory=Memory(library, embedder=embedder_of(settings)),
        scorer=settings.scorer,
        image_scorer=settings.image_scorer,
    )
    backend: Backend = settings.open_backend()
    if cache is not None:
        backend = with_kept_replies(backend, cache, settings)
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

                def open_session() -> Awaitable[Session]:
                    return host.session(policy=policy, secrets=secrets, uploads=uploads, downloads=folder / DOWNLOADS)

                harness = harness_model(backend, recorder, clock)
                stage = Stage(
                    task=task,
                    start_url=task.start_urls[0],
                    session=await open_session(),
                    reopen=open_session,
                    agent=agent,
                    model=RoleModel(backend, recorder=recorder, budget=budget, clock=clock),
                    trigger=_trigger(settings.trigger, harness, lambda: recorder.step),
                    rewriter=ModelRewriter(harness),
                    inbox=inbox,
                    strategy=settings.strategy,
                    recorder=recorder,
                    budget=budget,
                    clock=clock,
                    screenshots=settings.screenshots,
                )
                stage.check = lambda: stage.session.check()
                try:
                    await run_episode(stage)
                finally:
                    await stage.session.close()
        return folder
    finally:
        await backend.close()


def _trigger(mode: TriggerMode, harness: Model, taken: Callable[[], int]) -> Trigger:
    return MilestoneTrigger(harness) if mode is TriggerMode.MILESTONE else StepTrigger(taken)


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
