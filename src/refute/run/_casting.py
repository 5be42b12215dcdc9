"""Who plays in an episode: the agent and the model behind it, by the run's settings or for a check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from refute._errors import ModelError, UserError
from refute.agents import Agent, Memory, open_agent
from refute.arena import draw_faults
from refute.budget import Budget, Clock, Limits, VirtualClock
from refute.evidence import EMBEDDERS, Embedder, open_embedder, open_scorer
from refute.goals import Task
from refute.llm import Backend, CachedBackend, Model, OutputMode, ProviderModel, Reply, Request, RoleModel
from refute.revisions import (
    HybridTrigger,
    MilestoneTrigger,
    ModelRewriter,
    PositionTrigger,
    PredicateTrigger,
    ScoredTrigger,
    Screen,
    Trigger,
    TriggerMode,
)
from refute.run._episode import Stage
from refute.run._pace import UNPACED, Pace, check_positions
from refute.run._settings import RunSettings
from refute.run._truth import Witness
from refute.suites import Ground, Start, Suite
from refute.trace import Recorder


@dataclass(frozen=True, kw_only=True)
class Cast:
    """An agent and the source of its model's replies."""

    agent: Agent
    backend: Backend


Casting = Callable[[Suite, Task, Ground, Recorder, RunSettings, int], Cast]
"""Suite, task, its truth, the recorder, the run's settings, and the number of the repeat."""


def cast_by_settings(
    suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int
) -> Cast:
    """The agent and the model that the settings name. Raises `UserError` for unknown names."""
    agent = open_agent(
        settings.agent,
        memory=Memory(suite.library, embedder=embedder_of(settings)),
        scorer=settings.scorer,
        image_scorer=settings.image_scorer,
    )
    if settings.simulated:
        backend = suite.known().simulated(
            task,
            ground.world,
            recorder=recorder,
            seed=dice_of(settings, repeat),
            rates=settings.rates,
            noise=settings.noise,
        )
        return Cast(agent=agent, backend=backend)
    return Cast(agent=agent, backend=settings.open_backend())


def serves_none(suite: Suite) -> UserError:
    """What to say of a suite that was asked for faults and has no site that serves them."""
    return UserError(f"{suite.name} serves no faults: arena:… suites do; leave --fault out")


def embedder_of(settings: RunSettings) -> Embedder | None:
    """What a library is searched with; None = the embedder of the package, which is loaded when it is needed.

    Raises `UserError` for an unknown name, `LocalModelError` for a model that cannot be had.
    """
    return None if settings.embedder == EMBEDDERS[0] else open_embedder(settings.embedder)


MOST_REPEATS = 1000
"""Repeats of a run: more would have the dice, and the kept replies, of the next seed."""


def dice_of(settings: RunSettings, repeat: int) -> int:
    """The seed of one episode: the run's, with the repeat mixed in."""
    return MOST_REPEATS * settings.seed + repeat


def with_kept_replies(
    backend: Backend, cache: Path, settings: RunSettings, *, repeat: int = 0, origin: str = ""
) -> Backend:
    """`backend`, asked only what `cache` does not hold; one for each episode, and the simulated one as it is."""
    if backend.simulated:
        return backend
    # A provider's own address is the same one whether it was spelled out or not.
    address = backend.address if isinstance(backend, ProviderModel) else settings.base_url or ""
    return CachedBackend(backend, cache, settings={"address": address}, repeat=repeat, origin=origin, each_time=True)


