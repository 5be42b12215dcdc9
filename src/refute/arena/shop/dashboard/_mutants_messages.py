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
        for hedge in _hedged_name(fact, case) or hedges(fact, _with_another_number(fact)):
            yield MutantKind.HEDGED_MESSAGE, in_all((*facts[:n], hedge, *facts[n + 1 :]))


def _hedged_name(fact: str, case: Case) -> tuple[str, ...]:
    """The same for a fact that ends with the name of a product, order or customer; empty for any other."""
    orders = case.before.orders.values()
    for names in (
        [product.title for product in case.catalogue],
        [order.number for order in orders],
        [f"{order.customer}'s" for order in orders],
    ):
        for name in names:
            if f" {fact}".endswith(f" {name}"):
                says = fact.removesuffix(name)
                others = [other for other in names if other != name][:1]
                return (*(f"{fact} or {other}" for other in others), f"{says}about {name}")
    return ()


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
