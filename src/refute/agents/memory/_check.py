"""What a library must not hold, and how two libraries differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from refute.agents.memory._library import Library
from refute.agents.memory._records import FailureRepair, Skill

_RAW = (
    ("element id", re.compile(r"\w\(\s*['\"]?\d+['\"]?\s*[,)]")),  # click('12'), fill('12', …)
    ("element id", re.compile(r"\[\d+\]")),
    ("element id", re.compile(r"\b(?:element|node|bid|id)\s*[=:#]?\s*(?:no\.?|number)?\s*['\"]?\d+\b", re.IGNORECASE)),
    ("path in the document", re.compile(r"(?<![:\w])//\w+\[|\bxpath\b|\bdata-test", re.IGNORECASE)),
    ("coordinates", re.compile(r"\(\s*\d+(?:\.\d+)?\s*,\s*\d+(?:\.\d+)?\s*\)")),
    ("coordinates", re.compile(r"\b[xy]\s*[=:]\s*\d+\b|\b\d+\s*px\b", re.IGNORECASE)),
)


def raw_references(text: str) -> tuple[str, ...]:
    """What in `text` means something on one page only: ids of elements, paths in a document, coordinates."""
    return tuple(f"{kind} {match[0]!r}" for kind, pattern in _RAW for match in pattern.finditer(text))


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something that is wrong with a record."""

    record: str
    """``skill NAME`` or ``failure ID``."""
    text: str

    def __str__(self) -> str:
        return f"{self.record}: {self.text}"


def check_library(library: Library) -> tuple[Problem, ...]:
    """Everything that is wrong with a library's records, in their order; nothing for a sound one.

    Looked for: names or cases that occur twice, skills without steps or with empty ones, fields without a text that
    retrieval needs, references to one page only, and records of tasks from the test split.
    """
    problems: list[Problem] = []
    names = Counter(skill.name for skill in library.skills)
    for skill in library.skills:
        found = [*_of_skill(skill), *(("another skill has the same name",) if names[skill.name] > 1 else ())]
        problems += [Problem(record=f"skill {skill.name}", text=text) for text in found]
    ids = Counter(failure.id for failure in library.failures)
    for failure in library.failures:
        found = [*_of_failure(failure), *(("the same case occurs twice",) if ids[failure.id] > 1 else ())]
        problems += [Problem(record=f"failure {failure.id}", text=text) for text in found]
    return tuple(problems)


def _of_skill(skill: Skill) -> Iterator[str]:
    if not skill.steps:
        yield "has no steps"
    if any(not step.strip() for step in skill.steps):
        yield "has an empty step"
    if not skill.applicability.strip():
        yield "does not say when it applies"
    yield from _raw_in(skill)
    yield from _leftovers(skill)


def _of_failure(failure: FailureRepair) -> Iterator[str]:
    if not failure.plan.strip() and not failure.lessons.strip():
        yield "gives no advice: neither a plan nor lessons"
    yield from _raw_in(failure)
    yield from _leftovers(failure)


def texts_of(record: Skill | FailureRepair) -> tuple[str, ...]:
    """Every text of a record that a model wrote."""
    if isinstance(record, Skill):
        return (record.name, *record.keywords, record.applicability, *record.steps, record.success, record.precautions)
    return (record.pattern, record.analysis, record.plan, record.lessons)


def _raw_in(record: Skill | FailureRepair) -> Iterator[str]:
    for text in texts_of(record):
        for reference in raw_references(text):
            yield f"{reference} means something on one page only"


def _leftovers(record: Skill | FailureRepair) -> Iterator[str]:
    for task in dict.fromkeys(origin.task for origin in record.sources if origin.split == "test"):
        yield f"comes from the task {task} of the test split"


@dataclass(frozen=True, kw_only=True)
class LibraryDiff:
    """How a second library differs from a first one. Skills are matched by name, failure repairs by content."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Skills, with the fields that differ."""

    @property
    def equal(self) -> bool:
        """Whether both hold the same records, in whatever order."""
        return not (self.added or self.removed or self.changed)


def diff_libraries(first: Library, second: Library) -> LibraryDiff:
    """What `second` has more, less and otherwise than `first`."""
    old = {f"skill {s.name}": s for s in first.skills} | {f"failure {f.id}": f for f in first.failures}
    new = {f"skill {s.name}": s for s in second.skills} | {f"failure {f.id}": f for f in second.failures}
    changed = [(name, _fields(old[name], new[name])) for name in old if name in new and old[name] != new[name]]
    return LibraryDiff(
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        changed=tuple(f"{name}: {', '.join(fields)}" for name, fields in changed),
    )


def _fields(old: Skill | FailureRepair, new: Skill | FailureRepair) -> list[str]:
    return [name for name in type(old).model_fields if getattr(old, name) != getattr(new, name)]
