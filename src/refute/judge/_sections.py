"""The parts of an answer, so that a check of a list cannot be satisfied by what stands elsewhere."""

from __future__ import annotations

import re

_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[^.!?]{1,120}:\s*$)")


def sections(message: str) -> tuple[str, ...]:
    """The parts of `message`, in order: no line that holds anything is lost or repeated.

    A heading (``#``, a bold line, a line that ends with a colon) begins a part, and so does a paragraph after a blank
    line. What belongs to a heading or a list stays with it: the first paragraph below a heading, items, indented lines.
    """
    parts: list[list[str]] = []
    blank = False
    for line in message.splitlines():
        if not line.strip():
            blank = True
            continue
        item = _ITEM.match(line) is not None
        heading = not item and _HEADING.match(line) is not None
        under_heading = bool(parts) and len(parts[-1]) == 1 and _HEADING.match(parts[-1][0]) is not None
        continues = item or line[:1].isspace() or under_heading
        if not parts or heading or (blank and not continues):
            parts.append([])
        parts[-1].append(line)
        blank = False
    return tuple("\n".join(part) for part in parts)
