"""Static and dynamic runs of the same tasks, put beside each other: what is a pair, and what is none."""

from __future__ import annotations

from pathlib import Path

from refute.report import make_view
from refute.revisions import Deliver, Screen
from refute.tables import ConstraintRow, EpisodeKey, EpisodeRow, RunRow, Status, Tables, TaskKind


def made(
    run: str,
    *,
    deliver: Deliver,
    strategy: str = "append",
    seed: int = 0,
    max_steps: int | None = None,
    screen: Screen | None = None,
) -> RunRow:
    settings: dict[str, object] = {
        "deliver": deliver.value,
        "strategy": strategy,
        "seed": seed,
        "max_steps": max_steps,
        "agent": "react",
    }
    if screen is not None:
        settings["screen"] = screen.model_dump(mode="json")
    return RunRow(
        run=run,
        folder=Path(),
        suite="s",
        agent="react",
        model="m",
        trigger="milestone",
        seed=seed,
        strategy=strategy,
        deliver=deliver.value,
        settings=settings,
    )


def done(run: RunRow, **scores: float) -> Tables:
    """A run whose episodes satisfy the first of two constraints always, and the second with a score of 1.

    `bx` is the task `b` on a site where its condition came out differently.
    """
    deliver = Deliver(run.settings["deliver"])
    keys = {task: EpisodeKey(run.run, task.rstrip("x"), 0) for task in scores}
    branch = {task: "other branch" if task.endswith("x") else "one branch" for task in scores}
    return Tables(
        out=Path(),
        runs=(run,),
        episodes=tuple(
            EpisodeRow(
                key=key,
                folder=Path(),
                status=Status.DONE,
                task=key.task,
                judged=True,
                steps=9,
                deliver=deliver,
                kind=TaskKind.CONDITIONAL,
                revisions=1 if deliver is Deliver.DURING else 0,
            )
            for key in keys.values()
        ),
        constraints=tuple(
            ConstraintRow(key=keys[task], id=name, text=name, round=0, active=True, satisfied=satisfied)
            for task, score in scores.items()
            for name, satisfied in (
                ("always", True),
                (branch[task], score == 1),
            )
        ),
    )


def joined(*parts: Tables) -> Tables:
    return Tables.joined(Path(), parts)


STATIC = made("static", deliver=Deliver.UPFRONT)
NEVER = made("never", deliver=Deliver.NEVER)


def test_runs_of_two_folders_are_paired_by_task_and_seed() -> None:
    one = joined(done(STATIC, a=1, b=0.5, c=1, d=1), done(made("static-1", deliver=Deliver.UPFRONT, seed=1), a=1))
    two = done(made("dynamic", deliver=Deliver.DURING), a=0.5, b=1, c=1, e=1)
    view = make_view("static-dynamic", joined(one.moved("one/"), two.moved("two/")))
    ((name, delivery, pairs, *_, improved, worse, same),) = view.sheets[0].rows
    assert (name, pairs) == ("react · m", 3)
    assert delivery == "trigger milestone, strategy append"
    assert (improved, worse, same) == (1 / 3, 1 / 3, 1 / 3)


def test_each_way_of_delivery_has_a_row_and_who_never_hears_is_in_none() -> None:
    runs = (
        done(STATIC, a=1),
        done(made("d", deliver=Deliver.DURING), a=1),
        done(made("r", deliver=Deliver.DURING, strategy="reset"), a=0.5),
        done(made("n", deliver=Deliver.NEVER), a=0.5),
    )
    rows = make_view("static-dynamic", joined(*runs)).sheets[0].rows
    assert {row[1]: row[-2] for row in rows} == {
        "trigger milestone, strategy append": 0.0,
        "trigger milestone, strategy reset": 1.0,
    }


def test_runs_under_other_rules_are_no_pair() -> None:
    dynamic = made("d", deliver=Deliver.DURING, max_steps=5)
    view = make_view("static-dynamic", joined(done(STATIC, a=1), done(dynamic, a=1)))
    assert view.sheets == ()
    assert "--deliver upfront" in view.missing["static against dynamic"]


def test_a_task_on_another_site_is_no_pair_and_is_named() -> None:
    """Where the condition came out differently, the two did not see the same world."""
    (sheet,) = make_view(
        "static-dynamic", joined(done(STATIC, a=1, b=1), done(made("d", deliver=Deliver.DURING), a=1, bx=1))
    ).sheets
    assert [row[2] for row in sheet.rows] == [1]
    assert any(note.endswith(": b") for note in sheet.notes)


def test_runs_that_ask_from_other_thresholds_are_rows_of_their_own() -> None:
    other = made("other", deliver=Deliver.DURING, screen=Screen(threshold=0.6))
    runs = (done(STATIC, a=1), done(made("usual", deliver=Deliver.DURING, screen=Screen()), a=1), done(other, a=0.5))
    rows = make_view("static-dynamic", joined(*runs)).sheets[0].rows
    assert [row[-2] for row in rows] == [0.0, 1.0]
    assert "threshold 0.6" in str(rows[1][1])
    levels, between = make_view("bounds", joined(*runs, done(NEVER, a=0.5))).sheets
    assert [row[2] for row in levels.rows] == [1] * 4, "neither run is left out"
    assert len(between.rows) == 2
