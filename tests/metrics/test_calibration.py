"""Judge against truth, worked by hand, and for any counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute.metrics import Agreement, Miss, agreement, coverage, responses, score_judged, wra
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


def tables(
    pairs: Sequence[Pair], task: str = "lamp", *, active: bool = True, delivered: bool = True, number: int = 0
) -> Tables:
    rows = [
        ConstraintRow(
            key=key(task),
            id=f"c{n}",
            text=f"Constraint {n}",
            round=number,
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
    counts = found.confusion
    assert (counts.total, counts.accuracy, counts.precision, counts.recall) == (10, 0.8, 6 / 7, 6 / 7)
    assert found.specificity == 2 / 3
    assert found.kappa.value == pytest.approx(0.22 / 0.42)
    assert [(miss.constraint, miss.miss) for miss in found.disagreements] == [
        ("c8", Miss.TOO_KIND),
        ("c9", Miss.TOO_STRICT),
    ]


def test_what_nobody_can_say_is_none_and_not_zero() -> None:
    assert compare([]).specificity is None
    assert compare([(False, False)]).confusion.precision is None
    assert compare([(None, True)]).confusion.total == 0


def test_undelivered_constraints_and_those_of_other_branches_flatter_nobody() -> None:
    pairs: list[Pair] = [(False, False)] * 3
    assert agreement(tables(pairs, delivered=False), [judged(pairs)]).confusion.total == 0
    assert agreement(tables(pairs, active=False), [judged(pairs)]).confusion.total == 0
    other = agreement(tables(pairs), [judged(pairs, counts=False)])
    assert (other.confusion.total, other.other_branch) == (0, 3)
    assert {miss.miss for miss in other.disagreements} == {Miss.OTHER_BRANCH}


@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.booleans())))
def test_every_constraint_is_counted_once(pairs: list[Pair]) -> None:
    found = compare(pairs)
    decided = [(said, true) for said, true in pairs if said is not None]
    assert found.confusion.total + found.undecided == len(pairs)
    assert found.confusion.total == len(decided)
    assert len(found.disagreements) == found.confusion.fp + found.confusion.fn == sum(a != b for a, b in decided)
    assert found.kappa.agreement == pytest.approx(found.confusion.accuracy)


def test_undecided_windows_and_episodes_are_in_no_mean() -> None:
    def row(task: str, score: float | None, *responsive: bool | None) -> JudgedRow:
        windows = [JudgedResponse(revision=k, responsive=r, adaptation="") for k, r in enumerate(responsive, start=1)]
        return JudgedRow(key=key(task), judge="me", score_judged=score, responses=tuple(windows))

    rows = [row("a", 1.0, True, True, True), row("b", 0.5, False, None), row("c", None)]
    assert score_judged(rows).value == 0.75
    assert wra(responses(tables([]), rows)).value == 0.75  # three of four windows, whatever their task


def test_what_a_judge_leaves_out_is_counted() -> None:
    window = JudgedResponse(revision=1, responsive=None, adaptation="")
    scored = replace(judged([(True, True)], "lamp"), score_judged=1.0, responses=(window,))
    undecided = replace(judged([(None, True)], "mug"), responses=(window,))
    broken = JudgedRow(key=key("pen"), judge="me", error="line 2: no JSON")
    every = Tables.joined(Path("out"), [tables([(True, True)], name) for name in ("lamp", "mug", "pen", "desk")])
    found = coverage(every, [scored, undecided, broken])
    assert (found.scored, found.unscored, found.unreadable, found.unjudged) == (1, 1, 1, 1)
    assert found.undecided_windows == 2


def test_a_response_knows_what_the_judge_says_of_its_revision() -> None:
    decided: list[Pair] = [(True, True), (False, False)]
    window = JudgedResponse(revision=1, responsive=True, adaptation="additive")
    for pairs, number, share in ((decided, 1, 0.5), (decided, 0, None), ([*decided, (None, True)], 1, None)):
        (found,) = responses(tables(pairs, number=number), [replace(judged(pairs), responses=(window,))])
        assert (found.satisfied, found.adaptation) == (share, "additive")
