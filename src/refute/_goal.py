"""The front door: work on one goal from Python, and what came of it.

Stands above the rooms `run` and `report`; `import refute` loads it when one of its names is first used.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from refute._errors import UserError
from refute.agents import (
    FinalChecked,
    Library,
    Repaired,
    Result,
    Ruling,
    Status,
    last_check,
    last_plan,
    shown_by_tests,
)
from refute.agents.memory import load_library
from refute.browser import Acted, Observed, Policy, read_secrets, secret_names, uploads_by_name
from refute.llm import ModelCalled, OutputMode, address_from_environment
from refute.report import write_report
from refute.revisions import Delivered, Ending, EpisodeEnded, Inbox, Strategy, TriggerMode
from refute.run import GOAL_SUITE, ReviseAfter, ReviseAt, RunSettings, goal_task, run_single
from refute.tables import last_attempt
from refute.trace import Event, Trace, read_trace

OUT = Path("out/run")
"""Where the traces of single goals go unless told otherwise."""
MAX_STEPS = 40
PAGE = "index.html"

P = ParamSpec("P")
T = TypeVar("T")


class Conclusion(StrEnum):
    """What a run on a goal came to."""

    CONFIRMED = "confirmed"
    """Done: the agent's own tests confirmed every step of its plan on a page, and its final check verified it."""
    UNCONFIRMED = "unconfirmed"
    """Done as the agent says; a step of its plan was not confirmed, or the final check did not verify the claim."""
    INFEASIBLE = "infeasible"
    BUDGET = "budget"
    HARNESS_ERROR = "harness_error"
    UNFINISHED = "unfinished"
    """The run was interrupted."""


@dataclass(frozen=True, kw_only=True)
class PlanStep:
    """A commitment of the plan as it stood at the end; as text, its subgoal."""

    number: int
    subgoal: str
    status: Status
    evidence: str = ""
    """Why it was confirmed, in the verifier's words; else why it was not."""

    def __str__(self) -> str:
        return self.subgoal


@dataclass(frozen=True, kw_only=True)
class GoalResult:
    """What came of a goal, read from its trace. There is no truth on a page of somebody else's: *confirmed* means that
    the agent's own tests found the page to support a step, and that nothing falsified it afterwards."""

    conclusion: Conclusion
    message: str
    """The agent's report to the user, or what went wrong."""
    confirmed: tuple[PlanStep, ...]
    unconfirmed: tuple[PlanStep, ...]
    final_check: Result | None
    """What the agent's check of its own `done` came to; None where there was none."""
    open_requirements: tuple[str, ...]
    """What that check found violated, or could not find at all, each with the ruling in front."""
    url: str
    """The page on which it ended."""
    repairs: int
    revisions: int
    """Revisions of the goal that were delivered."""
    steps: int
    calls: int
    """Questions to the model; a question's retries are part of it."""
    tokens: int
    dollars: float | None
    """What the model calls cost, kept replies as when they were asked; None when the price of one is unknown."""
    kept_calls: int
    """Those of `calls` that kept replies alone answered: not billed now."""
    kept_dollars: float | None
    """That part of `dollars`; None when the price of one is unknown."""
    seconds: float
    folder: Path
    """The trace: ``events.jsonl``, and pictures in ``shots/``."""
    report: Path
    """The page that shows it."""

    @property
    def done(self) -> bool:
        """Whether the agent reported the goal as done."""
        return self.conclusion in (Conclusion.CONFIRMED, Conclusion.UNCONFIRMED)

    @classmethod
    def of(cls, trace: Trace, *, report: Path) -> GoalResult:
        """Read a trace, also one that was cut off."""
        trace = last_attempt(trace)
        ended = next(iter(reversed(trace.of(EpisodeEnded))), None)
        plan = _plan(trace)
        confirmed = tuple(step for step in plan if step.status is Status.CONFIRMED)
        unconfirmed = tuple(step for step in plan if step.status is not Status.CONFIRMED)
        calls = trace.of(ModelCalled)
        check = last_check(trace)
        pages = trace.of(Observed)
        kept = [call for call in calls if call.attempts == call.cached > 0]
        return cls(
            conclusion=_conclusion(ended, shown=shown_by_tests(trace)),
            message=_message(ended),
            confirmed=confirmed,
            unconfirmed=unconfirmed,
            final_check=check.result if check is not None else None,
            open_requirements=_open(check),
            url=pages[-1].url if pages else "",
            repairs=len(trace.of(Repaired)),
            revisions=len(trace.of(Delivered)),
            steps=len(trace.of(Acted)),
            calls=len(calls),
            tokens=sum(call.usage.input_tokens + call.usage.output_tokens for call in calls),
            dollars=_price(calls) if calls else None,
            kept_calls=len(kept),
            kept_dollars=_price(kept),
            seconds=max(0.0, trace.events[-1].time - trace.events[0].time) if trace.events else 0.0,
            folder=trace.folder,
            report=report,
        )


