"""Judge against truth, worked by hand, and for any counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from refute.metrics import Agreement, Miss, agreement, responses, score_judged, wra
from refute.tables import (
    ConstraintRow,
    EpisodeKey,
    EpisodeRow,
    JudgedConstraint,
    JudgedResponse,
    JudgedRow,
    Status,
    Tables,
)

Pair = tuple[bool | None, bool]


def key(task: str) -> EpisodeKey:
    return EpisodeKey("run", task, 0)


def tables(pairs: Sequence[Pair], task: str = "lamp", *, active: bool = True, delivered: bool = True) -> Tables:
    rows = [
        ConstraintRow(
            key=key(task),
            id=f"c{n}",
            text=f"Constraint {n}",
            round=0,
            active=active,
            satisfied=true,
            delivered=delivered,
        )
        for n, (_, true) in enumerate(pairs)
    ]
    episode = EpisodeRow(key=key(task), folder=Path("e"), status=Status.DONE)
    return Tables(out=Path("out"), episodes=(episode,), constraints=tuple(rows))


def judged(pairs: Sequence[Pair], task: str = "lamp", *, counts: bool = True) -> JudgedRow:
    verdicts = [
        JudgedConstraint(id=f"c{n}", counts=counts, satisfied=said if counts else None, why="claims", evidence="quote")
        for n, (said, _) in enumerate(pairs)
    ]
    return JudgedRow(key=key(task), judge="me", constraints=tuple(verdicts))


def compare(pairs: Sequence[Pair]) -> Agreement:
    return agreement(tables(pairs), [judged(pairs)])


def test_the_example_of_the_docs() -> None:
    found = compare([(True, True)] * 6 + [(False, False)] * 2 + [(True, False)] + [(False, True)])
    assert (found.n, found.accuracy, found.precision, found.recall, found.specificity) == (10, 0.8, 6 / 7, 6 / 7, 2 / 3)
    assert [(miss.constraint, miss.miss) for miss in found.disagreements] == [
        ("c8", Miss.TOO_KIND),
        ("c9", Miss.TOO_STRICT),
    ]


def test_what_nobody_can_say_is_none_and_not_zero() -> None:
    nothing = compare([])
    assert (nothing.accuracy, nothing.precision, nothing.recall, nothing.specificity) == (None, None, None, None)
    assert compare([(False, False)]).precision is None
    assert compare([(None, True)]).n == 0


def test_undelivered_constraints_and_those_of_other_branches_flatter_nobody() -> None:
    pairs: list[Pair] = [(False, False)] * 3
    assert agreement(tables(pairs, delivered=False), [judged(pairs)]).n == 0
    assert agreement(tables(pairs, active=False), [judged(pairs)]).n == 0
    other = agreement(tables(pairs), [judged(pairs, counts=False)])
    assert (other.n, other.other_branch, {miss.miss for miss in other.disagreements}) == (0, 3, {Miss.OTHER_BRANCH})


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans())))
def test_every_constraint_is_counted_once(pairs: Sequence[Pair]) -> None:
    found = compare(pairs)
    assert found.n + found.undecided == len(pairs)
    assert len(found.pairs) == found.n
    assert len(found.disagreements) == found.judge_only + found.truth_only == sum(a != b for a, b in found.pairs)
    for rate in (found.accuracy, found.precision, found.recall, found.specificity):
        assert rate is None or 0 <= rate <= 1


def test_undecided_windows_and_episodes_are_in_no_mean() -> None:
    def row(task: str, score: float | None, *responsive: bool | None) -> JudgedRow:
        windows = [JudgedResponse(revision=k, responsive=r, adaptation="") for k, r in enumerate(responsive, start=1)]
        return JudgedRow(key=key(task), judge="me", score_judged=score, responses=tuple(windows))

    rows = [row("a", 1.0, True, True, True), row("b", 0.5, False, None), row("c", None)]
    assert score_judged(rows).value == 0.75
    assert wra(responses(rows)).value == 0.75  # three of four windows, whatever their task
