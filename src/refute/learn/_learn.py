"""Making a library from finished runs: ask the inducers, clean what they say, merge what is alike, write it down."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import filelock
from pydantic import BaseModel

from refute._errors import LimitReached, ModelReplyError, RunStopped, TraceError, UserError
from refute.agents.memory import (
    FAILURES_FILE,
    SKILLS_FILE,
    FailureRepair,
    Library,
    LibraryInfo,
    Skill,
    save_library,
)
from refute.budget import Budget, Limits, RealClock, VirtualClock
from refute.evidence import Embedder, minilm
from refute.learn._clean import Unclean, clean_failure, clean_skill
from refute.learn._lessons import Lesson, Lessons, Split
from refute.learn._merge import merge_failures, merge_skills
from refute.learn._roles import FAILURE_INDUCER, SKILL_INDUCER, FailureInducerInput, SkillInducerInput
from refute.llm import Backend, Model, ModelCalled, Role, RoleModel
from refute.trace import Event, Recorder

LOCK_FILE = "learn.lock"
"""Held by the process that makes the library; the file stays, and says that the library was learned."""

I = TypeVar("I", bound=BaseModel)
O = TypeVar("O", bound=BaseModel)


@dataclass(frozen=True, kw_only=True)
class LearnProgress:
    """How far learning is: episodes read, of all, and the one that is being read."""

    done: int
    of: int
    text: str


def silent(progress: LearnProgress) -> None:
    """Show nothing."""


@dataclass(frozen=True, kw_only=True)
class Learned:
    """A library that was made, and how."""

    library: Library
    successes: int
    """Episodes that went well."""
    troubles: int
    """Episodes that failed or were repaired; a repaired success counts in both."""
    skipped: Mapping[str, int]
    dropped: tuple[str, ...]
    """Drafts, or whole replies, that could not be used, and why."""
    merged: int
    """Records that went into another one."""
    calls: int
    """Questions to the model; those answered by kept replies alone are in none of these figures."""
    tokens: int
    dollars: float | None


async def learn(
    lessons: Lessons,
    out: Path,
    *,
    backend: Backend,
    split: Split = Split.TRAIN,
    embedder: Embedder | None = None,
    overwrite: bool = False,
    on_progress: Callable[[LearnProgress], None] = silent,
) -> Learned:
    """Make the library of `lessons` in `out` with the model behind `backend` (fcpagent B.3, B.4).

    Each success is asked for skills, each failure or repaired episode for its failure modes. The order of lessons and
    the replies decide the library to the byte. The library's files are written at the end, each as a whole; with a
    `CachedBackend` the same call goes on after a kill and asks nothing twice.

    Raises `UserError` when `out` holds a library that was not learned there (`overwrite` replaces it) or another
    process learns into it, `RunStopped` at the limit of a `MeteredBackend`, `ModelError` when the provider fails, and
    `TraceError` when the disk does.
    """
    if not overwrite:
        _refuse_to_overwrite(out)
    with _alone(out):
        return await _learn(lessons, out, backend, split, embedder, on_progress)


async def _learn(
    lessons: Lessons,
    out: Path,
    backend: Backend,
    split: Split,
    embedder: Embedder | None,
    on_progress: Callable[[LearnProgress], None],
) -> Learned:
    pupil = _Pupil()
    of = len(lessons.lessons)
    # What the questions cost is added up as they are recorded; learning leaves no trace of an episode.
    scratch = tempfile.TemporaryDirectory(prefix="refute-learn-")
    with scratch as folder, Recorder(Path(folder), listen=pupil.count) as recorder:
        clock = VirtualClock() if backend.simulated else RealClock()
        budget = Budget(Limits(), started=clock.now())
        model = RoleModel(backend, recorder=recorder, budget=budget, clock=clock)
        for number, lesson in enumerate(lessons.lessons):
            on_progress(LearnProgress(done=number, of=of, text=lesson.origin.task))
            try:
                await pupil.take(lesson, model)
            except LimitReached as error:
                raise RunStopped(
                    f"stopped at the limit of {error.limit} after {number} of {of} episodes; no library was written. "
                    f"Replies are kept: the same command with a higher --max-{error.limit} goes on from here."
                ) from error
    embedder = embedder or minilm()
    library = Library(
        skills=merge_skills(pupil.skills, embedder) if pupil.skills else (),
        failures=merge_failures(pupil.failures, embedder) if pupil.failures else (),
        info=LibraryInfo(
            runs=tuple(sorted({lesson.origin.run for lesson in lessons.lessons})),
            split=split.value,
            model=backend.name,
            simulated=backend.simulated or lessons.simulated > 0,
        ),
    )
    save_library(library, out)
    return Learned(
        library=library,
        successes=sum(lesson.success for lesson in lessons.lessons),
        troubles=sum(lesson.trouble for lesson in lessons.lessons),
        skipped=lessons.skipped,
        dropped=tuple(pupil.dropped),
        merged=len(pupil.skills) + len(pupil.failures) - len(library.skills) - len(library.failures),
        calls=pupil.calls,
        tokens=pupil.tokens,
        dollars=pupil.dollars,
    )


def _refuse_to_overwrite(out: Path) -> None:
    written = [name for name in (SKILLS_FILE, FAILURES_FILE) if (out / name).exists()]
    if written and not (out / LOCK_FILE).exists():
        raise UserError(f"{out} holds a library that was not learned here ({', '.join(written)}); choose another --out")


@contextmanager
def _alone(out: Path) -> Generator[None]:
    """Hold the folder for this process: two would write the same library."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(out / LOCK_FILE, thread_local=False)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise UserError(f"another process learns into {out}; wait for it, or choose another --out") from None
    except OSError as error:
        raise TraceError(f"cannot work in {out}: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


@dataclass(kw_only=True)
class _Pupil:
    """Reads one lesson after the other and keeps what it learns."""

    skills: list[Skill] = field(default_factory=list[Skill])
    failures: list[FailureRepair] = field(default_factory=list[FailureRepair])
    dropped: list[str] = field(default_factory=list[str])
    calls: int = 0
    tokens: int = 0
    dollars: float | None = 0.0

    async def take(self, lesson: Lesson, model: Model) -> None:
        """Ask what `lesson` teaches, and keep what can be used."""
        where = f"{lesson.origin.task} ({lesson.origin.run})"
        if lesson.success:
            answer = await self._ask(SKILL_INDUCER, SkillInducerInput(trajectory=lesson.trajectory), model, where)
            for draft in answer.skills if answer else ():
                try:
                    self.skills.append(clean_skill(draft, lesson.origin))
                except Unclean as error:
                    self.dropped.append(f"{where}: skill {draft.name}: {error}")
        if lesson.trouble:
            question = FailureInducerInput(trajectory=lesson.trajectory, failed=not lesson.success)
            found = await self._ask(FAILURE_INDUCER, question, model, where)
            query = " ".join(lesson.trajectory.instructions)
            for case in found.cases if found else ():
                try:
                    self.failures.append(clean_failure(case, query, lesson.origin))
                except Unclean as error:
                    self.dropped.append(f"{where}: failure: {error}")

    async def _ask(self, role: Role[I, O], question: I, model: Model, where: str) -> O | None:
        """The answer; None for a model that gave no usable one."""
        try:
            return await model.call(role, question)
        except ModelReplyError as error:
            self.dropped.append(f"{where}: {role.name}: {error}")
            return None

    def count(self, event: Event) -> None:
        """Add up what a question cost, unless kept replies answered it."""
        if isinstance(event, ModelCalled) and event.cached < max(1, event.attempts):
            self.calls += 1
            self.tokens += event.usage.total_tokens
            known = self.dollars is not None and event.dollars is not None
            self.dollars = (self.dollars or 0.0) + (event.dollars or 0.0) if known else None
