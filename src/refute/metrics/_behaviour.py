"""What an agent that tests its plan did on the way (fcpagent C.3 to C.6, tables 9 and 10, figures 10 and 11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from refute.metrics._agreement import Confusion
from refute.metrics._estimate import Estimate, estimate, pooled
from refute.metrics._outcomes import Outcome
from refute.tables import CheckRow, EpisodeKey, RepairRow, Tables


@dataclass(frozen=True, kw_only=True)
class Planning:
    """How far the skill library carries the plans (fcpagent table 9). Repairs of a plan are not looked at."""

    covered: Estimate
    """Share of tasks with at least one skill: retrieved, or linked where the trace does not tell of retrieval."""
    linked: Estimate
    """Share of the first plans' commitments that follow a skill."""
    commitments: Estimate
    """Commitments of the first plan, per task."""


@dataclass(frozen=True, kw_only=True)
class Checking:
    """What became of the fast tests of one phase (fcpagent table 9)."""

    tests: int
    slow: Estimate
    """Share of fast tests after which a model was asked."""
    drift: Estimate
    """Share of these slow checks that were diagnosed as a contradiction."""
    milliseconds: Estimate
    """What one fast test takes; nothing where no trace tells."""


class Strategy(StrEnum):
    """How a repair went about it (fcpagent figure 11). Going back comes before what else was changed."""

    LOCAL = "local repair"
    REPLAN = "replanning"
    SKILL = "skill switching"
    BACK = "backtrack or restart"


_BY_SCOPE = {"execution": Strategy.LOCAL, "skill": Strategy.SKILL, "planning": Strategy.REPLAN}


def planning(tables: Tables) -> Planning:
    """Over the first plan of each finished episode."""
    keys = _finished(tables)
    rows = [p for p in tables.plans if p.key in keys]
    return Planning(
        covered=estimate((p.key.task, float(p.covered)) for p in rows),
        linked=pooled((p.key.task, float(n < p.linked)) for p in rows for n in range(p.commitments)),
        commitments=estimate((p.key.task, p.commitments) for p in rows),
    )


def checking(tables: Tables, phase: str) -> Checking:
    """The tests of `phase` (state, action, precondition) in the finished episodes, each test alike."""
    keys = _finished(tables)
    rows = [c for c in tables.checks if c.phase == phase and c.key in keys]
    return Checking(
        tests=len(rows),
        slow=_share(rows, lambda c: c.slow),
        drift=_share([c for c in rows if c.slow], lambda c: c.drift),
        milliseconds=pooled((c.key.task, c.milliseconds) for c in rows if c.milliseconds > 0),
    )


def repairs_per_task(tables: Tables) -> Estimate:
    """Repairs per finished episode, also of those without one (fcpagent table 9)."""
    keys = _finished(tables)
    counts = Counter(r.key for r in tables.repairs if r.key in keys)
    return estimate((key.task, counts[key]) for key in keys)


def repair_success(found: Iterable[Outcome], repairs: Iterable[RepairRow]) -> Estimate:
    """Share of wholly satisfied tasks among the episodes with at least one repair (fcpagent table 9)."""
    repaired = {r.key for r in repairs}
    return estimate((o.task, float(o.success)) for o in found if o.key in repaired)


def strategy(row: RepairRow) -> Strategy:
    """The class of figure 11 that a repair belongs to."""
    return Strategy.BACK if row.recovery != "none" else _BY_SCOPE.get(row.scope, Strategy.LOCAL)


def strategies(tables: Tables) -> Mapping[Strategy, Estimate]:
    """Share of each strategy among all repairs of the finished episodes (fcpagent figure 11)."""
    keys = _finished(tables)
    rows = [r for r in tables.repairs if r.key in keys]
    return {s: pooled((r.key.task, float(strategy(r) is s)) for r in rows) for s in Strategy}


def drift_detection(tables: Tables) -> Confusion:
    """Whole episodes (fcpagent table 10): was there drift, and did the agent diagnose it?

    The truth is the simulated model's own record of its mistakes, replies of no use left out. An episode with mistakes
    is detected when at least one diagnosis came while a mistake lasted; one without is a false alarm when there was any
    diagnosis. Episodes in which the site served faults are left out: a diagnosis there may be of the fault.
    """
    keys = _finished(tables) - {f.key for f in tables.faults}
    mistakes: defaultdict[EpisodeKey, list[bool]] = defaultdict(list)
    for row in tables.mistakes:
        if row.scope and row.how != "retried":
            mistakes[row.key].append(row.noticed is not None)
    diagnosed = {c.key for c in tables.checks if c.drift}
    return Confusion.of((bool(mistakes[k]), any(mistakes[k]) if mistakes[k] else k in diagnosed) for k in sorted(keys))


MODULES: Mapping[str, str] = {
    "planner": "planning",
    "executor": "executor",
    "verifier": "slow tester",
    "repairer": "repair",
    "reviser": "revision",
    "summariser": "stage summary",
    "interpreter": "reading the goal",
    "final_checker": "final check",
}
"""The module that a role's time belongs to (fcpagent figure 10); a role that is not named is a module of its own."""
FAST_TESTER = "fast tester"


def module_seconds(tables: Tables) -> Mapping[str, Estimate]:
    """Seconds per finished episode that each of the agent's modules took, the fast tester's own time included.

    Shares of their sum are the shares of figure 10. A model's seconds are virtual where it is simulated, the fast
    tester's are always real.
    """
    keys = sorted(_finished(tables))
    spent: defaultdict[str, defaultdict[EpisodeKey, float]] = defaultdict(lambda: defaultdict(float))
    for role in tables.roles:
        spent[MODULES.get(role.role, role.role)][role.key] += role.seconds
    for check in tables.checks:
        spent[FAST_TESTER][check.key] += check.milliseconds / 1000
    return {module: estimate((key.task, by_key[key]) for key in keys) for module, by_key in spent.items()}


def _finished(tables: Tables) -> set[EpisodeKey]:
    return {e.key for e in tables.episodes if e.status.counted}


def _share(rows: Iterable[CheckRow], test: Callable[[CheckRow], bool]) -> Estimate:
    return pooled((c.key.task, float(test(c))) for c in rows)
