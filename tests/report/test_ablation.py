"""The view ``ablation``: who is compared with whom, and what is said of a part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
    assert found["parts"] == [{"variant": "fcp:no-repair", "low": "helps", "high": "no effect seen"}]
    assert found["differences-low"][0]["score"]["value"] == pytest.approx(-1 / 3, abs=1e-12)
    assert found["differences-high"][0]["score"]["value"] == pytest.approx(0.0, abs=1e-12)


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
