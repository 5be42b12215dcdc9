"""Hedges: an answer that also offers another one, or only comes near, says nothing that anybody could rely on."""

from __future__ import annotations

from collections.abc import Collection

_CLOSE = 8
"""So many words at most lie between an answer and its alternative."""
_OFFERS = frozenset({"or", "alternatively", "maybe", "perhaps", "possibly"})
"""What stands between two answers of which one may be right."""
_MAY = frozenset({"could", "may", "might"})
"""The same, with *be* before the second answer."""
_NEARLY = frozenset({"about", "almost", "approximately", "approx", "around", "circa", "nearly", "roughly", "some"})
_UNSURE = frozenset({"likely", "maybe", "perhaps", "possibly", "probably"})
_BOUNDS = frozenset({"least", "most"})
_OR_MORE = frozenset({"above", "below", "fewer", "higher", "less", "lower", "more", "over", "so", "under"})
"""After *or*, they make a bound of the number before, not an alternative."""
_NEAR_UNSURE = 4
_ENDS = frozenset(".;!?\n")


def hedged(tokens: list[str], at: int, others: Collection[int]) -> bool:
    """Whether the answer at place `at` of the small words `tokens` is not given plainly.

    `others`: the places of other answers to the same question, that nobody denies. Hedges are *3 or 4*, *3 to 4*,
    *3-4*, *between 3 and 4*, *about 3*, *at least 3*, *more than 3*, *3 or more*, *probably 3*, *3 or so*. *From 3 to
    4* tells of a change.
    """
    return _comes_near(tokens, at) or any(_offered(tokens, *sorted((at, other))) for other in others)


def _comes_near(tokens: list[str], at: int) -> bool:
    before = tokens[max(0, at - _NEAR_UNSURE) : at]
    for n, word in enumerate(before):
        if word in _UNSURE and not _ENDS & set(before[n:]):
            return True
    if before[-1:] == ["than"] or (before[-1:] and before[-1] in _NEARLY):
        return True
    return (before[-2:-1] == ["at"] and before[-1] in _BOUNDS) or _or_more(tokens, at + 1)


def _or_more(tokens: list[str], at: int) -> bool:
    return tokens[at : at + 1] == ["or"] and bool(_OR_MORE & set(tokens[at + 1 : at + 2]))


def _offered(tokens: list[str], first: int, second: int) -> bool:
    """Whether the answers at two places are offered as alternatives."""
    between, before = tokens[first + 1 : second], tokens[max(0, first - 2) : first]
    if len(between) > _CLOSE:
        return False
    if between in (["-"], ["\u2013"], ["/"]):
        return True
    numbers = [n for n, word in enumerate(between) if word[-1].isdigit()]
    nearest = between[numbers[-1] + 1 :] if numbers else between  # in *1 or 2 stars: 7*, nothing is offered beside 7
    ends = [n for n, word in enumerate(between) if word in _ENDS]
    if ends:
        return between[ends[-1] + 1 : ends[-1] + 2] == ["or"]  # another sentence: Or 4?
    return bool(
        any(word in _OFFERS and not _or_more(nearest, n) for n, word in enumerate(nearest))
        or (between[-1:] == ["be"] and _MAY & set(between[-2:]))
        or (between == ["to"] and "from" not in before)
        or ("between" in before and between == ["and"])
    )
