"""One drive: on track as the oracle goes, until something happens; then on as somebody would who has not noticed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refute.arena import (
    Dice,
    Fault,
    FaultKind,
    Instance,
    Move,
    Site,
    Truth,
    neighbour,
)
from refute.browser import BrowserHost, Click, Done
from refute.drift._habit import Habit
from refute.drift._record import Calm, Drive, Kind
from refute.drift._walker import Walker, drafted
from refute.goals import RevisionKind, Task

FEWEST, MOST = 3, 6
"""States that follow an onset; a drive with fewer says nothing of a delay of two steps."""
LONGEST = 60
"""Steps of a drive before it is given up: the site's longest routes take half of that."""
PAUSE = 1.5
"""Seconds that a slow page takes on a calm drive."""

_SERVED: Mapping[Kind | Calm, tuple[FaultKind, ...]] = {
    Kind.CONTAMINATED_RESULTS: (FaultKind.CONTAMINATED_SEARCH,),
    Kind.OLD_LAYOUT: (FaultKind.RENAMED_LABEL, FaultKind.MOVED_BUTTON),
    Kind.LOST_LOGIN: (FaultKind.EXPIRED_SESSION,),
    Kind.SERVER_ERROR: (FaultKind.SERVER_ERROR,),
    Kind.SILENT_FORM: (FaultKind.SILENT_VALIDATION,),
    Kind.POPUP: (FaultKind.POPUP,),
    Kind.OUT_OF_STOCK: (FaultKind.OUT_OF_STOCK,),
    Calm.SLOW_PAGE: (FaultKind.SLOW_PAGE,),
    Calm.CLOSED_POPUP: (FaultKind.POPUP,),
}
"""The fault that the site serves, or those of which one is drawn."""
_BY_ACTION = frozenset({Kind.WRONG_BRANCH, Kind.WRONG_ELEMENT, Kind.OLD_LAYOUT, Kind.GOAL_REVISED})
"""Kinds that begin with a wrong action; the others begin with what the site serves."""
_CALLED = re.compile(r'called "([^"]+)"')


@dataclass(frozen=True, kw_only=True)
class Errand:
    """A drive to be made."""

    id: str
    kind: Kind | Calm
    task: Task
    seed: int
    """Of the dice."""


async def drive(errand: Errand, site: Site, instance: Instance, host: BrowserHost) -> Drive | None:
    """Make a drive; None when this task gives its kind no occasion.

    The moment of the onset is drawn: a procedure of the route. Where the kind found no occasion from there on, it is
    looked for from the start. Raises `SiteError`, `BrowserError`.
    """
    dice = Dice(seed=errand.seed, task=errand.id)
    for share in (dice.roll("stage", ""), 0.0):
        found = await _Attempt(errand, site, instance, dice, share).make(host)
        if found is not None:
            return found
    return None


