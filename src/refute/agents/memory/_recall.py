"""Finding in a library what the work at hand needs (fcpagent B.3 equation 3, B.4 equation 4)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from refute.agents.memory._library import Library
from refute.agents.memory._records import FailureRepair, Skill
from refute.evidence import Embedder, bm25, minilm
from refute.trace import Event, Recorder

START, REPAIR = "start", "repair"
_OPENING = Lock()
"""Episodes share a process, and no two of them should load the same model."""


class Found(BaseModel):
    """A record that was retrieved, with the scores that ranked it."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="a skill's name, a failure repair's id")
    score: float = 0.0
    lexical: float = Field(default=0.0, description="min-max normalised BM25, for skills")
    cosine: float = Field(default=0.0, description="raw; for a failure repair that of the query")
    expanded: bool = Field(default=False, description="came along with a skill of the same source task")


class Retrieved(Event, kind="retrieved"):
    """The library was searched. `found` is empty where nothing in it was close enough."""

    what: str = Field(description="skills or failures")
    occasion: str = Field(description="start, or repair")
    library: int = Field(ge=0, description="records that were searched")
    found: tuple[Found, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RecallSettings:
    """How many records, and how close they must be (decision 12). Cosines are in [-1, 1]."""

    skills: int = 3
    """K."""
    failures: int = 2
    """P."""
    lexical: float = 0.4
    semantic: float = 0.6
    floor: float = 0.15
    """Least raw cosine of a skill, for the embedder that comes with the package. A model whose unrelated texts lie
    closer together, such as BGE-M3, needs a higher one."""
    similarity: float = 0.3
    """Least score of a failure repair."""
    expanded: int = 3
    """Most skills that may come along."""


class RecalledSkill(BaseModel):
    """A skill and how it was found."""

    model_config = ConfigDict(frozen=True)

    skill: Skill
    found: Found


class RecalledFailure(BaseModel):
    """A failure repair and how it was found."""

    model_config = ConfigDict(frozen=True)

    failure: FailureRepair
    found: Found


class Memory:
    """What an agent can recall: a library and how it is searched. Never changes the library.

    `embedder` turns texts into unit vectors, and computes no text twice in a process; the default is the embedded one.
    It is loaded with the first search of a library that has records. `skills` and `failures` compute in the caller's
    thread; an agent awaits `recall_skills` and `recall_failures`, which leave the event loop to others meanwhile.
    """

    def __init__(
        self,
        library: Library | None = None,
        *,
        embedder: Embedder | None = None,
        settings: RecallSettings | None = None,
    ) -> None:
        self.library = library or Library()
        self._embedder = embedder
        self._settings = settings or RecallSettings()

    def skills(self, goal: str) -> tuple[RecalledSkill, ...]:
        """At most K skills for `goal`, best first, and after them those of the same source tasks.

        Equation 3: 0.4 BM25 over name, keywords and applicability, and 0.6 cosine over these and the success signal,
        each min-max normalised over the library. A skill whose raw cosine is under the floor is no candidate. Equal
        scores keep the library's order.
        """
        library, settings = self.library.skills, self._settings
        if not library:
            return ()
        lexical = normalised(bm25([_lexical_text(s) for s in library], goal))
        cosines = self._cosines([semantic_text(s) for s in library], goal)
        scores = settings.lexical * lexical + settings.semantic * normalised(cosines)
        best = [i for i in _ranked(scores) if cosines[i] >= settings.floor][: settings.skills]
        more = _expanded(library, best, most=settings.expanded)
        return tuple(
            RecalledSkill(
                skill=library[i],
                found=Found(
                    name=library[i].name,
                    score=_figure(scores[i]),
                    lexical=_figure(lexical[i]),
                    cosine=_figure(cosines[i]),
                    expanded=i in more,
                ),
            )
            for i in (*best, *more)
        )

    def failures(self, query: str, diagnosis: str = "") -> tuple[RecalledFailure, ...]:
        """At most P failure repairs for the task `query` and what was diagnosed, best first.

        Equation 4: half the cosine to the record's query, half that of `diagnosis` to its pattern and analysis. Before
        planning nothing is diagnosed, and the query counts alone.
        """
        library, settings = self.library.failures, self._settings
        if not library:
            return ()
        cosines = self._cosines([f.query for f in library], query)
        scores = cosines
        if diagnosis:
            scores = 0.5 * cosines + 0.5 * self._cosines([diagnosis_text(f) for f in library], diagnosis)
        best = [i for i in _ranked(scores) if scores[i] >= settings.similarity][: settings.failures]
        return tuple(
            RecalledFailure(
                failure=library[i],
                found=Found(name=library[i].id, score=_figure(scores[i]), cosine=_figure(cosines[i])),
            )
            for i in best
        )

    async def recall_skills(self, goal: str, *, recorder: Recorder) -> tuple[RecalledSkill, ...]:
        """The skills for `goal`, as above, with a `Retrieved` event; an empty library leaves none."""
        if not self.library.skills:
            return ()
        recalled = await asyncio.to_thread(self.skills, goal)
        found = tuple(r.found for r in recalled)
        recorder.record(Retrieved(what="skills", occasion=START, library=len(self.library.skills), found=found))
        return recalled

    async def recall_failures(
        self, query: str, diagnosis: str | None = None, *, recorder: Recorder
    ) -> tuple[RecalledFailure, ...]:
        """The failure repairs for a task, before planning (None) or for a diagnosis, with an event as above."""
        if not self.library.failures:
            return ()
        recalled = await asyncio.to_thread(self.failures, query, diagnosis or "")
        occasion = START if diagnosis is None else REPAIR
        found = tuple(r.found for r in recalled)
        recorder.record(Retrieved(what="failures", occasion=occasion, library=len(self.library.failures), found=found))
        return recalled

    def _cosines(self, texts: Sequence[str], query: str) -> NDArray[np.float64]:
        with _OPENING:
            embedder = self._embedder or minilm()  # kept by the process
        vectors = embedder.embed([*texts, query]).astype(np.float64)
        return vectors[:-1] @ vectors[-1]


def normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Min-max over the library, in [0, 1]; scores that are all equal become 1 (decision 12)."""
    low, high = scores.min(), scores.max()
    return np.ones_like(scores) if high <= low else (scores - low) / (high - low)


def semantic_text(skill: Skill) -> str:
    """What of a skill is embedded."""
    return f"{_lexical_text(skill)}. {skill.success}"


def diagnosis_text(failure: FailureRepair) -> str:
    """What of a failure repair is compared with a diagnosis."""
    return f"{failure.pattern} {failure.analysis}".strip()


def came_along(recalled: Sequence[RecalledSkill]) -> tuple[str, ...]:
    """The names of those that were not close to the goal themselves."""
    return tuple(r.skill.name for r in recalled if r.found.expanded)


def _lexical_text(skill: Skill) -> str:
    return f"{skill.name.replace('_', ' ')}. {' '.join(skill.keywords)}. {skill.applicability}"


def _ranked(scores: NDArray[np.float64]) -> list[int]:
    return [int(i) for i in np.argsort(-scores, kind="stable")]


def _figure(score: np.float64) -> float:
    return round(float(score), 4)


def _expanded(library: Sequence[Skill], best: Sequence[int], *, most: int) -> list[int]:
    """Skills induced from a source task of a retrieved one (fcpagent B.3), those that share most tasks first."""
    wanted = {task for i in best for task in _tasks(library[i])}
    shared = [(len(wanted & _tasks(s)), i) for i, s in enumerate(library) if i not in best]
    return [i for share, i in sorted(shared, key=lambda pair: -pair[0]) if share][:most]


def _tasks(skill: Skill) -> frozenset[tuple[str, str]]:
    return frozenset((origin.site, origin.task) for origin in skill.sources)
