"""Everything that the main view of a report shows of one set of episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from refute.metrics._costs import ce
from refute.metrics._estimate import Estimate, estimate
from refute.metrics._outcomes import outcomes
from refute.metrics._quality import css, mffr, score, score_unforced, share_without_failure, tsr
from refute.tables import EpisodeRow, Status, Tables


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How many episodes there are, and how many of them the means leave out. Always printed beside the means."""

    episodes: int
    n: int
    """Episodes that enter the means."""
    tasks: int
    """Tasks that enter the means."""
    errors: int
    """Harness errors and unreadable traces: no failure of the agent (decision 28b)."""
    unfinished: int
    unjudged: int
    """Finished, but the suite does not know the truth about every constraint that counts."""
    revisions: int
    """Revisions of the counted episodes…"""
    delivered: int
    """…of which delivered…"""
    forced: int
    """…of which forced by an early done (decision 20)."""


@dataclass(frozen=True, kw_only=True)
class Measures:
    """The main figures. Shares are in [0, 1], MFFR in rounds, steps and tokens per episode."""

    counts: Counts
    score: Estimate
    score_unforced: Estimate
    tsr: Estimate
    mffr: Estimate
    without_failure: Estimate
    ce_steps: Estimate
    css: Mapping[str, Estimate]
    steps: Estimate
    tokens: Estimate


def count(tables: Tables) -> Counts:
    """How many episodes are counted, and why the others are not."""
    keys = {o.key for o in outcomes(tables)}
    counted = [e for e in tables.episodes if e.key in keys]
    return Counts(
        episodes=len(tables.episodes),
        n=len(counted),
        tasks=len({key.task for key in keys}),
        errors=_number(tables.episodes, lambda e: e.status.error),
        unfinished=_number(tables.episodes, lambda e: e.status is Status.UNFINISHED),
        unjudged=_number(tables.episodes, lambda e: e.status.counted and e.key not in keys),
        revisions=sum(e.revisions for e in counted),
        delivered=sum(e.delivered for e in counted),
        forced=sum(e.forced for e in counted),
    )


def measure(tables: Tables) -> Measures:
    """All main figures of the episodes in `tables`."""
    found = outcomes(tables)
    return Measures(
        counts=count(tables),
        score=score(found),
        score_unforced=score_unforced(found),
        tsr=tsr(found),
        mffr=mffr(found),
        without_failure=share_without_failure(found),
        ce_steps=ce(found),
        css=css(found),
        steps=estimate((o.task, o.steps) for o in found),
        tokens=estimate((o.task, o.tokens) for o in found),
    )


def _number(episodes: Iterable[EpisodeRow], test: Callable[[EpisodeRow], bool]) -> int:
    return sum(1 for e in episodes if test(e))
