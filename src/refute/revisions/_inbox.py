"""Revisions that a user says while the agent is at work."""

from __future__ import annotations

from collections import deque


class Inbox:
    """Texts that wait for the next observation. `put` may be called from any thread."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()

    def __bool__(self) -> bool:
        return bool(self._texts)

    def put(self, text: str) -> None:
        """The user changes the goal by `text`; an empty one says nothing and is left out."""
        if text.strip():
            self._texts.append(text.strip())

    @property
    def first(self) -> str | None:
        """The text that has waited longest; it stays."""
        return self._texts[0] if self._texts else None

    def take(self) -> str | None:
        """The text that has waited longest, if one waits."""
        return self._texts.popleft() if self._texts else None
