"""The course of an episode as a numbered list: what was done, what came of it, and what then stood newly there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from refute.browser import Acted, Done, Infeasible, Note, Observed, SendMessage, messages, missing_lines, unnumbered
from refute.judge._roles import Entry
from refute.revisions import Delivered
from refute.trace import Event

LIST = 60_000
"""Most characters of a list with all that stood newly on pages; a longer one leaves lines of pages out."""

HEAD = 4_000
"""Most characters of one line that tells of an action or of what happened: room for a long text that was filled in."""

_NOTES = re.compile(r" \{(?:[.#]|name=)[^}]*\}|(?<=[\")}]) -> \S+")
"""What tells a machine which element a line is about: its selector, and where it leads."""
_WORDS = (Done, Infeasible, Note, SendMessage)
"""Actions that only say something: they have no effect on a page."""


@dataclass(frozen=True)
class Trajectory:
    """`entries[n]` is about the n-th action; 0 is the start. `complete`: nothing was left out."""

    entries: tuple[Entry, ...]
    complete: bool


def trajectory(events: Sequence[Event], *, most: int = LIST) -> Trajectory:
    """The list of all actions. None is ever left out, but a line of one ends after `HEAD` characters.

    `most`: characters from which lines of pages are left out, of the longest first.
    What an agent said (its notes and messages) is left out: its own word is no evidence of what it did (decision 25b).
    """
    heads: list[list[str]] = [[]]
    shown: list[list[str]] = [[]]
    before, known, effect = Observed(url=""), Counter[str](), False
    for event in events:
        match event:
            case Acted():
                heads.append(_done(event))
                shown.append([])
                effect = event.outcome.ok and not isinstance(event.action, _WORDS)
            case Delivered():
                heads[-1].append(f"then the user said instruction {event.revision}")
            case Observed():
                if (event.url, event.title) != (before.url, before.title):
                    heads[-1].append(f"the page is now: {_line(event.title)} at {event.url}")
                heads[-1] += [f"happened: {_line(f'{e.type}: {e.text}')}" for e in event.events]
                new = _new_lines(event.text, before.text, known)
                shown[-1] += [f"new: {line}" for line in new]
                if effect:
                    shown[-1] += [f"still or again there: {line}" for line in _messages_but(event.text, new)]
                before, effect = event, False
            case _:
                pass
    uncut = all(len(line) <= HEAD for head in heads for line in head)
    heads = [[_cut(line) for line in head] for head in heads]
    whole = uncut and sum(len(line) for lines in (*heads, *shown) for line in lines) <= most
    rooms = _rooms([sum(map(len, lines)) for lines in shown], most - sum(len(line) for head in heads for line in head))
    entries = tuple(
        Entry(number=n, lines=(*head, *_within(lines, room)))
        for n, (head, lines, room) in enumerate(zip(heads, shown, rooms, strict=True))
    )
    return Trajectory(entries, complete=whole)


def new_lines(text: str, before: str) -> tuple[str, ...]:
    """The lines of a page that were not on the one before, without numbers, selectors and targets of elements."""
    return tuple(_new_lines(text, before, Counter()))


def _new_lines(text: str, before: str, known: Counter[str]) -> list[str]:
    """The lines that were not on the page before, or not as often; of those that hold an element, none that was
    `known` already (most times on one page). A second row that reads like the one beside it is new."""
    lines = [line for line in text.splitlines() if line.strip()]
    bare = [_bare(line) for line in lines]
    standing = Counter(bare)
    places = missing_lines(bare, (_bare(line) for line in before.splitlines()))
    found = [bare[n] for n in places if lines[n] == unnumbered(lines[n]) or standing[bare[n]] > known[bare[n]]]
    known |= standing
    return [line for line in found if line]


def _messages_but(text: str, new: Sequence[str]) -> list[str]:
    """The messages of a page that read as on the one before: they stayed, or came again, which nobody can tell."""
    told = [_bare(line) for line in messages(text)]
    return [told[place] for place in missing_lines(told, new)]


def _bare(line: str) -> str:
    return _line(_NOTES.sub("", unnumbered(line)))


def _line(text: str) -> str:
    return " ".join(text.split())


def _cut(line: str) -> str:
    return line if len(line) <= HEAD else f"{line[:HEAD]} … ({len(line) - HEAD} more characters)"


def _done(event: Acted) -> list[str]:
    if isinstance(event.action, _WORDS):
        return [f"did: {event.action.name} (the agent's own words, left out)"]
    lines = [f"did: {_line(event.text)}{f' on {_line(event.target)}' if event.target else ''}"]
    if not event.outcome.ok:
        lines.append(f"it failed: {_line(event.outcome.detail) or 'no reason is known'}")
    return lines


def _rooms(wanted: Sequence[int], most: int) -> list[int]:
    """Characters for the page of each entry: what it wants, or else an equal share of what the others leave over."""
    rooms = [0] * len(wanted)
    for done, place in enumerate(sorted(range(len(wanted)), key=lambda n: wanted[n])):
        rooms[place] = min(wanted[place], max(0, most) // (len(wanted) - done))
        most -= rooms[place]
    return rooms


def _within(lines: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line)
        if room < 0:
            return [*kept, f"(left out: {len(lines) - len(kept)} more new lines of the page)"]
        kept.append(line)
    return kept
