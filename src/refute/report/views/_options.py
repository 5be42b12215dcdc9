"""What can be chosen about a view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from refute.metrics import BUCKETS, Cost


@dataclass(frozen=True, kw_only=True)
class ViewOptions:
    """The same for all views; each takes what it needs."""

    reference: str = ""
    """Agent or run whose steps tell how long a task is, and which others are compared with; empty = the first
    ``react`` run, or the first run."""
    buckets: tuple[int, ...] = BUCKETS
    """Last step of each bucket of task lengths but the open one; rising."""
    budgets: Mapping[Cost, float] = field(default_factory=dict[Cost, float])
    """B (> 0) for cost efficiency, by kind of cost; steps have 100 by themselves."""
    published: bool = False
    """Whether the papers' own figures are shown beside ours."""
