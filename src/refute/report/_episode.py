"""What an episode's page shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from refute.agents import Repaired, Tested
from refute.goals import FaultStarted, MistakeEnded, MistakeStarted, TruthStep, TruthVerdict
from refute.llm import ModelCalled
from refute.report._index import PAGE, EpisodeLine, link
from refute.report._plan import plan_changes, plan_lines
from refute.report._steps import step_cards
from refute.report._timeline import timeline
from refute.revisions import EpisodeStarted, Intercepted
from refute.tables import DeliveryRow, EpisodeRow, MistakeRow, Tables, last_attempt
from refute.trace import Trace


@dataclass(kw_only=True)
class RoleCost:
    """What one role's questions cost."""

    role: str
    calls: int = 0
    input: int = 0
    output: int = 0
    estimated: bool = False
    """Whether the provider left out some of these numbers."""
    retries: int = 0
    failed: int = 0
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens."""
        return self.input + self.output


def episode_view(
    line: EpisodeLine, tables: Tables, trace: Trace | None, *, before: EpisodeLine | None, after: EpisodeLine | None
) -> dict[str, Any]:
    """The variables of the episode template. `trace` is None where it cannot be read; the page then says why."""
    row = line.row
    own = tables.episode(row.key)
    view: dict[str, Any] = {
        "row": row,
        "line": line,
        "run": next((r for r in tables.runs if r.run == row.key.run), None),
        "simulated": row.simulated,
        "home": link(row.folder, tables.out / PAGE),
        "before": link(row.folder, before.row.folder / PAGE) if before is not None else "",
        "after": link(row.folder, after.row.folder / PAGE) if after is not None else "",
        "constraints": own.constraints,
        "deliveries": own.deliveries,
        "mistakes": own.mistakes,
        "faults": own.faults,
        "drift": _drift(own.mistakes),
    }
    if trace is None:
        return {**view, "cards": (), "plan": (), "drawing": None, "repairs": (), "roles": (), "task": None}
    trace = last_attempt(trace)
    started = next(iter(trace.of(EpisodeStarted)), None)
    verdict = next(iter(reversed(trace.of(TruthVerdict))), None)
    plan = plan_lines(trace)
    return {
        **view,
        "task": started.task if started is not None else None,
        "started": started,
        "damage": verdict.damage if verdict is not None else (),
        "branches": verdict.branches if verdict is not None else {},
        "cards": step_cards(trace),
        "plan": plan,
        "states": Counter(line.word for line in plan),
        "tests": _tests(trace),
        "changes": plan_changes(trace),
        "drawing": timeline(
            trace, steps=row.steps, deliveries=own.deliveries, mistakes=own.mistakes, faults=own.faults
        ),
        "repairs": trace.of(Repaired),
        "scopes": Counter(r.scope.value for r in trace.of(Repaired)),
        "talk": _talk(trace, own.deliveries),
        "roles": _roles(trace),
        "truth": bool(
            trace.of(TruthStep) or trace.of(MistakeStarted) or trace.of(MistakeEnded) or trace.of(FaultStarted)
        ),
    }


def headline(row: EpisodeRow) -> str:
    """The task in one line: its first instruction, cut at a word."""
    if len(row.title) <= 120:
        return row.title or row.task
    return f"{row.title[:118].rsplit(' ', 1)[0]} …"


def _talk(trace: Trace, deliveries: tuple[DeliveryRow, ...]) -> tuple[DeliveryRow | Intercepted, ...]:
    """Revisions and turned down claims in the order in which they came; what never came is last."""
    claims = trace.of(Intercepted)
    return tuple(sorted((*claims, *deliveries), key=lambda t: (t.step is None, t.step or 0)))


def _drift(mistakes: tuple[MistakeRow, ...]) -> float | None:
    """Mean steps from a mistake's onset to the repair that it led to; None when none was noticed."""
    delays = [m.noticed - m.started for m in mistakes if m.noticed is not None]
    return sum(delays) / len(delays) if delays else None


def _tests(trace: Trace) -> defaultdict[int, list[Tested]]:
    """What the fast tester said, by the number of the commitment."""
    tests: defaultdict[int, list[Tested]] = defaultdict(list)
    for test in trace.of(Tested):
        tests[test.number].append(test)
    return tests


def _roles(trace: Trace) -> tuple[RoleCost, ...]:
    costs: dict[str, RoleCost] = {}
    for call in trace.of(ModelCalled):
        cost = costs.setdefault(call.role, RoleCost(role=call.role))
        cost.calls += 1
        cost.input += call.usage.input_tokens
        cost.output += call.usage.output_tokens
        cost.estimated = cost.estimated or call.usage.estimated
        cost.retries += call.attempts - 1
        cost.failed += not call.ok
        cost.seconds += call.seconds
    return tuple(sorted(costs.values(), key=lambda c: -c.tokens))
