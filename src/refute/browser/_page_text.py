"""The text form of pages, as others read it: what in it is for the machine, what of it speaks, and what is new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(
    r"""(?mx)
    # at the head of a line, where a name may be wanting
    ^(?P<start>[ ]*(?:-[ ]|\|[ ]|\#+[ ])*)\[\d+\][ ](?=[a-z-]+(?:$|[ ]["'({]|[ ]->|[ ][/|][ ]|[:,]))
    # within a sentence or a row
    | \[\d+\][ ](?=[a-z-]+[ ]["'({])
    """
)
"""The number of an element, which a role follows, and then its name or notes. A page's own "[5] stars" is none."""
_ELEMENT = re.compile(r"\[\d+\] (?=[a-z])")
_MESSAGES = re.compile(r'(?:alert|status|log)(?: "[^"]*")?:$')
"""The line that opens a region whose text is told to whoever listens (WAI-ARIA live regions). Nothing stands after
its colon, so that a page's own "status of order 5: shipped" is none."""


def unnumbered(text: str) -> str:
    """The text without the numbers of elements, which mean nothing on another page; the page's own words stay."""
    return _NUMBER.sub(lambda match: match["start"] or "", text)


def messages(text: str) -> list[str]:
    """The lines of text inside message regions (compact form); controls there, such as "Close", say nothing."""
    found: list[str] = []
    region: int | None = None
    for line in text.splitlines():
        words = line.lstrip()
        depth = len(line) - len(words)
        if region is not None and depth <= region:
            region = None
        if region is None:
            region = depth if _MESSAGES.match(words) else None
        elif words and not _ELEMENT.match(words):
            found.append(words)
    return found


def missing_lines(lines: Sequence[str], other: Iterable[str]) -> list[int]:
    """The places in `lines` of those that are not in `other`, each as often as it is missing there."""
    left = Counter(other)
    places: list[int] = []
    for place, line in enumerate(lines):
        if left[line] > 0:
            left[line] -= 1
        else:
            places.append(place)
    return places
