"""The course of an episode as a numbered list: what was done, what came of it, and what then stood newly there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refute.browser import Acted, Done, Infeasible, Note, Observed, SendMessage
from refute.judge._roles import Entry
from refute.revisions import Delivered
from refute.trace import Event

LIST = 60_000
"""Most characters of a list with all that stood newly on pages; a longer one leaves lines of pages out."""

_NUMBER = re.compile(r"\[\d+\] ")
_NOTES = re.compile(r" \{(?:[.#]|name=)[^}]*\}|(?<=[\")}]) -> \S+")
"""What tells a machine which element a line is about: its selector, and where it leads."""


@dataclass(frozen=True)
class Trajectory:
    """`entries[n]` is about the n-th action; 0 is the start. `complete`: no line of a page was left out."""

    entries: tuple[Entry, ...]
    complete: bool


def trajectory(events: Sequence[Event], *, most: int = LIST) -> Trajectory:
    """The list of all actions. None is ever left out, nor shortened; `most`: characters from which pages are cut.

    What an agent said (its notes and messages) is left out: its own word is no evidence of what it did (decision 25b).
    """
    heads: list[list[str]] = [[]]
    shown: list[list[str]] = [[]]
    before, known = Observed(url=""), set[str]()
    for event in events:
        match event:
            case Acted():
                heads.append(_done(event))
                shown.append([])
            case Delivered():
                heads[-1].append(f"then the user said instruction {event.revision}")
            case Observed():
                if (event.url, event.title) != (before.url, before.title):
                    heads[-1].append(f"the page is now: {_line(event.title)} at {event.url}")
                heads[-1] += [f"happened: {_line(f'{e.type}: {e.text}')}" for e in event.events]
                shown[-1] += [f"new: {line}" for line in _new_lines(event.text, before.text, known)]
                before = event
            case _:
                pass
    whole = sum(len(line) for lines in (*heads, *shown) for line in lines) <= most
    room = most if whole else most // len(heads)
    entries = tuple(
        Entry(number=n, lines=(*head, *_within(lines, room - sum(map(len, head)))))
        for n, (head, lines) in enumerate(zip(heads, shown, strict=True))
    )
    return Trajectory(entries, complete=whole)


def new_lines(text: str, before: str) -> tuple[str, ...]:
    """The lines of a page that were not on the one before, without numbers, selectors and targets of elements."""
    return tuple(_new_lines(text, before, set()))


def _new_lines(text: str, before: str, known: set[str]) -> list[str]:
    """The new lines; of those that hold an element, none that was `known` already. Words that stand there by
    themselves are shown each time, since a confirmation that comes twice tells of two things."""
    old = {_bare(line) for line in before.splitlines()}
    found: list[str] = []
    for line in text.splitlines():
        bare = _bare(line)
        if bare and bare not in old and not (bare in known and _NUMBER.search(line)):
            found.append(bare)
        known.add(bare)
    return found


def _bare(line: str) -> str:
    return _line(_NOTES.sub("", _NUMBER.sub("", line)))


def _line(text: str) -> str:
    return " ".join(text.split())


def _done(event: Acted) -> list[str]:
    if isinstance(event.action, Done | Infeasible | Note | SendMessage):
        return [f"did: {event.action.name} (the agent's own words, left out)"]
    lines = [f"did: {_line(event.text)}{f' on {_line(event.target)}' if event.target else ''}"]
    if not event.outcome.ok:
        lines.append(f"it failed: {_line(event.outcome.detail) or 'no reason is known'}")
    return lines


def _within(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line)
        if room < 0:
            return [*kept, f"(left out: {len(lines) - len(kept)} more new lines of the page)"]
        kept.append(line)
    return kept
