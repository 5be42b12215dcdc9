"""What is remembered of a page that has gone: its text without what only held then, and what it said once."""

from __future__ import annotations

import re

from refute.browser import Observation, messages, unnumbered

LONGEST = 160
"""Characters of a message that are kept."""
MOST = 4
"""Messages of one page that are kept."""
_PASSING = re.compile(r" \((?:focused|covered by [^()\n]*)\)|, (?:focused|covered by [^(),\n]*)(?=[,)])")
_HAPPENED = frozenset({"dialog", "download", "denied", "http_error"})
"""Events that say something of the work; tabs, scripts and requests do not."""


def lasting(text: str) -> str:
    """A page's text without what means nothing once it has gone: numbers of elements, the focus, what lay over what."""
    return unnumbered(_PASSING.sub("", text))


def said(page: Observation, before: Observation | None = None) -> tuple[str, ...]:
    """What happened on the way to `page`, and the messages on it; shortened, at most `MOST`.

    A message that merely stayed from the page `before` is left out. A page that was loaded anew says its messages
    anew, also those that read as before: a second "was added" tells of a second thing.
    """
    happened = [event.text for event in page.events if event.type in _HAPPENED and event.text]
    stayed = messages(before.text) if before is not None and not _loaded_anew(page, before) else []
    told = [
        " ".join(text.split())[:LONGEST] for text in (*happened, *(m for m in messages(page.text) if m not in stayed))
    ]
    return tuple(dict.fromkeys(text for text in told if text))[:MOST]


def _loaded_anew(page: Observation, before: Observation) -> bool:
    """Whether no element stayed: elements keep their numbers, and another document's are numbered anew."""
    old, new = ({element.id for element in each.elements} for each in (before, page))
    return bool(old) and bool(new) and old.isdisjoint(new)
