"""The view ``ablation``: who is compared with whom, and what is said of a part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refute import UserError
from refute.browser import Click
from refute.goals import Finding, TruthVerdict
from refute.report import ViewOptions, make_view, view_json
from refute.revisions import Ending
from refute.tables import read_tables

from .scenes import Scene, mug_task, settings


def write(out: Path, run: str, agent: str, met: dict[str, int], *, steps: int = 1, **more: Any) -> None:
    """A run with a task for each name, of whose three constraints so many are satisfied."""
    settings(out, run, agent=agent, **more)
    for task, number in met.items():
        s = Scene(out, mug_task(task), run=run, agent=agent)
        s.see("Shop")
        for _ in range(steps):
            s.act(Click(target=1), "click('1')", "link")
        s.deliver(1)
        s.deliver(2)
        findings = {c.id: Finding(satisfied=n < number) for n, c in enumerate(s.task.constraints)}
        s.record(TruthVerdict(findings=findings))
        s.end(Ending.DONE, delivered=2)


def rows(out: Path, **options: Any) -> dict[str, list[dict[str, Any]]]:
    view = view_json(make_view("ablation", read_tables(out), ViewOptions(**options)))
    return {sheet["name"]: sheet["rows"] for sheet in view["tables"]}


TASKS = [f"task-{n}" for n in range(8)]


def test_differences_are_paired_by_task_and_tell_what_a_part_does(tmp_path: Path) -> None:
    write(tmp_path, "whole", "fcp", dict.fromkeys(TASKS, 2) | {"only-here": 3}, steps=2)
    write(tmp_path, "worse", "fcp:no-repair", {t: n % 2 for n, t in enumerate(TASKS)}, steps=3)
    write(tmp_path, "better", "fcp:lean", dict.fromkeys(TASKS, 3), steps=2)
    write(tmp_path, "same", "fcp:slow-only", {t: 1 + 2 * (n % 2) for n, t in enumerate(TASKS)})
    found = {row["variant"]: row for row in rows(tmp_path)["differences"]}
    assert {name: (row["tasks"], row["part"]) for name, row in found.items()} == {
        "fcp:no-repair": (8, "helps"),
        "fcp:lean": (8, "hurts"),
        "fcp:slow-only": (8, "no effect seen"),
    }
    assert found["fcp:no-repair"]["score"]["value"] == pytest.approx(-0.5, abs=1e-12)
    assert found["fcp:no-repair"]["steps"]["value"] == pytest.approx(1.0, abs=1e-12)
    assert (found["fcp:lean"]["won"], found["fcp:lean"]["lost"]) == (8, 0)
    assert found["fcp:lean"]["p"] == pytest.approx(3 * 2 / 2**8, abs=1e-12)  # the smallest of three, by Holm


def test_runs_under_other_rates_are_other_points_and_are_never_mixed(tmp_path: Path) -> None:
    for point, rate in (("low", 0.01), ("high", 0.2)):
        rates = {"wrong_branch": rate}
        write(tmp_path / point, "whole", "fcp", dict.fromkeys(TASKS, 3 if point == "low" else 2), rates=rates)
        write(tmp_path / point, "less", "fcp:no-repair", dict.fromkeys(TASKS, 2), rates=rates)
    found = rows(tmp_path)
    [part] = found["parts"]
    assert part == {"variant": "fcp:no-repair", "low": "helps", "high": "no effect seen", "together": "helps"}
    assert found["differences-low"][0]["score"]["value"] == pytest.approx(-1 / 3, abs=1e-12)
    assert found["differences-high"][0]["score"]["value"] == pytest.approx(0.0, abs=1e-12)


def test_the_points_of_a_grid_are_pooled_by_task_where_both_agents_did_it_at_all_of_them(tmp_path: Path) -> None:
    for number, rate in enumerate((0.01, 0.1, 0.2)):
        rates, folder = {"wrong_branch": rate}, tmp_path / f"p{number}"
        write(folder, "whole", "fcp", dict.fromkeys(TASKS, 2), rates=rates)
        write(folder, "less", "fcp:no-repair", dict.fromkeys(TASKS[: 8 - number], number), rates=rates)
        if number:
            write(folder, "late", "fcp:lean", dict.fromkeys(TASKS, 2), rates=rates)
    [row] = rows(tmp_path)["differences-together"]
    assert (row["variant"], row["tasks"], row["lost"]) == ("fcp:no-repair", 6, 0)
    assert row["score"]["value"] == pytest.approx(-1 / 3, abs=1e-12)  # -2/3, -1/3 and 0
    write(tmp_path / "other", "whole", "fcp", dict.fromkeys(TASKS, 2), max_steps=9)
    write(tmp_path / "other", "less", "fcp:no-repair", dict.fromkeys(TASKS, 2), max_steps=9)
    assert "differences-together" not in rows(tmp_path), "not of one grid"


def test_seeds_are_paired_with_themselves(tmp_path: Path) -> None:
    for seed, whole in ((1, 3), (2, 1)):
        write(tmp_path, f"whole-{seed}", "fcp", dict.fromkeys(TASKS, whole), seed=seed)
        write(tmp_path, f"less-{seed}", "fcp:no-repair", dict.fromkeys(TASKS, whole - 1), seed=seed)
    [row] = rows(tmp_path)["differences"]
    assert row["score"]["low"] == pytest.approx(-1 / 3, abs=1e-9)
    assert row["score"]["high"] == pytest.approx(-1 / 3, abs=1e-9)


def test_another_agent_can_be_the_baseline_and_without_one_the_view_says_so(tmp_path: Path) -> None:
    write(tmp_path, "react", "react", dict.fromkeys(TASKS, 1))
    write(tmp_path, "whole", "fcp", dict.fromkeys(TASKS, 3))
    [row] = rows(tmp_path, reference="react")["differences"]
    assert (row["variant"], row["part"]) == ("fcp", "hurts")
    view = view_json(make_view("ablation", read_tables(tmp_path), ViewOptions(reference="fcp:lean")))
    assert view["tables"] == []
    assert "no run of fcp:lean" in json.dumps(view["missing"])


def test_only_runs_that_differ_in_who_acts_are_pairs(tmp_path: Path) -> None:
    for seed in (1, 2):
        for agent in ("fcp", "react"):
            write(tmp_path, f"{agent}-{seed}", agent, dict.fromkeys(TASKS, 2), seed=seed)
    write(tmp_path, "other-budget", "react", dict.fromkeys(TASKS, 2), seed=1, max_steps=9)
    view = view_json(make_view("stats", read_tables(tmp_path)))
    [pairs] = [sheet["rows"] for sheet in view["tables"] if sheet["name"] == "pairs"]
    told = {frozenset((row["first"], row["second"])) for row in pairs}
    assert sorted(sorted(name[-1] for name in pair) for pair in told) == [["1", "1"], ["2", "2"]]


def test_runs_under_other_settings_are_other_groups_each_with_a_name_of_its_own(tmp_path: Path) -> None:
    for strategy, library in (("append", ""), ("append", "abc"), ("reset", "")):
        for agent in ("fcp", "fcp:no-repair"):
            run = f"{agent}-{strategy}-{library}".replace(":", "-")
            write(tmp_path, run, agent, dict.fromkeys(TASKS, 2), strategy=strategy, library=library)
    found = rows(tmp_path)
    assert {name for name in found if name.startswith("differences")} == {
        "differences-strategy append, library none",
        "differences-strategy append, library abc",
        "differences-strategy reset, library none",
    }


def test_the_same_episode_is_not_compared_twice(tmp_path: Path) -> None:
    for folder in ("first", "again"):
        write(tmp_path / folder, "whole", "fcp", dict.fromkeys(TASKS, 2))
    with pytest.raises(UserError, match="compared twice"):
        rows(tmp_path)


def test_one_lucky_interval_among_several_is_not_called_an_effect(tmp_path: Path) -> None:
    tasks = [f"task-{n}" for n in range(5)]
    write(tmp_path, "whole", "fcp", dict.fromkeys(tasks, 2))
    write(tmp_path, "less", "fcp:no-repair", dict.fromkeys(tasks, 1))
    [row] = rows(tmp_path)["differences"]
    assert row["score"]["high"] < 0  # five of five tasks: the interval leaves out zero, the exact test does not
    assert (row["p_score"], row["part"]) == (pytest.approx(2 / 2**5, abs=1e-12), "no effect seen")


def test_strategies_are_paired_with_append_of_the_same_agent(tmp_path: Path) -> None:
    for strategy, met in (("append", 1), ("rewrite", 3), ("reset+rewrite", 1)):
        write(tmp_path, f"react-{strategy}", "react", dict.fromkeys(TASKS, met), strategy=strategy, steps=1 + met)
    write(tmp_path, "fcp", "fcp", dict.fromkeys(TASKS, 2), strategy="reset")  # no append of its own beside it
    view = view_json(make_view("strategies", read_tables(tmp_path)))
    found = {sheet["name"]: sheet["rows"] for sheet in view["tables"]}
    assert sorted((row["who"], row["strategy"], row["n"]) for row in found["levels"]) == [
        ("fcp · simulated", "reset", 8),
        ("react · simulated", "append", 8),
        ("react · simulated", "reset+rewrite", 8),
        ("react · simulated", "rewrite", 8),
    ]
    told = {row["strategy"]: row for row in found["differences"]}
    assert set(told) == {"rewrite", "reset+rewrite"}
    assert told["rewrite"]["score"]["value"] == pytest.approx(2 / 3, abs=1e-12)
    assert told["rewrite"]["steps"]["value"] == pytest.approx(2.0, abs=1e-12)
    assert (told["rewrite"]["won"], told["rewrite"]["lost"], told["reset+rewrite"]["p"]) == (8, 0, 1.0)