async def run_goal(
    goal: str,
    *,
    url: str,
    model: str,
    agent: str = "fcp",
    base_url: str | None = None,
    output_mode: OutputMode | None = None,
    revise_after: Iterable[tuple[int, str]] = (),
    revise_at: Iterable[tuple[str, str]] = (),
    inbox: Inbox | None = None,
    strategy: Strategy = Strategy.APPEND,
    max_steps: int = MAX_STEPS,
    max_requests: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    max_seconds: float | None = None,
    out: Path | str = OUT,
    headed: bool = False,
    scorer: str = "lexical",
    image_scorer: str | None = None,
    screenshots: bool = True,
    allow: Iterable[str] = (),
    strict: bool = False,
    secrets: Path | str | None = None,
    uploads: Iterable[Path | str] = (),
    library: Library | Path | str | None = None,
    embedder: str = "minilm",
    cache: Path | str | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> GoalResult:
    """Work on `goal` in a Chromium, starting at `url`, and write a trace and a report below `out`.

    `allow`: hosts besides the site of `url` whose pages its tabs may open, in the patterns of `refute.browser.Policy`
    (``*`` = every host). `strict`: pages may embed nothing from other hosts. `secrets`: a TOML file of values that
    the goal calls ``<secret:NAME>`` (see `refute.browser.read_secrets`). `uploads`: the files that the agent may
    upload, by name; what pages let it save lies in ``downloads/`` of the trace's folder. `library`: a
    library, or its folder, that the agent recalls skills and failures from; it is only read, and
    searched with `embedder` (`refute.evidence.open_embedder`). `cache`: a folder in which replies of the model are
    kept; a question that it holds is not asked again.

    `model` is a name such as ``openai-chat:NAME``, with `base_url` for a server of your own. `revise_after` holds pairs
    ``(N, text)``: the text changes the goal before the action after step N. `revise_at` holds pairs ``(milestone,
    text)`` instead: the text changes the goal once the page shows what the milestone says, and the model judges that.
    A text that is put into `inbox` while the agent works changes the goal before its next action. `strategy` is how
    all of these reach the agent. `max_cost` is in US dollars. `screenshots` keeps a picture of each step for the
    report. `scorer` and `image_scorer` name what the fast tester weighs text and pictures with
    (`refute.evidence.open_scorer`). `on_event` is handed every event of the trace as it happens.

    Raises `UserError` for what cannot work (address, agent, model, key, host, secret, upload, revisions of both
    kinds), and `BrowserError` when no browser starts.
    What fails later, such as an address that cannot be reached, is a result with the conclusion `HARNESS_ERROR`.
    """
    after = [ReviseAfter(step, text) for step, text in revise_after]
    at = [ReviseAt(milestone, text) for milestone, text in revise_at]
    if after and at:
        raise UserError("revisions come either after a step or at a milestone: give one kind of them")
    revisions = at or after
    task = goal_task(goal, url, max_steps=max_steps, revisions=revisions)
    known_library = load_library(Path(library)) if isinstance(library, Path | str) else library
    settings = RunSettings(
        suite=GOAL_SUITE,
        agent=agent,
        model=model,
        base_url=base_url or address_from_environment(model),
        output_mode=output_mode,
        trigger=TriggerMode.MILESTONE if at else TriggerMode.STEP,
        strategy=strategy,
        max_steps=max_steps,
        max_requests=max_requests,
        max_tokens=max_tokens,
        max_cost=max_cost,
        max_seconds=max_seconds,
        scorer=scorer,
        image_scorer=image_scorer,
        embedder=embedder,
        library=known_library.digest if known_library is not None else "",
        screenshots=screenshots,
    )
    policy = Policy.of_site(url, *allow, embeds=not strict)
    site = Policy.of_site(url).hosts
    names = secret_names(task.static_instruction)
    known = read_secrets(Path(secrets) if secrets is not None else None, names=names, hosts=site)
    known.require(task.static_instruction)
    files = uploads_by_name(Path(file) for file in uploads)
    folder = await run_single(
        task,
        settings,
        Path(out),
        policy=policy,
        secrets=known,
        uploads=files.values(),
        library=known_library,
        cache=Path(cache) if cache is not None else None,
        headed=headed,
        inbox=inbox,
        listen=on_event,
    )
    return conclude(folder, Path(out))


def _blocking(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    @functools.wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> T:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(function(*args, **options))
        raise UserError(f"an event loop runs here already (as in a notebook): write `await {function.__name__}(…)`")

    call.__name__ = call.__qualname__ = f"{function.__name__}_sync"
    return call


run_goal_sync = _blocking(run_goal)
"""`run_goal` for code without an event loop: waits, and returns the result."""


def conclude(folder: Path, out: Path) -> GoalResult:
    """Write the pages of all runs below `out`, and read what came of the one in `folder`."""
    write_report(out)
    return GoalResult.of(read_trace(folder), report=folder / PAGE)


def _plan(trace: Trace) -> tuple[PlanStep, ...]:
    return tuple(
        PlanStep(
            number=tried.commitment.number,
            subgoal=tried.commitment.subgoal,
            status=tried.status,
            evidence=tried.evidence,
        )
        for tried in last_plan(trace)
    )


def _price(calls: Sequence[ModelCalled]) -> float | None:
    """What `calls` cost together; None when the price of one is unknown."""
    prices = [call.dollars for call in calls if call.dollars is not None]
    return sum(prices) if len(prices) == len(calls) else None


def _message(ended: EpisodeEnded | None) -> str:
    if ended is None:
        return ""
    return f"the limit of {ended.limit} is reached" if ended.limit and not ended.message else ended.message


def _open(check: FinalChecked | None) -> tuple[str, ...]:
    if check is None:
        return ()
    settled = (Ruling.MET, Ruling.DOES_NOT_APPLY)
    return tuple(f"{finding.ruling}: {finding.text}" for finding in check.findings if finding.ruling not in settled)


def _conclusion(ended: EpisodeEnded | None, *, shown: bool) -> Conclusion:
    if ended is None:
        return Conclusion.UNFINISHED
    if ended.ending is Ending.DONE:
        return Conclusion.CONFIRMED if shown else Conclusion.UNCONFIRMED
    return Conclusion(ended.ending.value)
