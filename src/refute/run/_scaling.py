"""How success grows with experience (fcpagent figure 4): libraries of more and more training tasks, one test split."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from refute._errors import UserError
from refute.agents.memory import Library, save_library
from refute.learn import Split, learn, read_lessons
from refute.llm import Backend
from refute.metrics import Estimate, Outcome, outcomes, paired, score, tsr
from refute.run._casting import embedder_of
from refute.run._experiment import run_suite
from refute.run._job import Show, silent
from refute.run._settings import RunSettings
from refute.suites import Suite
from refute.tables import read_tables
from refute.trace import write_whole

SETUP_FILE = "setup.json"
"""What the curve in a folder rests on; a call that rests on anything else is refused there."""
SHARES = (0, 25, 50, 75, 100)
"""Percent of the training split's tasks."""
BOTH, SKILLS_ONLY = "fcp", "fcp:no-failure-library"
"""The two curves: skills and failure repairs, and skills alone."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Setup(_Frozen):
    """What all points of a curve have in common; episodes of another one would be pooled with these."""

    suite: str
    model: str
    seed: int
    repeats: int
    train: tuple[str, ...]
    test: tuple[str, ...]

    def claim(self, out: Path) -> None:
        """Write ``OUT/setup.json``, or raise `UserError` when it tells of something else."""
        path = out / SETUP_FILE
        if not path.exists():
            write_whole(path, self.model_dump_json(indent=1) + "\n")
            return
        try:
            there = _Setup.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            raise UserError(
                f"{path} cannot be read, so nobody knows what {out} rests on: give another --out"
            ) from error
        differ = [name for name in _Setup.model_fields if getattr(there, name) != getattr(self, name)]
        if differ:
            raise UserError(
                f"{out} holds a curve that rests on something else ({', '.join(map(_told, differ))}); nothing was "
                "changed. Give another --out, or what it was begun with."
            )


class Mean(_Frozen):
    """A mean over tasks in [0, 1], with its 95 % interval where there are two tasks or more."""

    value: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, estimate: Estimate) -> Mean:
        """The same mean, for a file."""
        return cls(value=estimate.value, low=estimate.low, high=estimate.high)


class ScalingCurve(_Frozen):
    """One agent with one library on the test split."""

    agent: str
    episodes: int
    """Episodes in the means; harness errors are not."""
    success: Mean
    """Share of episodes in which every constraint that counts is satisfied (TSR)."""
    score: Mean


class ScalingPoint(_Frozen):
    """What a share of the training split is worth."""

    share: int
    tasks: tuple[str, ...]
    """The training tasks that were learned from; those of a smaller share are among them."""
    skills: int
    failures: int
    curves: tuple[ScalingCurve, ...]
    """`BOTH`, then `SKILLS_ONLY`. Without experience there is no failure library, and the two are one."""
    gain: Mean
    """Mean over tasks of the score with the failure library minus that without it, paired by task and seed."""


class ScalingResult(_Frozen):
    """A whole curve, with what it rests on."""

    suite: str
    model: str
    simulated: bool
    seed: int
    repeats: int
    test_tasks: int
    points: tuple[ScalingPoint, ...]


class Scaling:
    """The runs that a scaling curve is made of: below `out`, one folder for training and one for each share.

    Everything continues: finished episodes are kept, and with a `CachedBackend` the inducers are asked nothing twice.
    """

    def __init__(self, suite: Suite, settings: RunSettings, out: Path, *, shares: Sequence[int], repeats: int) -> None:
        """Raises `UserError` when the suite lacks one of the two splits."""
        self._train = suite.of_split("train")
        self._test = suite.of_split("test")
        self._settings = settings
        self._out = out
        self._shares = tuple(sorted(set(shares)))
        self._repeats = repeats

    @property
    def episodes(self) -> int:
        """How many episodes there are in all."""
        tested = sum(len(_agents(share)) for share in self._shares) * len(self._test.tasks)
        return (len(self._train.tasks) * any(self._shares) + tested) * self._repeats

    async def run(
        self,
        *,
        backend: Callable[[], Backend],
        workers: int = 1,
        stop: asyncio.Event | None = None,
        on_progress: Show = silent,
    ) -> ScalingResult | None:
        """Train without any library, learn, and test, share by share; None when `stop` was set before the end.

        `backend` opens the model that the inducers ask. Raises `UserError` when the folder holds the curve of another
        suite, model, seed, number of repeats or choice of tasks, and what `run_suite` and `learn` raise.
        """

        self._setup.claim(self._out)

        async def work(suite: Suite, agent: str, folder: str) -> bool:
            result = await run_suite(
                suite,
                self._played_by(agent),
                self._out / folder,
                repeats=self._repeats,
                workers=workers,
                stop=stop,
                on_progress=on_progress,
            )
            return result.left == 0 and not (stop is not None and stop.is_set())

        if any(self._shares) and not await work(self._train.with_library(Library()), BOTH, "train"):
            return None
        points: list[ScalingPoint] = []
        for share in self._shares:
            tasks = nested_share([task.id for task in self._train.tasks], share, seed=self._settings.seed)
            library = await self._library(share, tasks, backend)
            for agent in _agents(share):
                if not await work(self._test.with_library(library), agent, f"test-{share:03d}"):
                    return None
            points.append(self._point(share, tasks, library))
        return ScalingResult(
            suite=self._settings.suite,
            model=self._settings.model,
            simulated=self._settings.simulated,
            seed=self._settings.seed,
            repeats=self._repeats,
            test_tasks=len(self._test.tasks),
            points=tuple(points),
        )

    async def _library(self, share: int, tasks: Sequence[str], backend: Callable[[], Backend]) -> Library:
        folder = self._out / f"library-{share:03d}"
        trained = self._out / "train" / self._played_by(BOTH).run_id
        lessons = read_lessons([trained], split=Split.TRAIN, tasks=set(tasks)) if tasks else None
        if lessons is None or not lessons.lessons:
            save_library(Library(), folder)
            return Library()
        model = backend()
        try:
            learned = await learn(
                lessons,
                folder,
                backend=model,
                embedder=embedder_of(self._settings),
                overwrite=True,
            )
        finally:
            await model.close()
        return learned.library

    def _point(self, share: int, tasks: Sequence[str], library: Library) -> ScalingPoint:
        both = self._outcomes(BOTH, share)
        alone = self._outcomes(SKILLS_ONLY, share) if share else both
        return ScalingPoint(
            share=share,
            tasks=tuple(tasks),
            skills=len(library.skills),
            failures=len(library.failures),
            curves=(_curve(BOTH, both), _curve(SKILLS_ONLY, alone)),
            gain=Mean.of(paired(alone, both).score),
        )

    def _outcomes(self, agent: str, share: int) -> tuple[Outcome, ...]:
        """How this curve's own episodes ended, whatever else lies beside them."""
        return outcomes(read_tables(self._out / f"test-{share:03d}" / self._played_by(agent).run_id))

    def _played_by(self, agent: str) -> RunSettings:
        return self._settings.model_copy(update={"agent": agent})

    @property
    def _setup(self) -> _Setup:
        return _Setup(
            suite=self._settings.suite,
            model=self._settings.model,
            seed=self._settings.seed,
            repeats=self._repeats,
            train=tuple(task.id for task in self._train.tasks),
            test=tuple(task.id for task in self._test.tasks),
        )


def nested_share(tasks: Sequence[str], share: int, *, seed: int) -> tuple[str, ...]:
    """`share` percent of `tasks`, rounded up, drawn by `seed`; a larger share holds every smaller one."""
    drawn = sorted(tasks, key=lambda task: hashlib.sha256(f"{seed} {task}".encode()).hexdigest())
    return tuple(sorted(drawn[: math.ceil(len(drawn) * share / 100)]))


def _told(field: str) -> str:
    return {"train": "the training tasks", "test": "the test tasks", "repeats": "--repeats"}.get(field, f"the {field}")


def _agents(share: int) -> tuple[str, ...]:
    return (BOTH, SKILLS_ONLY) if share else (BOTH,)


def _curve(agent: str, found: Sequence[Outcome]) -> ScalingCurve:
    return ScalingCurve(agent=agent, episodes=len(found), success=Mean.of(tsr(found)), score=Mean.of(score(found)))
