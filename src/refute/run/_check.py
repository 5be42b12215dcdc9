"""`arena check`: proves the tasks of a suite with an oracle, a do-nothing agent, and oracles that ignore revisions.

Each is an ordinary episode through the ordinary loop, with revisions delivered by predicate; only the agent knows the
truth. A task is sound when

- the oracle satisfies every constraint that counts, with no forced delivery and no damage;
- doing nothing satisfies no constraint that needs action;
- an oracle that ignores revision k fails exactly those constraints that k introduced or changed, that still count, and
  that the target without k does not meet anyway (for a conditional whose condition is false: none).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from refute._errors import ModelError
from refute.arena import NoopAgent, OracleAgent
from refute.goals import Task, TruthVerdict
from refute.llm import OutputMode, Reply, Request
from refute.revisions import Ending, EpisodeEnded, TriggerMode
from refute.run._casting import Cast, Casting
from refute.run._experiment import Job, Progress, run_jobs
from refute.run._settings import RunSettings
from refute.suites import Ground, Suite
from refute.trace import Recorder, Trace, read_trace


class Check(BaseModel):
    """One checked episode."""

    model_config = ConfigDict(frozen=True)

    task: str
    agent: str
    """oracle, noop, or ignore-K."""
    steps: int
    failed: tuple[str, ...]
    """Ids of constraints that count and are not satisfied."""
    problem: str = ""
    """Why the check fails; empty when it passes."""


class CheckResult(BaseModel):
    """What `refute arena check --json` prints."""

    model_config = ConfigDict(frozen=True)

    suite: str
    tasks: int
    oracle: int
    """Passed oracle episodes."""
    noop: int
    ignored_revision: int
    failures: tuple[Check, ...]
    checks: tuple[Check, ...]

    def text(self) -> str:
        """For a terminal."""
        lines = [
            f"{self.suite}: {self.tasks} tasks; passed: oracle {self.oracle}, no-op {self.noop}, "
            f"ignored revision {self.ignored_revision}; failed: {len(self.failures)}"
        ]
        lines += [f"  {check.task} [{check.agent}]: {check.problem}" for check in self.failures]
        return "\n".join(lines)


async def check_suite(
    suite: Suite, *, workers: int = 2, on_line: Callable[[str], None] = lambda line: None
) -> CheckResult:
    """Run every proof. Raises `UserError` for a suite without an oracle, `SiteError` or `BrowserMissing` when nothing
    can be started.
    """
    jobs = [
        Job(task=task, repeat=0, settings=_settings(suite, name), casting=casting)
        for task in suite.tasks
        for name, casting in _castings(task).items()
    ]
    suite.known()
    checks: list[Check] = []

    def show(progress: Progress) -> None:
        if progress.ended is not None:
            on_line(f"{progress.task} [{progress.agent}] {progress.ended.ending}, {progress.step} steps")

    with tempfile.TemporaryDirectory(prefix="refute-check-") as out:
        await run_jobs(suite, jobs, Path(out), workers=workers, on_progress=show)
        for job in jobs:
            checks.append(_judge(job.task, job.settings.agent, read_trace(job.place(Path(out)))))
    good = [check for check in checks if not check.problem]
    return CheckResult(
        suite=suite.name,
        tasks=len(suite.tasks),
        oracle=sum(check.agent == "oracle" for check in good),
        noop=sum(check.agent == "noop" for check in good),
        ignored_revision=sum(check.agent.startswith("ignore-") for check in good),
        failures=tuple(check for check in checks if check.problem),
        checks=tuple(checks),
    )


def _settings(suite: Suite, agent: str) -> RunSettings:
    return RunSettings(suite=suite.name, agent=agent, model="none", trigger=TriggerMode.PREDICATE, screenshots=False)


def _castings(task: Task) -> dict[str, Casting]:
    numbers = range(1, len(task.revisions) + 1)
    castings = {"oracle": _oracle(frozenset()), "noop": _noop}
    castings |= {f"ignore-{k}": _oracle(frozenset({k})) for k in numbers}
    return castings


def _oracle(ignore: frozenset[int]) -> Casting:
    def cast(suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int) -> Cast:
        return Cast(agent=OracleAgent(task, suite.known().oracle(task, ground.world), ignore=ignore), backend=NoModel())

    return cast


def _noop(suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int) -> Cast:
    return Cast(agent=NoopAgent(), backend=NoModel())


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


def _judge(task: Task, agent: str, trace: Trace) -> Check:
    end, truth = trace.of(EpisodeEnded)[-1], trace.of(TruthVerdict)
    if end.ending is Ending.HARNESS_ERROR or not truth:
        return Check(task=task.id, agent=agent, steps=end.spent.steps, failed=(), problem=end.message or "no verdict")
    verdict = truth[-1]
    active = task.judged(verdict.branches)
    failed = {c.id for c in active if not verdict.findings[c.id].satisfied}
    problem = ""
    if agent == "noop":
        kept = {c.id for c in active if c.action} - failed
        problem = f"doing nothing satisfies {_list(kept)}" if kept else ""
    elif agent == "oracle":
        problem = _oracle_problem(end, verdict, failed)
    else:
        k = int(agent.removeprefix("ignore-"))
        expected = {c.id for c in active if c.bound_to == k and not (c.branch is not None and not c.branch.when)}
        if failed != expected:
            problem = f"ignoring revision {k} fails {_list(failed)} instead of {_list(expected)}"
    return Check(task=task.id, agent=agent, steps=end.spent.steps, failed=tuple(sorted(failed)), problem=problem)


def _oracle_problem(end: EpisodeEnded, verdict: TruthVerdict, failed: set[str]) -> str:
    if end.ending is not Ending.DONE:
        return f"the oracle ended with {end.ending}: {end.message}"
    if failed:
        return "; ".join(f"{name}: {verdict.findings[name].evidence}" for name in sorted(failed))
    if end.forced:
        return f"{end.forced} milestone(s) did not come before the end"
    return f"damage: {'; '.join(verdict.damage)}" if verdict.damage else ""


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
