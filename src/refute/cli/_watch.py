"""Watching one episode: its events as lines, and on a terminal a panel that says where it stands."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from refute.agents import CommitmentStatus, Planned, Repaired, Status, Tested, Verified
from refute.browser import Acted
from refute.cli._screen import clean, counted, spent
from refute.llm import ModelCalled
from refute.revisions import BrowserReset, Delivered, EpisodeStarted, Intercepted
from refute.trace import Event

_STATUS = {
    Status.CONFIRMED: ("✓", "green", "confirmed"),
    Status.FALSIFIED: ("✗", "red", "falsified"),
    Status.ABANDONED: ("–", "yellow", "abandoned"),
}


_PHASE = {"action": "before the action", "state": "the page", "precondition": "before the step"}


class Watch:
    """Takes the events of one episode as they happen. Prints a line for what matters, and keeps the rest for `panel`.

    Texts from pages and models are shown as text: neither markup nor control characters reach the terminal.
    """

    def __init__(self, console: Console, *, max_steps: int) -> None:
        self.started: EpisodeStarted | None = None
        self._console = console
        self._max_steps = max_steps
        self._began = time.monotonic()
        self._subgoals: dict[int, str] = {}
        self._active: int | None = None
        self._step = 0
        self._calls = 0
        self._tokens = 0
        self._dollars: float | None = None
        self._test = "none yet"
        self._action = "none yet"

    def take(self, event: Event) -> None:
        """Take in one event; most kinds are of no interest here."""
        match event:
            case EpisodeStarted():
                self.started = event
            case ModelCalled():
                self._count(event)
            case Planned():
                self._plan(event)
            case CommitmentStatus(status=Status.ACTIVE):
                self._active = event.number
            case CommitmentStatus() if event.status in _STATUS:
                mark, style, word = _STATUS[event.status]
                self._say(mark, _joined(f"commitment {event.number} {word}", event.summary), style)
            case Tested():
                self._test = f"{_PHASE.get(event.phase, event.phase)} → {event.route.value}: {event.reason}"
            case Verified():
                route = f"{event.route.value} → {event.decision.value}"
                self._test = f"{_PHASE.get(event.phase, event.phase)} → {route}: {event.reason}"
            case Repaired():
                what = f"commitment {event.number}, scope {event.scope.value}"
                self._say("repair", _joined(what, event.guidance), "yellow")
            case Intercepted():
                self._say("goal", f"a revision is due; the agent wanted to end with: {event.message}", "magenta")
            case Delivered():
                self._say("goal", f"revised: {event.text}", "magenta")
            case BrowserReset():
                self._say("goal", "the browser starts anew", "magenta")
            case Acted():
                self._act(event)
            case _:
                pass

    def _count(self, event: ModelCalled) -> None:
        self._calls += 1
        self._tokens += event.usage.input_tokens + event.usage.output_tokens
        if event.dollars is not None:
            self._dollars = (self._dollars or 0.0) + event.dollars

    def _plan(self, event: Planned) -> None:
        self._subgoals |= {c.number: c.subgoal for c in event.commitments}
        self._active = event.active
        if event.reason == "report":
            return
        why = {"repair": " after a repair", "revision": " after the revision"}.get(event.reason, "")
        self._say("plan", f"{counted(len(event.commitments), 'commitment')}{why}", "bold")
        for commitment in event.commitments:
            self._say("", f"{commitment.number}. {commitment.subgoal}")

    def _act(self, event: Acted) -> None:
        self._step = event.step
        self._action = f"{event.text} {event.target}".strip()
        if not event.outcome.ok:
            problem = event.outcome.detail or (event.outcome.cause.value if event.outcome.cause else "failed")
            self._action += f" ✗ {problem}"
        self._say(str(event.step), self._action, "" if event.outcome.ok else "red")

    def panel(self) -> Panel:
        """Where the episode stands: the step, the active commitment, its last test, the last action, and the cost."""
        active = self._subgoals.get(self._active or 0)
        rows = Table.grid(padding=(0, 2))
        rows.add_column(style="dim", no_wrap=True)
        rows.add_column(overflow="ellipsis", no_wrap=True)
        rows.add_row("commitment", Text(clean(f"{self._active}. {active}") if active else "none yet"))
        rows.add_row("last test", Text(clean(self._test)))
        rows.add_row("last action", Text(clean(self._action)))
        return Panel(rows, title=f"step {self._step} of {self._max_steps}", subtitle=self._spent())

    def _spent(self) -> str:
        seconds = time.monotonic() - self._began
        return spent(seconds=seconds, calls=self._calls, tokens=self._tokens, dollars=self._dollars)

    def _say(self, mark: str, text: str, style: str = "") -> None:
        line = Text.assemble((f"{mark:>6}  ", style or "dim"), (clean(text), style))
        self._console.print(line, soft_wrap=not self._console.is_terminal, highlight=False)


@contextmanager
def watching(console: Console, *, max_steps: int, panel: bool = True) -> Generator[Watch]:
    """A `Watch` whose panel is kept up to date below its lines; without a terminal there are only the lines.

    `panel` = False leaves it out on a terminal too, where somebody types: it would be drawn over their line.
    """
    watch = Watch(console, max_steps=max_steps)
    if not console.is_terminal or not panel:
        yield watch
        return
    with Live(console=console, get_renderable=watch.panel, refresh_per_second=4, transient=True):
        yield watch


def _joined(head: str, tail: str) -> str:
    return f"{head}: {tail}" if tail else head
