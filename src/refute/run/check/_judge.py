"""Verdicts on proofs: does an end that was brought about show what it should?"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from refute.goals import Constraint, RevisionKind, Task, TruthVerdict
from refute.revisions import Ending, EpisodeEnded
from refute.run.check._result import Proof
from refute.trace import Trace


def judge_episode(name: str, task: Task, ignored: int, trace: Trace) -> Proof:
    """What the episode of an oracle shows that ignored revision `ignored` (0 = none)."""
    end, truth = trace.of(EpisodeEnded)[-1], trace.of(TruthVerdict)
    proof = Proof(name=name, seed=task.seed, steps=end.spent.steps, seconds=round(end.spent.seconds, 2))
    if end.ending is Ending.HARNESS_ERROR or not truth:
        problem = (end.message or "no verdict").strip().splitlines()[-1]
        return proof.model_copy(update={"problem": problem})
    verdict = truth[-1]
    active = task.judged(verdict.branches)
    failed = {c.id for c in active if not verdict.findings[c.id].satisfied}
    if ignored:
        problem = ignored_problem(task, ignored, active, failed, verdict.damage)
    else:
        problem = _oracle_problem(end, verdict, failed)
    return proof.model_copy(update={"failed": tuple(sorted(failed)), "problem": problem})


def noop_problem(active: Collection[Constraint], failed: Collection[str]) -> str:
    """Whether doing nothing satisfies something that needs action."""
    kept = {c.id for c in active if c.action} - set(failed)
    return f"doing nothing satisfies {_list(kept)}" if kept else ""


def ignored_problem(
    task: Task, k: int, active: Collection[Constraint], failed: Collection[str], damage: Collection[str]
) -> str:
    """Whether ignoring revision `k` fails exactly what it introduced or changed and what still counts.

    A retraction introduces nothing. What an agent does that overheard it is too much: that has to fail a constraint,
    be it an older one (*nothing else*), or to be reported as damage.
    """
    expected, found = {c.id for c in active if brought(task, k, c)}, set(failed)
    if task.revisions[k - 1].kind is RevisionKind.RETRACTION:
        if not found and not damage:
            return f"ignoring revision {k}, a retraction, goes unnoticed"
        missing = expected - found
        return f"ignoring revision {k} does not fail {_list(missing)}" if missing else ""
    if found != expected:
        return f"ignoring revision {k} fails {_list(found)} instead of {_list(expected)}"
    return ""


def brought(task: Task, k: int, constraint: Constraint) -> bool:
    """Whether revision `k` introduced `constraint` or changed it; what it leaves as it was does not count."""
    if constraint.bound_to != k:
        return False
    if constraint.branch is None or constraint.branch.when:
        return True
    targets = task.revisions[k - 1].targets
    return not any(c.validator == constraint.validator for c in task.constraints if c.id in targets)


def _oracle_problem(end: EpisodeEnded, verdict: TruthVerdict, failed: set[str]) -> str:
    if end.ending is not Ending.DONE:
        return f"the oracle ended with {end.ending}: {end.message or f'out of {end.limit}'}"
    if failed:
        return "; ".join(f"{name}: {verdict.findings[name].evidence}" for name in sorted(failed))
    if end.forced:
        return f"{end.forced} milestone(s) did not come before the end"
    return f"damage: {'; '.join(verdict.damage)}" if verdict.damage else ""


def outcomes_of(trace: Trace) -> Mapping[str, bool]:
    """How each condition came out in an episode."""
    truth = trace.of(TruthVerdict)
    return truth[-1].branches if truth else {}


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
