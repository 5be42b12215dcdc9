"""Long texts in overlapping pieces, for scorers that read a limited length."""

from __future__ import annotations


def chunks(text: str, *, size: int = 12, overlap: int = 4) -> tuple[str, ...]:
    """The lines of `text` in windows of `size` lines, each sharing `overlap` lines with the one before.

    Blank lines are left out; every other line is in at least one chunk. `size` > `overlap` >= 0.
    """
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and smaller than size")
    lines = [line for line in text.splitlines() if line.strip()]
    last = max(len(lines) - overlap, 1) if lines else 0
    return tuple("\n".join(lines[start : start + size]) for start in range(0, last, size - overlap))
