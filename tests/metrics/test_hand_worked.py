"""Every metric on a set small enough to check with a pencil.

task  repeat  rounds (satisfied of constraints)   undelivered  forced  steps
t1    0       0: 2/2  1: 1/1  2: 1/1              –            –       20
t2    0       0: 1/2  1: 1/1  2: 0/1              2            1       40
t2    1       0: 2/2  1: 0/1  2: 0/1              –            –       100
t3    0       0: 1/1 (static)                     –            –       10
t4    0       harness error
t5    0       unfinished
t6    0       done, but nobody knows the truth

S: t1 = 4/4 = 1; t2 = (2/4 + 2/4) / 2 = 1/2; t3 = 1
"""

from __future__ import annotations

from pathlib import Path

import pytest

from refute.metrics import ccs, ce, count, css, cts, measure, mffr, outcomes, share_without_failure
from refute.tables import ConstraintRow, DeliveryRow, EpisodeKey, EpisodeRow, Status, Tables

Rounds = dict[int, tuple[int, int]]


def episode(
    task: str,
    rounds: Rounds,
    *,
    repeat: int = 0,
    steps: int = 0,
    undelivered: frozenset[int] = frozenset(),
    forced: frozenset[int] = frozenset(),
    status: Status = Status.DONE,
    known: bool = True,
) -> Tables:
    key = EpisodeKey("run", task, repeat)
    revisions = max(rounds)
    row = EpisodeRow(
        key=key,
        folder=Path(),
        status=status,
        judged=known,
        steps=steps,
        tokens=10 * steps,
        revisions=revisions,
        delivered=revisions - len(undelivered),
        forced=len(forced),
    )
    constraints = tuple(
        ConstraintRow(
            key=key,
            id=f"{k}-{n}",
            text="",
            round=k,
            active=True,
            satisfied=n < satisfied if known else None,
            delivered=k not in undelivered,
            forced=k in forced,
        )
        for k, (satisfied, total) in rounds.items()
        for n in range(total)
    )
    replaced = ConstraintRow(key=key, id="old", text="", round=0, active=False, satisfied=False)
    deliveries = tuple(
        DeliveryRow(key=key, revision=k, kind="", text="", milestone="", step=None if k in undelivered else k)
        for k in range(1, revisions + 1)
    )
    return Tables(out=Path(), episodes=(row,), constraints=(*constraints, replaced), deliveries=deliveries)


def joined(*parts: Tables) -> Tables:
    return Tables(
        out=Path(),
        episodes=tuple(e for p in parts for e in p.episodes),
        constraints=tuple(c for p in parts for c in p.constraints),
        deliveries=tuple(d for p in parts for d in p.deliveries),
    )


SMALL = joined(
    episode("t1", {0: (2, 2), 1: (1, 1), 2: (1, 1)}, steps=20),
    episode("t2", {0: (1, 2), 1: (1, 1), 2: (0, 1)}, steps=40, undelivered=frozenset({2}), forced=frozenset({1})),
    episode("t2", {0: (2, 2), 1: (0, 1), 2: (0, 1)}, repeat=1, steps=100),
    episode("t3", {0: (1, 1)}, steps=10),
    episode("t4", {0: (1, 1)}, status=Status.HARNESS_ERROR),
    episode("t5", {0: (1, 1)}, status=Status.UNFINISHED),
    episode("t6", {0: (1, 1)}, known=False),
)
FOUND = outcomes(SMALL)


def value(number: float) -> object:
    return pytest.approx(number, abs=1e-12)


def test_who_counts_and_who_does_not() -> None:
    counts = count(SMALL)
    assert (counts.episodes, counts.n, counts.tasks) == (7, 4, 3)
    assert (counts.errors, counts.unfinished, counts.unjudged) == (1, 1, 1)
    assert (counts.revisions, counts.delivered, counts.forced) == (6, 5, 1)


