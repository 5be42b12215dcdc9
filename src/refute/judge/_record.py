"""An episode as a judge reads it: what was said, done and seen, in the order of its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from refute._errors import TraceError
from refute.browser import Acted, Done, Infeasible, Observed
from refute.goals import Task
from refute.judge._roles import Instruction, State, WindowAction
from refute.judge._trajectory import Trajectory, new_lines, trajectory
from refute.revisions import Deliver, Delivered, EpisodeEnded, EpisodeStarted, last_attempt
from refute.trace import Event, Trace

WINDOW = 3
"""Most actions after a revision by which its response is judged (decision 17)."""
SEEN = 25
"""Most new lines of the page after an action that are shown with it."""


@dataclass(frozen=True, kw_only=True)
class Window:
    """The actions that directly follow a revision, and the page on which it came."""

    revision: int
    """Its number: planned ones are counted from 1 as in the task, live ones after them."""
    text: str
    before: tuple[Instruction, ...]
    """What had been said before it, in the order in which it was said."""
    page: State
    actions: tuple[WindowAction, ...]


@dataclass(frozen=True, kw_only=True)
class EpisodeRecord:
    """One finished episode. `states` are all observed pages in order; equal neighbours are one."""

    task: Task
    repeat: int
    simulated: bool
    message: str
    """The agent's last message; empty when it never ended the work itself."""
    day: date
    """When the task was carried out: what "today" means in it."""
    states: tuple[State, ...]
    first_state: Mapping[int, int]
    """By instruction (0 = initial, k = delivered revision k): index of the state on which it came."""
    windows: tuple[Window, ...]
    """One for each delivered revision, in order."""
    trajectory: Trajectory
    """All actions, as a list."""
    deliver: Deliver = Deliver.DURING
    """Whether revisions came at all."""

    @property
    def delivered(self) -> frozenset[int]:
        """The revisions that the agent received, all of them where the final goal was its first instruction."""
        if self.deliver is Deliver.UPFRONT:
            return frozenset(range(1, len(self.task.revisions) + 1))
        return frozenset(window.revision for window in self.windows)

    def missed(self, instruction: int) -> bool:
        """Whether a revision should have come and did not; none of a run that delivers nothing on purpose."""
        return self.deliver is Deliver.DURING and instruction not in {0, *self.delivered}

    @property
    def instructions(self) -> tuple[Instruction, ...]:
        """What the user said, in order; revisions that were not delivered were not said."""
        first = Instruction(number=0, text=self.deliver.first_instruction(self.task))
        return (first, *(Instruction(number=w.revision, text=w.text) for w in self.windows))

    def states_since(self, instruction: int) -> tuple[State, ...]:
        """The states that the agent saw under an instruction: the page on which it came, and all later ones."""
        return self.states[self.first_state.get(instruction, 0) :]

    @classmethod
    def of(cls, trace: Trace) -> EpisodeRecord:
        """Read a trace; of an episode that was begun anew in its folder, the last attempt. Raises `TraceError`."""
        trace = last_attempt(trace)
        started = next(iter(trace.of(EpisodeStarted)), None)
        if started is None:
            raise TraceError(f"{trace.folder} does not say which task it belongs to (no episode_started event)")
        events = trace.events
        states, first_state = _states(events)
        return cls(
            task=started.task,
            repeat=started.repeat,
            simulated=started.simulated,
            message=_message(events),
            day=started.task.execution_date or datetime.fromtimestamp(started.time, UTC).date(),
            states=states,
            first_state=first_state,
            windows=tuple(_windows(events, started)),
            trajectory=trajectory(events),
            deliver=started.deliver,
        )


def ended(trace: Trace) -> EpisodeEnded | None:
    """How the last attempt ended; None for an episode that is unfinished."""
    return next(reversed(last_attempt(trace).of(EpisodeEnded)), None)


def _state(event: Observed) -> State:
    happened = tuple(f"{e.type}: {e.text}" for e in event.events)
    return State(
        step=event.step,
        url=event.url,
        title=event.title,
        text=event.text,
        events=happened,
        more_above=event.more_above,
        more_below=event.more_below,
    )


def _states(events: Sequence[Event]) -> tuple[tuple[State, ...], Mapping[int, int]]:
    states: list[State] = []
    first = {0: 0}
    for event in events:
        if isinstance(event, Observed):
            state = _state(event)
            if not states or state.model_copy(update={"step": states[-1].step}) != states[-1]:
                states.append(state)
        elif isinstance(event, Delivered):
            first[event.revision] = max(0, len(states) - 1)
    return tuple(states), first


def _message(events: Sequence[Event]) -> str:
    """The message of the last action, if that ended the work: one that was turned down did not."""
    last = next((event for event in reversed(events) if isinstance(event, Acted)), None)
    if last is None or last.outcome.intercepted:
        return ""
    match last.action:
        case Done(message=message):
            return message
        case Infeasible(reason=reason):
            return reason
        case _:
            return ""


def _windows(events: Sequence[Event], started: EpisodeStarted) -> list[Window]:
    windows: list[Window] = []
    said = [Instruction(number=0, text=started.first_instruction)]
    page = State(step=0, url="", title="", text="")
    for n, event in enumerate(events):
        if isinstance(event, Observed):
            page = _state(event)
        elif isinstance(event, Delivered):
            actions = _following(events[n + 1 :], page.text)
            windows.append(
                Window(revision=event.revision, text=event.text, before=tuple(said), page=page, actions=actions)
            )
            said.append(Instruction(number=event.revision, text=event.text))
    return windows


def _following(events: Sequence[Event], before: str) -> tuple[WindowAction, ...]:
    """The next actions, each with the page that it led to, up to the next revision. `before`: the page's text."""
    actions: list[WindowAction] = []
    for event in events:
        if isinstance(event, Delivered):
            break
        if isinstance(event, Acted):
            if len(actions) == WINDOW:
                break
            problem = "" if event.outcome.ok else event.outcome.detail or "failed"
            actions.append(
                WindowAction(
                    number=len(actions) + 1, step=event.step, text=event.text, target=event.target, problem=problem
                )
            )
        elif isinstance(event, Observed) and actions:
            seen = new_lines(event.text, before)[:SEEN]
            actions[-1] = actions[-1].model_copy(update={"url": event.url, "title": event.title, "seen": seen})
            before = event.text
    return tuple(actions)
