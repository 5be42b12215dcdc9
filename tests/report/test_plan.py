"""How a commitment's end is told: refuted by a page, changed by the user, or never started."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

from refute.agents.fcp._commitment import Commitment, CommitmentStatus, Planned, Status
from refute.browser import Acted, Note
from refute.report._lanes import LEFT
from refute.report._plan import Line, plan_lines
from refute.report._timeline import timeline
from refute.tables import EpisodeKey, MistakeRow
from refute.trace import Event, Recorder, read_trace

STEP = Acted(action=Note(text="x"), text="note('x')")


def lines(folder: Path, *events: Event) -> dict[int, Line]:
    with Recorder(folder) as recorder:
        for event in events:
            recorder.step += isinstance(event, Acted)
            recorder.record(event)
    return {line.commitment.number: line for line in plan_lines(read_trace(folder))}


def plan(numbers: Sequence[int], reason: str = "start", falsified: tuple[int, ...] = ()) -> Planned:
    commitments = tuple(Commitment(number=n, subgoal=f"part {n}") for n in numbers)
    return Planned(reason=reason, goal_version=0, commitments=commitments, active=None, falsified=falsified)


def status(number: int, to: Status, why: str = "") -> CommitmentStatus:
    return CommitmentStatus(number=number, status=to, summary=why)


def test_a_repair_of_the_plan_leaves_the_refuted_one_refuted(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        plan([1, 2]),
        status(1, Status.ACTIVE),
        STEP,
        status(1, Status.FALSIFIED, "floor lamps"),
        status(1, Status.REVISED),
        status(2, Status.REVISED),
        plan([3], "repair", (1,)),
        status(3, Status.ACTIVE),
    )
    assert {n: line.status for n, line in found.items()} == {
        1: Status.FALSIFIED,
        2: Status.REVISED,
        3: Status.ACTIVE,
    }
    (spell,) = found[1].spells
    assert (spell.start, spell.end, spell.status, spell.note) == (0, 1, Status.FALSIFIED, "floor lamps")
    assert not found[2].spells


def test_what_the_user_overtakes_is_not_refuted(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        plan([1, 2]),
        status(1, Status.ACTIVE),
        STEP,
        status(1, Status.CONFIRMED),
        status(2, Status.ACTIVE),
        STEP,
        status(1, Status.FALSIFIED, "another colour now"),
        status(2, Status.FALSIFIED, "another colour now"),
        plan([3], "revision", (1, 2)),
    )
    assert [found[n].status for n in (1, 2)] == [Status.REVISED, Status.REVISED]
    assert found[1].spells[0].status is Status.CONFIRMED
    assert found[2].spells[0].status is Status.REVISED
    assert found[2].note == "another colour now"


def test_a_small_repair_starts_the_same_commitment_again(tmp_path: Path) -> None:
    found = lines(
        tmp_path,
        plan([1]),
        status(1, Status.ACTIVE),
        STEP,
        status(1, Status.FALSIFIED),
        status(1, Status.ACTIVE),
        STEP,
        status(1, Status.CONFIRMED),
    )
    assert [(s.start, s.end, s.status) for s in found[1].spells] == [
        (0, 1, Status.FALSIFIED),
        (1, 2, Status.CONFIRMED),
    ]
    drawing = timeline(read_trace(tmp_path), steps=2, deliveries=(), mistakes=())
    assert drawing is not None
    first, second = drawing.bars
    assert first.x == LEFT
    assert first.x + first.width <= second.x
    assert second.x + second.width <= drawing.right


def test_nothing_to_draw_draws_nothing(tmp_path: Path) -> None:
    lines(tmp_path, STEP)
    assert timeline(read_trace(tmp_path), steps=1, deliveries=(), mistakes=()) is None


def test_labels_of_mistakes_never_lie_on_another_bar(tmp_path: Path) -> None:
    lines(tmp_path, *[STEP] * 60)
    spans = [(2, 4), (3, 9), (5, 6), (20, 40), (41, 42), (43, 51), (52, 54), (59, 60), (58, None)]
    mistakes = [
        MistakeRow(
            key=EpisodeKey("r", "t", 0), id=n, mistake="wrong_branch", scope="", detail="", started=start, ended=end
        )
        for n, (start, end) in enumerate(spans)
    ]
    drawing = timeline(read_trace(tmp_path), steps=60, deliveries=(), mistakes=mistakes)
    assert drawing is not None
    assert len(drawing.truth) == len(spans)
    rows: dict[float, list[tuple[float, float]]] = {}
    for bar in drawing.truth:
        assert bar.label is not None
        width = 5.0 * len(bar.label.text)  # Narrower than any real font: an overlap here is one on the screen.
        start = bar.label.x - width if bar.label.anchor == "end" else bar.label.x
        rows.setdefault(bar.y, []).append((min(bar.x, start), max(bar.x + bar.width, start + width)))
    for taken in rows.values():
        taken.sort()
        assert all(left[1] <= right[0] for left, right in itertools.pairwise(taken))
