"""Faults that a bundled site serves on purpose during one episode: which there are, when they begin, how they are told.

They are drawn from the run's seed and the task alone, never from what an agent does: two agents on the same task and
seed meet the same faults at the same requests (common random numbers). Agents never see this record of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from refute.agents import Scope

SLOW_SECONDS = 20.0
"""How long a drawn slow page takes: longer than a browser session waits for a document (15 s), so that it shows."""


class FaultKind(StrEnum):
    """What goes wrong on a site."""

    SERVER_ERROR = "server_error"
    """A page is answered with an error page and status 500."""
    SLOW_PAGE = "slow_page"
    """A page takes longer than a browser waits."""
    EXPIRED_SESSION = "expired_session"
    """The customer is signed out, and asked to sign in again."""
    MOVED_BUTTON = "moved_button"
    """A button stands elsewhere on its page."""
    RENAMED_LABEL = "renamed_label"
    """A button has other words on it, which mean the same."""
    POPUP = "popup"
    """A dialog covers the page until it is closed."""
    OUT_OF_STOCK = "out_of_stock"
    """The product that was opened cannot be bought for a while."""
    SILENT_VALIDATION = "silent_validation"
    """A form comes back without a word, and nothing was done."""
    CONTAMINATED_SEARCH = "contaminated_search"
    """Search results hold products that do not match."""

    @property
    def scope(self) -> Scope:
        """Where a repair has to begin: with the action, with the procedure that is followed, or with the plan."""
        return _SCOPES[self]


_SCOPES: Mapping[FaultKind, Scope] = {
    FaultKind.SERVER_ERROR: Scope.EXECUTION,
    FaultKind.SLOW_PAGE: Scope.EXECUTION,
    FaultKind.EXPIRED_SESSION: Scope.EXECUTION,
    FaultKind.MOVED_BUTTON: Scope.EXECUTION,
    FaultKind.POPUP: Scope.EXECUTION,
    FaultKind.RENAMED_LABEL: Scope.SKILL,
    FaultKind.SILENT_VALIDATION: Scope.SKILL,
    FaultKind.OUT_OF_STOCK: Scope.PLANNING,
    FaultKind.CONTAMINATED_SEARCH: Scope.PLANNING,
}


class Fault(BaseModel):
    """One fault of an episode. What a *matching* request is depends on the kind (docs/site-faults.md)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    onset: int = Field(default=1, ge=1, description="it begins with this matching request (1 = the first)")
    lasts: int = Field(default=1, ge=0, description="matching requests it is served to; 0 = to the end of the episode")
    seconds: float = Field(default=SLOW_SECONDS, ge=0, le=120, description="how long a slow page takes")


class FaultNote(BaseModel):
    """One line of a site's log of faults: one began with this request, or is over with it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int = Field(description="the fault's number in the episode, from 1 on")
    what: Literal["started", "ended"]
    kind: FaultKind
    path: str = Field(description="the request's path, with its query")
    detail: str = Field(description="what was altered; empty at the end")
    lasts: int = Field(ge=0, description="as in `Fault`")


class Faulty(Protocol):
    """A running site that can be told to serve faults."""

    def set_faults(self, faults: Sequence[Fault]) -> None:
        """Serve `faults` from the next request on, in the place of earlier ones. Raises `SiteError`."""
        ...

    def fault_log(self) -> Sequence[FaultNote]:
        """What has begun and ended since then, oldest first. Raises `SiteError` when the site cannot serve them."""
        ...


_RANGES: Mapping[FaultKind, tuple[tuple[int, int], tuple[int, int]]] = {
    FaultKind.SERVER_ERROR: ((3, 6), (1, 2)),
    FaultKind.SLOW_PAGE: ((2, 5), (1, 1)),
    FaultKind.EXPIRED_SESSION: ((3, 6), (1, 1)),
    FaultKind.MOVED_BUTTON: ((1, 2), (0, 0)),
    FaultKind.RENAMED_LABEL: ((1, 3), (0, 0)),
    FaultKind.POPUP: ((2, 5), (1, 2)),
    FaultKind.OUT_OF_STOCK: ((1, 2), (1, 2)),
    FaultKind.SILENT_VALIDATION: ((1, 2), (1, 2)),
    FaultKind.CONTAMINATED_SEARCH: ((1, 2), (1, 2)),
}
"""Ranges of onset and duration, ends included: within the reach of short tasks, and soon over where work stops."""


def draw_faults(kinds: Collection[FaultKind], *, seed: int, task: str) -> tuple[Fault, ...]:
    """The faults of one episode, one of each of `kinds`; equal for equal arguments, on every machine.

    A kind's draw does not depend on the others. Everything drawn can be lived through: what would make a goal
    unreachable (a product that is sold out) passes.
    """
    return tuple(
        Fault(kind=kind, onset=_pick(*onset, seed, task, kind, "onset"), lasts=_pick(*lasts, seed, task, kind, "lasts"))
        for kind in FaultKind
        if kind in kinds
        for onset, lasts in (_RANGES[kind],)
    )


def _pick(low: int, high: int, *of: object) -> int:
    """A number from `low` to `high` that follows from `of`."""
    digest = hashlib.sha256("\0".join(("fault", *map(str, of))).encode()).digest()
    return low + int.from_bytes(digest[:8]) % (high - low + 1)
