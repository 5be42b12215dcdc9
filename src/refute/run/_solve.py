"""`bench solve`: proves that tasks can be solved through our observation and actions, by written solutions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from refute._errors import UserError
from refute.goals import Task, TruthVerdict
from refute.revisions import Ending, EpisodeEnded
from refute.run._casting import Cast, NoModel
from refute.run._experiment import run_jobs
from refute.run._folder import claim
from refute.run._job import Job, Progress
from refute.run._settings import RunSettings
from refute.suites import Ground, SolverAgent, Suite, solution_for
from refute.trace import Recorder, read_trace

SOLVER_STEPS = 80
"""Some solutions need more than the ten actions of the benchmark, to scroll or to turn pages."""


class Solved(BaseModel):
    """One episode of a solution."""

    model_config = ConfigDict(frozen=True)

    task: str
    solved: bool
    steps: int
    problem: str = ""


class SolveResult(BaseModel):
    """What `refute bench solve --json` prints."""

    model_config = ConfigDict(frozen=True)

    suite: str
    templates: int
    """Tasks that a solution was tried on, whatever the seed."""
    solved: int
    """Tasks that were solved on every seed."""
    episodes: int
    rewarded: int
    """Episodes with the reward 1."""
    failures: tuple[Solved, ...]
    results: tuple[Solved, ...]

    def text(self) -> str:
        """For a terminal."""
        lines = [f"{self.suite}: {self.solved} of {self.templates} tasks solved on every seed; "
                 f"{self.rewarded} of {self.episodes} episodes"]  # fmt: skip
        lines += [f"  {one.task}: {one.problem}" for one in self.failures]
        return "\n".join(lines)


async def solve_suite(
    suite: Suite, out: Path, *, workers: int = 2, on_line: Callable[[str], None] = lambda line: None
) -> SolveResult:
    """Run the solution of each task that has one; the traces go to ``OUT/<run-id>/``.

    Raises `UserError` when none of the tasks has a solution or another process works there, `SiteError` or
    `BrowserMissing` when nothing starts.
    """
    tasks = [task for task in suite.tasks if solution_for(task) is not None]
    if not tasks:
        raise UserError(f"no solution is written for any of these tasks of {suite.name}")
    settings = RunSettings(suite=suite.name, agent="solver", model="none", max_steps=SOLVER_STEPS, screenshots=False)
    jobs = [Job(task=task, repeat=0, settings=settings, casting=_cast) for task in tasks]

    def show(progress: Progress) -> None:
        if progress.ended is not None:
            on_line(f"{progress.task}: {progress.ended.ending}, {progress.step} steps {progress.ended.message[:120]}")

    with claim(out, settings):
        await run_jobs(suite, jobs, out, workers=workers, on_progress=show)
        results = [_result(job.task, job.place(out)) for job in jobs]
    failed = {_template(one.task) for one in results if not one.solved}
    templates = {_template(one.task) for one in results}
    return SolveResult(
        suite=suite.name,
        templates=len(templates),
        solved=len(templates - failed),
        episodes=len(results),
        rewarded=sum(one.solved for one in results),
        failures=tuple(one for one in results if not one.solved),
        results=tuple(results),
    )


def _cast(suite: Suite, task: Task, ground: Ground, recorder: Recorder, settings: RunSettings, repeat: int) -> Cast:
    solution = solution_for(task)
    if solution is None:
        raise UserError(f"no solution is written for {task.id}")
    return Cast(agent=SolverAgent(solution), backend=NoModel())


def _result(task: Task, folder: Path) -> Solved:
    trace = read_trace(folder)
    end, truth = trace.of(EpisodeEnded)[-1], trace.of(TruthVerdict)
    finding = truth[-1].findings["goal"] if truth else None
    solved = end.ending is not Ending.HARNESS_ERROR and finding is not None and finding.satisfied
    problem = "" if solved else f"{end.ending}: {end.message or (finding.evidence if finding else '')}"
    return Solved(task=task.id, solved=solved, steps=end.spent.steps, problem=problem)


def _template(task: str) -> str:
    return task.rpartition(".")[0]
