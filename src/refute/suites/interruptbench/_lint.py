"""What is odd about records: updates that change nothing, or that are not what their type says.

The rules compare words, and say so: what they find is a reason to look, not a verdict. A goal is a set of stems and
numbers; an update can *bring* words of the final intent that were not said before, or *touch* words of the initial
intent that the final one lacks. Severities: `error` needs no reading; a `warning` is strong by words; `unsure` may well
be a paraphrase.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from refute.goals import Task
from refute.suites.interruptbench._lexicon import corrects, hard, meant, said, takes_back
from refute.suites.interruptbench._reading import types_in_name
from refute.suites.interruptbench._records import Reading, Record, UpdateType
from refute.suites.interruptbench._tasks import plain


class Severity(StrEnum):
    """How sure a finding is."""

    ERROR = "error"
    WARNING = "warning"
    UNSURE = "unsure"


class Rule(StrEnum):
    """What was found."""

    UNREADABLE = "unreadable"
    """The row makes no record."""
    UNCHANGED = "unchanged"
    """The initial intent is the final one already."""
    COUNT = "count"
    """Not as many updates as the file's name says."""
    ONE_TYPE = "one-type"
    """All updates of a row in a mixed file are of one type."""
    REPEATED = "repeated"
    """An update says what an earlier one of the row said, word for word."""
    DUPLICATE = "duplicate"
    """Another row has the same initial intent and the same updates."""
    OTHER_TASK = "other-task"
    """The final intent is not that of the original task, whose evaluator judges it."""
    NO_OP = "no-op"
    """An update changes nothing that can be seen in its words."""
    MISLABELLED = "mislabelled"
    """An update does something else than its type says."""
    UNSAID = "unsaid"
    """A number or a name of the final intent is never said to the agent."""


class Finding(BaseModel):
    """Something odd about a row, or about one of its updates."""

    model_config = ConfigDict(frozen=True)

    file: str
    row: int
    line: int
    task_id: str = ""
    update: int = Field(default=0, ge=0, description="its number from 1; 0 = the row as a whole")
    rule: Rule
    severity: Severity
    reason: str


class Linted(BaseModel):
    """A file, looked through."""

    model_config = ConfigDict(frozen=True)

    file: str
    rows: int
    updates: int
    types: Mapping[UpdateType, int]
    """Updates by their type."""
    findings: tuple[Finding, ...]


def lint(file: str, reading: Reading, originals: Mapping[str, Task] | None = None) -> Linted:
    """Look through the rows of `file`; with the original tasks, also whether the final intents are theirs."""
    records = reading.records
    found = [
        Finding(
            file=file,
            row=problem.row,
            line=problem.line,
            rule=Rule.UNREADABLE,
            severity=Severity.ERROR,
            reason=f"{problem.field}: {problem.what}" if problem.field else problem.what,
        )
        for problem in reading.problems
    ]
    found += _duplicates(records)
    for record in records:
        found += _row(record, originals)
        found += _updates(record)
    updates = [update for record in records for update in record.updates]
    return Linted(
        file=file,
        rows=len(records) + len(reading.problems),
        updates=len(updates),
        types=Counter(update.type for update in updates),
        findings=tuple(sorted(found, key=lambda finding: (finding.row, finding.update))),
    )


def _finding(record: Record, rule: Rule, severity: Severity, reason: str, *, update: int = 0) -> Finding:
    return Finding(
        file=record.file,
        row=record.row,
        line=record.line,
        task_id=record.task_id,
        update=update,
        rule=rule,
        severity=severity,
        reason=reason,
    )


def _duplicates(records: Sequence[Record]) -> Iterator[Finding]:
    first: dict[tuple[str, ...], Record] = {}
    for record in records:
        key = (plain(record.initial), *(plain(update.text) for update in record.updates))
        other = first.setdefault(key, record)
        if other is not record:
            reason = f"the row of task {other.task_id} says the same"
            yield _finding(record, Rule.DUPLICATE, Severity.ERROR, reason)


