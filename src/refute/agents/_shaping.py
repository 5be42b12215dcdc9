"""How a page is shown to the executor, and which actions it may choose from: plain, or shaped after AgentOccam.

The shaping follows the description of AgentOccam (Yang et al. 2025): a pruned page, fewer actions, and of past pages
only what the model itself called pivotal. Some things differ, because this browser differs: numbers of elements are the
session's own, a page that does not fit the window can still be scrolled, and forms have lists, boxes and files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

from refute.browser import Action, Observation, format_action


class Shaping(StrEnum):
    """How the executor sees a page."""

    PLAIN = "plain"
    OCCAM = "occam"


_ACTIONS = ("click", "fill", "type", "select", "check", "uncheck", "upload", "back", "note", "done", "infeasible")
"""No hovering, pressing of keys, dragging, points, waiting, reloading or addresses: models do better without."""
_NUMBERED = re.compile(r"^\[(\d+)\] (\w+)")
_LEADS = re.compile(r" -> \S+")
_IMAGE = re.compile(r'\(img(?: "[^"]*")?\) ?')
_NOTES = re.compile(r" \(([a-z, ]+)\)$")
_UNTOLD = frozenset({"popup", "collapsed", "focused", "draggable", "unpressed"})
"""States that say nothing about what to do next."""
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
_REGION = re.compile(r'^[a-z]+(?: "[^"]*")?:$')
_MOST_LINES, _MOST_WORDS = 30, 200
"""Above these, pivotal lines are no longer a reminder, and none are shown."""


def offered_actions(page: Observation) -> tuple[str, ...]:
    """The actions of the reduced space that this page has a use for."""
    more: list[str] = []
    if page.extent == "viewport" and (page.above or page.below or page.scroll_max):
        more.append("scroll")
    if len(page.tabs) > 1:
        more += ["focus_tab", "close_tab"]
    if any(event.type == "dialog" for event in page.events):
        more.append("answer_dialog")
    return (*_ACTIONS, *more)


def name_of(action: Action) -> str:
    """What an action is called where it is written: `uncheck` is one of its own."""
    return format_action(action).partition("(")[0]


def shape(page: Observation) -> str:
    """The page's text, pruned: no addresses of links, pictures, empty regions, or texts that repeat what they stand by.

    Runs of plain text become one line; headings stay, each once, and tables and numbered elements stay as they are.
    Only the form `compact` is shaped; another one is returned unchanged.
    """
    if page.form != "compact":
        return page.text
    return "\n".join(_merged(_without_empty_regions(_without_repeats(_cleaned(page.text)))))


def pivotal_lines(text: str, numbers: Collection[int]) -> tuple[str, ...]:
    """The lines of a shaped page that hold these elements; none if they are too many to be a reminder."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if set(map(int, re.findall(r"\[(\d+)\]", line))) & set(numbers)]
    words = sum(len(line.split()) for line in kept)
    return tuple(kept) if len(kept) < _MOST_LINES and words < _MOST_WORDS else ()


def _cleaned(text: str) -> list[str]:
    lines = (_LEADS.sub("", _IMAGE.sub("", line)) for line in text.splitlines())
    return [_NOTES.sub(_told, line).rstrip() for line in lines if line.strip()]


def _told(match: re.Match[str]) -> str:
    states = [state for state in match[1].split(", ") if state not in _UNTOLD]
    return f" ({', '.join(states)})" if states else ""


def _without_repeats(lines: Sequence[str]) -> list[str]:
    """Without headings that came before, and plain texts that say the name of the line before or after."""
    kept: list[str] = []
    headings: set[str] = set()
    for number, line in enumerate(lines):
        text = _bare(line)
        if not text:
            continue
        if text.startswith("#"):
            if text in headings:
                continue
            headings.add(text)
        near = (lines[number - 1] if number else "", lines[number + 1] if number + 1 < len(lines) else "")
        if _is_plain(text) and any(text in _names(other) for other in near):
            continue
        kept.append(line)
    return kept


def _without_empty_regions(lines: Sequence[str]) -> list[str]:
    """Without regions that hold nothing, and those that held only such."""
    kept: list[str] = []
    below = -1
    for line in reversed(lines):
        depth = _depth(line)
        if not (_REGION.match(line.strip()) and below <= depth):
            kept.append(line)
            below = depth
    return kept[::-1]


def _merged(lines: Sequence[str]) -> list[str]:
    """Plain texts of one depth that follow each other, as one line."""
    merged: list[str] = []
    for line in lines:
        joins = merged and _is_plain(line.strip()) and _is_plain(merged[-1].strip())
        if joins and _depth(merged[-1]) == _depth(line):
            merged[-1] = f"{merged[-1]} {line.strip()}"
        else:
            merged.append(line)
    return merged


def _bare(line: str) -> str:
    return line.strip().removeprefix("- ").strip()


def _is_plain(text: str) -> bool:
    """Whether a line is text and nothing else: no element, heading, list item, table row or region."""
    return not (text.startswith(("#", "|", "- ", "[")) or "[" in text or _REGION.match(text))


def _names(line: str) -> set[str]:
    text = _bare(line)
    return {*_NAME.findall(text), text.lstrip("# ")} if _NUMBERED.match(text) or text.startswith("#") else set()


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
