"""Dice that fall the same way for the same question in the same state, whoever asks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlsplit

from refute.browser import Observation

T = TypeVar("T")
_NUMBERED = re.compile(r"\[\d+\]")


class Dice:
    """Rolls are a hash of seed, task, question, state and attempt; no hidden sequence, so agents meet the same ones.

    `seed` is the run's (with the repeat mixed in, where a run has several).
    """

    def __init__(self, *, seed: int, task: str) -> None:
        self._prefix = f"{seed}\x1f{task}"

    def roll(self, question: str, state: str, attempt: int = 0) -> float:
        """A number in [0, 1)."""
        key = f"{self._prefix}\x1f{question}\x1f{state}\x1f{attempt}"
        return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest(), "big") / 2**56

    def pick(self, options: Sequence[T], question: str, state: str, attempt: int = 0) -> T:
        """One of `options` (at least one)."""
        return options[int(self.roll(f"pick {question}", state, attempt) * len(options))]


def state_of(observation: Observation) -> str:
    """The state as dice see it: address, title, visible text, scroll position; neither element ids nor the port."""
    parts = urlsplit(observation.url)
    text = _NUMBERED.sub("[]", observation.text).replace(parts.netloc or "\x00", "site")
    key = f"{parts.path}?{parts.query}#{parts.fragment}\x1f{observation.title}\x1f{text}\x1f{observation.scroll_y}"
    return hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
