"""One episode: an agent works on a task while the harness delivers its revisions."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter

from refute._errors import LimitReached, RunError, TraceError
from refute.agents import Agent, Context
from refute.browser import (
    Acted,
    Action,
    Cause,
    Done,
    Infeasible,
    Observation,
    Observed,
    Outcome,
    Session,
    format_action,
)
from refute.budget import Budget, Clock
from refute.goals import Revision, Task
from refute.llm import Model
from refute.revisions import (
    BrowserReset,
    Deliver,
    Ending,
    EpisodeEnded,
    Inbox,
    Intercepted,
    Rewriter,
    Schedule,
    Strategy,
    Trigger,
)
from refute.run._truth import Witness
from refute.trace import Recorder

OVER = "the suite ended the episode"
"""The message of an episode that the suite, not the agent, declared over."""


async def nothing_held() -> None:
    """There is nothing to release, or to check."""


@dataclass(kw_only=True)
class Stage:
    """Everything one episode works with; made anew for each."""

    task: Task
    start_url: str
    """Empty = the session is at the start already."""
    session: Session
    """A strategy that resets replaces it; the one that is here when the episode is over belongs to the caller again."""
    agent: Agent
    model: Model
    trigger: Trigger
    strategy: Strategy
    recorder: Recorder
    budget: Budget
    clock: Clock
    rewriter: Rewriter | None = None
    """For strategies that rewrite."""
    inbox: Inbox | None = None
    """Where a user puts revisions while the agent is at work."""
    deliver: Deliver = Deliver.DURING
    at_most: int | None = None
    """How many of the task's revisions are delivered; None = all."""
    reopen: Callable[[], Awaitable[Session]] | None = None
    """For strategies that reset: opens another session that begins as the first one did."""
    witness: Witness | None = None
    screenshots: bool = True
    """Whether a picture of each step is kept."""
    on_step: Callable[[int, str], None] = lambda step, text: None
    """Called after each action with its number and its text: for progress on a screen."""
    check: Callable[[], Awaitable[None]] = nothing_held
    """Raises a `RunError` when the browser or the site is gone. Asked before the verdict, and whenever something fails
    that may have that cause: an agent would take a dead site for a broken link, and a verdict would blame it."""
    release: Callable[[], Awaitable[None]] = nothing_held
    """Called once when the episode is over, before its last event: ends what the model's backend holds."""


async def run_episode(stage: Stage) -> EpisodeEnded:
    """Run one episode to its end and record everything. Returns its last event.

    A `RunError` (browser, site, provider, disk) becomes the ending `HARNESS_ERROR`, as does a defect in the agent's
    code: both are recorded with their cause and never counted as the agent's failure. Raises `TraceError` when the
    trace itself cannot be written, since nothing after that could be believed.
    """
    episode = _Episode(stage)
    try:
        ending, message = await _play(episode, stage)
    except TraceError:
        raise
    except Exception as error:  # noqa: BLE001 - one defective agent must not end everybody's run; shown with its cause
        ending, message = Ending.HARNESS_ERROR, await _why(error, stage)
    schedule = episode.schedule
    return stage.recorder.record(
        EpisodeEnded(
            ending=ending,
            message=message,
            limit=episode.limit,
            delivered=schedule.delivered,
            forced=schedule.forced,
            spent=stage.budget.spent(stage.clock.now()),
        )
    )


async def _play(episode: _Episode, stage: Stage) -> tuple[Ending, str]:
    try:
        ending, message = await episode.play()
        await stage.check()
        if stage.witness is not None:
            await stage.witness.look(_last_word(ending, message))
            stage.witness.verdict(message)
        return ending, message
    finally:
        try:
            await stage.agent.close()
        finally:
            await stage.release()


async def _why(error: Exception, stage: Stage) -> str:
    """What to write down about `error`: a browser or site that is gone explains all that failed after it."""
    try:
        await stage.check()
    except RunError as gone:
        error = gone
    if isinstance(error, RunError):
        return f"{type(error).__name__}: {error}"
    return "".join(traceback.format_exception(error, limit=-8))


_MAY_BE_GONE = frozenset({Cause.NAVIGATION, Cause.TIMEOUT, Cause.CRASHED})
"""How an action fails on a page whose site or browser is gone."""


