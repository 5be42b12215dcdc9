"""Records that say the same become one, with all their sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from refute.agents.memory import FailureRepair, Origin, Skill, diagnosis_text, semantic_text
from refute.evidence import Embedder

ALIKE = 0.9
"""Cosine from which two records count as near-duplicates."""

R = TypeVar("R", Skill, FailureRepair)


def merge_skills(skills: Sequence[Skill], embedder: Embedder) -> tuple[Skill, ...]:
    """`skills` in their order, near-duplicates as one: the first one's texts, everybody's keywords and sources.

    Of different skills with one name, the later ones get a number, since plans link skills by name.
    """

    def text(skill: Skill) -> str:
        return f"{semantic_text(skill)} {' '.join(skill.steps)}"

    def join(first: Skill, second: Skill) -> Skill:
        keywords = tuple(dict.fromkeys((*first.keywords, *second.keywords)))
        return first.model_copy(update={"keywords": keywords, "sources": _sources(first, second)})

    merged = _merged(skills, embedder, text, lambda first, second: True, join)
    names: set[str] = set()
    unique: list[Skill] = []
    for skill in merged:
        name, number = skill.name, 1
        while name in names:
            number += 1
            name = f"{skill.name}_{number}"
        names.add(name)
        unique.append(skill.model_copy(update={"name": name}))
    return tuple(unique)


def merge_failures(failures: Sequence[FailureRepair], embedder: Embedder) -> tuple[FailureRepair, ...]:
    """`failures` in their order, near-duplicates with the same strategy as one, with everybody's sources."""

    def join(first: FailureRepair, second: FailureRepair) -> FailureRepair:
        return first.model_copy(update={"sources": _sources(first, second)})

    def mergeable(first: FailureRepair, second: FailureRepair) -> bool:
        return first.strategy is second.strategy

    return tuple(_merged(failures, embedder, diagnosis_text, mergeable, join))


def _merged(
    records: Sequence[R],
    embedder: Embedder,
    text: Callable[[R], str],
    mergeable: Callable[[R, R], bool],
    join: Callable[[R, R], R],
) -> list[R]:
    """Each record joins the earliest kept one that is mergeable and close enough, else it is kept itself."""
    vectors = embedder.embed([text(record) for record in records])
    kept: list[tuple[int, R]] = []
    for i, record in enumerate(records):
        for place, (j, other) in enumerate(kept):
            if mergeable(other, record) and float(vectors[i] @ vectors[j]) >= ALIKE:
                kept[place] = (j, join(other, record))
                break
        else:
            kept.append((i, record))
    return [record for _, record in kept]


def _sources(first: Skill | FailureRepair, second: Skill | FailureRepair) -> tuple[Origin, ...]:
    return _each_once((*first.sources, *second.sources))


def _each_once(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    return tuple(dict.fromkeys(origins))
