"""Which of a site's states prove which branch of a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refute.goals import Task
from refute.run.check._result import Outcomes, Proof


def other_editions(task: Task, outcomes: Sequence[Mapping[str, bool]]) -> tuple[int, ...]:
    """The fewest other states in which each condition of `task` comes out as it does not in its own.

    `outcomes`: how the conditions come out in each state, by its seed.
    """
    own = task.seed % len(outcomes)
    missing = {name for name in task.conditions if any(found[name] != outcomes[own][name] for found in outcomes)}
    chosen: list[int] = []
    while missing:
        gain = {
            seed: {name for name in missing if found[name] != outcomes[own][name]}
            for seed, found in enumerate(outcomes)
        }
        best = max(gain, key=lambda seed: (len(gain[seed]), -seed))
        chosen.append(best)
        missing -= gain[best]
    return tuple(chosen)


def check_branches(
    task: Task, proofs: Sequence[tuple[Proof, Mapping[str, bool]]], *, editions: int
) -> dict[str, Outcomes]:
    """What `proofs`, oracle's episodes and how the conditions came out in them, show of each condition.

    On a site with one state alone, the other branch cannot be asked for.
    """
    found: dict[str, Outcomes] = {}
    for name in task.conditions:
        met = {str(came[name]).lower() for _, came in proofs if name in came}
        proven = {
            outcome: proof.seed
            for outcome in ("false", "true")
            for proof, came in reversed(proofs)
            if not proof.problem and name in came and str(came[name]).lower() == outcome
        }
        problem = ""
        if editions > 1 and len(met) == 1 and all(name in came for _, came in proofs):
            always = f"condition {name!r} comes out {next(iter(met))} in every state of the site"
            problem = f"{always}: its other branch was never proven"
        asked = ("true", "false") if editions > 1 else tuple(sorted(met))
        found[name] = Outcomes(proven=proven, asked=asked, problem=problem)
    return found
