"""From a recording to figures: what is wanted and present, and as many states on track as off it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from click.testing import CliRunner

from refute.agents.fcp._settings import VARIANTS
from refute.cli._main import cli
from refute.drift import Calm, Drive, Kind, Recording, score
from refute.drift._scoring import ROUTINGS, balanced

from .making import HEADER, OUT, STOCKED, drive, state

ASTRAY = drive([state(1), *(state(n, since=n - 2) for n in range(2, 6))])
CALM = drive([state(n, f"part {n}") for n in range(1, 10)], name="plain-0", kind=Calm.PLAIN)


def labels(drives: list[Drive]) -> list[str]:
    return [s.label for d in drives for s in d.states]


def test_surplus_states_on_track_are_drawn_and_not_scored() -> None:
    found = balanced([ASTRAY, CALM], 0)
    assert (labels(found).count("on"), labels(found).count("off")) == (4, 4)
    assert [len(d.states) for d in found] == [5, 9]
    assert balanced([ASTRAY, CALM], 0) == found
    assert any(balanced([ASTRAY, CALM], seed) != found for seed in range(1, 5))
    assert balanced(found, 1) == found
    assert balanced([CALM], 0) == [CALM]


def test_drives_that_are_missing_are_said_by_kind(tmp_path: Path) -> None:
    header = HEADER.model_copy(update={"per_kind": 2, "per_calm": 1})
    recording = Recording.open(tmp_path / "states.jsonl", header)
    recording.add(ASTRAY)
    recording.add(CALM)
    result = asyncio.run(score(recording.path, {}))
    assert (result.wanted[Kind.WRONG_BRANCH], result.present[Kind.WRONG_BRANCH]) == (2, 1)
    assert (result.wanted[Kind.POPUP], result.present[Kind.POPUP]) == (2, 0)
    assert (result.wanted[Calm.PLAIN], result.present[Calm.PLAIN]) == (1, 1)
    assert (result.on_track, result.off_track, result.surplus) == (4, 4, 6)
    shown = CliRunner().invoke(cli, ["bench", "drift", "--states", str(recording.path)])
    assert "wrong_branch 1/2" in shown.output, shown.output
    assert "plain 1/1" in shown.output


def test_a_precondition_that_asks_costs_a_call(tmp_path: Path) -> None:
    avoided: list[float | None] = []
    for number, text in enumerate(("In stock", OUT)):
        pages = [state(1, text, finished=1), *(state(n, f"part {n}", since=n - 3, finished=1) for n in (3, 4))]
        pages.insert(1, state(2, "part 2", finished=1))
        recording = Recording.open(tmp_path / f"{number}.jsonl", HEADER)
        recording.add(drive(pages).model_copy(update={"plan": STOCKED}))
        figures = asyncio.run(score(recording.path, {})).authors["procedures"]["paper"]
        assert figures.starts_asked == number
        avoided.append(figures.calls_avoided["0.5"].value)
    assert avoided == [1.0, 0.75]  # one call more for two states on track, which are half of all


def test_the_routing_that_is_scored_is_the_one_that_can_be_named() -> None:
    assert {name: VARIANTS["" if name == "paper" else name] for name in ROUTINGS} == ROUTINGS