def _row(record: Record, originals: Mapping[str, Task] | None) -> Iterator[Finding]:
    named = types_in_name(record.file)
    if named is not None and named[0] != len(record.updates):
        reason = f"{len(record.updates)} update(s), and the file's name says {named[0]}"
        yield _finding(record, Rule.COUNT, Severity.ERROR, reason)
    kinds = {update.type for update in record.updates}
    if named is not None and named[1] is None and len(kinds) == 1 < len(record.updates):
        yield _finding(record, Rule.ONE_TYPE, Severity.WARNING, f"every update is a {kinds.pop()}")
    original = originals.get(record.task_id) if originals is not None else None
    if originals is not None and original is None:
        yield _finding(record, Rule.OTHER_TASK, Severity.ERROR, "there is no such task")
    if original is not None and plain(original.static_instruction) != plain(record.intent):
        yield _finding(record, Rule.OTHER_TASK, Severity.ERROR, f"its goal is {original.static_instruction!r}")
    if plain(record.initial) == plain(record.intent):
        yield _finding(record, Rule.UNCHANGED, Severity.ERROR, "the initial intent is the final one")
    told = said(" ".join((record.initial, *(update.text for update in record.updates))))
    unsaid = hard(record.intent) - told
    if unsaid:
        yield _finding(record, Rule.UNSAID, Severity.UNSURE, f"never said: {_listed(unsaid)}")


def _updates(record: Record) -> Iterator[Finding]:
    """Each update against what was said before it."""
    final = said(record.intent)
    known = said(record.initial)
    if known == final:
        if plain(record.initial) != plain(record.intent):
            reason = "the initial intent has the words of the final one, in another order or form: words cannot tell"
            yield _finding(record, Rule.NO_OP, Severity.UNSURE, reason)
        return
    wrong = known - final
    earlier: dict[str, int] = {}
    for number, update in enumerate(record.updates, start=1):
        text = update.text
        words = said(text)
        brings, touches = words & (final - known), words & wrong
        first = earlier.setdefault(plain(text), number)
        if first != number:
            yield _finding(record, Rule.REPEATED, Severity.ERROR, f"update {first} says the same", update=number)
        elif not brings and not touches:
            told = _no_op(update.type, text, known, wrong, missing=final - known)
            if told is not None:
                yield _finding(record, Rule.NO_OP, *told, update=number)
        told = _mislabelled(update.type, text, brings, touches, wrong)
        if told is not None:
            yield _finding(record, Rule.MISLABELLED, *told, update=number)
        wrong -= words
        known |= words


def _no_op(
    kind: UpdateType, text: str, known: frozenset[str], wrong: frozenset[str], *, missing: frozenset[str]
) -> tuple[Severity, str] | None:
    """What to say of an update that neither brings nor touches a word that matters."""
    nothing_new = meant(text) <= known
    if kind is UpdateType.RETRACTION:
        if not wrong:
            return Severity.UNSURE if takes_back(text) else Severity.WARNING, "nothing is left to take back by then"
        if nothing_new and not takes_back(text):
            return Severity.WARNING, "it takes nothing back, and all its words were said before"
        return None
    done = not wrong and not missing
    why = "all of the final intent has been said by then" if done else "it brings no word of the final intent"
    reworded = kind is UpdateType.MODIFICATION and bool(wrong)  # a new value may be made of words that stood elsewhere
    if nothing_new and not reworded:
        return Severity.WARNING, f"all its words were said before, and {why}"
    return Severity.UNSURE, why


def _mislabelled(
    kind: UpdateType, text: str, brings: frozenset[str], touches: frozenset[str], wrong: frozenset[str]
) -> tuple[Severity, str] | None:
    match kind:
        case UpdateType.RETRACTION if brings and not touches:
            severity = Severity.UNSURE if takes_back(text) else Severity.WARNING
            return severity, f"a retraction that brings {_listed(brings)}"
        case UpdateType.ADDITION if touches and corrects(text):
            return Severity.WARNING, f"an addition that corrects {_listed(touches)}"
        case UpdateType.MODIFICATION if brings and not wrong and not corrects(text):
            return Severity.UNSURE, f"a modification that only adds {_listed(brings)}: nothing was wrong by then"
        case UpdateType.MODIFICATION if touches and not brings and takes_back(text) and not corrects(text):
            return Severity.WARNING, f"a modification that only takes back {_listed(touches)}"
        case _:
            return None


def _listed(words: frozenset[str]) -> str:
    return ", ".join(sorted(words))
