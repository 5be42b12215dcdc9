"""Mutants: ends of an episode that are wrong in one known way, to prove that the validators notice.

A validator that says yes to the oracle may say yes to anything. So for each task the site derives ends that look right
and are not, each carried out on the real site, without a browser. A mutant is *caught* when a constraint in force is
not satisfied or a side effect is reported. Two kinds are there to compare with: the control, which is right, and what
is right for somebody who ignored a revision.

What is done is made of pieces of work, and many mutants begin with the same one: then it is done once, and the site
goes back to where it led (`Instance.keep`, `Instance.go_back`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from refute.arena._site import Instance


class MutantKind(StrEnum):
    """What is wrong with an end."""

    CONTROL = "control"
    """Nothing: the same hands do just what is asked. Whoever catches it is wrong; it shows that the others fail for the
    right reason."""
    IGNORED = "ignored"
    """Everything right for somebody who never heard one of the revisions: fails just what that one brought."""
    WRONG_ITEM = "wrong_item"
    """Something similar that violates a constraint."""
    WRONG_QUANTITY = "wrong_quantity"
    WRONG_BRANCH = "wrong_branch"
    """What the other outcome of a condition asks."""
    BOUNDARY = "boundary"
    """Just outside a bound: price, rating, number of reviews, one piece more or less."""
    DUPLICATE = "duplicate"
    """Done twice."""
    DAMAGE = "damage"
    """Everything right, and something that nobody asked for."""
    WRONG_ADDRESS = "wrong_address"
    WRONG_MESSAGE = "wrong_message"
    """Everything right but what the user is told: another number, another name, negated."""
    HEDGED_MESSAGE = "hedged_message"
    """Everything right, but the user is told another answer beside the right one, or only that it is about so."""
    WRONG_PAGE = "wrong_page"
    """Everything right but which pages were looked at, or which one is left open."""
    MISSING = "missing"
    """One part is left out."""


Work = Callable[[Instance], Awaitable[None]]
"""Something that is done on an instance, as the task's account. Raises `SiteError` when the site does not do it."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """An end of an episode that is wrong in one way.

    `works` are done one after the other on an instance that was just reset; the same object in two mutants is the same
    work. `message` is what is said in the end. `visited` are the address paths that an agent would have opened
    meanwhile, oldest first; the last one is the page that is left open.
    """

    kind: MutantKind
    detail: str
    """What was done, in a few words, for those who read that nobody noticed."""
    works: tuple[Work, ...]
    message: str
    visited: tuple[str, ...] = ("/",)
    ignores: int = 0
    """The revision (1…) that was ignored; 0 = none. Only of the kind `IGNORED`."""

    async def carry_out(self, instance: Instance) -> None:
        """Do all of it on `instance`, which was just reset. Raises `SiteError`."""
        for work in self.works:
            await work(instance)
