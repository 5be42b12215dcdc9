"""What judges say, as views: the demo's episodes judged by the simulated judge with a clear view, and with a blind one.

lamp: 4 of 4 by truth, one revision; mug: "towel" was never delivered, "mug" and "two" are satisfied, in both runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from refute.arena import JudgeNoise, SimulatedJudge
from refute.judge import JudgeIdentity, judge_runs
from refute.report import make_view, view_json, write_figures
from refute.tables import read_tables

from .stories import write_demo

CLEAR = JudgeNoise.none()
BLIND = CLEAR.model_copy(update={"sensitivity": 0.0, "response_sensitivity": 0.0})


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("judged"))


async def views(out: Path, name: str) -> dict[str, Any]:
    for judge, noise in (("clear", CLEAR), ("blind", BLIND)):
        identity = JudgeIdentity(name=judge, model="simulated", simulated=True)
        await judge_runs(out, identity, lambda trace, noise=noise: SimulatedJudge.of(trace, noise=noise))
    return view_json(make_view(name, read_tables(out)))


async def test_calibration_tells_a_good_judge_from_a_bad_one(judged: Path) -> None:
    view = await views(judged, "calibration")
    judges, places = view["tables"]
    blind, clear = judges["rows"]
    assert (clear["judge"], clear["n"], clear["agree"], clear["precision"], clear["recall"]) == ("clear", 8, 1, 1, 1)
    assert (blind["judge"], blind["n"], blind["agree"], blind["precision"], blind["recall"]) == ("blind", 8, 0, None, 0)
    assert clear["score_judged"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    assert {row["miss"] for row in places["rows"]} == {"too_strict"}
    assert len(places["rows"]) == 8
    assert view["simulated"]


async def test_responses_stand_beside_what_became_of_the_revision(judged: Path, tmp_path: Path) -> None:
    view = await views(judged, "response")
    [sheet] = view["tables"]
    rows = {(row["run"], row["judge"]): row for row in sheet["rows"]}
    fcp = rows["fcp", "clear"]
    assert (fcp["windows"], fcp["wra"]["value"], fcp["satisfied_if_responsive"]["value"]) == (2, 1.0, 1.0)
    assert (fcp["additive"]["value"], fcp["overwrite"]["value"]) == (0.5, 0.5)
    assert rows["react", "blind"]["wra"]["value"] == 0.0
    assert rows["react", "blind"]["satisfied_if_not"]["value"] == 0.0
    figures = write_figures(make_view("response", read_tables(judged)), tmp_path)
    assert {path.suffix for path in figures} == {".svg", ".png", ".pdf"}


@pytest.mark.parametrize("name", ["calibration", "response"])
def test_without_a_judge_the_view_says_what_would_bring_one(demo: Path, name: str) -> None:
    view = make_view(name, read_tables(demo))
    assert view.sheets == ()
    assert "refute judge" in " ".join(view.missing.values())
