"""Mutants of tasks that ask something of staff and of customers: one part is wrong, the other one right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refute.arena._mutant import Mutant, MutantKind
from refute.arena.shop.dashboard._mutants_messages import DONE

_BOTH = (MutantKind.WRONG_BRANCH, MutantKind.IGNORED)
"""Kinds that concern both parts at once."""


def in_pairs(staff: Sequence[Mutant], customer: Sequence[Mutant]) -> tuple[Mutant, ...]:
    """The mutants of both parts of a task: first the staff's part is done, then the customer's.

    Who ignores a revision ignores it in both. Where one part cannot be done without it there is no such mutant.
    """
    right, too = (next(m for m in part if m.kind is MutantKind.CONTROL) for part in (staff, customer))
    return (
        _pair(right, too, right),
        *(_pair(one, too, one) for one in staff if one.kind not in (*_BOTH, MutantKind.CONTROL)),
        *(_pair(right, other, other) for other in customer if other.kind not in (*_BOTH, MutantKind.CONTROL)),
        *_wrong_branches(staff, customer, right, too),
        *(
            _pair(one, other, one)
            for one in staff
            for other in customer
            if one.kind is other.kind is MutantKind.IGNORED and one.ignores == other.ignores
        ),
    )


def _wrong_branches(
    staff: Sequence[Mutant], customer: Sequence[Mutant], right: Mutant, too: Mutant
) -> Iterator[Mutant]:
    mine, theirs = ({m.detail: m for m in part if m.kind is MutantKind.WRONG_BRANCH} for part in (staff, customer))
    for detail in dict.fromkeys((*mine, *theirs)):
        yield _pair(mine.get(detail, right), theirs.get(detail, too), mine.get(detail) or theirs[detail])


def _pair(staff: Mutant, customer: Mutant, wrong: Mutant) -> Mutant:
    """Both, one after the other; `wrong` is the one that says what is wrong."""
    said = [message for message in (staff.message, customer.message) if message != DONE]
    return Mutant(
        kind=wrong.kind,
        detail=wrong.detail,
        works=(*staff.works, *customer.works),
        message=" ".join(said) or DONE,
        visited=(*staff.visited, *customer.visited),
        ignores=wrong.ignores,
    )
