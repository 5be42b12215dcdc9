"""Revisions after a number of actions: positions given, and positions measured in rehearsals."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import UserError
from refute.browser import Acted, Observation
from refute.goals import Goal, Milestone
from refute.llm import ModelCalled, OutputMode, Picture, Reply, Request
from refute.revisions import Delivered, EpisodeEnded, PositionTrigger, TriggerInput, TriggerMode
from refute.run import Rehearsed, RunSettings, open_suite, run_suite
from refute.run._pace import Tape, check_positions, given_positions, next_position
from refute.tables import read_tables
from refute.trace import read_trace


@given(st.integers(0, 50), st.integers(0, 100), st.floats(0.01, 0.99))
def test_a_position_lies_between_the_one_before_and_the_end(before: int, more: int, share: float) -> None:
    position = next_position(before, before + more, share)
    assert before <= position <= before + more
    assert position < before + more or more == 0


def test_halves_of_what_is_left_are_the_published_chain() -> None:
    assert next_position(0, 21, 0.5) == 10
    assert next_position(10, 19, 0.5) == 14
    assert next_position(14, 14, 0.5) == 14


@pytest.mark.parametrize(
    ("at", "positions"), [((5.0,), (5, 10, 15)), ((2.0, 3.0), (2, 3, 4)), ((0.0, 4.0, 9.0, 11.0), (0, 4, 9))]
)
def test_positions_that_are_not_given_keep_the_last_distance(at: tuple[float, ...], positions: tuple[int, ...]) -> None:
    assert given_positions(at, 3) == positions


@pytest.mark.parametrize(
    ("trigger", "at"),
    [
        (TriggerMode.ACTION_INDEX, ()),
        (TriggerMode.ACTION_INDEX, (2.5,)),
        (TriggerMode.ACTION_INDEX, (5.0, 3.0)),
        (TriggerMode.FRACTION, (1.0,)),
        (TriggerMode.FRACTION, (0.2, 0.4)),
        (TriggerMode.MILESTONE, (3.0,)),
    ],
)
def test_positions_that_do_not_fit_are_refused(trigger: TriggerMode, at: tuple[float, ...]) -> None:
    with pytest.raises(UserError, match="at"):
        check_positions(trigger, at)


async def test_the_trigger_counts_actions_and_nothing_else() -> None:
    taken = 0
    trigger = PositionTrigger(TriggerMode.ACTION_INDEX, (2, 3), lambda: taken)
    page, milestone = Observation(url="http://127.0.0.1/"), Milestone(text="never")
    goals = [Goal(version=version, instructions=("Go.",)) for version in range(3)]
    fired: list[tuple[bool, ...]] = []
    for number in range(5):
        taken = number
        fired.append(tuple([(await trigger.ask(milestone, goal, page)).fired for goal in goals]))
    assert fired == [
        (False, False, False),
        (False, False, False),
        (True, False, False),
        (True, True, False),
        (True, True, False),
    ]


class Counts:
    """A backend that never says the same thing twice."""

    name, simulated, mode = "counts", False, OutputMode.PROMPTED

    def __init__(self) -> None:
        self.said = 0

    async def complete(self, request: Request) -> Reply:
        self.said += 1
        return Reply(text=str(self.said))

    async def close(self) -> None:
        pass


def question(text: str, *, picture: bytes | None = None) -> Request:
    value = TriggerInput(instructions=(text,), milestone="m", observation=Observation(url="http://127.0.0.1/"))
    pictures = (Picture(data=picture),) if picture is not None else ()
    return Request(role="r", system="s", user=text, output_schema={}, input=value, pictures=pictures)


async def test_a_rehearsal_is_repeated_word_for_word_until_the_questions_differ() -> None:
    tape, backend = Tape(), Counts()
    first = tape.over(backend)
    rehearsed = [await first.complete(question(text)) for text in ("a", "a", "b")]
    assert not any(reply.cached for reply in rehearsed)
    again = tape.over(backend)
    played = [await again.complete(question(text)) for text in ("a", "a", "c", "b", "b")]
    assert [reply.text for reply in played] == [*(r.text for r in rehearsed[:2]), "4", rehearsed[2].text, "5"]
    assert [reply.cached for reply in played] == [True, True, False, True, False], "nobody was asked these again"


async def test_a_question_with_another_picture_or_schema_is_another_question() -> None:
    tape, backend = Tape(), Counts()
    await tape.over(backend).complete(question("a", picture=b"one"))
    other = question("a", picture=b"one").model_copy(update={"output_schema": {"type": "object"}})
    for asked, cached in (
        (question("a", picture=b"two"), False),
        (other, False),
        (question("a", picture=b"one"), True),
    ):
        assert (await tape.over(backend).complete(asked)).cached is cached


async def test_the_shop_plays_up_to_the_same_point_and_then_hears_of_the_change(tmp_path: Path) -> None:
    suite = open_suite("arena:shop").select("buy-one.tripod")
    settings = RunSettings(
        suite=suite.name, agent="react", model="simulated", trigger=TriggerMode.FRACTION, at=(0.5,), screenshots=False
    )
    result = await run_suite(suite, settings, tmp_path)
    (folder,) = (result.folder / "buy-one.tripod").iterdir()
    trace, rehearsal = read_trace(folder), read_trace(folder / "rehearsals" / "0")
    (rehearsed,) = trace.of(Rehearsed)
    (delivered,) = trace.of(Delivered)
    assert not rehearsal.of(Delivered)
    assert rehearsed.actions == rehearsal.of(EpisodeEnded)[-1].spent.steps > 4
    assert delivered.step == rehearsed.position == rehearsed.actions // 2
    assert not delivered.forced
    until = [[(a.text, a.target) for a in t.of(Acted)][: rehearsed.position] for t in (trace, rehearsal)]
    assert until[0] == until[1]
    assert any(call.role == "executor" for call in trace.of(ModelCalled))
    assert len(read_tables(tmp_path).episodes) == 1, "a rehearsal is in no table"
