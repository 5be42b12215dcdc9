"""The live view: what a person sees while an agent works, and that no text from outside can draw on the terminal."""

import io

from rich.console import Console

from refute.agents import Commitment, CommitmentStatus, Decision, Planned, Route, Status, Tested, Verified
from refute.browser import Acted, Click, Outcome
from refute.cli._watch import Watch, watching
from refute.llm import ModelCalled, Usage
from refute.trace import Event

PLAN = Planned(
    reason="start",
    goal_version=0,
    commitments=(Commitment(number=1, subgoal="Find [bold]lamps[/]"), Commitment(number=2, subgoal="Pick one")),
    active=1,
)


def watched(*events: Event, terminal: bool = False) -> tuple[str, str]:
    """The lines that were printed, and the panel after the last event."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, color_system=None)
    watch = Watch(console, max_steps=40)
    for event in events:
        watch.take(event)
    lines = out.getvalue()
    out.truncate(0)
    console.print(watch.panel())
    return lines, out.getvalue()


def test_the_panel_tells_step_commitment_test_action_and_cost() -> None:
    test = Tested(phase="state", number=1, route=Route.VERIFY, reason="neither clear")
    verdict = Verified(phase="state", number=1, route=Route.VERIFY, decision=Decision.CONTINUE, reason="only kettles")
    call = ModelCalled(role="executor", model="m", usage=Usage(input_tokens=1000, output_tokens=234), dollars=0.0123)
    act = Acted(action=Click(target=3), text="click('3')", target='link "Lamps"', step=4)
    _, panel = watched(PLAN, CommitmentStatus(number=2, status=Status.ACTIVE), call, act, test, verdict)
    for shown in (
        "step 4 of 40",
        "2. Pick one",
        "the page → verify → continue: only kettles",
        "click('3') link \"Lamps\"",
        "1 model call · 1,234 tokens · $0.0123",
    ):
        assert shown in panel


def test_plain_lines_tell_the_story_and_nothing_draws_on_the_terminal() -> None:
    nasty = "see \x1b[2J\x07 [red]here[/red]\nsecond line"
    failed = Acted(
        action=Click(target=3), text="click('3')", target=nasty, outcome=Outcome(ok=False, detail="covered"), step=1
    )
    lines, panel = watched(PLAN, failed, CommitmentStatus(number=1, status=Status.FALSIFIED, summary=nasty))
    assert "\x1b" not in lines + panel
    assert "\x07" not in lines + panel
    assert "[bold]lamps[/]" in lines, "shown as it is, and no markup"
    assert "[red]here[/red] second line ✗ covered" in lines
    assert lines.count("\n") == 5


def test_without_a_terminal_there_is_no_panel() -> None:
    out = io.StringIO()
    with watching(Console(file=out, width=100), max_steps=40) as watch:
        watch.take(PLAN)
    assert "step 0 of 40" not in out.getvalue()
    assert "plan  2 commitments" in out.getvalue()
