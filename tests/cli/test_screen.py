"""Progress on a terminal: texts from outside are printed as text, and an error without words is no crash."""

import io

from rich.console import Console

from refute.cli._screen import progress
from refute.revisions import Ending, EpisodeEnded
from refute.run import Progress


def shown(*states: Progress) -> str:
    out = io.StringIO()
    with progress(Console(file=out, width=120), 2, label="run") as show:
        for state in states:
            show(state)
    return out.getvalue()


def test_no_control_character_of_an_error_reaches_the_terminal() -> None:
    error = EpisodeEnded(ending=Ending.HARNESS_ERROR, message="ProviderError: no\n\x1b]0;owned\x07[red]busy[/red]")
    told = shown(Progress(task="look", repeat=0, agent="react", ended=error))
    assert "[red]busy[/red]" in told
    assert not {"\x1b", "\x07"} & set(told)


def test_a_harness_error_without_a_message_is_shown() -> None:
    error = EpisodeEnded(ending=Ending.HARNESS_ERROR, message=" \n")
    assert "harness error" in shown(Progress(task="look", repeat=0, agent="react", ended=error))
