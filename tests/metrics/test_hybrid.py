"""What the hybrid trigger saves, by a run of it and by its rule on the looks of a run that always asked."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from refute.metrics import asking, same_revisions, screened
from refute.report import make_view
from refute.revisions import Screen
from refute.tables import DeliveryRow, EpisodeRow, RunRow, Status, Tables, TriggerRow

from .rows import key


def look(
    step: int,
    score: float,
    *,
    fired: bool = False,
    last: bool = False,
    asked: bool = True,
    revision: int = 1,
    run: str = "run",
    threshold: float | None = None,
) -> TriggerRow:
    return TriggerRow(
        key=key("t", run=run),
        revision=revision,
        step=step,
        fired=fired,
        reached=fired if asked else None,
        confidence=0.9,
        holds=fired,
        held_before=False,
        plausibility=score,
        threshold=threshold,
        last=last,
    )


def episode(steps: int, status: Status = Status.DONE) -> EpisodeRow:
    return EpisodeRow(key=key("t"), folder=Path(), status=status, steps=steps)


def test_a_yes_that_is_skipped_comes_later_or_at_the_end() -> None:
    looks = [look(0, 0.0), look(1, 0.5), look(2, 0.0), look(3, 0.0, fired=True)]
    screen = Screen(threshold=0.4, patience=4)
    found = screened(looks, [episode(20)], screen)
    assert (found.looks, found.asked, found.saved.value) == (4, 1, 0.75)
    assert (found.same, found.later, found.at_end, found.agreement) == (0, 1, 0, 0.0)
    assert screened(looks, [episode(5)], screen).at_end == 1
    assert screened(looks, [episode(20)], Screen(threshold=0.4, patience=1)).same == 1
    assert screened([*looks[:3], look(3, 0.0, fired=True, last=True)], [episode(4)], screen).same == 1


def test_the_action_that_ends_an_episode_leads_to_no_observation() -> None:
    looks = [look(0, 0.0), look(1, 0.5), look(2, 0.0), look(3, 0.0, fired=True)]
    screen = Screen(threshold=0.4, patience=4)
    for status in (Status.DONE, Status.INFEASIBLE):
        assert screened(looks, [episode(6, status)], screen).at_end == 1
        assert screened(looks, [episode(7, status)], screen).later == 1
    assert screened(looks, [episode(5, Status.BUDGET)], screen).at_end == 1
    assert screened(looks, [episode(6, Status.BUDGET)], screen).later == 1


@given(scores=st.lists(st.floats(0, 1), min_size=1, max_size=30), threshold=st.floats(0, 1), patience=st.integers(0, 6))
def test_a_replay_neither_loses_nor_invents_a_delivery(scores: list[float], threshold: float, patience: int) -> None:
    looks = [look(n, score, fired=n == len(scores) - 1) for n, score in enumerate(scores)]
    found = screened(looks, [episode(40)], Screen(threshold=threshold, patience=patience))
    assert found.same + found.later + found.at_end == 1
    assert 0 < found.asked + (patience > 0) <= found.looks + 1
    assert screened(looks, [], Screen(threshold=0, patience=patience)).same == 1
    assert screened(looks, [], Screen(threshold=1, patience=0)).asked == found.looks


def test_looks_without_a_score_or_of_a_screen_are_not_replayed() -> None:
    by_predicate = look(0, 0.5, asked=False)
    assert screened([by_predicate], [], Screen()).looks == 0
    assert asking([look(0, 0.5)]).looks == 0, "nothing was held against a threshold there"


def delivery(task: str, step: int | None, *, forced: bool = False, run: str = "run") -> DeliveryRow:
    return DeliveryRow(
        key=key(task, run=run), revision=1, kind="additive", text="", milestone="", step=step, forced=forced
    )


def test_the_same_revisions_of_two_runs_are_compared_by_step() -> None:
    hybrid = [delivery("a", 3), delivery("b", 5), delivery("c", 9, forced=True), delivery("d", 2), delivery("e", 1)]
    always = [delivery("a", 3), delivery("b", 4), delivery("c", 7), delivery("d", None, forced=True)]
    found = same_revisions(hybrid, always)
    assert (found.revisions, found.same, found.later, found.earlier, found.missing) == (4, 1, 1, 0, 2)


def test_the_view_puts_a_hybrid_run_beside_the_one_that_always_asks() -> None:
    runs = ("always", "hybrid")
    tables = Tables(
        out=Path(),
        runs=tuple(
            RunRow(run=run, folder=Path(), agent="react", trigger=trigger, settings={"trigger": trigger})
            for run, trigger in zip(runs, ("milestone", "hybrid"), strict=True)
        ),
        episodes=tuple(EpisodeRow(key=key("t", run=run), folder=Path(), status=Status.DONE, steps=9) for run in runs),
        triggers=(
            look(1, 0.0, run="always"),
            look(2, 0.5, run="always", fired=True),
            look(1, 0.0, run="hybrid", threshold=0.2, asked=False),
            look(2, 0.5, run="hybrid", threshold=0.2, fired=True),
        ),
        deliveries=(delivery("t", 2, run="always"), delivery("t", 2, run="hybrid")),
    )
    sheets = {sheet.name: sheet for sheet in make_view("timing", tables).sheets}
    (row,) = sheets["hybrid"].rows
    assert row[1:3] == (2, 1)
    assert row[4:] == (1, 1, 0, 0, 0)
    replayed = [row for row in sheets["hybrid-replay"].rows if row[1] == Screen().threshold]
    assert [row[2:4] + row[5:] for row in replayed] == [(2, 1, 1, 0, 0, 1.0)]