def test_score_tsr_and_score_without_forced() -> None:
    m = measure(SMALL)
    assert m.score.value == value((1 + 1 / 2 + 1) / 3)
    assert m.tsr.value == value(2 / 3)
    # Without the forced delivery, the first repeat of t2 has 1 of 4.
    assert m.score_unforced.value == value((1 + (1 / 4 + 2 / 4) / 2 + 1) / 3)


def test_css_by_round() -> None:
    rounds = {k: e.value for k, e in css(FOUND).items()}
    assert rounds == {"0": value((1 + 3 / 4 + 1) / 3), "1": value((1 + 1 / 2) / 2), "2": value((1 + 0) / 2)}


def test_css_pools_rounds_from_four_on_and_skips_those_without_constraints() -> None:
    found = outcomes(
        joined(
            episode("a", {0: (1, 1), 4: (1, 1), 5: (0, 1), 6: (0, 1)}),
            episode("b", {0: (1, 1), 4: (1, 1)}),
        )
    )
    rounds = {k: e.value for k, e in css(found).items()}
    assert rounds == {"0": 1.0, "4+": value((1 + 0 + 0 + 1) / 4)}


def test_mffr_and_its_settings() -> None:
    # First failures from round 1 on: t1 none, K + 1 = 3; t2 rounds 2 (undelivered) and 1; t3 has no round 1.
    assert mffr(FOUND).value == value((3 + (2 + 1) / 2) / 2)
    assert mffr(FOUND, no_failure="K").value == value((2 + 1.5) / 2)
    assert mffr(FOUND, no_failure="exclude").value == value(1.5)
    # From round 0 on: t1 none = 3; t2 rounds 0 and 1; t3 none, 0 + 1 = 1.
    assert mffr(FOUND, start=0).value == value((3 + 0.5 + 1) / 3)
    assert share_without_failure(FOUND).value == value(1 / 2)
    assert share_without_failure(FOUND, start=0).value == value(2 / 3)


def test_an_undelivered_revision_fails_even_without_a_constraint_that_counts() -> None:
    found = outcomes(episode("a", {0: (1, 1), 1: (0, 0), 2: (1, 1)}, undelivered=frozenset({1})))
    assert mffr(found).value == 1.0


def test_cost_efficiency_and_curves() -> None:
    # t1: 1 × 0.8; t2: (0.5 × 0.6 + 0.5 × 0) / 2; t3: 1 × 0.9
    assert ce(FOUND).value == value((0.8 + 0.15 + 0.9) / 3)
    assert [ccs(FOUND).at(b) for b in (9, 10, 19.9, 20, 40, 100, 500)] == [
        value(n) for n in (0, 1 / 3, 1 / 3, 2 / 3, 2.25 / 3, 2.5 / 3, 2.5 / 3)
    ]
    assert [cts(FOUND).at(b) for b in (9, 10, 20, 100)] == [value(n) for n in (0, 1 / 3, 2 / 3, 2 / 3)]
    assert ce(FOUND, cost="tokens", budget=1000).value == value((0.8 + 0.15 + 0.9) / 3)
    with pytest.raises(ValueError, match="budget"):
        ce(FOUND, cost="tokens")


def test_costs_and_repeats_are_averaged_over_tasks() -> None:
    m = measure(SMALL)
    assert m.steps.value == value((20 + 70 + 10) / 3)
    assert m.tokens.value == value((200 + 700 + 100) / 3)


def test_nothing_to_count_gives_no_figure() -> None:
    m = measure(joined(episode("t", {0: (1, 1)}, status=Status.HARNESS_ERROR)))
    assert (m.score.value, m.mffr.value, m.ce_steps.value, dict(m.css)) == (None, None, None, {})
    assert m.counts.errors == 1


def test_one_task_has_no_interval() -> None:
    m = measure(joined(*(episode("t", {0: (n, 2)}, repeat=n) for n in range(3))))
    assert (m.score.value, m.score.low, m.score.high, m.score.tasks) == (0.5, None, None, 1)
