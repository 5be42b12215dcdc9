"""Retrieval: equations 3 and 4 by hand, what never changes about a ranking, and what the trace keeps of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from refute.agents.memory import (
    FailureRepair,
    Library,
    Memory,
    Origin,
    RecallSettings,
    RepairStrategy,
    Retrieved,
    Skill,
    diagnosis_text,
    semantic_text,
)
from refute.evidence import bm25, minilm
from refute.trace import Recorder, read_trace

ANGLES = {"near": 1.0, "halfway": 0.6, "far": 0.2}


class Given:
    """An embedder whose cosines to any unknown text (the query) are given."""

    name = "given"

    def __init__(self, cosines: dict[str, float]) -> None:
        self.cosines = cosines

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [(c := self.cosines.get(text, 1.0), (1 - c * c) ** 0.5) for text in texts]
        return np.array(rows, dtype=np.float32)


def skill(name: str, *, task: str = "", applicability: str = "") -> Skill:
    sources = (Origin(site="shop", task=task),) if task else ()
    return Skill(name=name, applicability=applicability, steps=("Do it.",), success=f"{name} done", sources=sources)


def case(query: str, pattern: str) -> FailureRepair:
    return FailureRepair(query=query, pattern=pattern, strategy=RepairStrategy.REPLAN)


def memory_of(cosines: dict[str, float], *skills: Skill, settings: RecallSettings | None = None) -> Memory:
    embedder = Given({semantic_text(s): cosines[s.name] for s in skills})
    return Memory(Library(skills=skills), embedder=embedder, settings=settings)


def test_equation_3_by_hand() -> None:
    near, halfway, far = (skill(name, applicability=f"a {name} mug") for name in ANGLES)
    far = far.model_copy(update={"applicability": "a far red mug, a red one"})
    found = memory_of(ANGLES, near, halfway, far, settings=RecallSettings(floor=0.0)).skills("red")
    # Only the last has the word: its BM25 is the maximum (1), the others' the minimum (0). Cosines 1, 0.6, 0.2 become
    # 1, 0.5, 0. So 0.4·0 + 0.6·1, 0.4·0 + 0.6·0.5, 0.4·1 + 0.6·0.
    assert [(r.skill.name, r.found.score) for r in found] == [("near", 0.6), ("far", 0.4), ("halfway", 0.3)]
    assert [r.found.lexical for r in found] == [0, 1, 0]
    assert [r.found.cosine for r in found] == pytest.approx([1, 0.2, 0.6])


def test_equal_scores_count_as_1_and_keep_the_order_of_the_library() -> None:
    first, second = skill("first"), skill("second")
    found = memory_of({"first": 0.5, "second": 0.5}, first, second).skills("nothing in common")
    assert [(r.skill.name, r.found.score) for r in found] == [("first", 1.0), ("second", 1.0)]


def test_a_skill_under_the_floor_is_no_candidate_however_many_words_it_shares() -> None:
    words = skill("red_mug", applicability="red mug red mug")
    meant = skill("buy")
    memory = memory_of({"red_mug": 0.29, "buy": 0.31}, words, meant, settings=RecallSettings(floor=0.3))
    assert [r.skill for r in memory.skills("red mug")] == [meant]


def test_skills_of_the_same_source_task_come_along_and_say_so() -> None:
    best = skill("best", task="t1")
    before, after, other = skill("before", task="t1"), skill("after", task="t1"), skill("other", task="t2")
    cosines = {"best": 0.9, "before": 0.1, "after": 0.1, "other": 0.1}
    found = memory_of(cosines, before, best, other, after).skills("x")
    assert [(r.skill.name, r.found.expanded) for r in found] == [("best", False), ("before", True), ("after", True)]
    capped = memory_of(cosines, before, best, other, after, settings=RecallSettings(expanded=1)).skills("x")
    assert [r.skill.name for r in capped] == ["best", "before"]


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=8), st.integers(0, 4), st.floats(0, 0.9))
def test_what_holds_for_every_ranking(cosines: list[float], most: int, floor: float) -> None:
    skills = [skill(f"s{n}") for n in range(len(cosines))]
    given_cosines = {f"s{n}": c for n, c in enumerate(cosines)}
    settings = RecallSettings(skills=most, floor=floor)
    found = memory_of(given_cosines, *skills, settings=settings).skills("q")
    assert len(found) <= most
    assert all(0 <= r.found.score <= 1.0001 and r.found.cosine >= floor - 1e-3 for r in found)
    scores = [r.found.score for r in found]
    assert scores == sorted(scores, reverse=True)
    left = {s.name for s in skills} - {r.skill.name for r in found}
    if len(found) == most and found:
        worst = min(r.found.cosine for r in found)
        assert all(given_cosines[name] <= worst + 1e-3 for name in left)  # no word is shared: the cosine decides


@given(st.permutations(range(5)), st.permutations([0.9, 0.7, 0.5, 0.3, 0.2]))
def test_the_order_of_the_library_decides_nothing_but_ties(order: list[int], cosines: list[float]) -> None:
    skills = [skill(f"s{n}") for n in range(5)]
    by_name = {f"s{n}": c for n, c in enumerate(cosines)}
    first = memory_of(by_name, *skills).skills("q")
    second = memory_of(by_name, *(skills[n] for n in order)).skills("q")
    assert [r.found for r in first] == [r.found for r in second]


def test_equation_4_weighs_the_task_and_the_diagnosis_alike_and_the_task_alone_before_planning() -> None:
    same_task, same_cause = case("q1", "p1"), case("q2", "p2")
    cosines = {"q1": 0.9, "q2": 0.4, diagnosis_text(same_task): 0.1, diagnosis_text(same_cause): 0.8}
    memory = Memory(Library(failures=(same_task, same_cause)), embedder=Given(cosines))
    assert [r.found.score for r in memory.failures("q")] == pytest.approx([0.9, 0.4], abs=1e-3)
    found = memory.failures("q", "u")
    assert [(r.failure, r.found.score) for r in found] == [
        (same_cause, pytest.approx(0.6, abs=1e-3)),
        (same_task, pytest.approx(0.5, abs=1e-3)),
    ]
    strict = Memory(memory.library, embedder=Given(cosines), settings=RecallSettings(similarity=0.55))
    assert [r.failure for r in strict.failures("q", "u")] == [same_cause]
    one = Memory(memory.library, embedder=Given(cosines), settings=RecallSettings(failures=1))
    assert [r.failure for r in one.failures("q", "u")] == [same_cause]


async def test_the_trace_tells_what_was_found_and_an_empty_library_leaves_no_event(tmp_path: Path) -> None:
    best = skill("best", task="t1")
    with Recorder(tmp_path) as recorder:
        memory = memory_of({"best": 0.9, "more": 0.1}, best, skill("more", task="t1"))
        await memory.recall_skills("x", recorder=recorder)
        await Memory().recall_skills("x", recorder=recorder)
        await Memory().recall_failures("x", recorder=recorder)
    (event,) = read_trace(tmp_path).of(Retrieved)
    assert (event.what, event.occasion, event.library) == ("skills", "start", 2)
    assert [(found.name, found.expanded) for found in event.found] == [("best", False), ("more", True)]


class Slow(Given):
    """An embedder that is done only when the event loop went on meanwhile."""

    def __init__(self) -> None:
        super().__init__({})
        self.started, self.released = Event(), Event()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.started.set()
        assert self.released.wait(10), "the event loop stood still"
        return super().embed(texts)


async def test_other_episodes_go_on_while_one_recalls(tmp_path: Path) -> None:
    embedder = Slow()
    with Recorder(tmp_path) as recorder:
        memory = Memory(Library(skills=(skill("one"),)), embedder=embedder)
        recalling = asyncio.create_task(memory.recall_skills("x", recorder=recorder))
        assert await asyncio.to_thread(embedder.started.wait, 10)
        embedder.released.set()
        assert [found.skill.name for found in await recalling] == ["one"]


def test_the_embedded_model_finds_the_skill_that_is_meant_and_computes_the_library_once() -> None:
    library = Library(
        skills=(
            Skill(
                name="write_a_review",
                keywords=("review", "stars"),
                applicability="A product has to be reviewed.",
                steps=("Press Write a review.",),
                success="The shop thanks for the review.",
            ),
            Skill(
                name="check_out",
                keywords=("order", "buy", "checkout"),
                applicability="What is in the basket has to be ordered.",
                steps=("Press Proceed to checkout.",),
                success="The order has been placed.",
            ),
        )
    )
    found = Memory(library).skills("Give the kettle four stars in a review, and say that it is quiet.")
    assert found[0].skill.name == "write_a_review"
    texts = [semantic_text(s) for s in library.skills]
    assert np.array_equal(minilm().embed(texts), minilm().embed(texts))
    assert bm25(texts, "review stars")[0] > bm25(texts, "review stars")[1]