async def check_names(settings: RunSettings) -> None:
    """Raise `UserError` for names that a suite cannot be run with, before anything is started or written."""
    if settings.trigger is TriggerMode.STEP:
        raise UserError("the tasks of a suite have milestones and no steps: choose the trigger milestone or predicate")
    check_positions(settings.trigger, settings.at)
    settings.check_deliver()
    if settings.trigger is not TriggerMode.HYBRID and settings.screen != Screen(scorer=settings.screen.scorer):
        raise UserError("--ask-from and --ask-after are about --trigger hybrid: leave them out, or choose it")
    if settings.trigger not in (TriggerMode.HYBRID, TriggerMode.MILESTONE) and settings.screen != Screen():
        raise UserError(
            "--trigger-scorer scores milestones, for the triggers milestone and hybrid; "
            f"{settings.trigger} goes by none: leave it out"
        )
    open_scorer(settings.screen.scorer)
    embedder_of(settings)
    open_agent(settings.agent, scorer=settings.scorer, image_scorer=settings.image_scorer)
    if not settings.simulated:
        await settings.open_backend().close()
    elif settings.max_cost is not None:
        raise UserError("the simulated model costs nothing, so --max-cost means nothing: leave it out")


def set_stage(
    casting: Casting,
    suite: Suite,
    start: Start,
    settings: RunSettings,
    repeat: int,
    recorder: Recorder,
    clock: Clock,
    *,
    origin: str = "",
    pace: Pace = UNPACED,
    cache: Path | None = None,
) -> Stage:
    """Everything one episode of a suite works with. Raises `UserError` for an unknown agent or model.

    `origin` is the site's address in this episode, `cache` where its model's replies are kept.
    """
    task = start.task
    if settings.faults:
        if start.ground.faulty is None:
            raise serves_none(suite)
        start.ground.faulty.set_faults(draw_faults(settings.faults, seed=dice_of(settings, repeat), task=task.id))
    if settings.strategy.resets and task.revisions and start.reopen is None:
        raise UserError(f"{suite.name} cannot start its browser anew: choose the strategy append or rewrite")
    witness = Witness(task, start.ground, recorder)
    cast = casting(suite, task, start.ground, recorder, settings, repeat)
    backend = cast.backend
    if cache is not None:
        backend = with_kept_replies(backend, cache, settings, repeat=dice_of(settings, repeat), origin=origin)
    if pace.tape is not None:
        backend = pace.tape.over(backend)
    budget = Budget(settings.limits(task), started=clock.now())
    harness = harness_model(backend, recorder, clock)
    return Stage(
        task=task,
        start_url=start.start_url,
        session=start.session,
        reopen=start.reopen,
        agent=cast.agent,
        model=RoleModel(backend, recorder=recorder, budget=budget, clock=clock),
        trigger=_trigger(settings, witness, harness, pace, recorder),
        rewriter=ModelRewriter(harness),
        strategy=settings.strategy,
        recorder=recorder,
        budget=budget,
        clock=clock,
        witness=witness,
        screenshots=settings.screenshots,
        deliver=settings.deliver,
        at_most=pace.at_most,
        release=backend.close,
    )


def _trigger(settings: RunSettings, witness: Witness, harness: Model, pace: Pace, recorder: Recorder) -> Trigger:
    if settings.trigger in (TriggerMode.ACTION_INDEX, TriggerMode.FRACTION):
        return PositionTrigger(settings.trigger, pace.positions, lambda: recorder.step)
    if settings.trigger is TriggerMode.PREDICATE:
        return PredicateTrigger(witness.holds)
    model, scorer = MilestoneTrigger(harness), open_scorer(settings.screen.scorer)
    if settings.trigger is TriggerMode.HYBRID:
        return HybridTrigger(model, settings.screen, scorer=scorer)
    return ScoredTrigger(model, scorer=scorer)


def harness_model(backend: Backend, recorder: Recorder, clock: Clock) -> Model:
    """The model that the harness asks. It pays for itself: the agent's steps, tokens and money know nothing of it, nor
    does a virtual clock; on a real clock its seconds pass for everybody, those of kept replies too."""
    budget = Budget(Limits(), started=clock.now())
    own = VirtualClock() if backend.simulated else clock
    return RoleModel(backend, recorder=recorder, budget=budget, clock=own)


class NoModel:
    """The backend of agents that ask no model."""

    name = "none"
    simulated = False
    mode = OutputMode.PROMPTED

    async def complete(self, request: Request) -> Reply:
        """Nobody is there to answer."""
        raise ModelError(f"an agent without a model asked its role {request.role!r}")

    async def close(self) -> None:
        """Nothing to release."""
