"""What judges say, as views: the demo's episodes judged by the simulated judge with a clear view, and with a blind one.

lamp: 4 of 4 by truth, one revision; mug: "towel" was never delivered, "mug" and "two" are satisfied, in both runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from refute.arena import JudgeNoise, SimulatedJudge
from refute.goals import TruthStep
from refute.judge import JudgeIdentity, judge_runs
from refute.report import make_view, view_json, write_figures
from refute.revisions import TriggerAsked
from refute.tables import read_tables

from ..judge.episodes import Episode, constraint, revision, task
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


async def test_the_main_figures_and_the_rounds_hold_what_judges_say_of_responses(judged: Path) -> None:
    main = await views(judged, "main")
    fcp, react = main["tables"][0]["rows"]
    assert (fcp["wra_clear"]["value"], react["wra_blind"]["value"]) == (1.0, 0.0)
    assert main["missing"] == {}
    rounds = await views(judged, "rounds")
    rows = {(row["run"], row["judge"]): row for row in rounds["tables"][-1]["rows"]}
    assert rows["fcp", "clear"]["wra_1"]["value"] == 1.0
    assert rows["react", "blind"]["wra_1"]["value"] == 0.0


async def test_what_a_judge_could_not_say_is_shown(tmp_path: Path) -> None:
    out = write_demo(tmp_path)
    await views(out, "response")
    first, second = sorted(out.rglob("judges/clear.jsonl"))[:2]
    first.write_text("broken\n{}\n")
    second.unlink()
    rows = {row["judge"]: row for row in view_json(make_view("calibration", read_tables(out)))["tables"][0]["rows"]}
    assert [(rows[name]["unreadable"], rows[name]["unjudged"]) for name in ("clear", "blind")] == [(1, 1), (0, 0)]
    shown = view_json(make_view("response", read_tables(out)))["tables"][0]["rows"]
    assert sum(row["unreadable"] for row in shown) == sum(row["unjudged"] for row in shown) == 1


async def test_two_models_under_one_name_are_two_judges(tmp_path: Path) -> None:
    out = write_demo(tmp_path)
    for run, model in (("fcp", "one"), ("react", "two")):
        identity = JudgeIdentity(name="me", model=model, simulated=True)
        await judge_runs(out / run, identity, lambda trace: SimulatedJudge.of(trace, noise=CLEAR))
    judges = view_json(make_view("calibration", read_tables(out)))["tables"][0]
    assert [row["judge"] for row in judges["rows"]] == ["me (one)", "me (two)"]
    main = view_json(make_view("main", read_tables(out)))["tables"][0]
    assert [row["wra_me (one)"]["value"] is None for row in main["rows"]] == [False, True]


def test_the_trigger_stands_beside_the_judges(tmp_path: Path) -> None:
    of = task(constraint(), revisions=[revision("In a box.")])
    for repeat, (reached, holds) in enumerate([(True, True), (True, False), (False, False)]):
        episode = Episode(tmp_path, of, repeat=repeat)
        episode.recorder.record(TruthStep(milestones={1: holds}))
        episode.recorder.record(TriggerAsked(revision=1, fired=reached, reached=reached, confidence=0.9))
        if reached:
            episode.deliver(1)
        episode.end()
    view = make_view("calibration", read_tables(tmp_path))
    trigger, bins = view_json(view)["tables"]
    (row,) = trigger["rows"]
    assert (row["asked"], row["early"], row["aligned"], row["late"], row["neither"]) == (3, 1, 1, 0, 1)
    assert [(each["probability"], each["asked"]) for each in bins["rows"]] == [("0.1–0.2", 1), ("0.9–1.0", 2)]
    assert [path.suffix for path in sorted(write_figures(view, tmp_path / "figures"))] == [".pdf", ".png", ".svg"]


@pytest.mark.parametrize("name", ["calibration", "response"])
def test_without_a_judge_the_view_says_what_would_bring_one(demo: Path, name: str) -> None:
    view = make_view(name, read_tables(demo))
    assert view.sheets == ()
    assert "refute judge" in " ".join(view.missing.values())
