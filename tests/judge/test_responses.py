"""The window after a revision, and what is made of the answer about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from refute.judge import Adaptation, ResponseJudged, ResponseOutput, WindowAction

from .episodes import Episode, Script, constraint, judged, revision, task

TWO = task(constraint(), revisions=[revision("In white."), revision("In a box.")])
NO_CLAIMS: Script = {"claim_generator": lambda x: "?"}


def answers(output: ResponseOutput | str) -> Script:
    return {**NO_CLAIMS, "response_judge": lambda x: output}


YES = ResponseOutput(responsive=True, actions=(1,), adaptation=Adaptation.OVERWRITE)


def episode(folder: Path, clicks: int, *, second: int | None = None) -> Episode:
    """The first revision after one action, then `clicks` more; the second after `second` of them."""
    made = Episode(folder, TWO)
    made.see("/", "Shop", "the start")
    made.click()
    made.see("/lamps/", "Lamps", "where it came")
    made.deliver(1)
    for n in range(1, clicks + 1):
        made.click(f'link "{n}"')
        made.see(f"/{n}/", f"Page {n}", str(n))
        if n == second:
            made.deliver(2)
    return made


async def test_a_live_revision_is_judged_by_what_was_said_and_when(tmp_path: Path) -> None:
    """It has a number after the planned ones, whenever it comes."""
    made = Episode(tmp_path, TWO)
    made.see("/", "Shop", "the start")
    made.deliver(3, text="And a plug.")
    made.click()
    made.deliver(1)
    made.click()
    out = await judged(made.record(), answers(YES), tmp_path)
    live, planned = out.model.asked("response_judge")
    assert (live.revision, live.text, [said.number for said in live.before]) == (3, "And a plug.", [0])
    assert [said.text for said in planned.before] == [TWO.initial_instruction, "And a plug."]
    assert [event.revision for event in out.of(ResponseJudged)] == [3, 1]


@pytest.mark.parametrize(("clicks", "second", "steps"), [(5, None, [2, 3, 4]), (5, 2, [2, 3]), (1, None, [2])])
async def test_the_window_is_three_actions_cut_by_the_next_revision_or_the_end(
    clicks: int, second: int | None, steps: list[int], tmp_path: Path
) -> None:
    out = await judged(episode(tmp_path, clicks, second=second).record(), answers(YES), tmp_path)
    first = out.of(ResponseJudged)[0]
    assert list(first.window) == steps
    assert (first.responsive, first.actions, first.adaptation) == (True, (2,), Adaptation.OVERWRITE)


async def test_the_model_sees_the_page_of_the_revision_and_where_each_action_led(tmp_path: Path) -> None:
    out = await judged(episode(tmp_path, 2, second=1).record(), answers(YES), tmp_path)
    first, later = out.model.asked("response_judge")
    assert (first.page.text, later.page.text) == ("where it came", "1")
    (action,) = first.actions
    assert isinstance(action, WindowAction)
    assert (action.title, action.target, action.seen) == ("Page 1", 'link "1"', ("1",))
    assert [said.text for said in later.before] == [TWO.initial_instruction, "In white."]


async def test_a_done_that_was_turned_down_is_an_action_too(tmp_path: Path) -> None:
    made = Episode(tmp_path, TWO)
    made.see("/", "Shop", "the start")
    made.deliver(1)
    made.done("Here it is.", turned_down=True)
    made.deliver(2)
    made.done("Here it is, in a box.")
    out = await judged(made.record(), answers(YES), tmp_path)
    assert [event.window for event in out.of(ResponseJudged)] == [(1,), (2,)]
    assert "in a box" in out.model.asked("response_judge")[1].actions[0].text


async def test_without_an_action_there_is_no_response_and_no_question(tmp_path: Path) -> None:
    out = await judged(episode(tmp_path, 0).record(), answers(YES), tmp_path)
    assert [event.responsive for event in out.of(ResponseJudged)] == [False]
    assert out.model.asked("response_judge") == []


async def test_a_yes_that_names_no_action_is_not_accepted(tmp_path: Path) -> None:
    for actions in ((), (7,)):
        answer = YES.model_copy(update={"actions": actions})
        out = await judged(episode(tmp_path / str(actions), 2).record(), answers(answer), tmp_path / str(len(actions)))
        assert out.of(ResponseJudged)[0].responsive is False


async def test_no_usable_answer_is_undecided(tmp_path: Path) -> None:
    out = await judged(episode(tmp_path, 2).record(), answers("responsive, surely"), tmp_path)
    assert out.of(ResponseJudged)[0].responsive is None
