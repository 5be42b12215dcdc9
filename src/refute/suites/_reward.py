"""Suites whose truth is a reward: one number between 0 and 1, and whether the episode is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from refute._errors import UserError
from refute.arena import EndState, Seen
from refute.goals import Constraint, Finding, Reference, Task
from refute.trace import Event

VALIDATOR = Reference(name="reward")
"""The validator of the one constraint that such a task has."""


class Rewarded(Event, kind="rewarded"):
    """The suite's own verdict after an observation: the truth, which agents never see."""

    reward: float = Field(ge=0, le=1, description="by the suite's rule; MiniWoB++: 1 if the raw reward is positive")
    raw: float = Field(description="the number that the page or the evaluator gave; may be negative")
    done: bool = Field(description="whether the suite ended the episode")
    reason: str = Field(default="", description="the suite's own words, if it gave any")


class RewardWorld:
    """The truth of an episode with a reward: it holds when the last reward is 1, or at least `enough`."""

    def __init__(self, *, enough: float = 1.0) -> None:
        self._enough = enough
        self.last: Rewarded | None = None
        """What the suite said last; None before the first look."""

    def holds(self, predicate: Reference, seen: Seen) -> bool:
        """There are no predicates here. Raises `UserError`."""
        raise UserError(f"a suite with rewards knows no predicate {predicate.name!r}")

    def branches(self, task: Task, seen: Seen) -> Mapping[str, bool]:
        """No conditions."""
        return {}

    def validate(self, constraint: Constraint, end: EndState) -> Finding:
        """The verdict by the last reward. Raises `UserError` for any other validator."""
        if constraint.validator != VALIDATOR:
            raise UserError(f"constraint {constraint.id!r} is not judged by a reward")
        if self.last is None:
            return Finding(satisfied=False, evidence="no reward was given")
        evidence = f"reward {self.last.reward:g} (raw {self.last.raw:g})"
        if self.last.reason:
            evidence += f": {self.last.reason}"
        return Finding(satisfied=self.last.reward >= self._enough, evidence=evidence)

    def damage(self, task: Task, end: EndState) -> Sequence[str]:
        """None is known."""
        return ()


def reward_task(
    *,
    name: str,
    seed: int,
    benchmark: str,
    env_id: str,
    licence: str,
    start_url: str,
    max_steps: int,
    viewport: Mapping[str, int],
) -> Task:
    """A static task whose instruction is drawn when the page is there; its id is ``NAME.SEED``."""
    pending = f"{name}, seed {seed}: the instruction is drawn when the episode starts"
    return Task.model_validate(
        {
            "id": f"{name}.{seed}",
            "template": name,
            "source": {"benchmark": benchmark, "task_id": name, "licence": licence},
            "seed": seed,
            "env_id": env_id,
            "start_urls": (start_url,),
            "initial_instruction": pending,
            "static_instruction": pending,
            "constraints": ({"id": "goal", "text": pending, "bound_to": 0, "validator": VALIDATOR.model_dump()},),
            "max_steps": max_steps,
            "viewport": viewport,
        }
    )


def is_drawn(task: Task) -> bool:
    """Whether `task` is judged by a reward, so that its instruction is drawn when the episode starts.

    One with revisions is not: whoever writes revisions to a task of such a suite, as an import of InterruptBench's for
    MiniWoB++ does, knows the instruction.
    """
    return not task.revisions and task.constraints[0].validator == VALIDATOR


def with_instruction(task: Task, instruction: str) -> Task:
    """`task` as it reads once the instruction is known."""
    text = instruction.strip() or "(the suite gives no instruction)"
    goal = task.constraints[0].model_copy(update={"text": text})
    return task.model_copy(update={"initial_instruction": text, "static_instruction": text, "constraints": (goal,)})