class _Attempt:
    def __init__(self, errand: Errand, site: Site, instance: Instance, dice: Dice, share: float) -> None:
        self._errand = errand
        self._site = site
        self._instance = instance
        self._dice = dice
        self._share = share
        self._armed = False
        self._detail = ""
        self._revisions: tuple[str, ...] = ()

    async def make(self, host: BrowserHost) -> Drive | None:
        task, instance = self._errand.task, self._instance
        await instance.reset(task.seed)
        self._world = instance.world(task.account)
        self._truth: Truth = self._site.truth(task, self._world)
        viewport = (task.viewport.width, task.viewport.height)
        async with await host.session(storage_state=instance.storage_state(task.account), viewport=viewport) as session:
            await session.goto(task.start_urls[0].replace("__SITE__", instance.origin))
            walker = Walker(session, self._truth, await session.observe(), origin=instance.origin)
            done = await self._drift(walker) if isinstance(self._errand.kind, Kind) else await self._stay(walker)
        return self._drive(walker) if done else None

    # ---- off the track -------------------------------------------------------------------------------------------

    async def _drift(self, walker: Walker) -> bool:
        """Whether the drift began, and lasted long enough."""
        habit = Habit(self._errand.kind, walker, self._truth, self._dice)
        if not await self._until_onset(walker, habit):
            return False
        more = FEWEST + int(self._dice.roll("more", "") * (MOST - FEWEST + 1))
        for since in range(1, more + 1):
            move = habit.next()
            if move is None or isinstance(move.action, Done):
                break
            await walker.take(move, since=since)
            if habit.came_home():
                break
        return walker.states[-1].since in range(FEWEST - 1, MOST + 1)

    async def _until_onset(self, walker: Walker, habit: Habit) -> bool:
        """Walk on track to the first state off it; False when the route ends before."""
        kind = self._errand.kind
        while len(walker.states) < LONGEST:
            right = walker.right()
            if right is None:
                return False
            if walker.finished >= int(self._share * len(walker.route)):
                self._arm()
                first = self._first_wrong(walker, habit, right) if kind in _BY_ACTION else None
                if first is not None:
                    await walker.take(first, since=0)
                    return not habit.came_home()
            await walker.take(right)
            if self._armed and kind not in _BY_ACTION and self._begun():
                walker.relabel("off", since=0)
                self._detail += habit.take_in(right, self._detail)
                return True
        return False

    def _arm(self) -> None:
        """Have the site serve the fault of this kind from the next request on, for good."""
        kinds = _SERVED.get(self._errand.kind, ())
        if kinds and not self._armed:
            self._armed = True
            chosen = self._dice.pick(kinds, "fault", "")
            lasts = 1 if isinstance(self._errand.kind, Calm) else 0
            self._instance.set_faults([Fault(kind=chosen, lasts=lasts, seconds=PAUSE)])

    def _begun(self) -> bool:
        notes = self._instance.fault_log()
        self._detail = notes[0].detail if notes else ""
        return bool(notes)

    def _first_wrong(self, walker: Walker, habit: Habit, right: Move) -> Move | None:
        """The first wrong action of the kinds that begin with one, or None while there is no occasion."""
        match self._errand.kind:
            case Kind.WRONG_BRANCH:
                move = habit.wander()
                self._detail = f"explores instead of: {right.why}"
                return move if move is not None and isinstance(move.action, Click) else None
            case Kind.WRONG_ELEMENT if isinstance(right.action, Click):
                other = neighbour(walker.page, right.action, self._dice, 0)
                name = self._name(walker, other)
                self._detail = f'"{name}" instead of: {right.why}'
                return Move(action=other, why=right.why, completes=right.completes) if other else None
            case Kind.OLD_LAYOUT if self._begun() and self._name(walker, right.action) in _altered(self._detail):
                return Move(action=walker.look_around(), why=f"{right.why}: look where it was")
            case Kind.GOAL_REVISED if self._revise(walker):
                return right
            case _:
                return None

    def _revise(self, walker: Walker) -> bool:
        """Whether some first revisions change what is left to do by more than an addition. They are overheard."""
        revisions = self._errand.task.revisions
        for k, revision in enumerate(revisions, start=1):
            if revision.kind is RevisionKind.ADDITIVE:
                continue
            new = self._truth.active(frozenset(range(1, k + 1)))
            if tuple(self._truth.plan(new, None))[:-1] != walker.remaining():
                self._revisions = tuple(r.text for r in revisions[:k])
                self._detail = f"revision {k}: {revision.text}"
                return True
        return False

    # ---- on the track --------------------------------------------------------------------------------------------

    async def _stay(self, walker: Walker) -> bool:
        """A whole route on which nothing goes wrong."""
        move = self._other_route(walker) if self._errand.kind is Calm.OTHER_ROUTE else walker.right
        while len(walker.states) < LONGEST and (right := move()) is not None:
            if walker.finished >= int(self._share * len(walker.route)):
                self._arm()
            waiting = self._armed and not self._detail
            await walker.take(right)
            if self._errand.kind is Calm.OTHER_ROUTE and walker.advanced:
                walker.claim()
            if waiting and self._begun() and self._errand.kind is Calm.CLOSED_POPUP:
                walker.relabel("passing")
        return walker.right() is None and (not self._armed or bool(self._detail))

    def _other_route(self, walker: Walker) -> Callable[[], Move | None]:
        oracle = self._site.oracle(self._errand.task, self._world, route=1)

        def move() -> Move | None:
            action = oracle.next_action(walker.page, walker.active)
            return None if isinstance(action, Done) else Move(action=action, why="go on by another way")

        return move

    # ---- the record ----------------------------------------------------------------------------------------------

    def _drive(self, walker: Walker) -> Drive:
        errand, task = self._errand, self._errand.task
        return Drive(
            id=errand.id,
            kind=errand.kind,
            scope=errand.kind.scope if isinstance(errand.kind, Kind) else None,
            task=task.id,
            template=task.template,
            split=task.split,
            account=task.account,
            seed=task.seed,
            instructions=(task.initial_instruction,),
            revisions=self._revisions,
            route=tuple(p.sentence() for p in walker.route),
            plan=tuple(drafted(p) for p in walker.route),
            detail=self._detail,
            start=walker.start,
            states=tuple(walker.states),
        )

    def _name(self, walker: Walker, action: object) -> str:
        """The visible name of what `action` works on; empty for anything else."""
        element = walker.page.element(getattr(action, "target", None) or 0)
        return element.name.strip() if element is not None else ""


def _altered(detail: str) -> frozenset[str]:
    """The names of buttons that an older procedure does not find, by what the site says of its fault."""
    moved = detail.partition("elsewhere on the page: ")[2]
    return frozenset((*_CALLED.findall(detail), *(name for name in moved.split(", ") if name)))
