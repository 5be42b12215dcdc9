"""The hybrid trigger against the one that always asks the model: calls saved, and deliveries that come later for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refute.metrics._estimate import Estimate, pooled
from refute.revisions import Screen
from refute.tables import DeliveryRow, EpisodeKey, EpisodeRow, Status, TriggerRow

_Revision = tuple[EpisodeKey, int]


@dataclass(frozen=True, kw_only=True)
class Screened:
    """What a screen makes of the looks of a trigger that asked the model at each of them."""

    looks: int
    asked: int
    """Looks at which the screen asks."""
    saved: Estimate
    """Share of the looks at which it does not, in [0, 1]."""
    same: int
    """Revisions that the model delivers and the screen delivers at the same look."""
    later: int
    """Those that come later: the screen skips the model's yes and asks again before the episode ends. An upper bound:
    an episode without the revision may end sooner."""
    at_end: int
    """Those that come when the agent claims to be done, if it does: too few observations are left."""

    @property
    def agreement(self) -> float | None:
        """Share of the model's deliveries that come at the same look; None without any."""
        fired = self.same + self.later + self.at_end
        return self.same / fired if fired else None


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What a hybrid trigger did."""

    looks: int
    asked: int
    saved: Estimate
    """Share of the looks at which the model was not asked, in [0, 1]."""


@dataclass(frozen=True, kw_only=True)
class SameRevisions:
    """Revisions of one run beside the same revisions of another, by the step at which they came."""

    revisions: int
    same: int
    """Came at the same step, or in neither by the trigger."""
    earlier: int
    later: int
    missing: int
    """Delivered in one of the two only, or forced in one of them only."""


def screened(rows: Iterable[TriggerRow], episodes: Iterable[EpisodeRow], screen: Screen) -> Screened:
    """Replay `screen` on the looks of a trigger that always asked; those without a score are left out.

    `episodes` tell how many observations follow a look. What the model would say on a later page no trace tells. A
    stage that was reached remains reached, so a yes that is skipped is taken to be given at the next look that the
    screen makes sure of.
    """
    ends = {episode.key: _last_observation(episode) for episode in episodes}
    asks: list[tuple[str, float]] = []
    same = later = at_end = 0
    for (key, _), looks in _by_revision(rows).items():
        unasked = 0
        for look in looks:
            asked = screen.asks(look.plausibility or 0.0, unasked=unasked, last=look.last)
            unasked = 0 if asked else unasked + 1
            asks.append((key.task, float(not asked)))
            if look.fired and asked:
                same += 1
            elif look.fired:
                enough = ends.get(key, look.step) - look.step > screen.patience - unasked
                later, at_end = later + enough, at_end + (not enough)
    return Screened(
        looks=len(asks),
        asked=sum(not skipped for _, skipped in asks),
        saved=pooled(asks),
        same=same,
        later=later,
        at_end=at_end,
    )


def asking(rows: Iterable[TriggerRow]) -> Asking:
    """The looks of a hybrid trigger: those that were held against a threshold."""
    skipped = [(row.key.task, float(row.reached is None)) for row in rows if row.threshold is not None]
    return Asking(looks=len(skipped), asked=sum(not each for _, each in skipped), saved=pooled(skipped))


def same_revisions(rows: Iterable[DeliveryRow], others: Iterable[DeliveryRow]) -> SameRevisions:
    """`rows` beside `others`, paired by task, repeat and revision; what only one of them tried is left out."""
    one, two = (_deliveries(each) for each in (rows, others))
    both = sorted(one.keys() & two.keys())
    steps = [(one[place], two[place]) for place in both]
    pairs = [(mine, theirs) for mine, theirs in steps if mine is not None and theirs is not None]
    return SameRevisions(
        revisions=len(steps),
        same=sum(mine == theirs for mine, theirs in steps),
        earlier=sum(mine < theirs for mine, theirs in pairs),
        later=sum(mine > theirs for mine, theirs in pairs),
        missing=sum((mine is None) != (theirs is None) for mine, theirs in steps),
    )


def _last_observation(episode: EpisodeRow) -> int:
    """The step of the last page before the end: an action that ends the episode leads to none."""
    return episode.steps - (episode.status is not Status.BUDGET)


def _by_revision(rows: Iterable[TriggerRow]) -> Mapping[_Revision, list[TriggerRow]]:
    found: defaultdict[_Revision, list[TriggerRow]] = defaultdict(list)
    for row in rows:
        if row.reached is not None and row.plausibility is not None and row.threshold is None:
            found[row.key, row.revision].append(row)
    return found


def _deliveries(rows: Iterable[DeliveryRow]) -> Mapping[tuple[str, int, int], int | None]:
    """The step at which the trigger delivered each revision; None where it did not."""
    return {(row.key.task, row.key.repeat, row.revision): None if row.forced else row.step for row in rows}
