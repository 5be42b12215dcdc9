"""What stands at a step: a final check belongs to the done that it is about."""

from __future__ import annotations

from pathlib import Path

from refute.agents import Checked, FinalChecked, Interpreted, Requirement, Result, Ruling
from refute.browser import Acted, Done, Note
from refute.llm import ModelCalled
from refute.report._steps import step_cards
from refute.trace import Recorder, read_trace


def test_a_final_check_and_its_call_stand_at_the_done_that_it_is_about(tmp_path: Path) -> None:
    findings = (
        Checked(number=1, ruling=Ruling.MET, text="The mug is red", quote="red", source="page"),
        Checked(number=2, ruling=Ruling.VIOLATED, text="It costs at most $5", quote="$9", source="page"),
    )
    with Recorder(tmp_path) as recorder:
        recorder.record(Interpreted(goal_version=0, constraints=(Requirement(number=1, text="x", instruction=1),)))
        for number, action in enumerate((Note(text="x"), Done(message="Ready.")), start=1):
            if number == 2:
                recorder.record(ModelCalled(role="final_checker", model="m"))
                recorder.record(
                    FinalChecked(
                        result=Result.REFUTED, goal_version=0, message="Ready.", findings=findings, consequence="done"
                    )
                )
            recorder.step += 1
            recorder.record(Acted(action=action, text=action.name))

    start, note, done = step_cards(read_trace(tmp_path))
    assert [mark.text for mark in start.marks] == ["requirements read: 1"]
    assert note.marks == []
    [mark] = done.marks
    assert mark.text == "final check: refuted, 1 of 2 requirements; violated: It costs at most $5"
    assert done.headline == mark
    assert [call.role for call in done.calls] == ["final_checker"]
