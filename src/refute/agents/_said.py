"""What is remembered of a page that has gone: its text without what only held then, and what it said once."""

from __future__ import annotations

import re

from refute.browser import Observation

LONGEST = 160
"""Characters of a message that are kept."""
MOST = 4
"""Messages of one page that are kept."""
_MESSAGES = re.compile(r"(?:alert|status|log)\b[^:]*:")
"""The line that opens a region whose text is told to whoever listens (WAI-ARIA live regions)."""
_NUMBER = re.compile(r"\[\d+\] (?=[a-z])")
_PASSING = re.compile(r" \((?:focused|covered by [^()\n]*)\)|, (?:focused|covered by [^(),\n]*)(?=[,)])")
_HAPPENED = frozenset({"dialog", "download", "denied", "http_error"})
"""Events that say something of the work; tabs, scripts and requests do not."""


def lasting(text: str) -> str:
    """A page's text without what means nothing once it has gone: numbers of elements, the focus, what lay over what."""
    return _NUMBER.sub("", _PASSING.sub("", text))


def said(page: Observation) -> tuple[str, ...]:
    """What happened on the way to `page`, and the messages on it; shortened, at most `MOST`."""
    happened = [event.text for event in page.events if event.type in _HAPPENED and event.text]
    told = [" ".join(text.split())[:LONGEST] for text in (*happened, *_messages(page.text))]
    return tuple(dict.fromkeys(text for text in told if text))[:MOST]


def _messages(text: str) -> list[str]:
    """The lines of text inside message regions; controls there, such as "Close", say nothing."""
    found: list[str] = []
    region: int | None = None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        if region is not None and depth <= region:
            region = None
        if region is not None and not _NUMBER.match(line.lstrip()):
            found.append(line)
        elif region is None and (opened := _MESSAGES.match(line.lstrip())):
            region = depth
            found.append(line.lstrip()[opened.end() :])
    return found
