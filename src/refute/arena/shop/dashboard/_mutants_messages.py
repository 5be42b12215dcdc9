"""Mutants of what the staff are told at the end: false, silent, or hedged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refute.arena._mutant import MutantKind
from refute.arena.shop._asked import hedges
from refute.arena.shop.dashboard._slots import Case

DONE = "Everything that was asked for is done."
WrongMessage = tuple[MutantKind, str]
"""Kind, and what is said."""


def in_all(facts: Sequence[str]) -> str:
    """The final message that holds `facts`."""
    return " ".join(f"{fact}." for fact in facts) or DONE


def wrong_messages(facts: Sequence[str]) -> Iterator[WrongMessage]:
    """Nothing of `facts` is said, or each with another number."""
    if facts:
        yield MutantKind.WRONG_MESSAGE, DONE
    for n, fact in enumerate(facts):
        wrong = _with_another_number(fact)
        if wrong != fact:
            yield MutantKind.WRONG_MESSAGE, in_all((*facts[:n], wrong, *facts[n + 1 :]))


def hedged_messages(facts: Sequence[str], case: Case) -> Iterator[WrongMessage]:
    """Each of `facts` with an alternative beside it, or only nearly."""
    for n, fact in enumerate(facts):
        for hedge in hedges(fact, _another(fact, case)):
            yield MutantKind.HEDGED_MESSAGE, in_all((*facts[:n], hedge, *facts[n + 1 :]))


def _another(fact: str, case: Case) -> str:
    """A sentence like `fact` that names another order or customer, or another number."""
    for order in case.before.orders.values():
        if fact.endswith(f" {order.number}"):
            other = next(o.number for o in case.before.orders.values() if o.number != order.number)
            return fact.replace(order.number, other)
        if fact.endswith(f" {order.customer}'s"):
            other = next(o.customer for o in case.before.orders.values() if o.customer != order.customer)
            return fact.replace(order.customer, other)
    return _with_another_number(fact)


def _with_another_number(fact: str) -> str:
    """`fact` with another last number; how far a scale goes (*out of 5*) is none."""
    says, out_of, scale = fact.partition(" out of ")
    words = says.split()
    at = next((n for n in reversed(range(len(words))) if any(c.isdigit() for c in words[n])), None)
    if at is None:
        return fact
    digit = max(n for n, c in enumerate(words[at]) if c.isdigit())
    words[at] = f"{words[at][:digit]}{(int(words[at][digit]) + 1) % 10}{words[at][digit + 1 :]}"
    return f"{' '.join(words)}{out_of}{scale}"