class _Episode:
    def __init__(self, stage: Stage) -> None:
        if stage.strategy.resets and stage.task.revisions and stage.reopen is None:
            raise ValueError(f"the strategy {stage.strategy.value} needs `reopen`")
        self._stage = stage
        self.limit = ""
        self._over = False
        self.schedule = Schedule(
            stage.task,
            trigger=stage.trigger,
            strategy=stage.strategy,
            recorder=stage.recorder,
            rewriter=stage.rewriter,
            inbox=stage.inbox,
            at_most=stage.at_most,
            deliver=stage.deliver,
        )

    async def play(self) -> tuple[Ending, str]:
        """The loop until it ends, or until a limit ends it between two steps or two requests to the model."""
        try:
            return await self._loop()
        except LimitReached as reached:
            self.limit = reached.limit
            return Ending.BUDGET, ""

    async def _loop(self) -> tuple[Ending, str]:
        """Observe, deliver a due revision, act."""
        stage, schedule = self._stage, self.schedule
        began = perf_counter()
        if stage.start_url:
            await stage.session.goto(stage.start_url)
        observation = await stage.session.observe()
        await self._record(observation, began)
        context = Context(
            recorder=stage.recorder,
            model=stage.model,
            budget=stage.budget,
            clock=stage.clock,
            screenshot=self._screenshot,
        )
        await stage.agent.start(schedule.goal, observation, context)
        fresh = True
        while True:
            if fresh:
                revision = await schedule.due(observation)
                if revision is not None:
                    observation = await self._revise(revision, observation)
            fresh = True
            limit = stage.budget.exhausted(stage.clock.now())
            if limit is not None:
                raise LimitReached(limit)
            action = await stage.agent.act()
            stage.budget.step()
            stage.recorder.step += 1
            if isinstance(action, Done | Infeasible):
                message = action.message if isinstance(action, Done) else action.reason
                if not schedule.pending or stage.budget.exhausted(stage.clock.now()):
                    self._acted(action, Outcome(), "", 0.0)
                    return (Ending.DONE if isinstance(action, Done) else Ending.INFEASIBLE), message
                observation = await self._intercept(action, message, observation)
                fresh = False
                continue
            observation = await self._carry_out(action, observation)
            if self._over:
                return Ending.DONE, OVER

    async def _screenshot(self, *, marks: bool = False) -> bytes:
        """The page in front, also after a reset has replaced the session."""
        return await self._stage.session.screenshot(marks=marks)

    async def _carry_out(self, action: Action, before: Observation) -> Observation:
        stage = self._stage
        began = perf_counter()
        outcome, observation = await stage.session.step(action)
        self._acted(action, outcome, _target(action, before), perf_counter() - began)
        if outcome.cause in _MAY_BE_GONE:
            await stage.check()
        await self._record(observation, began)
        if not self._over:
            await stage.agent.observe(outcome, observation)
        return observation

    async def _intercept(self, action: Done | Infeasible, message: str, observation: Observation) -> Observation:
        """Turn an early end down: the goal is about to change (decision 20)."""
        stage, schedule = self._stage, self.schedule
        outcome = Outcome(intercepted=True, changed=False)
        self._acted(action, outcome, "", 0.0)
        stage.recorder.record(Intercepted(message=message))
        await stage.agent.observe(outcome, observation)
        revision = await schedule.due(observation, last=True) or await schedule.force(observation)
        return await self._revise(revision, observation)

    async def _revise(self, revision: Revision, observation: Observation) -> Observation:
        """Tell the agent, after a reset of the browser where the strategy has one; the page that it goes on from."""
        stage, schedule = self._stage, self.schedule
        if stage.strategy.resets:
            observation = await self._reset()
        await stage.agent.revise(schedule.goal, revision, observation)
        return observation

    async def _reset(self) -> Observation:
        """Go on in a browser that begins as the first one did (decision 23); the agent keeps its history."""
        stage = self._stage
        assert stage.reopen is not None
        began = perf_counter()
        await stage.session.close()
        stage.session = await stage.reopen()
        stage.recorder.record(BrowserReset())
        await stage.session.goto(stage.start_url)
        observation = await stage.session.observe()
        await self._record(observation, began)
        return observation

    def _acted(self, action: Action, outcome: Outcome, target: str, seconds: float) -> None:
        text = format_action(action)
        self._stage.recorder.record(
            Acted(action=action, text=text, target=target, outcome=outcome, milliseconds=round(seconds * 1000, 1))
        )
        self._stage.on_step(self._stage.recorder.step, f"{text} {target}".strip())

    async def _record(self, observation: Observation, began: float) -> None:
        stage = self._stage
        picture = stage.recorder.picture(await stage.session.screenshot()) if stage.screenshots else None
        stage.recorder.record(
            Observed(
                url=observation.url,
                title=observation.title,
                text=observation.text,
                digest=observation.digest,
                picture=picture,
                events=observation.events,
                more_above=observation.more_above,
                more_below=observation.more_below,
                milliseconds=round((perf_counter() - began) * 1000, 1),
            )
        )
        if stage.witness is not None:
            self._over = await stage.witness.look()
            stage.witness.see(observation, delivered=self.schedule.told)


def _last_word(ending: Ending, message: str) -> Done | Infeasible | None:
    """How the agent ended the episode; None when it did not."""
    if ending is Ending.INFEASIBLE:
        return Infeasible(reason=message)
    return Done(message=message) if ending is Ending.DONE and message != OVER else None


def _target(action: Action, observation: Observation) -> str:
    """Role and name of the element that `action` works on."""
    number: int | None = getattr(action, "target", None)
    element = observation.element(number) if number is not None else None
    return f'{element.role} "{element.name}"' if element is not None else ""
