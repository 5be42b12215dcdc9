"""How episodes ended, and two runs on the tasks that both have."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.metrics import Outcome, endings, outcomes, paired
from refute.tables import ConstraintRow, EpisodeKey, EpisodeRow, Status, Tables, TaskKind


def episodes(*ends: tuple[Status, bool | None]) -> Tables:
    """One episode for each status, with one constraint: satisfied, not, or not known."""
    keys = [EpisodeKey("run", f"t{n}", 0) for n in range(len(ends))]
    return Tables(
        out=Path(),
        episodes=tuple(
            EpisodeRow(key=key, folder=Path(), status=status, judged=met is not None)
            for key, (status, met) in zip(keys, ends, strict=True)
        ),
        constraints=tuple(
            ConstraintRow(key=key, id="c", text="", round=0, active=True, satisfied=met)
            for key, (_, met) in zip(keys, ends, strict=True)
        ),
    )


def test_each_episode_is_counted_once_by_how_it_ended() -> None:
    found = endings(
        episodes(
            (Status.DONE, True),
            (Status.BUDGET, True),  # The agent forgot to say so; the site knows.
            (Status.DONE, False),
            (Status.DONE, False),
            (Status.INFEASIBLE, False),
            (Status.BUDGET, False),
            (Status.DONE, None),
            (Status.HARNESS_ERROR, None),
            (Status.UNREADABLE, None),
            (Status.UNFINISHED, None),
        )
    )
    assert (found.satisfied, found.unsatisfied, found.infeasible, found.budget) == (2, 2, 1, 1)
    assert (found.unjudged, found.errors, found.unfinished) == (1, 2, 1)


statuses = st.tuples(st.sampled_from(list(Status)), st.sampled_from([True, False, None]))


@settings(deadline=None, max_examples=60)
@given(st.lists(statuses, max_size=20))
def test_endings_add_up_to_all_episodes(ends: list[tuple[Status, bool | None]]) -> None:
    tables = episodes(*ends)
    found = endings(tables)
    assert sum(vars(found).values()) == len(ends)
    assert found.satisfied + found.unsatisfied + found.infeasible + found.budget == len(outcomes(tables))


def outcome(task: str, score: float, repeat: int = 0) -> Outcome:
    return Outcome(
        key=EpisodeKey("run", task, repeat),
        kind=TaskKind.STATIC,
        score=score,
        score_unforced=score,
        rounds={},
        undelivered=frozenset(),
        revisions=0,
        steps=1,
        tokens=1,
    )


def test_only_tasks_in_common_are_compared_and_repeats_count_once() -> None:
    first = [outcome("a", 1.0), outcome("b", 0.5), outcome("c", 1.0), outcome("only-first", 0.0)]
    second = [
        outcome("a", 0.5),
        outcome("a", 0.0, 1),
        outcome("b", 1.0),
        outcome("c", 1.0),
        outcome("only-second", 1.0),
    ]
    pair = paired(first, second)
    assert (pair.tasks, pair.better, pair.worse, pair.won, pair.lost) == (3, 1, 1, 1, 1)
    assert pair.score.value == pytest.approx((-0.75 + 0.5 + 0) / 3, abs=1e-12)
    assert pair.p == 1.0


@pytest.mark.parametrize(("won", "lost", "p"), [(0, 0, 1.0), (0, 5, 0.0625), (1, 9, 0.021484375), (3, 3, 1.0)])
def test_the_exact_test_gives_the_tabled_values(won: int, lost: int, p: float) -> None:
    tasks = [f"t{n}" for n in range(won + lost + 2)]
    first = [outcome(task, 0.0 if n < won else 1.0) for n, task in enumerate(tasks)]
    second = [outcome(task, 0.0 if won <= n < won + lost else 1.0) for n, task in enumerate(tasks)]
    pair = paired(first, second)
    assert (pair.won, pair.lost) == (won, lost)
    assert pair.p == pytest.approx(p, abs=1e-12)


scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12)


@settings(deadline=None, max_examples=40)
@given(scores)
def test_turning_the_comparison_round_turns_the_signs(values: list[float]) -> None:
    first = [outcome(f"t{n}", value) for n, value in enumerate(values)]
    second = [outcome(f"t{n}", value) for n, value in enumerate(reversed(values))]
    there, back = paired(first, second), paired(second, first)
    assert (there.better, there.worse, there.won, there.lost) == (back.worse, back.better, back.lost, back.won)
    assert there.p == back.p
    assert there.score.value == pytest.approx(-(back.score.value or 0.0), abs=1e-12)


def test_runs_without_a_common_task_have_nothing_to_compare() -> None:
    pair = paired([outcome("a", 1.0)], [outcome("b", 1.0)])
    assert (pair.tasks, pair.score.value, pair.p) == (0, None, 1.0)
