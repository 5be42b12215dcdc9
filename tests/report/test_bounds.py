"""The view of the bounds: levels by way of delivery, and what is earned between the two, worked by hand."""

from pathlib import Path

import pytest

from refute.report import make_view, view_json
from refute.revisions import Deliver
from refute.tables import ConstraintRow, EpisodeKey, EpisodeRow, RunRow, Status, Tables

SCORES = {
    ("fcp", "never", "milestone"): {"a": (0, 4), "b": (1, 4), "c": (2, 4)},
    ("fcp", "during", "milestone"): {"a": (2, 4), "b": (4, 4)},
    ("fcp", "during", "fraction"): {"a": (1, 4), "b": (1, 4)},
    ("fcp", "upfront", "milestone"): {"a": (4, 4), "b": (4, 4)},
    ("react", "during", "milestone"): {"a": (1, 4)},
}
"""By agent, delivery and trigger: satisfied of all constraints, by task."""


def tables(folder: Path, *, without: str = "") -> Tables:
    runs: list[RunRow] = []
    episodes: list[EpisodeRow] = []
    constraints: list[ConstraintRow] = []
    for (agent, deliver, trigger), tasks in SCORES.items():
        if deliver == without:
            continue
        run = f"{agent}-{deliver}-{trigger}"
        told = {"agent": agent, "model": "m", "deliver": deliver, "trigger": trigger, "strategy": "append"}
        runs.append(RunRow(run=run, folder=folder, agent=agent, model="m", seed=1, deliver=deliver, settings=told))
        for task, (met, number) in tasks.items():
            key = EpisodeKey(run, task, 0)
            episodes.append(
                EpisodeRow(
                    key=key,
                    folder=folder,
                    status=Status.DONE,
                    task=task,
                    judged=True,
                    steps=8,
                    deliver=Deliver(deliver),
                )
            )
            constraints += [
                ConstraintRow(key=key, id=str(n), text="", round=0, active=True, satisfied=n < met)
                for n in range(number)
            ]
    return Tables(out=folder, runs=tuple(runs), episodes=tuple(episodes), constraints=tuple(constraints))


def test_what_is_earned_is_measured_between_the_bounds_on_the_same_tasks(tmp_path: Path) -> None:
    sheets = {s["name"]: s["rows"] for s in view_json(make_view("bounds", tables(tmp_path)))["tables"]}
    assert [(row["delivery"], row["n"]) for row in sheets["levels"]] == [
        ("never told (lower)", 3),
        ("trigger fraction, strategy append", 2),
        ("trigger milestone, strategy append", 2),
        ("told at once (upper)", 2),
    ]
    assert {row["who"] for row in sheets["levels"]} == {"fcp · m"}, "react has no bound to stand beside"
    fraction, milestone = sheets["between"]
    for row in (fraction, milestone):
        assert row["tasks"] == 2, "task c has no upper bound"
        assert row["gap"]["value"] == pytest.approx(0.875)
    assert milestone["above_lower"]["value"] == pytest.approx(0.625)
    assert milestone["below_upper"]["value"] == pytest.approx(-0.25)
    assert milestone["earned"] == pytest.approx(0.625 / 0.875)
    assert milestone["tsr_above_lower"]["value"] == pytest.approx(0.5)
    assert fraction["earned"] == pytest.approx(0.125 / 0.875)


def test_without_a_bound_the_view_says_what_is_missing(tmp_path: Path) -> None:
    view = make_view("bounds", tables(tmp_path, without="upfront"))
    assert [sheet.name for sheet in view.sheets] == ["levels"]
    assert "--deliver upfront" in view.missing["what delivery earns"]
