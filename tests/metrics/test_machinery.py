"""Deliveries and detections, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from refute.metrics import Deliveries, Detection, deliveries, detections, positions
from refute.tables import DeliveryRow, EpisodeKey, MistakeRow, Timing

near: Any = pytest.approx
KEY = EpisodeKey("run", "task", 0)


def came(step: int | None, timing: Timing | None = None, *, of: int = 10, forced: bool = False) -> DeliveryRow:
    position = None if step is None else step / of
    return DeliveryRow(
        key=KEY, revision=1, kind="", text="", milestone="", step=step, position=position, forced=forced, timing=timing
    )


def mistake(
    kind: str, started: int, noticed: int | None, scope: str, attributed: str, how: str = "recovered"
) -> MistakeRow:
    return MistakeRow(
        key=KEY,
        id=1,
        mistake=kind,
        scope=scope,
        detail="",
        how=how,
        started=started,
        noticed=noticed,
        attributed=attributed,
    )


def test_forced_deliveries_have_neither_timing_nor_position() -> None:
    rows = [
        came(2, Timing.EARLY),
        came(4, Timing.ALIGNED),
        came(6, Timing.LATE),
        came(8, None),
        came(10, Timing.EARLY, forced=True),
        came(None),
    ]
    assert deliveries(rows) == Deliveries(
        revisions=6,
        delivered=5,
        forced=1,
        early=1,
        aligned=1,
        late=1,
        untimed=1,
    )
    assert (positions(rows).mean.value, positions(rows).spread) == (near(0.5), near(0.05**0.5))


def test_without_deliveries_there_is_no_position() -> None:
    assert (positions([]).mean.value, positions([came(None)]).spread) == (None, None)


def test_a_mistake_noticed_in_another_scope_is_noticed_but_not_attributed() -> None:
    found = detections(
        [
            mistake("wrong_branch", 3, 5, "execution", "execution"),
            mistake("wrong_branch", 3, 8, "execution", "planning"),
            mistake("wrong_branch", 3, None, "execution", ""),
            mistake("ignored_revision", 1, None, "planning", ""),
            mistake("unparsable", 1, None, "", "", "retried"),
        ]
    )
    assert dict(found) == {
        "ignored_revision": Detection(planted=1, noticed=0, attributed=0, delay=None),
        "wrong_branch": Detection(planted=3, noticed=2, attributed=1, delay=near(3.5)),
    }
