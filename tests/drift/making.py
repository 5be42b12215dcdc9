"""Drives made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from refute.agents import Confirmation, Draft, Falsifier, Scope, Stage
from refute.browser import Click, Element, Outcome, PageEvent
from refute.drift import Calm, Drive, Header, Kind, Page, State

HEADER = Header(site="shop", seed=0, split="train", per_kind=1, per_calm=0)
FIND = Draft(
    subgoal="Open the page of the blue lamp.",
    confirming=(
        Confirmation(stage=Stage.PROGRESS, statement='The search box holds "lamp"'),
        Confirmation(stage=Stage.COMPLETION, statement='The page of "Blue lamp" is open'),
    ),
    falsifying=(Falsifier(scope=Scope.PLANNING, statement='"Blue lamp" is sold out'),),
)
BUY = Draft(
    subgoal="Put the blue lamp into the basket.",
    confirming=(Confirmation(stage=Stage.COMPLETION, statement='"Blue lamp" has been added to your basket'),),
)
NEEDS = Confirmation(stage=Stage.PRECONDITION, statement="The lamp is in stock")
STOCKED = (FIND, BUY.model_copy(update={"confirming": (NEEDS, *BUY.confirming)}))
"""A plan whose second commitment has a precondition."""
OUT = "The lamp is not in stock"
QUIET = "Terms of trade and other small print"


def state(
    number: int,
    text: str = QUIET,
    *,
    since: int | None = None,
    finished: int = 0,
    claims: bool = False,
    failed: bool = False,
    changed: bool = True,
) -> State:
    """The page that a click led to."""
    return State(
        number=number,
        action=Click(target=1),
        target=Element(id=1, role="link", name="More"),
        reasoning="Go on.",
        claims=claims,
        outcome=Outcome(changed=changed),
        page=page(text, failed=failed),
        label="on" if since is None else "off",
        since=since,
        finished=finished,
    )


def page(text: str, *, failed: bool = False) -> Page:
    """A page that holds `text`, or an error page."""
    return Page(
        url="http://site/page",
        title="Juniper Lane",
        text=text,
        status=500 if failed else 200,
        events=(PageEvent(type="http_error", text="500"),) if failed else (),
        digest=text,
    )


def drive(states: Sequence[State], *, name: str = "wrong_branch-0", kind: Kind | Calm = Kind.WRONG_BRANCH) -> Drive:
    """A drive of two procedures."""
    return Drive(
        id=name,
        kind=kind,
        scope=kind.scope if isinstance(kind, Kind) else None,
        task="lamp",
        template="buy",
        split="train",
        account="emma",
        seed=0,
        instructions=("Buy the blue lamp.",),
        route=("Open the page.", "Put it into the basket."),
        plan=(FIND, BUY),
        start=page("All products"),
        states=tuple(states),
    )
