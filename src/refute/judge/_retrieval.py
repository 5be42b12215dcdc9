"""Which states may hold the evidence for a claim, and in which order they are looked at."""

from __future__ import annotations

from collections.abc import Sequence

from refute.judge._quotes import share, words
from refute.judge._roles import State

MATCH = 0.5
"""Least share of a subject's words that one line of a state must hold for it to be looked at."""


def candidates(states: Sequence[State], subject: str, *, most: int) -> tuple[State, ...]:
    """The states to look at for a claim about `subject`: the last one, whatever it shows; then, in the order of the
    trajectory, those with a line (the address and title are lines too) that holds at least half of the subject's words
    (dynarev C.2; decision 25).

    `states` are those under the claim's instruction, the last one of the episode at the end. At most `most` (>= 1) are
    returned; where more match, those that hold most of the words, and among equals the later ones. Being found is no
    evidence.
    """
    if not states:
        return ()
    final, wanted = states[-1], words(subject)
    seen = {_content(final)}
    found: list[tuple[float, int]] = []
    for n, state in enumerate(states[:-1]):
        if _content(state) in seen:
            continue
        seen.add(_content(state))
        held = max(share(wanted, [line]) for line in (state.title, state.url, *state.text.splitlines()))
        if held >= MATCH:
            found.append((held, n))
    best = sorted(found, reverse=True)[: most - 1]
    return (final, *(states[n] for n in sorted(n for _, n in best)))


def _content(state: State) -> tuple[str, str, str]:
    return state.url, state.title, state.text
